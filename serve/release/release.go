// Package release opens release folders for the server and keeps the current one behind a pointer that can be swapped
// while requests run. In: the path of a release folder. Out: the tables of a release, open until the last request that
// uses them is done.
package release

import (
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"sync/atomic"

	"quartier/internal/pack"
	"quartier/internal/pack/access"
	"quartier/internal/pack/geographies"
	"quartier/internal/pack/names"
	"quartier/internal/pack/people"
	"quartier/internal/pack/pois"
	"quartier/internal/pack/smallareas"
	"quartier/schemas"
)

// ErrRefused is what every error about a folder that cannot be served wraps.
var ErrRefused = errors.New("release refused")

// Release is one open release. Its tables may be used between Acquire and Done.
type Release struct {
	Manifest    *schemas.Manifest
	Geographies *geographies.Table
	Names       *names.Index
	POIs        *pois.Table
	Access      *access.Table
	SmallAreas  *smallareas.Table
	People      *people.Table

	dir   string
	files []*pack.File
	packs []packFile // the same files, for Verify

	regionsOnce sync.Once
	regionsOf   []uint32 // by geography: index in regionLists
	regionLists [][]string

	users atomic.Int64 // requests that use it, plus one while it is current; at 0 it is closed for good
}

// Open opens the release in dir: its manifest must be good, its packs of the size that the manifest says and of sound
// structure. The bytes of the packs are not read; Verify does that.
func Open(dir string) (*Release, error) {
	manifest, err := schemas.ReadManifest(dir)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrRefused, err)
	}
	r := &Release{Manifest: manifest, dir: dir}
	r.users.Store(1)
	if err := r.openTables(); err != nil {
		r.close()
		return nil, fmt.Errorf("%w: %w", ErrRefused, err)
	}
	return r, nil
}

func (r *Release) openTables() error {
	for _, table := range []struct {
		pack string
		open func(*pack.File) error
	}{
		{schemas.GeographiesPack, r.openGeographies},
		{schemas.POIsPack, func(f *pack.File) (err error) { r.POIs, err = pois.Open(f); return err }},
		{schemas.AccessPack, func(f *pack.File) (err error) { r.Access, err = access.Open(f); return err }},
		{schemas.SmallAreasPack, func(f *pack.File) (err error) { r.SmallAreas, err = smallareas.Open(f); return err }},
		{schemas.DemographicsPack, func(f *pack.File) (err error) { r.People, err = people.Open(f); return err }},
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

func (r *Release) openGeographies(f *pack.File) (err error) {
	if r.Geographies, err = geographies.Open(f); err == nil {
		r.Names, err = names.Open(f)
	}
	return err
}

func (r *Release) openPack(name string) (*pack.File, error) {
	entry, ok := r.Manifest.File(name)
	if !ok {
		return nil, fmt.Errorf("the manifest of %s names no %s", r.dir, name)
	}
	path := filepath.Join(r.dir, name)
	if err := r.keep(path, entry); err != nil {
		return nil, err
	}
	file, err := pack.Open(path)
	if err != nil {
		return nil, err
	}
	r.files = append(r.files, file)
	if file.Size() != entry.Bytes {
		return nil, fmt.Errorf("%s has %d bytes, the manifest says %d", file.Path(), file.Size(), entry.Bytes)
	}
	return file, nil
}

// compareCounts finds packs that are sound but of another release.
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
	} {
		if int64(c.got) != c.want {
			return fmt.Errorf("%s has %d %s, the manifest says %d", c.pack, c.got, c.what, c.want)
		}
	}
	return nil
}

// Digest identifies the whole content of the release, 64 hexadecimal digits.
func (r *Release) Digest() string { return r.Manifest.Digest }

// acquire counts a user in, unless the release is closed.
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

// Done counts a user out. The last one closes the files.
func (r *Release) Done() {
	if r.users.Add(-1) == 0 {
		r.close()
	}
}

func (r *Release) close() {
	for _, file := range r.files {
		file.Close() // read-only: there is nothing left to lose
	}
	for _, p := range r.packs {
		p.file.Close()
	}
}
