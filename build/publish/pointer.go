package publish

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"

	"quartier/schemas"
)

// ErrBeside is returned where components do not belong to each other.
var ErrBeside = errors.New("the component stands beside another release")

// Set is the folders of the components that are published together; "" for one that is not.
type Set struct{ Places, Private, Market, PrivateMarket string }

// Pointer publishes components in the folder of releases dir, with a generation of one more than the last. Their folders must
// be below dir. It fails with ErrBeside where one was made for others than it would be published with, and ErrBusy where
// another publisher holds the folder. Until the new pointer is in place the old one stays.
func Pointer(dir string, set Set) (*schemas.Pointer, error) {
	return pointer(dir, set, OS)
}

func pointer(dir string, set Set, fs FileSystem) (*schemas.Pointer, error) {
	next, err := refer(dir, set)
	if err != nil {
		return nil, err
	}
	lock, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	defer lock.Close()
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		return nil, fmt.Errorf("%w: another publisher holds %s", ErrBusy, dir)
	}
	last, err := schemas.ReadPointer(dir)
	if err != nil {
		return nil, err
	}
	next.Generation = 1
	if last != nil {
		next.Generation = last.Generation + 1
	}
	data, err := next.Encode()
	if err != nil {
		return nil, err
	}
	path := filepath.Join(dir, schemas.PointerFile)
	beside := path + ".new"
	for _, step := range []func() error{
		func() error { return fs.Write(beside, data) },
		func() error { return fs.Sync(beside) },
		func() error { return fs.Rename(beside, path) },
		func() error { return fs.Sync(dir) },
	} {
		if err := step(); err != nil {
			return nil, fmt.Errorf("publish in %s: %w", dir, err)
		}
	}
	return next, nil
}

// refer makes a pointer without a generation.
func refer(dir string, set Set) (*schemas.Pointer, error) {
	p := &schemas.Pointer{Schema: schemas.ManifestSchema}
	for _, c := range []struct{ name, folder, beside string }{
		{schemas.Places, set.Places, ""},
		{schemas.Private, set.Private, schemas.Places},
		{schemas.Market, set.Market, schemas.Places},
		{schemas.PrivateMarket, set.PrivateMarket, schemas.Private},
	} {
		if c.folder == "" {
			continue
		}
		ref, beside, err := describe(c.name, c.folder)
		if err != nil {
			return nil, err
		}
		if c.beside != "" {
			if base, _ := p.Component(c.beside); beside != base.Digest {
				return nil, fmt.Errorf("%w: %s is of the %s %.12s, not %.12s", ErrBeside, c.folder, c.beside, beside, base.Digest)
			}
		}
		if err := add(p, dir, c.folder, ref); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// describe reads the manifest of a component: what a pointer says of it, and the digest of the one that it stands beside.
func describe(name, folder string) (ref schemas.ComponentRef, beside string, err error) {
	switch name {
	case schemas.Places:
		m, err := schemas.ReadManifest(folder)
		if err != nil {
			return ref, "", err
		}
		return schemas.ComponentRef{Name: name, Digest: m.Digest, AsOf: m.AsOf}, "", nil
	case schemas.Private:
		m, err := schemas.ReadPrivateManifest(folder)
		if err != nil {
			return ref, "", err
		}
		return schemas.ComponentRef{Name: name, Digest: m.Digest, AsOf: m.AsOf}, m.Places, nil
	default:
		m, err := schemas.ReadMarketManifest(folder)
		if err != nil {
			return ref, "", err
		}
		if m.Component != name {
			return ref, "", fmt.Errorf("%s is a component %s, not %s", folder, m.Component, name)
		}
		return schemas.ComponentRef{Name: name, Digest: m.Digest, AsOf: m.AsOf}, m.Places, nil
	}
}

// add adds a component in a folder below dir.
func add(p *schemas.Pointer, dir, folder string, ref schemas.ComponentRef) error {
	base, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	if folder, err = filepath.Abs(folder); err != nil {
		return err
	}
	relative, err := filepath.Rel(base, folder)
	if err != nil || !filepath.IsLocal(relative) || relative == "." {
		return fmt.Errorf("%s is not below the folder of releases %s", folder, dir)
	}
	ref.Folder = filepath.ToSlash(relative)
	p.Components = append(p.Components, ref)
	return nil
}
