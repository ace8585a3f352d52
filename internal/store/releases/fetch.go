package releases

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/sync/errgroup"

	"quartier/internal/lockfile"
	"quartier/internal/signature"
	"quartier/internal/store"
	"quartier/internal/wholefile"
	"quartier/schemas"
)

// ErrOccupied is returned by Fetch where a folder that a component is for has something else.
var ErrOccupied = errors.New("the folder of the component has something else")

// FetchFolder is the folder, in a folder of releases, with what is being fetched: a folder for each component by its digest.
const FetchFolder = ".fetch"

// Fetch brings the components of a release that a folder of releases lacks. A file that a component which is published there has
// is linked, and one of a store in a folder on the same disk, unless it is private; the others come from the store, and those that a
// cut Fetch brought stay. Every byte is compared with its SHA-256, the manifest of a component with the record, and the component is
// then put in its place as a whole. It does not publish.
// store.ErrNotFound, store.ErrDigest, ErrOccupied; lockfile.ErrHeld where another process fetches into the folder.
func Fetch(ctx context.Context, s store.Store, digest, into string) (r *Release, t *Transfer, err error) {
	return FetchWanted(ctx, s, digest, into, nil)
}

// Served reports whether a server without an explorer opens a file: it maps packs and tiles, and the explorer alone explains answers
// by databases.
func Served(f File) bool { return filepath.Ext(f.Name) != ".sqlite" }

// FetchWanted is Fetch of the files that are wanted, nil: all. A component that lacks some of them, because fewer were wanted before,
// is completed in its place.
func FetchWanted(ctx context.Context, s store.Store, digest, into string, wanted func(File) bool) (r *Release, t *Transfer,
	err error) {
	if r, err = Read(ctx, s, digest); err != nil {
		return nil, nil, err
	}
	at := filepath.Join(into, FetchFolder)
	if err := os.MkdirAll(at, 0o755); err != nil {
		return nil, nil, err
	}
	lock, err := lockfile.Acquire(at, "fetch")
	if err != nil {
		return nil, nil, err
	}
	defer lock.Release()
	if err := os.RemoveAll(filepath.Join(at, store.NewFolder)); err != nil { // parts of files of one that was killed
		return nil, nil, err
	}
	fetched, err := store.OpenFolder(at)
	if err != nil {
		return nil, nil, err
	}
	f := &fetching{Transfer: new(Transfer), from: s, to: fetched, into: into, here: map[string]string{}, wanted: wanted,
		missing: map[string][]File{}}
	lacking, err := f.lacking(r)
	if err == nil {
		err = f.fetch(ctx, lacking)
	}
	for _, c := range lacking {
		if err == nil {
			err = f.put(c)
		}
	}
	return r, f.Transfer, err
}

// fetching is a Fetch.
type fetching struct {
	*Transfer
	from store.Store
	to   *store.Folder
	into string
	here map[string]string // paths of files of what is published here, by SHA-256

	wanted  func(File) bool   // nil: all
	missing map[string][]File // wanted files that are not in the place of a component, by its digest
}

// place is where a component is put.
func (f *fetching) place(c Component) string {
	return filepath.Join(f.into, filepath.FromSlash(c.Folder))
}

// lacks are the wanted files of a component that are not in its place.
func (f *fetching) lacks(c Component) (list []File) {
	for _, file := range c.Files {
		if f.wanted != nil && !f.wanted(file) {
			continue
		}
		if _, err := os.Lstat(filepath.Join(f.place(c), file.Name)); err != nil {
			list = append(list, file)
		} else {
			f.add(file, true)
		}
	}
	return list
}

// at is the folder in which a component is fetched.
func (f *fetching) at(c Component) string { return filepath.Join(f.into, FetchFolder, c.Digest) }

// lacking are the components of which files are not in their places. What was fetched of other releases is removed.
func (f *fetching) lacking(r *Release) (list []Component, err error) {
	for _, c := range r.Components {
		if _, err := os.Lstat(f.place(c)); !errors.Is(err, fs.ErrNotExist) {
			if _, err := component(f.place(c), c.ComponentRef); err != nil {
				return nil, fmt.Errorf("%w: %w", ErrOccupied, err)
			}
		}
		if lacks := f.lacks(c); len(lacks) > 0 {
			list, f.missing[c.Digest] = append(list, c), lacks
		}
	}
	left, err := os.ReadDir(filepath.Join(f.into, FetchFolder))
	for _, e := range left {
		if store.IsDigest(e.Name()) && !slices.ContainsFunc(list, func(c Component) bool { return c.Digest == e.Name() }) {
			err = errors.Join(err, os.RemoveAll(filepath.Join(f.into, FetchFolder, e.Name())))
		}
	}
	if p, _ := schemas.ReadPointer(f.into); p != nil { // without it, nothing is linked
		for _, ref := range p.Components {
			folder := filepath.Join(f.into, filepath.FromSlash(ref.Folder))
			if c, err := component(folder, ref); err == nil && !c.Private() {
				for _, file := range c.Files {
					f.here[file.SHA256] = filepath.Join(folder, file.Name)
				}
			}
		}
	}
	return list, err
}

