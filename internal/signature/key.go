package signature

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"fmt"
	"os"
)

// ErrKey is wrapped by every error about a key file. None of them has a part of a key.
var ErrKey = errors.New("invalid key file")

// The types of PEM blocks, those of PKCS #8 and PKIX, which openssl reads and writes too.
const (
	privateBlock = "PRIVATE KEY"
	publicBlock  = "PUBLIC KEY"
)

// ID is the id of a key: the first 16 hexadecimal digits of the SHA-256 of the public key.
func ID(public ed25519.PublicKey) string {
	sum := sha256.Sum256(public)
	return hex.EncodeToString(sum[:8])
}

// Make writes a new private key to a file that only its owner can read, and that must not exist. It returns the public key.
func Make(path string) (ed25519.PublicKey, error) {
	public, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return nil, err
	}
	der, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		return nil, err
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	_, err = file.Write(pem.EncodeToMemory(&pem.Block{Type: privateBlock, Bytes: der}))
	return public, errors.Join(err, file.Sync(), file.Close())
}

// EncodePublic is the PEM of a public key.
func EncodePublic(public ed25519.PublicKey) ([]byte, error) {
	der, err := x509.MarshalPKIXPublicKey(public)
	if err != nil {
		return nil, err
	}
	return pem.EncodeToMemory(&pem.Block{Type: publicBlock, Bytes: der}), nil
}

// ReadPrivate reads a private key. Others than its owner must not be able to read the file.
func ReadPrivate(path string) (ed25519.PrivateKey, error) {
	keys, err := readKeys(path)
	if err != nil {
		return nil, err
	}
	if len(keys) != 1 || keys[0].private == nil {
		return nil, fmt.Errorf("%w: %s is not one private key; quartier key make writes one", ErrKey, path)
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if mode := info.Mode().Perm(); mode&0o077 != 0 {
		return nil, fmt.Errorf("%w: %s can be read by others (mode %#o): chmod 600 it, and make another key if others have read it", ErrKey,
			path, mode)
	}
	return keys[0].private, nil
}

// ReadTrust reads the public keys of files, of which each has one or more. A private key is refused: who verifies needs none.
func ReadTrust(paths ...string) (Trust, error) {
	var trust Trust
	for _, path := range paths {
		keys, err := readKeys(path)
		if err != nil {
			return nil, err
		}
		for _, k := range keys {
			if k.private != nil {
				return nil, fmt.Errorf("%w: %s has a private key, which stays with who signs; quartier key public writes the public one", ErrKey, path)
			}
			trust = append(trust, k.Public)
		}
	}
	return trust, nil
}

// Key is a key of a file.
type Key struct {
	Public  ed25519.PublicKey
	Private bool // the file has the private key
}

// List reads the keys of a file.
func List(path string) (list []Key, err error) {
	keys, err := readKeys(path)
	for _, k := range keys {
		list = append(list, Key{k.Public, k.private != nil})
	}
	return list, err
}

type anyKey struct {
	Public  ed25519.PublicKey
	private ed25519.PrivateKey // nil: not in the file
}

// readKeys reads all keys of a file, of which there must be one.
func readKeys(path string) (keys []anyKey, err error) {
	rest, err := readFile(path)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrKey, err)
	}
	for {
		block, more := pem.Decode(rest)
		if block == nil {
			break
		}
		rest = more
		k, ok := parseKey(block)
		if !ok {
			return nil, fmt.Errorf("%w: %s has a %.20q that is not an ed25519 key in PKCS #8 or PKIX", ErrKey, path, block.Type)
		}
		keys = append(keys, k)
	}
	if len(keys) == 0 {
		return nil, fmt.Errorf("%w: %s has no key in PEM", ErrKey, path)
	}
	return keys, nil
}

func parseKey(block *pem.Block) (k anyKey, ok bool) {
	switch block.Type {
	case privateBlock:
		parsed, err := x509.ParsePKCS8PrivateKey(block.Bytes)
		if k.private, ok = parsed.(ed25519.PrivateKey); err == nil && ok {
			k.Public = k.private.Public().(ed25519.PublicKey)
		}
		return k, err == nil && ok
	case publicBlock:
		parsed, err := x509.ParsePKIXPublicKey(block.Bytes)
		k.Public, ok = parsed.(ed25519.PublicKey)
		return k, err == nil && ok
	}
	return k, false
}
