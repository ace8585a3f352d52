package testenv

import (
	"archive/tar"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// Unpack unpacks an archive, .tar.zst, into a folder.
func Unpack(tb testing.TB, archive, dir string) {
	tb.Helper()
	if err := unpack(archive, dir); err != nil {
		tb.Fatalf("unpack %s: %v", archive, err)
	}
}

func unpack(archive, dir string) error {
	file, err := os.Open(archive)
	if err != nil {
		return err
	}
	defer file.Close()
	in, err := zstd.NewReader(file)
	if err != nil {
		return err
	}
	defer in.Close()
	for list := tar.NewReader(in); ; {
		entry, err := list.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		path := filepath.Join(dir, filepath.FromSlash(entry.Name))
		if entry.Typeflag == tar.TypeDir {
			err = os.MkdirAll(path, 0o755)
		} else {
			var data []byte
			if data, err = io.ReadAll(list); err == nil {
				err = os.WriteFile(path, data, 0o644)
			}
		}
		if err != nil {
			return err
		}
	}
}
