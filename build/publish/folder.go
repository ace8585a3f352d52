package publish

import (
	"crypto/ed25519"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"quartier/internal/lockfile"
	"quartier/schemas"
)

// mostGenerations is the number of generations whose files are kept.
const mostGenerations = 1000

// Folder is a folder of releases, which one process at a time publishes in. It has the pointer to what is published, and a
// file for each of the last generations, in the order of their numbers; no clock is read.
//
//	<dir>/current.json              the generation that is published
//	<dir>/generations/000012.json   what was published as generation 12; one beyond current.json never was
//	<dir>/generations/000012.sig    signatures of its pointer, if it was published with a key
//	<dir>/<name>, <dir>/market/…    components, anywhere below dir
//	<dir>/.removed/…                releases that retain removes; the next retain removes what a killed one left
type Folder struct {
	dir     string
	fs      FileSystem
	lock    *lockfile.Lock
	current *schemas.Pointer   // nil: nothing is published
	key     ed25519.PrivateKey // signs pointers; nil: they are not signed
}

// OpenFolder locks a folder of releases for a command, such as "publish". It fails with lockfile.ErrHeld where another process
// holds it.
func OpenFolder(dir, command string) (*Folder, error) { return openFolder(dir, command, OS) }

func openFolder(dir, command string, fs FileSystem) (*Folder, error) {
	lock, err := lockfile.Acquire(dir, command)
	if err != nil {
		return nil, err
	}
	current, err := schemas.ReadPointer(dir)
	if err != nil {
		lock.Release()
		return nil, err
	}
	return &Folder{dir: dir, fs: fs, lock: lock, current: current}, nil
}

// Close unlocks the folder.
func (f *Folder) Close() error { return f.lock.Release() }

// Current is the pointer to what is published; nil: nothing.
func (f *Folder) Current() *schemas.Pointer { return f.current }

// Path is the folder of a component of the folder of releases.
func (f *Folder) Path(c schemas.ComponentRef) string {
	return filepath.Join(f.dir, filepath.FromSlash(c.Folder))
}

// write makes next the published generation, with one more than the last. What is published with the same components
// already stays.
func (f *Folder) write(next *schemas.Generation) (*schemas.Pointer, error) {
	if f.Publishes(&next.Pointer) {
		return f.current, f.signPointer(f.current)
	}
	kept, err := schemas.Generations(f.dir)
	if err != nil {
		return nil, err
	}
	switch {
	case f.current != nil:
		next.Pointer.Generation = f.current.Generation + 1
		if !slices.Contains(kept, f.current.Generation) { // programs of layout 8 kept the pointer alone
			if err := f.record(&schemas.Generation{Pointer: *f.current}); err != nil {
				return nil, fmt.Errorf("publish in %s: %w", f.dir, err)
			}
		}
	case len(kept) > 0: // the pointer is lost, and servers still know its generation
		next.Pointer.Generation = kept[len(kept)-1] + 1
	default:
		next.Pointer.Generation = 1
	}
	if err := f.put(next); err != nil {
		return nil, fmt.Errorf("publish in %s: %w", f.dir, err)
	}
	f.current = &next.Pointer
	for len(kept) >= mostGenerations {
		if err := errors.Join(removeIfThere(schemas.PointerSignatures(f.dir, kept[0])),
			os.Remove(schemas.GenerationPath(f.dir, kept[0]))); err != nil {
			return nil, err
		}
		kept = kept[1:]
	}
	return f.current, nil
}

// Publishes reports whether the components of p are published.
func (f *Folder) Publishes(p *schemas.Pointer) bool {
	return f.current != nil && slices.Equal(f.current.Components, p.Components)
}

// put writes the file of a generation, then the pointer.
func (f *Folder) put(g *schemas.Generation) error {
	pointer, err := g.Pointer.Encode()
	if err != nil {
		return err
	}
	if err := f.record(g); err != nil {
		return err
	}
	if err := f.signPointer(&g.Pointer); err != nil { // before the pointer, which a server never sees without
		return err
	}
	return f.replace(filepath.Join(f.dir, schemas.PointerFile), pointer)
}

// record writes the file of a generation.
func (f *Folder) record(g *schemas.Generation) error {
	data, err := g.Encode()
	if err != nil {
		return err
	}
	path := schemas.GenerationPath(f.dir, g.Pointer.Generation)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return f.replace(path, data)
}

// replace writes a file beside its place, and puts it there.
func (f *Folder) replace(path string, data []byte) error {
	beside := path + ".new"
	for _, step := range []func() error{
		func() error { return f.fs.Write(beside, data) },
		func() error { return f.fs.Sync(beside) },
		func() error { return f.fs.Rename(beside, path) },
		func() error { return f.fs.Sync(filepath.Dir(path)) },
	} {
		if err := step(); err != nil {
			return errors.Join(err, removeIfThere(beside))
		}
	}
	return nil
}

func removeIfThere(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}
