// Package publish puts a finished release in its place, atomically. It provides the directory in which a release is
// built, next to the final one and locked, and exchanges the two.
package publish

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"

	"quartier/internal/lockfile"
	"quartier/schemas"
)

var (
	// ErrExists is returned where the path of the release exists and must not be replaced.
	ErrExists = errors.New("already exists")
	// ErrBusy is returned where another build is writing the same release.
	ErrBusy = errors.New("another build is writing this release")
)

// FileSystem is the operations whose failure tests simulate.
type FileSystem struct {
	Write    func(path string, data []byte) error
	Sync     func(path string) error
	Rename   func(from, to string) error
	Exchange func(a, b string) error // swaps two folders atomically
}

// OS is the operating system's file system.
var OS = FileSystem{
	Write:    func(path string, data []byte) error { return os.WriteFile(path, data, 0o644) },
	Sync:     syncPath,
	Rename:   os.Rename,
	Exchange: exchange,
}

// syncPath flushes a file or folder to disk.
func syncPath(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	err = f.Sync()
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	return err
}

// Dir is the directory in which a release is built: hidden, next to the final one, and locked while the build runs.
// What a killed build left in it is removed by the next one, or continued.
//
//	<dir>/.<out>.partial/release  the new release; after the exchange, the old one
//	<dir>/.<out>.partial/private  the new component private beside it, if there is one; likewise
//	<dir>/.<out>.partial/replaced the old release, for a moment, where folders cannot be exchanged
//	<dir>/.<out>.partial/scratch  files that steps hand on, and temporary ones
//	<dir>/.<out>.partial/stamps   which steps are finished
type Dir struct {
	fs      FileSystem
	out     string
	root    string
	private bool // there is a component private
	secret  bool // Target.Secret
	lock    *os.File
}

// PrivateFolder is the folder of the component private that stands beside the release in a folder.
func PrivateFolder(release string) string { return filepath.Clean(release) + "-private" }

// Release returns the folder for the files of the new release.
func (d *Dir) Release() string { return filepath.Join(d.root, "release") }

// Private returns the folder for the files of the new component private.
func (d *Dir) Private() string { return filepath.Join(d.root, "private") }

// Scratch returns the folder for temporary files.
func (d *Dir) Scratch() string { return filepath.Join(d.root, "scratch") }

// Stamps returns the folder for the stamps of finished steps.
func (d *Dir) Stamps() string { return filepath.Join(d.root, "stamps") }

// Root returns the directory itself.
func (d *Dir) Root() string { return d.root }

func (d *Dir) replaced(out string) string {
	if out == d.out {
		return filepath.Join(d.root, "replaced")
	}
	return filepath.Join(d.root, "replaced-private")
}

// Target is where a release is put.
type Target struct {
	Out     string // folder of the release
	Force   bool   // replace a release there
	Private bool   // a component private is put beside it
	Secret  bool   // it is about what customers drew itself
}

// Open creates the directory for a release, empty. It fails with ErrExists as Target.Check does, and with ErrBusy where another
// build holds the lock.
func Open(t Target, fs FileSystem) (*Dir, error) { return openDir(t, fs) }

// Continue is Open, but keeps what an earlier build left for this one.
func Continue(t Target, fs FileSystem) (*Dir, error) {
	return openDir(t, fs, "release", "private", "scratch", "stamps")
}

// At returns the directory for a release at out without creating or locking it, to look at what an earlier build left.
func At(out string) (*Dir, error) {
	out, err := filepath.Abs(out)
	return &Dir{out: out, root: filepath.Dir(Unpublished(out))}, err
}

// Unpublished is the folder of a release for out until it is put there.
func Unpublished(out string) string {
	out = filepath.Clean(out)
	return filepath.Join(filepath.Dir(out), "."+filepath.Base(out)+".partial", "release")
}

