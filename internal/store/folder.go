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

	"quartier/internal/lockfile"
	"quartier/internal/wholefile"
)

// Folder is a Store in a folder of a file system that has hard links, of one machine or of several. An object is a file by its
// name. It is written in .new beside the objects, synced, and linked to its name, which never replaces another one; a pointer is
// renamed over the old one while .swap is locked. What a killed process leaves is in .new alone, for a day.
type Folder struct{ dir string }

// NewFolder is the folder, in that of a store, with files that are being written.
const NewFolder = ".new"

const (
	swapLock   = ".swap"
	leftBehind = 24 * time.Hour
)

// OpenFolder opens a folder, which it creates for its owner alone where there is none.
func OpenFolder(dir string) (*Folder, error) {
	if err := os.MkdirAll(filepath.Join(dir, NewFolder), 0o700); err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(filepath.Join(dir, NewFolder))
	for _, e := range entries {
		if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > leftBehind {
			os.Remove(filepath.Join(dir, NewFolder, e.Name())) // who cannot remove it leaves it
		}
	}
	return &Folder{dir}, err
}

// String is the address of the folder.
func (f *Folder) String() string { return f.dir }

// Path is where the object of a name is, if it is there. Nothing may write to it.
func (f *Folder) Path(name string) string { return f.path(name) }

func (f *Folder) path(name string) string { return filepath.Join(f.dir, filepath.FromSlash(name)) }

// Stat implements Store.
func (f *Folder) Stat(_ context.Context, name string) (Object, error) {
	if err := CheckName(name); err != nil {
		return Object{}, err
	}
	info, err := os.Stat(f.path(name))
	if absent(err) || err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%w: %s", ErrNotFound, name)
	}
	if err != nil {
		return Object{}, err
	}
	return Object{name, info.Size(), DigestOf(name)}, nil
}

// absent reports whether an error is that of a file that is not there.
func absent(err error) bool { return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) }

// Open implements Store.
func (f *Folder) Open(ctx context.Context, name string, offset, length int64) (io.ReadCloser, error) {
	o, err := f.Stat(ctx, name)
	if err != nil {
		return nil, err
	}
	end, err := o.Range(offset, length)
	if err != nil {
		return nil, err
	}
	file, err := os.Open(f.path(name))
	if absent(err) { // removed meanwhile
		err = fmt.Errorf("%w: %s", ErrNotFound, name)
	}
	if err != nil {
		return nil, err
	}
	type section struct {
		io.Reader
		io.Closer
	}
	return Verified(name, offset, length, section{io.NewSectionReader(file, offset, end-offset), file}), nil
}

// Put implements Store.
func (f *Folder) Put(ctx context.Context, o Object, from io.ReaderAt) error {
	return f.Take(ctx, o, io.NewSectionReader(from, 0, o.Bytes))
}

// Take is Put of bytes that can be read once.
func (f *Folder) Take(ctx context.Context, o Object, from io.Reader) error {
	if err := CheckObject(o); err != nil {
		return err
	}
	exists := fmt.Errorf("%w: %s", ErrExists, o.Name)
	if _, err := os.Lstat(f.path(o.Name)); err == nil {
		return exists
	}
	sum := sha256.New()
	limited := io.LimitReader(within{ctx, from}, o.Bytes+1) // one more than there are shows that it is another object
	err := f.write(o.Name, io.TeeReader(limited, sum), func(written string, n int64) error {
		if n != o.Bytes || hex.EncodeToString(sum.Sum(nil)) != o.SHA256 {
			return fmt.Errorf("%w: %s", ErrDigest, o.Name)
		}
		return os.Link(written, f.path(o.Name))
	})
	if errors.Is(err, fs.ErrExist) {
		return exists
	}
	return err
}

// within reads until a context ends.
type within struct {
	ctx  context.Context
	from io.Reader
}

func (w within) Read(p []byte) (int, error) {
	if err := w.ctx.Err(); err != nil {
		return 0, err
	}
	return w.from.Read(p)
}

