package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
)

var (
	// ErrAddress is wrapped by every error about the address of a store. None has what may be a credential.
	ErrAddress = errors.New("not the address of a store")
	// ErrName is wrapped by every error about a name that no object can have.
	ErrName = errors.New("not the name of an object")
)

// Address is where a store is: a folder, or what is below a prefix of a bucket.
type Address struct {
	Folder string // path; "": it is a bucket
	Bucket string
	Prefix string // parts of a name with / between them; "": all of the bucket
}

var bucketForm = regexp.MustCompile(`^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$`)

// ParseAddress parses DIR, file:///DIR or s3://BUCKET/PREFIX. ErrAddress.
func ParseAddress(text string) (Address, error) {
	scheme, rest, found := strings.Cut(text, "://")
	switch {
	case text == "" || strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r == 0x7f }):
		return Address{}, fmt.Errorf("%w: it is empty or has a control character", ErrAddress)
	case !found:
		return Address{Folder: filepath.Clean(text)}, nil
	case scheme == "file" && strings.HasPrefix(rest, "/"):
		return Address{Folder: filepath.Clean(rest)}, nil
	case scheme != "s3":
		return Address{}, fmt.Errorf("%w: it is DIR, file:///DIR or s3://BUCKET/PREFIX", ErrAddress)
	case strings.ContainsAny(rest, "@:"):
		return Address{}, fmt.Errorf("%w: the endpoint and credentials are variables: AWS_ENDPOINT_URL, AWS_ACCESS_KEY_ID, "+
			"AWS_SECRET_ACCESS_KEY", ErrAddress)
	}
	bucket, prefix, _ := strings.Cut(rest, "/")
	prefix = strings.TrimSuffix(prefix, "/")
	if !bucketForm.MatchString(bucket) || strings.Contains(bucket, "..") {
		return Address{}, fmt.Errorf("%w: %q is not the name of a bucket", ErrAddress, bucket)
	}
	if prefix != "" {
		if err := CheckName(prefix); err != nil {
			return Address{}, fmt.Errorf("%w: its prefix is %w", ErrAddress, err)
		}
	}
	return Address{Bucket: bucket, Prefix: prefix}, nil
}

// String is the address as ParseAddress takes it.
func (a Address) String() string {
	if a.Folder != "" {
		return a.Folder
	}
	return strings.TrimSuffix("s3://"+a.Bucket+"/"+a.Prefix, "/")
}

// buckets opens addresses of buckets; nil in a program without internal/store/s3.
var buckets func(context.Context, Address) (Store, error)

// OpenBuckets says how addresses of buckets are opened. The package internal/store/s3 calls it when it is imported, so that
// programs that work in folders alone do not have its library.
func OpenBuckets(open func(context.Context, Address) (Store, error)) { buckets = open }

// Open makes a Store of its address, without a request. A folder need not be there; a bucket must when it is used. A program that
// opens buckets imports internal/store/s3. ErrAddress.
func Open(ctx context.Context, address string) (Store, error) {
	a, err := ParseAddress(address)
	switch {
	case err != nil:
		return nil, err
	case a.Folder != "":
		return OpenFolder(a.Folder)
	case buckets == nil:
		return nil, fmt.Errorf("%w: this program reads folders alone", ErrAddress)
	}
	return buckets(ctx, a)
}

const mostName = 700 // characters; S3 has 1,024 for prefix and name

var nameForm = regexp.MustCompile(`^[A-Za-z0-9_-][A-Za-z0-9._-]*(/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$`)

// CheckName refuses names that no object can have: those with parts that are empty or begin with a point, such as "..", and
// those with other characters than letters, digits and ._-. ErrName.
func CheckName(name string) error {
	if len(name) > mostName {
		return fmt.Errorf("%w: it has %d characters, more than %d", ErrName, len(name), mostName)
	}
	for part := range strings.SplitSeq(name, "/") {
		if len(part) > 200 {
			return fmt.Errorf("%w: it has a part of %d characters, more than 200", ErrName, len(part))
		}
	}
	if !nameForm.MatchString(name) {
		return fmt.Errorf("%w: %q", ErrName, name)
	}
	return nil
}

// CheckPrefix refuses what no name can begin with. ErrName.
func CheckPrefix(prefix string) error {
	if prefix == "" {
		return nil
	}
	return CheckName(strings.TrimSuffix(prefix, "/"))
}

var digestForm = regexp.MustCompile(`^[0-9a-f]{64}$`)

// IsDigest reports whether text is a SHA-256 in hexadecimal digits.
func IsDigest(text string) bool { return digestForm.MatchString(text) }

// Sum is the SHA-256 of bytes in hexadecimal digits.
func Sum(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// DigestOf is the SHA-256 of the object of a name that Blob made; "" for other names.
func DigestOf(name string) string {
	if digest := name[strings.LastIndexByte(name, '/')+1:]; IsDigest(digest) && Blob(digest) == name {
		return digest
	}
	return ""
}

// CheckObject refuses an object that cannot be put: by its name, or because its digest is not known or not that of its name.
// ErrName, ErrDigest.
func CheckObject(o Object) error {
	if err := CheckName(o.Name); err != nil {
		return err
	}
	if named := DigestOf(o.Name); !IsDigest(o.SHA256) || o.Bytes < 0 || named != "" && named != o.SHA256 {
		return fmt.Errorf("%w: %s of %d bytes with SHA-256 %q", ErrDigest, o.Name, o.Bytes, o.SHA256)
	}
	return nil
}

// Range is the end of length bytes of an object from an offset, -1: to its end. It fails where the object has no such offset.
func (o Object) Range(offset, length int64) (end int64, err error) {
	if offset < 0 || offset > o.Bytes || length < -1 {
		return 0, fmt.Errorf("read %d bytes from %d of %s, which has %d", length, offset, o.Name, o.Bytes)
	}
	if length < 0 || length > o.Bytes-offset {
		return o.Bytes, nil
	}
	return offset + length, nil
}

// MostPointer limits the bytes of a pointer.
const MostPointer = 1 << 20

// CheckPointer refuses a pointer that cannot be swapped, by its name or size. ErrName.
func CheckPointer(name string, value []byte) error {
	if len(value) > MostPointer {
		return fmt.Errorf("the pointer %s has %d bytes, more than %d", name, len(value), MostPointer)
	}
	return CheckName(name)
}