func openDir(t Target, fs FileSystem, keep ...string) (*Dir, error) {
	d, err := At(t.Out)
	if err != nil {
		return nil, err
	}
	d.fs, d.private, d.secret = fs, t.Private, t.Secret
	if err := os.MkdirAll(filepath.Dir(d.out), 0o755); err != nil {
		return nil, err
	}
	if err := d.acquire(); err != nil {
		return nil, err
	}
	err = d.restore()
	if err == nil {
		err = d.removeLeftovers(keep...)
	}
	if err == nil {
		err = t.Check()
	}
	folders := map[string]os.FileMode{d.Release(): 0o755, d.Scratch(): ownerFolder, d.Stamps(): 0o755}
	if t.Private {
		folders[d.Private()] = ownerFolder
	}
	for dir, mode := range folders {
		if err == nil {
			err = os.MkdirAll(dir, mode)
		}
	}
	if err != nil {
		os.Remove(d.root) // fails unless it is empty
		lockfile.Close(d.lock)
		return nil, err
	}
	return d, nil
}

// acquire creates and locks the hidden folder.
func (d *Dir) acquire() error {
	if err := os.Mkdir(d.root, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	lock, err := os.Open(d.root)
	if err != nil {
		return err
	}
	if err := lockfile.Try(lock); err != nil {
		lock.Close()
		if !errors.Is(err, lockfile.ErrHeld) {
			return fmt.Errorf("lock %s: %w: network file systems do not lock folders; write to a folder on a disk of this machine", d.root, err)
		}
		return fmt.Errorf("%w: %s", ErrBusy, d.out)
	}
	locked, err := lock.Stat()
	if err == nil {
		var current fs.FileInfo
		if current, err = os.Stat(d.root); err == nil && !os.SameFile(locked, current) {
			err = fs.ErrNotExist
		}
	}
	if err != nil { // the other build ended and removed the folder between open and lock
		lockfile.Close(lock)
		return fmt.Errorf("%w: %s", ErrBusy, d.out)
	}
	d.lock = lock
	return nil
}

// restore puts an old release and an old component private back that a killed build had moved aside and not yet replaced.
func (d *Dir) restore() error {
	for _, out := range []string{d.out, PrivateFolder(d.out)} {
		_, err := os.Stat(out)
		_, aside := os.Stat(d.replaced(out))
		if errors.Is(err, fs.ErrNotExist) && aside == nil {
			if err := d.fs.Rename(d.replaced(out), out); err != nil {
				return err
			}
		}
	}
	return nil
}

// Check returns an error that is ErrExists unless the release, and the component private, may be put in their places. A folder
// that is not empty and has no release is never replaced, and a release only by force.
func (t Target) Check() error {
	err := replaceable(t.Out, t.Force)
	if t.Private {
		err = errors.Join(err, t.checkPrivate())
	}
	return err
}

// checkPrivate is Check for the component private. That of this release, which a build put in its place before it was killed,
// may be replaced.
func (t Target) checkPrivate() error {
	beside := PrivateFolder(t.Out)
	if of, err := schemas.ComponentOf(beside); err == nil && of != schemas.Private {
		return fmt.Errorf("%s %w and is not a component private; it is not replaced", beside, ErrExists)
	}
	d, err := At(t.Out)
	if err != nil {
		return err
	}
	m, err := schemas.ReadPrivateManifest(beside)
	if err != nil || t.Force {
		return replaceable(beside, t.Force)
	}
	places, err := schemas.ReadManifest(d.Release())
	return replaceable(beside, err == nil && places.Digest == m.Places)
}

func replaceable(out string, force bool) error {
	entries, err := os.ReadDir(out)
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(entries) == 0 {
		return nil
	}
	if err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(out, schemas.ManifestFile)); err != nil {
		return fmt.Errorf("%s %w and is not a release; it is never replaced", out, ErrExists)
	}
	if !force {
		return fmt.Errorf("release %s %w; use force to replace it", out, ErrExists)
	}
	return nil
}

