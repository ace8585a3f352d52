package stepping

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"quartier/internal/store"
)

// objects is a folder of a machine that keeps files of steps by their digest, for the steps that it runs later. Files are other
// names of those in attempts, so that they are on one disk; nothing may write to them. Any number of processes use it at once.
type objects struct {
	dir   string // "": nothing is kept
	limit int64  // bytes
}

func (k objects) path(sha256 string) string {
	return filepath.Join(k.dir, filepath.FromSlash(store.Blob(sha256)))
}

// lend gives a file that is kept another name, and reports whether there is one. One that is damaged is removed.
func (k objects) lend(ctx context.Context, o output, to string) bool {
	from, now := k.path(o.SHA256), time.Now()
	if k.dir == "" || os.Link(from, to) != nil {
		return false
	}
	if sameBytes(ctx, o, to) != nil {
		os.Remove(from)
		os.Remove(to)
		return false
	}
	os.Chtimes(from, now, now) // when it was used last; another process may have removed it
	return true
}

// keep keeps a file that nobody will write to.
func (k objects) keep(o output, path string) error {
	if k.dir == "" {
		return nil
	}
	to := k.path(o.SHA256)
	err := os.MkdirAll(filepath.Dir(to), 0o700)
	if err == nil {
		err = os.Link(path, to)
	}
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	return err
}

// tidy removes the files whose last use was longest ago, until the rest is within the limit.
func (k objects) tidy() error {
	if k.dir == "" {
		return nil
	}
	var list []fs.FileInfo
	bytes := int64(0)
	err := filepath.WalkDir(k.dir, func(_ string, e fs.DirEntry, err error) error {
		if err != nil || !store.IsDigest(e.Name()) {
			return err
		}
		info, err := e.Info()
		if err == nil {
			list, bytes = append(list, info), bytes+info.Size()
		} else if errors.Is(err, fs.ErrNotExist) { // another process removed it
			err = nil
		}
		return err
	})
	slices.SortFunc(list, func(a, b fs.FileInfo) int { return a.ModTime().Compare(b.ModTime()) })
	for _, f := range list {
		if bytes > k.limit {
			if removed := os.Remove(k.path(f.Name())); removed != nil && !errors.Is(removed, fs.ErrNotExist) {
				return removed
			}
			bytes -= f.Size()
		}
	}
	return err
}
