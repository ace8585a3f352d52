package store

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// Folder is a Store in a folder of a file system that machines share, or of one machine. An object is a file by its name. It is
// written in .new beside the objects, synced, and linked to its name, which never replaces another one; a pointer is renamed
// over the old one while .swap is locked. What a killed process leaves is in .new alone.
type Folder struct{ dir string }

const (
	newFolder  = ".new"
	swapLock   = ".swap"
	leftBehind = 24 * time.Hour // after which what is in newFolder is nobody's
)

// MostPointer limits the bytes of a pointer.
const MostPointer = 1 << 20

// OpenFolder opens a folder, which it creates for its owner alone where there is none.
func OpenFolder(dir string) (*Folder, error) {
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return nil, err
		}
	}
	f := &Folder{dir}
	entries, err := os.ReadDir(filepath.Join(dir, newFolder))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, e := range entries {
		if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > leftBehind {
			os.Remove(filepath.Join(dir, newFolder, e.Name())) // who cannot remove it leaves it
		}
	}
	return f, nil
}

// String is the address of the folder.
func (f *Folder) String() string { return Address{Folder: f.dir}.String() }

func (f *Folder) path(name string) string { return filepath.Join(f.dir, filepath.FromSlash(name)) }

// missing makes the error of what is not there ErrNotFound.
func missing(name string, err error) error {
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return fmt.Errorf("%w: %s", ErrNotFound, name)
	}
	return err
}

// open opens the file of an object.
func (f *Folder) open(name string) (*os.File, fs.FileInfo, error) {
	if err := CheckName(name); err != nil {
		return nil, nil, err
	}
	info, err := os.Stat(f.path(name))
	if err == nil && !info.Mode().IsRegular() {
		err = fs.ErrNotExist
	}
	if err != nil {
		return nil, nil, missing(name, err)
	}
	file, err := os.Open(f.path(name))
	return file, info, missing(name, err)
}

// Open implements Store.
func (f *Folder) Open(_ context.Context, name string, offset, length int64) (io.ReadCloser, error) {
	file, info, err := f.open(name)
	if err != nil {
		return nil, err
	}
	if offset < 0 || offset > info.Size() || length < -1 {
		file.Close()
		return nil, fmt.Errorf("read %d bytes from %d of %s, which has %d", length, offset, name, info.Size())
	}
	bytes := length
	if length < 0 {
		bytes = info.Size() - offset
	}
	type section struct {
		io.Reader
		io.Closer
	}
	return Verified(name, offset, length, section{io.NewSectionReader(file, offset, bytes), file}), nil
}

// Stat implements Store.
func (f *Folder) Stat(_ context.Context, name string) (Object, error) {
	if err := CheckName(name); err != nil {
		return Object{}, err
	}
	info, err := os.Stat(f.path(name))
	if err == nil && !info.Mode().IsRegular() {
		err = fs.ErrNotExist
	}
	if err != nil {
		return Object{}, missing(name, err)
	}
	return Object{name, info.Size(), DigestOf(name)}, nil
}

// Put implements Store.
func (f *Folder) Put(ctx context.Context, o Object, from io.ReaderAt) error {
	if err := CheckObject(o); err != nil {
		return err
	}
	if _, err := os.Lstat(f.path(o.Name)); err == nil {
		return fmt.Errorf("%w: %s", ErrExists, o.Name)
	}
	sum := sha256.New()
	bytes := &counted{ctx: ctx, from: io.TeeReader(io.NewSectionReader(from, 0, o.Bytes), sum)}
	err := f.write(o.Name, bytes, func(written string) error {
		if bytes.n != o.Bytes || hex.EncodeToString(sum.Sum(nil)) != o.SHA256 {
			return fmt.Errorf("%w: %s", ErrDigest, o.Name)
		}
		err := os.Link(written, f.path(o.Name))
		if errors.Is(err, errors.ErrUnsupported) || errors.Is(err, syscall.EPERM) { // a file system without links
			err = f.locked(ctx, func() error {
				if _, err := os.Lstat(f.path(o.Name)); err == nil {
					return fs.ErrExist
				}
				return os.Rename(written, f.path(o.Name))
			})
		}
		return err
	})
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%w: %s", ErrExists, o.Name)
	}
	return err
}

// counted counts bytes, and ends with its context.
type counted struct {
	ctx  context.Context
	from io.Reader
	n    int64
}

func (c *counted) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := c.from.Read(p)
	c.n += int64(n)
	return n, err
}