// removeLeftovers removes everything from the hidden folder but what has one of these names.
func (d *Dir) removeLeftovers(keep ...string) error {
	entries, err := os.ReadDir(d.root)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if slices.Contains(keep, e.Name()) {
			continue
		}
		if err := os.RemoveAll(filepath.Join(d.root, e.Name())); err != nil {
			return err
		}
	}
	return nil
}

// Close removes the directory, with everything that was not published, and releases the lock.
func (d *Dir) Close() {
	if d.removeLeftovers() == nil {
		os.Remove(d.root)
	}
	lockfile.Close(d.lock)
}

// Leave releases the lock and leaves the directory for a build that continues.
func (d *Dir) Leave() { lockfile.Close(d.lock) }

// WriteFile writes a file of the new release.
func (d *Dir) WriteFile(name string, data []byte) error {
	return d.fs.Write(filepath.Join(d.Release(), name), data)
}

// What customers drew, and what is about it, can be read by its owner alone, whatever the umask is.
const (
	ownerFolder = 0o700
	ownerFile   = 0o600
)

// Flush writes the files of the new release to disk, and takes what customers drew from other users.
func (d *Dir) Flush() error {
	folders := []string{d.Release()}
	if d.private {
		folders = append(folders, d.Private())
	}
	for _, folder := range folders {
		entries, err := os.ReadDir(folder)
		if err != nil {
			return err
		}
		secret := d.secret || folder == d.Private()
		if secret {
			err = os.Chmod(folder, ownerFolder)
		}
		for _, e := range entries {
			if secret && err == nil && e.Type().IsRegular() {
				err = os.Chmod(filepath.Join(folder, e.Name()), ownerFile)
			}
			if err != nil {
				return err
			}
			if err := d.fs.Sync(filepath.Join(folder, e.Name())); err != nil {
				return fmt.Errorf("flush %s: %w", e.Name(), err)
			}
		}
		if err := d.fs.Sync(folder); err != nil {
			return fmt.Errorf("flush folder: %w", err)
		}
	}
	return nil
}

// Publish puts the new release in its place, and the component private before it. What is there is exchanged with it in one
// step, so that there is a complete release at any time. If the build is killed between the two, the component private
// is of a release that is not there yet; the same build then makes it again.
func (d *Dir) Publish() error {
	undo := func() error { return nil }
	var err error
	if d.private {
		if undo, err = d.put(d.Private(), PrivateFolder(d.out)); err != nil {
			return fmt.Errorf("put component private in place: %w", err)
		}
	}
	if _, err := d.put(d.Release(), d.out); err != nil {
		return fmt.Errorf("put release in place: %w", errors.Join(err, undo()))
	}
	if err := d.fs.Sync(filepath.Dir(d.out)); err != nil {
		return fmt.Errorf("flush the parent folder of the release, which is in place: %w", err)
	}
	return nil
}

// put puts a new folder in the place of an old one, if there is one.
func (d *Dir) put(from, to string) (undo func() error, err error) {
	err = d.fs.Exchange(from, to)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return func() error { return d.fs.Rename(to, from) }, d.fs.Rename(from, to)
	case errors.Is(err, errors.ErrUnsupported), errors.Is(err, syscall.EINVAL):
		return d.moveOldAside(from, to)
	}
	return func() error { return d.fs.Exchange(from, to) }, err
}

// moveOldAside replaces an old folder in two steps, where folders cannot be exchanged. If the build is killed between
// them, the next one restores it.
func (d *Dir) moveOldAside(from, to string) (undo func() error, err error) {
	back := func() error { return d.fs.Rename(d.replaced(to), to) }
	if err := d.fs.Rename(to, d.replaced(to)); err != nil {
		return nil, err
	}
	if err := d.fs.Rename(from, to); err != nil {
		return nil, errors.Join(err, back())
	}
	return func() error { return errors.Join(d.fs.Rename(to, from), back()) }, nil
}
