package export

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"quartier/internal/arrowfile"
)

// unfinishedFile names the files of an export that is being written, a line each. The next export in the folder removes them if
// this one was killed.
const unfinishedFile = "unfinished.txt"

// unfinished is the list of the files of an export that is being written.
type unfinished struct {
	folder string
	mu     sync.Mutex
	file   *os.File
}

// begin removes what an export that was killed has left, and begins the list of another.
func begin(folder string) (*unfinished, error) {
	if err := removeUnfinished(folder); err != nil {
		return nil, err
	}
	file, err := os.OpenFile(filepath.Join(folder, unfinishedFile), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	return &unfinished{folder: folder, file: file}, err
}

// add names a file before it is written.
func (u *unfinished) add(name string) error {
	u.mu.Lock()
	defer u.mu.Unlock()
	_, err := fmt.Fprintln(u.file, filepath.ToSlash(name))
	return err
}

// end ends the list after an export that is complete, or removes its files after one that failed.
func (u *unfinished) end(failure error) error {
	err := u.file.Close()
	if failure != nil {
		return errors.Join(failure, removeUnfinished(u.folder))
	}
	return errors.Join(err, os.Remove(filepath.Join(u.folder, unfinishedFile)))
}

// removeUnfinished removes the files of an export that did not end, and then the list of them.
func removeUnfinished(folder string) error {
	path := filepath.Join(folder, unfinishedFile)
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if _, err := os.Lstat(filepath.Join(folder, CatalogFile)); err == nil { // killed when it was complete
		return os.Remove(path)
	}
	for name := range strings.SplitSeq(string(text), "\n") {
		if name = filepath.FromSlash(name); name == "" {
			continue
		}
		if !filepath.IsLocal(name) {
			return fmt.Errorf("%s names %s, which is not in its folder", path, name)
		}
		for _, file := range []string{name, name + ".tmp", arrowfile.DescriptionOf(name), arrowfile.DescriptionOf(name) + ".tmp"} {
			if err := os.Remove(filepath.Join(folder, file)); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
		for dir := filepath.Dir(name); dir != "."; dir = filepath.Dir(dir) {
			if os.Remove(filepath.Join(folder, dir)) != nil {
				break // it has other files
			}
		}
	}
	return os.Remove(path)
}

// stopped is the error of an export that ended before it was complete: ErrStopped, too.
type stopped struct{ error }

func (s stopped) Unwrap() []error { return []error{s.error, ErrStopped} }
