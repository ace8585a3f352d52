package publish

import (
	"fmt"
	"os"
	"path/filepath"

	"quartier/schemas"
)

// CreateBeside creates an empty file beside the one that it will replace, for its owner only.
func CreateBeside(path string) (beside string, err error) {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return "", fmt.Errorf("%s is not a file", path)
	}
	beside = path + ".new"
	file, err := os.OpenFile(beside, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return "", err
	}
	return beside, file.Close()
}

// WriteRequests writes a requests file beside its place, puts it there, and returns its SHA-256.
func WriteRequests(path string, requests *schemas.Requests) (digest string, err error) {
	data, err := requests.Encode()
	if err != nil {
		return "", err
	}
	beside, err := CreateBeside(path)
	if err != nil {
		return "", err
	}
	defer os.Remove(beside)
	for _, step := range []func() error{
		func() error { return OS.Write(beside, data) },
		func() error { return OS.Sync(beside) },
		func() error { return OS.Rename(beside, path) },
		func() error { return OS.Sync(filepath.Dir(path)) },
	} {
		if err := step(); err != nil {
			return "", err
		}
	}
	_, digest, err = schemas.ReadRequests(path)
	return digest, err
}