// write writes a file in NewFolder, syncs it, has it put in its place, and syncs the folder of that.
func (f *Folder) write(name string, from io.Reader, put func(written string, bytes int64) error) error {
	if err := os.MkdirAll(filepath.Dir(f.path(name)), 0o755); err != nil {
		return err
	}
	file, err := os.CreateTemp(filepath.Join(f.dir, NewFolder), "*")
	if err != nil {
		return err
	}
	defer os.Remove(file.Name()) // a second name of the object by then, or none
	n, err := io.CopyBuffer(struct{ io.Writer }{file}, from, make([]byte, 1<<20))
	if err = errors.Join(err, file.Chmod(0o644), file.Sync(), file.Close()); err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	if err := put(file.Name(), n); err != nil {
		return err
	}
	for dir := filepath.Dir(f.path(name)); len(dir) >= len(f.dir); dir = filepath.Dir(dir) { // folders may be new
		if err := wholefile.Sync(dir); err != nil || dir == filepath.Dir(dir) {
			return err
		}
	}
	return nil
}

// List implements Store.
func (f *Folder) List(ctx context.Context, prefix string) iter.Seq2[Object, error] {
	return func(yield func(Object, error) bool) {
		list, err := f.list(ctx, prefix)
		for _, o := range list {
			if err == nil && !yield(o, nil) {
				return
			}
		}
		if err != nil {
			yield(Object{}, err)
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
		case absent(err): // removed meanwhile, or never there
			return nil
		case err != nil || ctx.Err() != nil:
			return cmp.Or(err, ctx.Err())
		case d.IsDir() && d.Name() == NewFolder && path != from:
			return fs.SkipDir
		}
		relative, err := filepath.Rel(f.dir, path)
		if name := filepath.ToSlash(relative); err == nil && strings.HasPrefix(name, prefix) && CheckName(name) == nil {
			if o, err := f.Stat(ctx, name); err == nil { // no folder, and not removed meanwhile
				list = append(list, o)
			}
		}
		return err
	})
	slices.SortFunc(list, func(a, b Object) int { return cmp.Compare(a.Name, b.Name) })
	return list, err
}

// Delete implements Store.
func (f *Folder) Delete(_ context.Context, name string) error {
	if err := CheckName(name); err != nil {
		return err
	}
	err := os.Remove(f.path(name))
	if absent(err) {
		return nil
	}
	return err
}

// Read implements Store. The version is the SHA-256 of the value.
func (f *Folder) Read(ctx context.Context, name string) (value []byte, version string, err error) {
	from, err := f.Open(ctx, name, 0, MostPointer)
	if err != nil {
		return nil, "", err
	}
	defer from.Close()
	value, err = io.ReadAll(from)
	return value, Sum(value), err
}

// Swap implements Store.
func (f *Folder) Swap(ctx context.Context, name, version string, value []byte) (string, error) {
	if err := CheckPointer(name, value); err != nil {
		return "", err
	}
	unlock, err := f.lock(ctx)
	if err != nil {
		return "", err
	}
	defer unlock()
	_, at, err := f.Read(ctx, name)
	if err != nil && !errors.Is(err, ErrNotFound) {
		return "", err
	}
	if at != version {
		return "", fmt.Errorf("%w: %s", ErrChanged, name)
	}
	err = f.write(name, bytes.NewReader(value), func(written string, _ int64) error { return os.Rename(written, f.path(name)) })
	return Sum(value), err
}

// lock waits until no other process swaps a pointer. The lock is the kernel's, and ends with its process.
func (f *Folder) lock(ctx context.Context) (unlock func() error, err error) {
	lock, err := os.OpenFile(filepath.Join(f.dir, swapLock), os.O_CREATE|os.O_RDWR, 0o644)
	for err == nil {
		if err = lockfile.Try(lock); err == nil {
			return func() error { return lockfile.Close(lock) }, nil
		}
		if !errors.Is(err, lockfile.ErrHeld) && !errors.Is(err, syscall.EINTR) {
			break
		}
		time.Sleep(5 * time.Millisecond)
		err = ctx.Err()
	}
	lock.Close() // nil: an error
	return nil, fmt.Errorf("lock %s: %w", f.dir, err)
}
