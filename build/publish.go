package build

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"quartier/schemas"
)

// ErrExists says that there is something at the place of a release that may not be replaced.
var ErrExists = errors.New("already exists")

// ErrBusy says that another build writes the same release.
var ErrBusy = errors.New("another build is writing this release")

// disk is what publishing asks of the file system; tests put failing ones in its place.
type disk struct {
	write    func(path string, data []byte) error
	sync     func(path string) error
	rename   func(from, to string) error
	exchange func(a, b string) error // swaps two folders in one step
}

// realDisk is the machine's own.
var realDisk = disk{
	write:    func(path string, data []byte) error { return os.WriteFile(path, data, 0o644) },
	sync:     syncPath,
	rename:   os.Rename,
	exchange: exchange,
}

// syncPath flushes a file or a folder to the disk.
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

// site is the place where a release is built: a hidden folder beside the one that it becomes, locked as long as the
// build runs. What a killed build left there is thrown away by the next.
//
//	<dir>/.<out>.partial/release  the release under way, after a swap the one it replaced
//	<dir>/.<out>.partial/replaced the old release, for a moment, where the file system cannot swap
//	<dir>/.<out>.partial/scratch  databases of the build's own
type site struct {
	disk
	out  string
	root string
	lock *os.File
}

func (s *site) release() string  { return filepath.Join(s.root, "release") }
func (s *site) replaced() string { return filepath.Join(s.root, "replaced") }
func (s *site) scratch() string  { return filepath.Join(s.root, "scratch") }

// occupy takes the place of a release. An existing release is in the way unless force is set; anything else than a
// release or an empty folder always is.
func occupy(out string, force bool, d disk) (*site, error) {
	out, err := filepath.Abs(out)
	if err != nil {
		return nil, err
	}
	s := &site{disk: d, out: out, root: filepath.Join(filepath.Dir(out), "."+filepath.Base(out)+".partial")}
	if err := os.MkdirAll(filepath.Dir(out), 0o755); err != nil {
		return nil, err
	}
	if err := s.acquire(); err != nil {
		return nil, err
	}
	err = s.restore()
	if err == nil {
		err = s.clear()
	}
	if err == nil {
		err = replaceable(out, force)
	}
	for _, dir := range []string{s.release(), s.scratch()} {
		if err == nil {
			err = os.Mkdir(dir, 0o755)
		}
	}
	if err != nil {
		os.Remove(s.root) // unless something is in it
		s.lock.Close()
		return nil, err
	}
	return s, nil
}

// acquire makes and locks the hidden folder.
func (s *site) acquire() error {
	if err := os.Mkdir(s.root, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	lock, err := os.Open(s.root)
	if err != nil {
		return err
	}
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		lock.Close()
		return fmt.Errorf("%w: %s", ErrBusy, s.out)
	}
	held, err := lock.Stat()
	if err == nil {
		var named fs.FileInfo
		if named, err = os.Stat(s.root); err == nil && !os.SameFile(held, named) {
			err = fs.ErrNotExist
		}
	}
	if err != nil { // the other build ended between opening and locking
		lock.Close()
		return fmt.Errorf("%w: %s", ErrBusy, s.out)
	}
	s.lock = lock
	return nil
}

// restore puts an old release back that a killed build had moved aside and not yet replaced.
func (s *site) restore() error {
	_, err := os.Stat(s.out)
	_, aside := os.Stat(s.replaced())
	if errors.Is(err, fs.ErrNotExist) && aside == nil {
		return s.rename(s.replaced(), s.out)
	}
	return nil
}

// replaceable tells whether out may become a release.
func replaceable(out string, force bool) error {
	entries, err := os.ReadDir(out)
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(entries) == 0 {
		return nil
	}
	if err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(out, schemas.ManifestFile)); err != nil {
		return fmt.Errorf("%s %w and is no release: it is never replaced", out, ErrExists)
	}
	if !force {
		return fmt.Errorf("release %s %w: it is replaced by force only", out, ErrExists)
	}
	return nil
}

// clear empties the hidden folder.
func (s *site) clear() error {
	entries, err := os.ReadDir(s.root)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if err := os.RemoveAll(filepath.Join(s.root, e.Name())); err != nil {
			return err
		}
	}
	return nil
}

// leave throws away what is in the hidden folder, and the folder.
func (s *site) leave() {
	if s.clear() == nil {
		os.Remove(s.root)
	}
	s.lock.Close()
}

// flush brings the release under way to the disk.
func (s *site) flush() error {
	entries, err := os.ReadDir(s.release())
	if err != nil {
		return err
	}
	for _, e := range entries {
		if err := s.sync(filepath.Join(s.release(), e.Name())); err != nil {
			return fmt.Errorf("flush %s: %w", e.Name(), err)
		}
	}
	if err := s.sync(s.release()); err != nil {
		return fmt.Errorf("flush folder: %w", err)
	}
	return nil
}

// publish puts the release in its place. Where an older one stands there the two are swapped in one step, so that a
// whole release is there at any moment.
func (s *site) publish() error {
	err := s.exchange(s.release(), s.out)
	switch {
	case err == nil:
	case errors.Is(err, fs.ErrNotExist):
		err = s.rename(s.release(), s.out)
	case errors.Is(err, errors.ErrUnsupported), errors.Is(err, syscall.EINVAL):
		err = s.stepAside()
	}
	if err != nil {
		return fmt.Errorf("put release in place: %w", err)
	}
	if err := s.sync(filepath.Dir(s.out)); err != nil {
		return fmt.Errorf("flush the folder of the release, which is in place: %w", err)
	}
	return nil
}

// stepAside replaces the old release in two steps, where the file system cannot swap. A build killed between them is
// mended by the next, see restore.
func (s *site) stepAside() error {
	if err := s.rename(s.out, s.replaced()); err != nil {
		return err
	}
	if err := s.rename(s.release(), s.out); err != nil {
		return errors.Join(err, s.rename(s.replaced(), s.out))
	}
	return nil
}
