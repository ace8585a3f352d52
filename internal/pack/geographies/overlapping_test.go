package geographies

import (
	"fmt"
	"slices"
	"testing"

	"github.com/paulmach/orb"
	"pgregory.net/rapid"

	"quartier/internal/pack"
	"quartier/internal/pack/packtest"
	"quartier/schemas"
)

// overlap writes records to a pack without a locator.
func overlap(t testing.TB, records []Record) *pack.File {
	t.Helper()
	w, err := NewWriter(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	w.Overlapping = true
	for i := range records {
		if err := w.Add(&records[i]); err != nil {
			t.Fatal(err)
		}
	}
	return packtest.Open(t, w.Finish)
}

// TestOverlappingAgreesWithTheLocator compares look-ups with and without a locator.
func TestOverlappingAgreesWithTheLocator(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		var records []Record
		for i := range rapid.IntRange(0, 6).Draw(rt, "geographies") {
			r := record(fmt.Sprintf("g%02d", i), schemas.Levels[i%3], shape(rt))
			for _, polygon := range r.Geometry {
				for _, hole := range polygon[1:] { // drawn anywhere
					r.BBox = r.BBox.Union(hole.Bound())
				}
			}
			r.Superseded = rapid.IntRange(0, 4).Draw(rt, "superseded") == 0
			records = append(records, r)
		}
		with := build(t, records, nil)
		without, err := Open(overlap(t, records))
		if err != nil {
			rt.Fatal(err)
		}
		for i := range records {
			for _, p := range records[i].Geometry[0][0] {
				for _, d := range []orb.Point{{0, 0}, {1e-7, 0}, {0, -1e-7}, {0.5, 0.5}, {2e-4, 2e-4}} {
					at := orb.Point{p[0] + d[0], p[1] + d[1]}
					for _, levels := range []schemas.LevelSet{0, schemas.NewLevelSet(schemas.Levels[1])} {
						want, got := with.At(nil, at[0], at[1], levels), without.At(nil, at[0], at[1], levels)
						if !slices.Equal(got, want) {
							rt.Fatalf("at %v: %v, with a locator %v", at, got, want)
						}
					}
				}
			}
		}
	})
}

// TestOverlappingGrowsWithTheirNumberAlone packs 20,000 outlines over one city, which would be in each other's cells.
func TestOverlappingGrowsWithTheirNumberAlone(t *testing.T) {
	var records []Record
	for i := range 20_000 {
		west, south := -75+float64(i%100)/1000, 45+float64(i/100%100)/1000
		outline := orb.MultiPolygon{{{{west, south}, {west + 0.1, south}, {west + 0.1, south + 0.1}, {west, south + 0.1}, {west, south}}}}
		records = append(records, record(fmt.Sprintf("g%05d", i), schemas.Neighbourhood, outline))
	}
	file := overlap(t, records)
	if perOne := int(file.Size()) / len(records); perOne > 2000 {
		t.Errorf("%d bytes a geography", perOne)
	}
	table, err := Open(file)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(table.At(nil, -74.9, 45.1, 0)); n < 10_000 {
		t.Errorf("%d geographies in the middle", n)
	}
}
