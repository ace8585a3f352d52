package source

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
)

// DigestFile returns the SHA-256 of a file in lower-case hex and its size in bytes.
func DigestFile(ctx context.Context, path string) (sum string, size int64, err error) {
	file, err := os.Open(path)
	if err != nil {
		return "", 0, err
	}
	defer file.Close()
	hash := sha256.New()
	size, err = io.Copy(hash, readerFunc(func(b []byte) (int, error) {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		return file.Read(b)
	}))
	return hex.EncodeToString(hash.Sum(nil)), size, err
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(b []byte) (int, error) { return f(b) }
