package publish

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"quartier/schemas"
)

// ErrIncomplete is returned for a component that is not all there: a file is missing, or is not what its manifest says.
var ErrIncomplete = errors.New("the release is incomplete or damaged")

// checkFiles compares the files of a component with its manifest, by size, then by SHA-256.
func checkFiles(folder string, files []schemas.ReleaseFile) error {
	for _, f := range files {
		info, err := os.Stat(filepath.Join(folder, f.Name))
		if errors.Is(err, os.ErrNotExist) {
			return fmt.Errorf("%w: %s: %s is missing", ErrIncomplete, folder, f.Name)
		}
		if err != nil {
			return err
		}
		if info.Size() != f.Bytes {
			return fmt.Errorf("%w: %s: %s has %d bytes of %d", ErrIncomplete, folder, f.Name, info.Size(), f.Bytes)
		}
	}
	for _, f := range files {
		sum, err := sumFile(filepath.Join(folder, f.Name))
		if err != nil {
			return err
		}
		if sum != f.SHA256 {
			return fmt.Errorf("%w: %s: %s has the SHA-256 %.12s…, its manifest has %.12s…", ErrIncomplete, folder, f.Name, sum, f.SHA256)
		}
	}
	return nil
}

func sumFile(path string) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, file); err != nil {
		return "", fmt.Errorf("read %s: %w", path, err)
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}
