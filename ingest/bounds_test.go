package ingest

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/paulmach/orb"

	"quartier/internal/duck"
	"quartier/internal/geo"
	"quartier/internal/sqlrow"
	"quartier/schemas"
	"quartier/schemas/staged"
)

// TestBoundsOfWhatMayBeLent compares the bounds of regions, first of one without rows, then with coverage, areas and jobs.
func TestBoundsOfWhatMayBeLent(t *testing.T) {
	square := func(west, south float64) []byte {
		data, err := geo.WKB(orb.MultiPolygon{{orb.Bound{Min: orb.Point{west, south}, Max: orb.Point{west + 1, south + 0.5}}.ToRing()}})
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	point := func(key string, lng, lat float64) staged.Job {
		return staged.Job{SourceID: "jobs", SourceKey: key, Lng: &lng, Lat: &lat, Jobs: 1}
	}
	const covered = `[[-77,42.25,-76,42.75],[-75,40,-74,40.5]]`
	for name, tt := range map[string]struct {
		fill func(add func(error), db *duck.DB)
		want string
	}{
		"nothing": {func(func(error), *duck.DB) {}, `{"coverage":[],"jobs":[]}`},
		"areas without jobs": {func(add func(error), db *duck.DB) {
			for _, c := range []staged.Coverage{{SourceID: "b", Geom: square(-75, 40)}, {SourceID: "a", Geom: square(-77, 42.25)},
				{SourceID: "c", Geom: square(-75, 40)}} {
				add(sqlrow.Insert(t.Context(), db, "coverage", c))
			}
			add(sqlrow.Insert(t.Context(), db, "zone", staged.Zone{SourceID: "z", SourceKey: "census:bg:1", Geom: square(-70, 41)}))
		}, `{"coverage":` + covered + `,"jobs":[]}`},
		"jobs of points": {func(add func(error), db *duck.DB) {
			add(sqlrow.Insert(t.Context(), db, "zone", staged.Zone{SourceID: "z", SourceKey: "census:bg:1", Geom: square(-70, 41)}))
			add(sqlrow.Insert(t.Context(), db, "job", point("1", -71.5, 44), point("2", -71.25, 43.5)))
		}, `{"coverage":[],"jobs":[[-71.5,43.5,-71.25,44]]}`},
		"jobs of areas and points": {func(add func(error), db *duck.DB) {
			add(sqlrow.Insert(t.Context(), db, "zone", staged.Zone{SourceID: "z", SourceKey: "census:bg:1", Geom: square(-70, 41)}))
			add(sqlrow.Insert(t.Context(), db, "block", staged.Block{SourceID: "z", SourceKey: "census:block:1", Geom: square(-68, 39)}))
			add(sqlrow.Insert(t.Context(), db, "job", staged.Job{SourceID: "jobs", SourceKey: "census:bg:1", Jobs: 5}, point("1", -71.5, 44)))
		}, `{"coverage":[],"jobs":[[-70,39,-67,41.5],[-71.5,44,-71.5,44]]}`},
	} {
		t.Run(name, func(t *testing.T) {
			from, path := filepath.Join(t.TempDir(), "staged.duckdb"), filepath.Join(t.TempDir(), "bounds.json")
			db, err := duck.Create(from, schemas.Staged)
			if err != nil {
				t.Fatal(err)
			}
			add := func(err error) {
				if err != nil {
					t.Error(err)
				}
			}
			tt.fill(add, db)
			add(db.Close())
			add(WriteBounds(t.Context(), from, path))
			got, err := os.ReadFile(path)
			if diff := cmp.Diff(tt.want+"\n", string(got)); err != nil || diff != "" {
				t.Errorf("%v %s", err, diff)
			}
		})
	}
}
