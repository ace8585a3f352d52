package mirror

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"quartier/internal/store"
	"quartier/internal/store/releases"
	"quartier/schemas"
)

// reserve is what is left free on the disk, in bytes.
const reserve = 64 << 20

// errFull is for a release for which the disk has no room.
var errFull = errors.New("the disk of the cache has no room for the release")

// readAgain is the least time between readings of the cache.
var readAgain = 5 * time.Minute

// suspect reports whether the cache is to be read, because its Holder refuses it or found it damaged.
func (m *Mirror) suspect() bool {
	s := m.Releases.Status()
	return (s.Refused || s.Damaged != "") && !s.Verifying && time.Since(m.read) > readAgain
}

// repair reads the components of a release that are there. Of those that are damaged it leaves to Fetch what is right.
func (m *Mirror) repair(r *releases.Release) error {
	m.read = time.Now()
	for _, c := range r.Components {
		there, fetching := m.folder(c.ComponentRef), filepath.Join(m.Path(), releases.FetchFolder, c.Digest)
		damaged := false
		for _, f := range c.Files {
			at := filepath.Join(there, f.Name)
			if !m.wanted(f) && !exists(at) {
				continue
			}
			if err := wrong(at, f.SHA256); err != nil && exists(there) {
				m.o.Log.Warn("a file of the cache is damaged; it is fetched again", "path", at, "error", err)
				damaged = true
				os.Remove(at) // or it is not there
			}
		}
		if damaged {
			err := errors.Join(os.RemoveAll(fetching), os.MkdirAll(filepath.Dir(fetching), 0o755), os.Rename(there, fetching))
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// wrong returns an error for a file that has not all bytes of a SHA-256.
func wrong(path, sha256 string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	_, err = io.Copy(io.Discard, store.Verified(store.Blob(sha256), 0, -1, file))
	return err
}

func (m *Mirror) wanted(f releases.File) bool { return m.o.Wanted == nil || m.o.Wanted(f) }

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// room makes room for the files of a release that are wanted and not there, without what was served before if need be. Where there is
// none, an errFull, what was fetched of them is removed.
func (m *Mirror) room(r *releases.Release) error {
	need := int64(0)
	for _, c := range r.Components {
		for _, f := range c.Files {
			if m.wanted(f) && !exists(filepath.Join(m.folder(c.ComponentRef), f.Name)) {
				need += f.Bytes
			}
		}
	}
	free, err := m.o.Free(m.o.Dir)
	if err == nil && need > 0 && free < need+reserve {
		if err = m.retain(1); err == nil {
			free, err = m.o.Free(m.o.Dir)
		}
	}
	if err == nil && need > 0 && free < need+reserve {
		err = fmt.Errorf("%w: it takes %d MB, %d are free, and %d stay so", errFull, need>>20, free>>20, reserve>>20)
	}
	return err
}

// retain removes components but those of the last publications, at least of what is to be served, and those that the Holder serves,
// and what is half fetched. What is removed can be mapped: its bytes stay until it is not.
func (m *Mirror) retain(keep int) error {
	kept := map[string]bool{}
	keepAll := func(components []schemas.ComponentRef) {
		for _, c := range components {
			kept[m.folder(c)] = true
		}
	}
	if p, unread := schemas.ReadPointer(m.Path()); unread == nil && p != nil {
		keepAll(p.Components)
	}
	generations, err := schemas.Generations(m.Path())
	for i, n := range slices.Backward(generations) {
		if g, unread := schemas.ReadGeneration(m.Path(), n); unread == nil && len(generations)-i <= keep {
			keepAll(g.Pointer.Components)
		} else {
			err = errors.Join(err, os.RemoveAll(schemas.PointerSignatures(m.Path(), n)), os.RemoveAll(schemas.GenerationPath(m.Path(), n)))
		}
	}
	if r := m.Releases.Acquire(); r != nil {
		for _, folder := range r.Folders() {
			kept[folder] = true
		}
		r.Done()
	}
	return errors.Join(err, filepath.WalkDir(m.Path(), func(at string, e fs.DirEntry, err error) error {
		if err != nil || !e.IsDir() || at == m.Path() {
			return err
		}
		if kept[at] {
			return fs.SkipDir
		}
		if e.Name() != releases.FetchFolder && !exists(filepath.Join(at, schemas.ManifestFile)) {
			return nil
		}
		if err := os.RemoveAll(at); err != nil {
			return err
		}
		return fs.SkipDir
	}))
}
