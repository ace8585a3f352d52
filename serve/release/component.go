package release

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"sync/atomic"

	"quartier/internal/pack"
	"quartier/internal/signature"
	"quartier/schemas"
)

// component is a component of a release: what its manifest says of it, and its packs once they are open. Releases share it.
type component struct {
	schemas.ComponentRef        // Folder is its path
	beside, base         string // name and digest of the component that it is made for; "": none
	listed               func(name string) (schemas.ReleaseFile, bool)
	open                 func(*component, *Release) error // opens and checks the tables, beside the other components of a release
	attach               func(*Release)                   // gives the tables to a release

	packs    []*packFile
	verified atomic.Bool  // all of its packs were read and match the manifest
	users    atomic.Int64 // releases that it is part of; closed at 0
}

// readers read the manifests of components. The packs are not open yet.
var readers = map[string]func(dir string) (*component, error){
	schemas.Places:        readPlaces,
	schemas.Private:       readPrivate,
	schemas.Market:        readMarket,
	schemas.PrivateMarket: readPrivateMarket,
}

// openComponent opens the component in dir, which must be what the pointer says and made for the components that the
// release has already. An empty digest is any.
func openComponent(dir string, want schemas.ComponentRef, r *Release) (*component, error) {
	read, ok := readers[want.Name]
	if !ok {
		return nil, fmt.Errorf("this program serves no component %s", want.Name)
	}
	c, err := read(dir)
	if err != nil {
		return nil, err
	}
	c.Name, c.Folder = want.Name, dir
	if want.Digest != "" && (c.Digest != want.Digest || c.AsOf != want.AsOf) {
		return nil, fmt.Errorf("%s has the component %.12s of %s, %s names %.12s of %s: publish it again",
			dir, c.Digest, c.AsOf, schemas.PointerFile, want.Digest, want.AsOf)
	}
	if err := errors.Join(r.trust.Check(filepath.Join(dir, signature.File), c.Name, c.Digest), c.fits(r)); err != nil {
		return nil, err
	}
	c.users.Store(1)
	if err := c.openTables(r); err != nil {
		c.done()
		return nil, err
	}
	return c, nil
}

// fits reports whether a release has the component that c is made for.
func (c *component) fits(r *Release) error {
	if c.beside == "" {
		return nil
	}
	if base := r.component(c.beside); base == nil || base.Digest != c.base {
		return fmt.Errorf("the component %s in %s is made for the %s %.12s, which is another one than that of the release", c.Name, c.Folder,
			c.beside, c.base)
	}
	return nil
}

// openTables opens the tables.
func (c *component) openTables(r *Release) error {
	return readingMapped(func() error { return c.open(c, r) })
}

// readingMapped calls read, which reads packs outside of a request. A pack that another program shortens meanwhile is an error.
func readingMapped(read func() error) (err error) {
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
	return read()
}

// addressError is what reading a mapped file beyond its end panics with after debug.SetPanicOnFault.
type addressError interface {
	error
	Addr() uintptr
}

// table is a pack of a component and what opens the table in it.
type table struct {
	pack string
	open func(*pack.File) error
}

// openPacks maps packs and opens the tables in them.
func (c *component) openPacks(tables ...table) error {
	for _, t := range tables {
		file, err := c.openPack(t.pack)
		if err != nil {
			return err
		}
		if err := t.open(file); err != nil {
			return fmt.Errorf("%s: %w", file.Path(), err)
		}
	}
	return nil
}

// openPack maps a pack.
func (c *component) openPack(name string) (file *pack.File, err error) {
	err = c.openFile(name, func(f *os.File) (mapping, error) {
		if file, err = pack.Map(f); err != nil {
			return nil, err
		}
		return file, nil
	})
	return file, err
}

// openFile opens a file of the component and maps it. The text of an error does not depend on how much of it has arrived.
func (c *component) openFile(name string, mapIt func(*os.File) (mapping, error)) error {
	entry, ok := c.listed(name)
	if !ok {
		return fmt.Errorf("the manifest of %s has no %s", c.Folder, name)
	}
	path := filepath.Join(c.Folder, name)
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() { // opening a pipe would wait for a writer
		return fmt.Errorf("%s is not a regular file", path)
	}
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	p := &packFile{entry: entry, file: file}
	c.packs = append(c.packs, p)
	info, err := file.Stat()
	switch {
	case err != nil:
		return err
	case info.Size() < entry.Bytes:
		return fmt.Errorf("%s is incomplete: it is shorter than the %d bytes of the manifest", file.Name(), entry.Bytes)
	case info.Size() > entry.Bytes:
		return fmt.Errorf("%s is longer than the %d bytes of the manifest", file.Name(), entry.Bytes)
	}
	p.state.Store(&info)
	p.mapped, err = mapIt(file)
	return err
}

// acquire adds a user; false if the component is closed.
func (c *component) acquire() bool { return increase(&c.users) }

// done removes a user. After the last one the files are closed, for which no request waits: unmapping takes about 10 ms per
// gigabyte.
func (c *component) done() {
	if c.users.Add(-1) > 0 {
		return
	}
	go func() {
		for _, p := range c.packs {
			p.close()
		}
	}()
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
