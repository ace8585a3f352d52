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
var ErrBeside = errors.New("market statistics stand beside another release")

// Pointer publishes components in the folder of releases dir, with a generation of one more than the last: places, and the
// market beside it unless market is "". Their folders must be below dir. It fails with ErrBeside where the market was
// computed for other places, and ErrBusy where another publisher holds the folder. Until the new pointer is in place the
// old one stays.
func Pointer(dir, places, market string) (*schemas.Pointer, error) {
	return pointer(dir, places, market, OS)
}

func pointer(dir, places, market string, fs FileSystem) (*schemas.Pointer, error) {
	next, err := refer(dir, places, market)
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
func refer(dir, places, market string) (*schemas.Pointer, error) {
	m, err := schemas.ReadManifest(places)
	if err != nil {
		return nil, err
	}
	p := &schemas.Pointer{Schema: schemas.ManifestSchema}
	if err := add(p, dir, places, schemas.ComponentRef{Name: schemas.Places, Digest: m.Digest, AsOf: m.AsOf}); err != nil {
		return nil, err
	}
	if market == "" {
		return p, nil
	}
	beside, err := schemas.ReadMarketManifest(market)
	if err != nil {
		return nil, err
	}
	if beside.Places != m.Digest {
		return nil, fmt.Errorf("%w: %s is of %.12s, %s is %.12s", ErrBeside, market, beside.Places, places, m.Digest)
	}
	return p, add(p, dir, market, schemas.ComponentRef{Name: schemas.Market, Digest: beside.Digest, AsOf: beside.AsOf})
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