// fetch brings the files of components.
func (f *fetching) fetch(ctx context.Context, list []Component) error {
	group, limited := errgroup.WithContext(ctx)
	group.SetLimit(atOnce)
	for _, c := range list {
		if err := os.MkdirAll(f.at(c), 0o700); err != nil {
			return err
		}
		for _, file := range f.missing[c.Digest] {
			group.Go(func() error {
				had, err := f.file(limited, c, file)
				if err != nil {
					return fmt.Errorf("fetch %s of %s, %s in %s: %w", file.Name, c.Name, store.Blob(file.SHA256), f.from, err)
				}
				f.add(file, had)
				return nil
			})
		}
	}
	return group.Wait()
}

// file brings a file of a component, unless it is here.
func (f *fetching) file(ctx context.Context, c Component, file File) (had bool, err error) {
	to := filepath.Join(f.at(c), file.Name)
	if _, err := os.Lstat(to); err == nil {
		return true, nil
	}
	if path := f.here[file.SHA256]; path != "" && !c.Private() {
		if found, err := fileOf(path); err == nil && found.SHA256 == file.SHA256 && os.Link(path, to) == nil {
			return true, nil
		}
	}
	if folder, ok := f.from.(*store.Folder); ok && !c.Private() && os.Link(folder.Path(store.Blob(file.SHA256)), to) == nil {
		found, err := fileOf(to)
		if err == nil && found.SHA256 == file.SHA256 {
			return false, nil
		}
		os.Remove(to)
		return false, cmp.Or(err, fmt.Errorf("%w: %s", store.ErrDigest, store.Blob(file.SHA256)))
	}
	from, err := f.from.Open(ctx, store.Blob(file.SHA256), 0, file.Bytes)
	if err != nil {
		return false, err
	}
	err = f.to.Take(ctx, store.Object{Name: c.Digest + "/" + file.Name, Bytes: file.Bytes, SHA256: file.SHA256}, from)
	if err = errors.Join(err, from.Close()); err == nil && c.Private() {
		err = os.Chmod(to, 0o600)
	}
	return false, err
}

// put compares the manifest of a component with its record, and puts it in its place, or the files that lacked there.
func (f *fetching) put(c Component) error {
	place := f.place(c)
	found, err := component(place, c.ComponentRef)
	there := err == nil
	if !there {
		found, err = component(f.at(c), c.ComponentRef)
	}
	other := func(file File) bool { return file.Name != signature.File && !slices.Contains(found.Files, file) }
	if err == nil && (there && slices.ContainsFunc(f.missing[c.Digest], other) || !there && !slices.Equal(found.Files, c.Files)) {
		err = fmt.Errorf("%w: that of %s does not list the files of its manifest", ErrRecord, c.Name)
	}
	if err == nil && !c.Private() {
		err = os.Chmod(f.at(c), 0o755)
	}
	for _, file := range f.missing[c.Digest] {
		if there && err == nil {
			err = os.Rename(filepath.Join(f.at(c), file.Name), filepath.Join(place, file.Name))
		}
	}
	if err != nil {
		return err
	}
	if there {
		return errors.Join(os.RemoveAll(f.at(c)), wholefile.Sync(place))
	}
	if err := os.MkdirAll(filepath.Dir(place), 0o755); err != nil {
		return err
	}
	if err := os.Rename(f.at(c), place); err != nil {
		return err
	}
	return wholefile.Sync(filepath.Dir(place))
}

// Install makes a release that Fetch brought what a folder of releases publishes, with the generation of the store's pointer: it
// writes the file of the generation and its signatures, then the pointer. A server that follows the folder serves it then.
// lockfile.ErrHeld where another process publishes in the folder.
func Install(into string, r *Release, generation int64) error {
	lock, err := lockfile.Acquire(into, "pull")
	if err != nil {
		return err
	}
	defer lock.Release()
	p := r.Pointer(generation)
	pointer, err := p.Encode()
	if err != nil {
		return err
	}
	g, err := (&schemas.Generation{Pointer: *p}).Encode()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(into, schemas.GenerationsFolder), 0o755); err != nil {
		return err
	}
	if err := wholefile.Replace(schemas.GenerationPath(into, p.Generation), g, 0o644); err != nil {
		return err
	}
	if r.Signed != nil {
		if err := wholefile.Replace(schemas.PointerSignatures(into, p.Generation), r.Signed.Signatures, 0o644); err != nil {
			return err
		}
	}
	return wholefile.Replace(filepath.Join(into, schemas.PointerFile), pointer, 0o644)
}
