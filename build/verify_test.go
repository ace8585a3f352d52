package build

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quartier/build/released"
	"quartier/build/verify"
	"quartier/internal/spatialite"
	"quartier/schemas"
)

// copyRelease copies a release to a temporary folder.
func copyRelease(t *testing.T, from string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), "release")
	must(t, os.CopyFS(to, os.DirFS(from)))
	return to
}

// alter changes a SpatiaLite file of a release.
func alter(t *testing.T, path string, statements ...string) {
	t.Helper()
	db, err := spatialite.Open(path)
	must(t, err)
	for _, s := range statements {
		_, err := db.Exec(s)
		must(t, err)
	}
	must(t, db.Close())
}

// updateManifest recomputes the digests in the manifest of a release.
func updateManifest(t *testing.T, dir string) {
	t.Helper()
	changeManifest(t, dir, func(m *schemas.Manifest) {
		var err error
		for i, f := range m.Files {
			m.Files[i], err = released.Describe(context.Background(), filepath.Join(dir, f.Name), f.Name)
			must(t, err)
		}
	})
}

// changeManifest changes the manifest of a release, whose digest is then the right one.
func changeManifest(t *testing.T, dir string, change func(*schemas.Manifest)) {
	t.Helper()
	m, err := schemas.ReadManifest(dir)
	must(t, err)
	change(m)
	m.Digest, err = m.ComputeDigest()
	must(t, err)
	data, err := m.Encode()
	must(t, err)
	must(t, os.WriteFile(filepath.Join(dir, schemas.ManifestFile), data, 0o644))
}

func TestVerifyFindsDamage(t *testing.T) {
	second := delaware()
	second.places[4].east, second.places[5].west = -75.52, -75.52
	_, o1 := built(t, "", delaware())
	_, o := built(t, o1.Out, second)
	geographies := func(statement string) func(*testing.T, string) {
		return func(t *testing.T, dir string) {
			alter(t, filepath.Join(dir, schemas.GeographiesFile), statement)
			updateManifest(t, dir)
		}
	}
	pois := func(statement string) func(*testing.T, string) {
		return func(t *testing.T, dir string) {
			alter(t, filepath.Join(dir, schemas.POIsFile), statement)
			updateManifest(t, dir)
		}
	}
	for _, tt := range []struct {
		name   string
		damage func(t *testing.T, dir string)
		want   string
	}{
		{"extra file", func(t *testing.T, dir string) { must(t, os.WriteFile(filepath.Join(dir, "notes.txt"), nil, 0o644)) },
			"notes.txt is not a file"},
		{"hidden file", func(t *testing.T, dir string) { must(t, os.WriteFile(filepath.Join(dir, ".x"), nil, 0o644)) }, ".x is not a file"},
		{"missing file", func(t *testing.T, dir string) { must(t, os.Remove(filepath.Join(dir, schemas.POIsPack))) }, "pois.pack is missing"},
		{"link", func(t *testing.T, dir string) {
			path := filepath.Join(dir, schemas.POIsPack)
			must(t, os.Rename(path, path+"2"))
			must(t, os.Rename(path+"2", filepath.Join(filepath.Dir(dir), "elsewhere")))
			must(t, os.Symlink(filepath.Join(filepath.Dir(dir), "elsewhere"), path))
		}, "not a regular file"},
		{"no manifest", func(t *testing.T, dir string) { must(t, os.Remove(filepath.Join(dir, schemas.ManifestFile))) }, "manifest.json"},
		{"one byte flipped", func(t *testing.T, dir string) { flip(t, filepath.Join(dir, schemas.GeographiesPack)) },
			"geographies.pack has sha256"},
		{"truncated", func(t *testing.T, dir string) { must(t, os.Truncate(filepath.Join(dir, schemas.POIsFile), 8192)) },
			"pois.sqlite has 8192 bytes"},
		{"a missing row", func(t *testing.T, dir string) {
			alter(t, filepath.Join(dir, schemas.POIsFile), "DELETE FROM poi WHERE fid = 7")
		}, "pois.sqlite has"},
		{"packs of another release", func(t *testing.T, dir string) {
			copyFile(t, filepath.Join(o1.Out, schemas.GeographiesPack), filepath.Join(dir, schemas.GeographiesPack))
			updateManifest(t, dir)
		}, "geographies.pack is not what"},
		{"a renamed geography", geographies("UPDATE geography SET name_fr = 'X' WHERE fid = 2"), "geographies.pack is not what"},
		{"a renamed poi", pois("UPDATE poi SET name = 'X' WHERE fid = 7"), "pois.pack is not what"},
		{"another id", geographies("UPDATE geography SET boundary_version = 9 WHERE level = 70"), "should be"},
		{"a successor that is superseded",
			geographies("UPDATE geography_superseded SET replaced_by = (SELECT min(geog_id) FROM geography_superseded)"),
			"a successor is current: not so for"},
		{"a parent of another level", geographies("UPDATE geography SET city_id = state_id WHERE level = 10"), "parents are current"},
		{"no bridge", geographies("DELETE FROM geog_bridge"), "has a bridge: not so for"},
		{"a bridge to an unknown id", geographies("UPDATE geog_bridge SET new_geog_id = 'g10_nothing' WHERE area_share > 0.9"), "bridges lead"},
		{"an unknown source", geographies("UPDATE geography SET source_id = 'x' WHERE fid = 1"), "every geography has a source"},
		{"no spatial index", geographies("DELETE FROM idx_geography_geometry WHERE pkid = 1"), "in the spatial index"},
		{"a bounding box outside of the index", geographies("UPDATE geography SET west = west - 1 WHERE fid = 1"), "in the spatial index"},
		{"a poi without category", pois("DELETE FROM poi_category WHERE fid = 5"), "every poi is in a category"},
		{"an unknown term", pois("INSERT INTO poi_tag VALUES (5, 'zzz')"), "terms are in their vocabularies"},
		{"a wrong count", pois("UPDATE category SET pois = 3 WHERE category_id = 'parks'"), "vocabularies do not count"},
		{"a merge into an unknown poi", pois("UPDATE poi_merge SET kept_key = 'x'"), "merges lead"},
		{"another licence", pois("UPDATE source SET licence = 'none'"), "source osm of region us-delaware is not the one"},
		{"a missing issue", pois("DELETE FROM issue WHERE step = 'poi'"), "0 issues of steps"},
		{"another release's name", pois("UPDATE release SET name = 'other'"), "is of release other"},
		{"a geometry of another kind", geographies("DELETE FROM geometry_columns WHERE f_table_name = 'coverage'"), "EPSG:4326"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := copyRelease(t, o.Out)
			tt.damage(t, dir)
			_, err := verify.Release(context.Background(), dir, "")
			if !errors.Is(err, verify.ErrUnverified) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want %q", err, tt.want)
			}
		})
	}
	_, err := verify.Release(context.Background(), copyRelease(t, o.Out), "")
	must(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := verify.Release(ctx, o.Out, ""); !errors.Is(err, context.Canceled) || errors.Is(err, verify.ErrUnverified) {
		t.Errorf("cancelled: %v", err)
	}
}

func flip(t *testing.T, path string) {
	t.Helper()
	data, err := os.ReadFile(path)
	must(t, err)
	data[len(data)-1] ^= 0x10
	must(t, os.WriteFile(path, data, 0o644))
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	in, err := os.Open(from)
	must(t, err)
	defer in.Close()
	out, err := os.Create(to)
	must(t, err)
	_, err = io.Copy(out, in)
	must(t, err)
	must(t, out.Close())
}
