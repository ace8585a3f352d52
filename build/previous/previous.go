// Package previous reads the release that a new one continues: its ids, and the overlaps of its outlines with new ones.
package previous

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"

	"github.com/paulmach/orb"

	"quartier/build/identity"
	"quartier/build/released"
	"quartier/internal/geo"
	"quartier/internal/spatialite"
	"quartier/schemas"
)

// Release is a previous release. The methods of a nil Release are those of a release without content.
type Release struct {
	dir    string
	digest string  // of its manifest
	db     *sql.DB // its geographies.sqlite
}

// Open opens the release in dir; nil if dir is "". It fails where a file that is going to be read differs from the
// manifest.
func Open(ctx context.Context, dir string) (*Release, error) {
	if dir == "" {
		return nil, nil
	}
	m, err := schemas.ReadManifest(dir)
	if err != nil {
		return nil, err
	}
	for _, name := range []string{schemas.GeographiesFile, schemas.AccessFile, schemas.DemographicsFile} {
		if err := checkFile(ctx, dir, name, m); err != nil {
			return nil, err
		}
	}
	db, err := released.Open(filepath.Join(dir, schemas.GeographiesFile))
	if err != nil {
		return nil, err
	}
	return &Release{dir, m.Digest, db}, nil
}

// checkFile compares the digest of a file with the manifest.
func checkFile(ctx context.Context, dir, name string, m *schemas.Manifest) error {
	want, ok := m.File(name)
	if !ok {
		return fmt.Errorf("%s has no %s", schemas.ManifestFile, name)
	}
	path := filepath.Join(dir, name)
	sum, size, err := released.HashFile(ctx, path)
	if err != nil {
		return err
	}
	if sum != want.SHA256 || size != want.Bytes {
		return fmt.Errorf("%s is not the file in its manifest", path)
	}
	return nil
}

// Digest returns the digest of the release's manifest.
func (r *Release) Digest() string {
	if r == nil {
		return ""
	}
	return r.digest
}

// Path returns the path of a file of the release; "" where there is no release.
func (r *Release) Path(name string) string {
	if r == nil {
		return ""
	}
	return filepath.Join(r.dir, name)
}

// Close closes the release.
func (r *Release) Close() error {
	if r == nil {
		return nil
	}
	return r.db.Close()
}

// Assign assigns ids to the outlines of a new release that continues r. outline returns the geometry of the new outline
// with the given index.
func (r *Release) Assign(ctx context.Context, release string, outlines []identity.Outline, outline func(i int) (orb.MultiPolygon, error)) (*identity.Assignment, error) {
	if r == nil {
		return identity.Assign(ctx, release, identity.History{}, outlines, nil)
	}
	history, err := released.History(ctx, r.db)
	if err != nil {
		return nil, fmt.Errorf("previous release: %w", err)
	}
	kernel, err := spatialite.NewKernel()
	if err != nil {
		return nil, err
	}
	defer kernel.Close()
	m := &measurer{history: history, db: r.db, outline: outline, kernel: kernel}
	return identity.Assign(ctx, release, history, outlines, m)
}

// measurer implements identity.Measurer with GEOS. It keeps one old outline in memory, because pairs are ordered by old
// outline.
type measurer struct {
	history identity.History
	db      *sql.DB // geographies.sqlite of the previous release
	outline func(new int) (orb.MultiPolygon, error)
	kernel  *spatialite.Kernel
	id      string // of the old outline in memory, "" where there is none
	old     orb.MultiPolygon
}

func (m *measurer) pair(ctx context.Context, id string, new int) (before, after orb.MultiPolygon, err error) {
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	if m.id != id {
		m.id = ""
		if m.old, err = released.Outline(m.db, id); err != nil {
			return nil, nil, err
		}
		m.id = id
	}
	after, err = m.outline(new)
	return m.old, after, err
}

// SharedM2 implements identity.Measurer.
func (m *measurer) SharedM2(ctx context.Context, old, new int) (float64, error) {
	before, after, err := m.pair(ctx, m.history.Current[old].ID, new)
	if err != nil {
		return 0, err
	}
	both, err := m.kernel.Intersection(before, after)
	return geo.Area(both), err
}

// HausdorffM implements identity.Measurer.
func (m *measurer) HausdorffM(ctx context.Context, old, new int) (float64, error) {
	before, after, err := m.pair(ctx, m.history.Current[old].ID, new)
	if err != nil {
		return 0, err
	}
	overlap, err := m.kernel.Compare(before, after)
	return overlap.HausdorffM, err
}

// CoveredShare implements identity.Measurer.
func (m *measurer) CoveredShare(ctx context.Context, superseded, new int) (float64, error) {
	before, after, err := m.pair(ctx, m.history.Superseded[superseded].ID, new)
	if err != nil {
		return 0, err
	}
	both, err := m.kernel.Intersection(before, after)
	return geo.Area(both) / geo.Area(before), err
}