// write writes a file in newFolder, syncs it, has it put in its place, and syncs the folder of that.
func (f *Folder) write(name string, from io.Reader, put func(written string) error) error {
	folder := filepath.Dir(f.path(name))
	for _, dir := range []string{folder, filepath.Join(f.dir, newFolder)} {
		if err := f.makeFolder(dir); err != nil {
			return err
		}
	}
	file, err := os.CreateTemp(filepath.Join(f.dir, newFolder), "*")
	if err != nil {
		return err
	}
	defer os.Remove(file.Name()) // a second name of the object by then, or none
	_, err = io.CopyBuffer(struct{ io.Writer }{file}, from, make([]byte, 1<<20))
	if err = errors.Join(err, file.Chmod(0o644), file.Sync(), file.Close()); err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	if err := put(file.Name()); err != nil {
		return err
	}
	return syncFolder(folder)
}

// makeFolder creates a folder, and syncs those that have new ones.
func (f *Folder) makeFolder(dir string) error {
	if _, err := os.Stat(dir); err == nil || dir == f.dir {
		return os.MkdirAll(dir, 0o700)
	}
	if err := f.makeFolder(filepath.Dir(dir)); err != nil {
		return err
	}
	if err := os.Mkdir(dir, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return syncFolder(filepath.Dir(dir))
}

func syncFolder(dir string) error {
	folder, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}

// List implements Store.
func (f *Folder) List(ctx context.Context, prefix string) iter.Seq2[Object, error] {
	return func(yield func(Object, error) bool) {
		list, err := f.list(ctx, prefix)
		if err != nil {
			yield(Object{}, err)
			return
		}
		for _, o := range list {
			if !yield(o, nil) {
				return
			}
		}
	}
}

// list is all of List, sorted: a folder has another order than names.
func (f *Folder) list(ctx context.Context, prefix string) (list []Object, err error) {
	if err := CheckPrefix(prefix); err != nil {
		return nil, err
	}
	from := f.path(prefix[:strings.LastIndexByte(prefix, '/')+1])
	err = filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR): // removed meanwhile, or never there
			return nil
		case err != nil || ctx.Err() != nil:
			return cmp.Or(err, ctx.Err())
		case strings.HasPrefix(d.Name(), ".") && path != from && d.IsDir():
			return fs.SkipDir
		case !d.Type().IsRegular():
			return nil
		}
		relative, err := filepath.Rel(f.dir, path)
		name := filepath.ToSlash(relative)
		if err != nil || !strings.HasPrefix(name, prefix) || CheckName(name) != nil {
			return err
		}
		info, err := d.Info()
		if err == nil {
			list = append(list, Object{name, info.Size(), DigestOf(name)})
		}
		return nil // removed meanwhile
	})
	slices.SortFunc(list, func(a, b Object) int { return cmp.Compare(a.Name, b.Name) })
	return list, err
}

// Delete implements Store.
func (f *Folder) Delete(_ context.Context, name string) error {
	if err := CheckName(name); err != nil {
		return err
	}
	if err := missing(name, os.Remove(f.path(name))); err != nil && !errors.Is(err, ErrNotFound) {
		return err
	}
	return nil
}

// Read implements Store. The version is the SHA-256 of the value.
func (f *Folder) Read(_ context.Context, name string) ([]byte, string, error) {
	file, _, err := f.open(name)
	if err != nil {
		return nil, "", err
	}
	defer file.Close()
	value, err := io.ReadAll(io.LimitReader(file, MostPointer+1))
	if err == nil && len(value) > MostPointer {
		err = fmt.Errorf("the pointer %s has more than %d bytes", name, MostPointer)
	}
	return value, versionOf(value), err
}

func versionOf(value []byte) string {
	sum := sha256.Sum256(value)
	return hex.EncodeToString(sum[:])
}

// Swap implements Store.
func (f *Folder) Swap(ctx context.Context, name, version string, value []byte) (string, error) {
	if len(value) > MostPointer {
		return "", fmt.Errorf("a pointer of %d bytes, more than %d", len(value), MostPointer)
	}
	if err := CheckName(name); err != nil {
		return "", err
	}
	err := f.locked(ctx, func() error {
		_, at, err := f.Read(ctx, name)
		if errors.Is(err, ErrNotFound) {
			at, err = "", nil
		}
		if err == nil && at != version {
			err = fmt.Errorf("%w: %s", ErrChanged, name)
		}
		if err != nil {
			return err
		}
		return f.write(name, bytes.NewReader(value), func(written string) error { return os.Rename(written, f.path(name)) })
	})
	if err != nil {
		return "", err
	}
	return versionOf(value), nil
}

// locked does what one process does at a time. The lock is the kernel's, and ends with its process.
func (f *Folder) locked(ctx context.Context, do func() error) error {
	lock, err := os.OpenFile(filepath.Join(f.dir, swapLock), os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return err
	}
	defer lock.Close()
	for {
		err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err == nil {
			return do()
		}
		if !errors.Is(err, syscall.EWOULDBLOCK) && !errors.Is(err, syscall.EINTR) {
			return fmt.Errorf("lock %s: %w", f.dir, err)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(5 * time.Millisecond):
		}
	}
}
