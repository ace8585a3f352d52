// Package release opens release folders for the server, and replaces the current release while requests run. Input: the
// path of a release folder. Output: the tables of a release, open until the last request that uses them ends.
package release

import (
	"errors"
	"fmt"
	"path/filepath"
	"runtime/debug"
	"sync"
	"sync/atomic"

	"quartier/internal/pack"
	"quartier/internal/pack/access"
	"quartier/internal/pack/geographies"
	"quartier/internal/pack/names"
	"quartier/internal/pack/people"
	"quartier/internal/pack/pois"
	"quartier/internal/pack/profiles"
	"quartier/internal/pack/schools"
	"quartier/internal/pack/smallareas"
	"quartier/schemas"
)

// ErrRejected is wrapped by every error about a folder that cannot be served.
var ErrRejected = errors.New("release rejected")

// Release is an open release. Its tables can be used between Holder.Acquire and Done.
type Release struct {
	Manifest    *schemas.Manifest
	Geographies *geographies.Table
	Names       *names.Index
	POIs        *pois.Table
	Access      *access.Table
	SmallAreas  *smallareas.Table
	People      *people.Table
	Schools     *schools.Table
	Profiles    *profiles.Table

	dir   string
	files []*pack.File
	packs []packFile // the same files, for Verify

	regionsOnce sync.Once
	regionsOf   []uint32 // by geography: index in regionLists
	regionLists [][]string

	users atomic.Int64 // requests that use it, plus one while it is current; closed at 0
}

// Open opens the release in dir. Its manifest must be valid, and its packs must have a valid structure and the sizes
// and counts of the manifest. Open does not read all bytes of the packs, which Verify does.
func Open(dir string) (*Release, error) {
	manifest, err := schemas.ReadManifest(dir)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrRejected, err)
	}
	r := &Release{Manifest: manifest, dir: dir}
	r.users.Store(1)
	if err := r.openTables(); err != nil {
		r.close()
		return nil, fmt.Errorf("%w: %w", ErrRejected, err)
	}
	return r, nil
}

// packs are the files of a release that the server reads, besides the manifest.
var packs = []string{schemas.GeographiesPack, schemas.POIsPack, schemas.AccessPack, schemas.SmallAreasPack, schemas.DemographicsPack, schemas.SchoolsPack, schemas.ProfilesPack}

// openTables maps the packs and checks them. A pack that another program shortens meanwhile is an error.
func (r *Release) openTables() (err error) {
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
	for _, table := range []struct {
		pack string
		open func(*pack.File) error
	}{
		{schemas.GeographiesPack, r.openGeographies},
		{schemas.POIsPack, func(f *pack.File) (err error) { r.POIs, err = pois.Open(f); return err }},
		{schemas.AccessPack, func(f *pack.File) (err error) { r.Access, err = access.Open(f); return err }},
		{schemas.SmallAreasPack, func(f *pack.File) (err error) { r.SmallAreas, err = smallareas.Open(f); return err }},
		{schemas.DemographicsPack, func(f *pack.File) (err error) { r.People, err = people.Open(f); return err }},
		{schemas.SchoolsPack, func(f *pack.File) (err error) { r.Schools, err = schools.Open(f); return err }},
		{schemas.ProfilesPack, func(f *pack.File) (err error) { r.Profiles, err = profiles.Open(f); return err }},
	} {
		file, err := r.openPack(table.pack)
		if err != nil {
			return err
		}
		if err := table.open(file); err != nil {
			return fmt.Errorf("%s: %w", file.Path(), err)
		}
	}
	return r.compareCounts()
}

// addressError is what reading a mapped file beyond its end panics with after debug.SetPanicOnFault.
type addressError interface {
	error
	Addr() uintptr
}

func (r *Release) openGeographies(f *pack.File) (err error) {
	if r.Geographies, err = geographies.Open(f); err == nil {
		r.Names, err = names.Open(f)
	}
	return err
}

func (r *Release) openPack(name string) (*pack.File, error) {
	entry, ok := r.Manifest.File(name)
	if !ok {
		return nil, fmt.Errorf("the manifest of %s has no %s", r.dir, name)
	}
	path := filepath.Join(r.dir, name)
	if err := r.openFile(path, entry); err != nil {
		return nil, err
	}
	file, err := pack.Open(path)
	if err != nil {
		return nil, err
	}
	r.files = append(r.files, file)
	if file.Size() != entry.Bytes {
		return nil, fmt.Errorf("%s has %d bytes, %d according to the manifest", file.Path(), file.Size(), entry.Bytes)
	}
	return file, nil
}

// compareCounts rejects valid packs of another release.
func (r *Release) compareCounts() error {
	counts := &r.Manifest.Counts
	geogs := counts.Superseded
	for _, level := range counts.Geographies {
		geogs += level.Rows
	}
	for _, c := range []struct {
		pack, what string
		got        int
		want       int64
	}{
		{schemas.GeographiesPack, "geographies", r.Geographies.Len(), geogs},
		{schemas.POIsPack, "pois", r.POIs.Len(), counts.POIs},
		{schemas.AccessPack, "street nodes", r.Access.Nodes(), counts.StreetNodes},
		{schemas.AccessPack, "street edges", r.Access.Edges(), counts.StreetEdges},
		{schemas.AccessPack, "scored geographies", r.Access.Scored(), counts.ScoredGeographies},
		{schemas.AccessPack, "typologies", r.Access.Cells(), counts.Typologies},
		{schemas.SmallAreasPack, "small areas", r.SmallAreas.Areas(), counts.SmallAreas},
		{schemas.DemographicsPack, "described geographies", r.People.Len(), counts.DescribedGeographies},
		{schemas.SchoolsPack, "schools", r.Schools.Len(), counts.Schools},
		{schemas.SchoolsPack, "catchments", r.Schools.Catchments(), counts.Catchments},
		{schemas.ProfilesPack, "profiles", r.Profiles.Len(), schemas.SumLevels(counts.Profiles)},
	} {
		if int64(c.got) != c.want {
			return fmt.Errorf("%s has %d %s, %d according to the manifest", c.pack, c.got, c.what, c.want)
		}
	}
	return nil
}

// Digest identifies the whole content of the release, 64 hexadecimal digits.
func (r *Release) Digest() string { return r.Manifest.Digest }

// acquire adds a user; false if the release is closed.
func (r *Release) acquire() bool {
	for {
		n := r.users.Load()
		if n == 0 {
			return false
		}
		if r.users.CompareAndSwap(n, n+1) {
			return true
		}
	}
}

// Done removes a user. The last one closes the files.
func (r *Release) Done() {
	if r.users.Add(-1) == 0 {
		r.close()
	}
}

func (r *Release) close() {
	for _, file := range r.files {
		file.Close() // opened for reading only
	}
	for _, p := range r.packs {
		p.file.Close()
	}
}
