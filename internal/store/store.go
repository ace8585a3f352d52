// Package store keeps objects by name where several machines reach them: in a folder, or in a bucket that speaks S3.
//
// Objects are written once and never change, so that a reader needs no lock; an object whose name is the SHA-256 of its bytes
// (Blob) is the same wherever it is. What changes are pointers, small objects that are swapped by comparing.
//
// Open makes a Store of its address. A Store is safe for concurrent use, and by several processes on several machines.
package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"iter"
)

var (
	// ErrNotFound: there is no object of that name.
	ErrNotFound = errors.New("no such object")
	// ErrExists: an object of that name is there, and stays as it is.
	ErrExists = errors.New("the object exists")
	// ErrChanged: the pointer is not at the version that it was compared with.
	ErrChanged = errors.New("the pointer was changed by somebody else")
	// ErrDigest: bytes that came or were to be sent are not those of their SHA-256.
	ErrDigest = errors.New("the bytes are not those of their SHA-256")
)

// Object is what is known of an object without its bytes.
type Object struct {
	Name   string // parts of letters, digits and ._- with / between them
	Bytes  int64
	SHA256 string // 64 hexadecimal digits; "": the store does not know it
}

// Store is a folder or a bucket.
type Store interface {
	// Open reads length bytes of an object from an offset; a length of -1: to its end. The caller closes it. ErrNotFound.
	Open(ctx context.Context, name string, offset, length int64) (io.ReadCloser, error)
	// Stat describes an object. ErrNotFound.
	Stat(ctx context.Context, name string) (Object, error)
	// Put writes an object whose bytes and digest are known. It is there whole or not at all. ErrExists, ErrDigest.
	Put(ctx context.Context, object Object, from io.ReaderAt) error
	// List returns the objects whose names begin with a prefix, in the order of their names.
	List(ctx context.Context, prefix string) iter.Seq2[Object, error]
	// Delete removes an object, which need not be there.
	Delete(ctx context.Context, name string) error
	// Read returns a pointer and its version. ErrNotFound.
	Read(ctx context.Context, name string) (value []byte, version string, err error)
	// Swap changes a pointer that is at a version, "": that is not there yet, and returns its new version. ErrChanged.
	Swap(ctx context.Context, name, version string, value []byte) (string, error)
	// String is the address, without credentials.
	String() string
}

// Blob is the name of the object of some bytes, of which sha256 is the digest in hexadecimal digits.
func Blob(sha256 string) string { return "objects/" + sha256[:2] + "/" + sha256 }

// Verified is what a Store returns for length bytes from an offset of an object: reading all of one of a name that Blob made, a
// length of -1 from 0, fails with ErrDigest at its end where the bytes are not its own. Who asks for a range verifies it.
func Verified(name string, offset, length int64, from io.ReadCloser) io.ReadCloser {
	digest := DigestOf(name)
	if digest == "" || offset != 0 || length != -1 {
		return from
	}
	return &verified{from, sha256.New(), name, digest}
}

type verified struct {
	io.ReadCloser
	sum          hash.Hash
	name, digest string
}

func (v *verified) Read(p []byte) (int, error) {
	n, err := v.ReadCloser.Read(p)
	v.sum.Write(p[:n])
	if err == io.EOF && hex.EncodeToString(v.sum.Sum(nil)) != v.digest {
		err = fmt.Errorf("%w: %s", ErrDigest, v.name)
	}
	return n, err
}
