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

// Assign assigns ids to the outlines of a new release that continues r. lived is where people live in the new release, and
// outline returns the geometry of the new outline with the given index.
func (r *Release) Assign(ctx context.Context, release string, outlines []identity.Outline, lived Lived, outline func(i int) (orb.MultiPolygon, error)) (*identity.Assignment, error) {
	if r == nil {
		return identity.Assign(ctx, release, identity.History{}, outlines, nil)
	}
	history, err := released.History(ctx, r.db)
	if err != nil {
		return nil, fmt.Errorf("previous release: %w", err)
	}
	m, err := newMeasurer(lived, func(id string) (orb.MultiPolygon, error) { return released.Outline(r.db, id) }, outline)
	if err != nil {
		return nil, err
	}
	defer m.close()
	return identity.Assign(ctx, release, history, outlines, m)
}
