// Package signature signs manifests of components with ed25519, and decides which ones are trusted.
//
// Input: key files in PEM, and the component and digest of a manifest, which schemas compared with its content, or the SHA-256
// of a pointer. Output: a file of signatures beside it, or an error that says why it is not trusted.
//
// What is signed is the text "quartier manifest 1", the name of the component and the digest, each with a line feed. The digest
// is that of the manifest's canonical bytes, which list the SHA-256 of every file and the digests of the components beside it:
// signed components cannot be changed, or combined with others than those that they were made for. A pointer is signed like a
// component, by the name Pointer: it has the number of its generation, by which servers refuse what was published before.
package signature

import (
	"bytes"
	"crypto/ed25519"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
)

// Pointer is in the place of the name of a component for a pointer, which no component has.
const Pointer = "pointer"

// File is the name of the file of signatures beside a manifest.
const File = "manifest.sig"

// ErrUntrusted is wrapped by every error about a component that no trusted key signed.
var ErrUntrusted = errors.New("not signed by a trusted key")

// mostBytes limits a file of signatures or keys.
const mostBytes = 64 << 10

// signatures is the content of File.
type signatures struct {
	Signatures []signature `json:"signatures"` // by key
}

type signature struct {
	Key       string `json:"key"`       // id
	Signature []byte `json:"signature"` // base64
}

func message(component, digest string) []byte {
	return []byte("quartier manifest 1\n" + component + "\n" + digest + "\n")
}

// Sign returns the content of a file of signatures with that of a key added to those of others that it has. It is nil if the
// key signed the component already.
func Sign(path, component, digest string, key ed25519.PrivateKey) ([]byte, error) {
	all, err := read(path)
	if err != nil {
		return nil, err
	}
	public := key.Public().(ed25519.PublicKey)
	made := signature{ID(public), ed25519.Sign(key, message(component, digest))}
	i, found := slices.BinarySearchFunc(all.Signatures, made.Key, func(s signature, key string) int { return strings.Compare(s.Key, key) })
	switch {
	case !found:
		all.Signatures = slices.Insert(all.Signatures, i, made)
	case bytes.Equal(all.Signatures[i].Signature, made.Signature): // ed25519 is deterministic
		return nil, nil
	default:
		all.Signatures[i] = made // of another manifest that was in the folder
	}
	data, err := json.MarshalIndent(all, "", " ")
	return append(data, '\n'), err
}

// read reads a file of signatures; none if there is no file.
func read(path string) (signatures, error) {
	var all signatures
	data, err := readFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return all, nil
	}
	if err == nil {
		in := json.NewDecoder(bytes.NewReader(data))
		in.DisallowUnknownFields()
		err = in.Decode(&all)
	}
	if err != nil {
		return all, fmt.Errorf("read signatures: %s: %w", path, err)
	}
	slices.SortFunc(all.Signatures, func(a, b signature) int { return strings.Compare(a.Key, b.Key) })
	return all, nil
}

// readFile reads a regular file of at most mostBytes.
func readFile(path string) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular() || info.Size() > mostBytes:
		return nil, fmt.Errorf("%s is not a file of at most %d bytes", path, mostBytes)
	}
	return os.ReadFile(path)
}

// Trust is the public keys whose signatures are accepted. Without any, everything is.
type Trust []ed25519.PublicKey

// Check returns an ErrUntrusted unless a file has the signature of a component by a trusted key.
func (t Trust) Check(path, component, digest string) error {
	if len(t) == 0 {
		return nil
	}
	all, err := read(path)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrUntrusted, err)
	}
	var others []string
	for _, s := range all.Signatures {
		i := slices.IndexFunc(t, func(key ed25519.PublicKey) bool { return ID(key) == s.Key })
		if i < 0 {
			others = append(others, fmt.Sprintf("%.16q", s.Key))
			continue
		}
		if ed25519.Verify(t[i], message(component, digest), s.Signature) {
			return nil
		}
		return fmt.Errorf("%w: the signature of %s by the key %s in %s is not of %.12s", ErrUntrusted, component, s.Key, path, digest)
	}
	if len(others) > 0 {
		return fmt.Errorf("%w: %s is signed by %s in %s, none of which is trusted", ErrUntrusted, component,
			strings.Join(others[:min(len(others), 5)], ", "), path)
	}
	return fmt.Errorf("%w: %s has no signature in %s", ErrUntrusted, component, path)
}
