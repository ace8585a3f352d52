package release

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"sync/atomic"

	"quartier/internal/pack"
	"quartier/schemas"
)

// component is the open packs of a component. Releases share it.
type component struct {
	name   string // schemas.Places or schemas.Market
	digest string // of its manifest
	asOf   string // YYYY-MM-DD
	dir    string
	listed func(name string) (schemas.ReleaseFile, bool)
	files  []*pack.File
	packs  []packFile // the same files, for verify

	verified atomic.Bool
	users    atomic.Int64 // releases that it is part of; closed at 0
}

// table is a pack of a component and what opens the table in it.
type table struct {
	pack string
	open func(*pack.File) error
}

// openTables maps packs, opens their tables and checks them. A pack that another program shortens meanwhile is an error.
func (c *component) openTables(check func() error, tables ...table) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		switch fault := recover().(type) {
		case nil:
		case addressError:
			err = fmt.Errorf("a pack became shorter while it was opened: %w", fault)
		default:
			panic(fault)
		}
	}()
	for _, t := range tables {
		file, err := c.openPack(t.pack)
		if err != nil {
			return err
		}
		if err := t.open(file); err != nil {
			return fmt.Errorf("%s: %w", file.Path(), err)
		}
	}
	return check()
}

// addressError is what reading a mapped file beyond its end panics with after debug.SetPanicOnFault.
type addressError interface {
	error
	Addr() uintptr
}

func (c *component) openPack(name string) (*pack.File, error) {
	entry, ok := c.listed(name)
	if !ok {
		return nil, fmt.Errorf("the manifest of %s has no %s", c.dir, name)
	}
	path := filepath.Join(c.dir, name)
	if err := c.openFile(path, entry); err != nil {
		return nil, err
	}
	file, err := pack.Open(path)
	if err != nil {
		return nil, err
	}
	c.files = append(c.files, file)
	if file.Size() != entry.Bytes {
		return nil, fmt.Errorf("%s has %d bytes, %d according to the manifest", file.Path(), file.Size(), entry.Bytes)
	}
	return file, nil
}

// acquire adds a user; false if the component is closed.
func (c *component) acquire() bool { return increase(&c.users) }

// done removes a user. The last one closes the files.
func (c *component) done() {
	if c.users.Add(-1) == 0 {
		c.close()
	}
}

func (c *component) close() {
	for _, file := range c.files {
		file.Close() // opened for reading only
	}
	for _, p := range c.packs {
		p.file.Close()
	}
}

// increase adds one to a count of users unless it is 0.
func increase(users *atomic.Int64) bool {
	for {
		n := users.Load()
		if n == 0 {
			return false
		}
		if users.CompareAndSwap(n, n+1) {
			return true
		}
	}
}

// watched are the files by which another release at dir is noticed: pointer, manifests, and the packs that those list.
func watched(dir string) []string {
	list := []string{filepath.Join(dir, schemas.PointerFile)}
	folders := []string{dir}
	if p, err := schemas.ReadPointer(dir); err == nil && p != nil {
		folders = nil
		for _, c := range p.Components {
			folders = append(folders, filepath.Join(dir, filepath.FromSlash(c.Folder)))
		}
	}
	for _, folder := range folders {
		list = append(list, filepath.Join(folder, schemas.ManifestFile))
		for _, name := range schemas.FilesListed(folder) {
			if strings.HasSuffix(name, ".pack") {
				list = append(list, filepath.Join(folder, name))
			}
		}
	}
	return list
}

// states describes files, with symbolic links resolved; nil for one that is missing.
func states(paths []string) []os.FileInfo {
	found := make([]os.FileInfo, len(paths))
	for i, path := range paths {
		if info, err := os.Stat(path); err == nil {
			found[i] = info
		}
	}
	return found
}
