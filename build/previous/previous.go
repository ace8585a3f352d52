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
	digest string // of its manifest
	files  func(name string) (schemas.ReleaseFile, bool)
	db     *sql.DB // its geographies.sqlite
}

// Open opens the component places or private in dir, of any layout; nil if dir is "". It fails where a file that is going to be
// read differs from the manifest.
func Open(ctx context.Context, dir, component string) (*Release, error) {
	if dir == "" {
		return nil, nil
	}
	head, err := schemas.ReadHead(dir)
	if err == nil && head.Component != component {
		err = fmt.Errorf("%s is a component %s, not %s", dir, head.Component, component)
	}
	if err != nil {
		return nil, err
	}
	for _, name := range read[component] {
		if _, listed := head.File(name); !listed && name == schemas.TravelFile {
			continue // of a layout before there was one
		}
		if err := checkFile(ctx, dir, name, head.File); err != nil {
			return nil, err
		}
	}
	db, err := released.Open(filepath.Join(dir, schemas.GeographiesFile))
	if err != nil {
		return nil, err
	}
	return &Release{dir, head.Digest, head.File, db}, nil
}

// read are the files of a component that a build reads.
var read = map[string][]string{
	schemas.Places:  {schemas.GeographiesFile, schemas.AccessFile, schemas.DemographicsFile, schemas.TravelFile},
	schemas.Private: {schemas.GeographiesFile, schemas.AccessFile, schemas.DemographicsFile, schemas.ProfilesFile, schemas.PrivateFile},
}

// checkFile compares the digest of a file with what the manifest lists.
func checkFile(ctx context.Context, dir, name string, listed func(string) (schemas.ReleaseFile, bool)) error {
	want, ok := listed(name)
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

// Has reports whether the release has a file.
func (r *Release) Has(name string) bool {
	if r == nil {
		return false
	}
	_, found := r.files(name)
	return found
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
func (r *Release) Assign(ctx context.Context, release string, outlines []identity.Outline, lived Lived,
	outline func(i int) (orb.MultiPolygon, error)) (*identity.Assignment, error) {
	return r.assign(ctx, lived, outline, func(past identity.History, m identity.Measurer) (*identity.Assignment, error) {
		return identity.Assign(ctx, release, past, outlines, m)
	})
}

// AssignByKey is Assign for geographies that are succeeded by key alone, see identity.AssignByKey.
func (r *Release) AssignByKey(ctx context.Context, release string, outlines []identity.Outline, stays map[string]bool,
	outline func(i int) (orb.MultiPolygon, error)) (*identity.Assignment, error) {
	return r.assign(ctx, Lived{}, outline, func(past identity.History, m identity.Measurer) (*identity.Assignment, error) {
		return identity.AssignByKey(ctx, release, past, outlines, stays, m)
	})
}

// assign calls by with the history of the release, and with what compares its outlines with new ones.
func (r *Release) assign(ctx context.Context, lived Lived, outline func(i int) (orb.MultiPolygon, error),
	by func(identity.History, identity.Measurer) (*identity.Assignment, error)) (*identity.Assignment, error) {
	if r == nil {
		return by(identity.History{}, nil)
	}
	history, err := r.History(ctx)
	if err != nil {
		return nil, err
	}
	m, err := newMeasurer(lived, func(id string) (orb.MultiPolygon, error) { return released.Outline(r.db, id) }, outline)
	if err != nil {
		return nil, err
	}
	defer m.close()
	return by(history, m)
}

// History is the ids of the release.
func (r *Release) History(ctx context.Context) (h identity.History, err error) {
	if r == nil {
		return h, nil
	}
	if h, err = released.History(ctx, r.db); err != nil {
		return h, fmt.Errorf("previous release: %w", err)
	}
	return h, nil
}
