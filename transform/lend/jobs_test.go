package lend

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/paulmach/orb"

	"quartier/internal/duck"
	"quartier/internal/geo"
	"quartier/internal/sqlrow"
	"quartier/schemas"
	"quartier/schemas/staged"
	"quartier/transform/regiontest"
)

// region writes a staged region whose source osm has a square of 10 km from x on, and returns the path.
func region(t *testing.T, name string, x float64, fill func(db *duck.DB)) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name+".duckdb")
	db, err := duck.Create(path, schemas.Staged)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	outline := regiontest.WKB(t, regiontest.Square(x, 0, x+10_000, 10_000))
	insert(t, db, "source", staged.Source{SourceID: "osm", Kind: "osm", AsOf: "2024-01-01"},
		staged.Source{SourceID: "lodes", Priority: 1, Kind: "jobs", AsOf: "2023-04-01"})
	insert(t, db, "extent", staged.Extent{SourceID: "osm", Basis: staged.ExtentDeclared, Geom: outline})
	insert(t, db, "coverage", staged.Coverage{SourceID: "osm", CountryCode: "US", StateCode: "MD", Geom: outline})
	fill(db)
	return path
}

func insert[T any](t *testing.T, db *duck.DB, table string, rows ...T) {
	t.Helper()
	if err := sqlrow.Insert(t.Context(), db, table, rows...); err != nil {
		t.Fatal(err)
	}
}

// Both regions have the file of a state, and each the blocks of its own part. Jobs of the neighbour are lent once, also
// those of which the region has the row without the block, up to 60 km away.
func TestJobsAreLent(t *testing.T) {
	file := func(db *duck.DB) {
		for i := range 6 {
			insert(t, db, "job", staged.Job{SourceID: "lodes", SourceKey: fmt.Sprintf("census:block:24031700100100%d", i),
				Jobs: int64(1000 * (i + 1)), Sectors: "[1]"})
		}
	}
	block := func(db *duck.DB, i int, x float64) {
		insert(t, db, "block", staged.Block{SourceID: "osm", SourceKey: fmt.Sprintf("census:block:24031700100100%d", i),
			Geom: regiontest.WKB(t, regiontest.Square(x, 0, x+100, 100))})
	}
	own := region(t, "own", 0, func(db *duck.DB) {
		file(db)
		block(db, 0, 100)
		block(db, 1, 9_900) // of both regions
	})
	next := region(t, "next", 10_000, func(db *duck.DB) {
		file(db)
		block(db, 1, 9_900)
		block(db, 2, 10_100)
		block(db, 3, 69_000)
		block(db, 4, 75_000) // too far away
		at := regiontest.At(12_000, 50)
		insert(t, db, "job", staged.Job{SourceID: "lodes", SourceKey: "lodes:1", Lng: &at[0], Lat: &at[1], Jobs: 9})
	})
	far := region(t, "far", 50_000, func(db *duck.DB) { // beyond what streets are lent
		insert(t, db, "zone", staged.Zone{SourceID: "osm", SourceKey: "census:bg:240319999991",
			Geom: regiontest.WKB(t, regiontest.Square(50_000, 0, 50_100, 100))})
		insert(t, db, "job", staged.Job{SourceID: "lodes", SourceKey: "census:bg:240319999991", Jobs: 77})
	})
	path := filepath.Join(t.TempDir(), "lent.duckdb")
	if err := Region(t.Context(), own, []Neighbour{{Name: "next", Staged: next}, {Name: "far", Staged: far}}, path); err != nil {
		t.Fatal(err)
	}
	db, err := duck.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var got []string
	const query = "SELECT job.* FROM job JOIN source USING (source_id) ORDER BY priority, source_key"
	for j, err := range sqlrow.Select[staged.Job](t.Context(), db, query) {
		if err != nil {
			t.Fatal(err)
		}
		x, _ := geo.NewPlane(regiontest.Home).XY(orb.Point{*j.Lng, *j.Lat})
		got = append(got, fmt.Sprintf("%s %s %.0f %d %s", j.SourceID, j.SourceKey, x, j.Jobs, j.Sectors))
	}
	want := []string{"next/lodes census:block:240317001001002 10150 3000 [1]", "next/lodes census:block:240317001001003 69050 4000 [1]",
		"next/lodes lodes:1 12000 9 ", "far/lodes census:bg:240319999991 50050 77 "}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
