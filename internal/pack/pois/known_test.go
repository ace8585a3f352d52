package pois_test

import (
	"testing"

	"github.com/paulmach/orb"

	"quartier/internal/pack/packtest"
	"quartier/internal/pack/pois"
	"quartier/schemas"
)

func square(west, south, east, north float64) orb.MultiPolygon {
	return orb.MultiPolygon{{orb.Bound{Min: orb.Point{west, south}, Max: orb.Point{east, north}}.ToRing()}}
}

// knownTable has two grounds that overlap, one of them with a hole.
func knownTable(t testing.TB) *pois.Table {
	t.Helper()
	w, err := pois.NewWriter(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	holed := square(-72, 45, -71, 46)
	holed[0] = append(holed[0], square(-71.9, 45.4, -71.8, 45.6)[0][0])
	if err := w.AddKnown([]string{"cafes", "banks"}, []string{"cafes"}, holed); err != nil {
		t.Fatal(err)
	}
	if err := w.AddKnown([]string{"parks"}, []string{"parks"}, square(-71.5, 45, -70, 46)); err != nil {
		t.Fatal(err)
	}
	if err := w.AddKnown([]string{"coffee"}, nil, holed); err == nil {
		t.Error("a category that does not exist is known")
	}
	f := packtest.Open(t, w.Finish)
	table, err := pois.Open(f)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func bits(t testing.TB, index func(string) (int, bool), ids ...string) (set uint64) {
	for _, id := range ids {
		i, ok := index(id)
		if !ok {
			t.Fatalf("no category %s", id)
		}
		set |= 1 << i
	}
	return set
}

func TestKnownAt(t *testing.T) {
	table := knownTable(t)
	for _, c := range []struct {
		what             string
		lng, lat         float64
		categories, base []string
	}{
		{"one ground", -71.7, 45.5, []string{"cafes", "banks"}, []string{"cafes"}},
		{"both", -71.2, 45.5, []string{"cafes", "banks", "parks"}, []string{"cafes", "parks"}},
		{"the other", -70.5, 45.5, []string{"parks"}, []string{"parks"}},
		{"the hole", -71.85, 45.5, nil, nil},
		{"neither", -69, 45.5, nil, nil},
	} {
		want := pois.Known{Categories: bits(t, schemas.CategoryIndex, c.categories...), Base: bits(t, schemas.BaseCategoryIndex, c.base...)}
		if got := table.KnownAt(c.lng, c.lat); got != want {
			t.Errorf("%s: %b, want %b", c.what, got, want)
		}
	}
	if n := testing.AllocsPerRun(100, func() { table.KnownAt(-71.2, 45.5) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkKnownAt(b *testing.B) {
	table := knownTable(b)
	for b.Loop() {
		table.KnownAt(-71.2, 45.5)
	}
}
