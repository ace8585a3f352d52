// Package wholefile replaces files at once: who reads one has all of the old bytes or all of the new ones, also after the power
// was lost.
package wholefile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Replace writes a file beside its place, syncs it, and renames it over what is there, which stays after an error. A process that
// is killed meanwhile leaves a hidden file.
func Replace(path string, data []byte, mode fs.FileMode) error {
	file, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	_, err = file.Write(data)
	if err = errors.Join(err, file.Chmod(mode), file.Sync(), file.Close()); err == nil {
		err = os.Rename(file.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(file.Name()))
	}
	return Sync(filepath.Dir(path))
}

// Sync writes a file, or the names in a folder, to disk.
func Sync(path string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(file.Sync(), file.Close())
}
