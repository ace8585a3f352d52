package polygon

import (
	"errors"
	"testing"

	"github.com/paulmach/orb"

	"quartier/internal/geo"
	"quartier/internal/spatialite"
	"quartier/internal/testenv"
)

// The box is 10 by 10; the coast has land on its left.
func TestSea(t *testing.T) {
	k, err := spatialite.NewKernel()
	if errors.Is(err, spatialite.ErrUnavailable) {
		testenv.NotInstalled(t, "mod_spatialite")
	}
	if err != nil {
		t.Fatal(err)
	}
	defer k.Close()
	box := orb.Bound{Max: orb.Point{10, 10}}
	across := orb.LineString{{5, -1}, {5, 11}} // land in the west
	island := orb.LineString{{7, 4}, {8, 4}, {8, 5}, {7, 5}, {7, 4}}
	lagoon := orb.LineString{{2, 4}, {2, 5}, {3, 5}, {3, 4}, {2, 4}}
	border := orb.LineString{{5, 8}, {11, 8}}
	for _, c := range []struct {
		name           string
		coast, borders orb.MultiLineString
		area           float64 // square degrees
		wet, dry       []orb.Point
	}{
		{"a coast through the box", orb.MultiLineString{across}, nil, 50, []orb.Point{{9, 9}}, []orb.Point{{1, 1}, {12, 5}}},
		{"an island and a lagoon", orb.MultiLineString{across, island, lagoon}, nil, 49, []orb.Point{{9, 9}},
			[]orb.Point{{7.5, 4.5}, {1, 1}, {2.5, 4.5}}},
		{"a coast in two directions, as two ways", orb.MultiLineString{{{5, 11}, {5, 5}}, {{5, 5}, {5, -1}}}, nil, 50,
			[]orb.Point{{1, 1}}, []orb.Point{{9, 9}}},
		{"a coast that ends in the box", orb.MultiLineString{{{5, -1}, {5, 5}}}, nil, 0, nil, []orb.Point{{1, 1}, {9, 9}}},
		{"a coast that ends at a border", orb.MultiLineString{{{5, -1}, {5, 8}}}, orb.MultiLineString{{{0, 8}, {5, 8}}, border}, 40,
			[]orb.Point{{9, 1}}, []orb.Point{{1, 1}, {9, 9}, {1, 9}}},
		{"no coast", nil, orb.MultiLineString{border}, 0, nil, []orb.Point{{1, 1}, {9, 9}}},
		{"an island beyond the box", orb.MultiLineString{{{17, 4}, {18, 4}, {18, 5}, {17, 4}}}, nil, 0, nil, []orb.Point{{17.9, 4.1}, {1, 1}}},
		{"a coast without length", orb.MultiLineString{{{5, 5}, {5, 5}}}, nil, 0, nil, []orb.Point{{5, 5}}},
	} {
		sea, err := Sea(k, box, c.coast, c.borders)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		area := 0.0
		for _, polygon := range sea {
			for i, ring := range polygon {
				if size := max(geo.SignedArea(ring), -geo.SignedArea(ring)); i == 0 {
					area += size
				} else {
					area -= size
				}
			}
		}
		if diff := area - c.area; diff*diff > 1e-12 {
			t.Errorf("%s: the sea has an area of %v, want %v", c.name, area, c.area)
		}
		for _, p := range c.wet {
			if !geo.Contains(sea, p) {
				t.Errorf("%s: %v is not sea", c.name, p)
			}
		}
		for _, p := range c.dry {
			if geo.Contains(sea, p) {
				t.Errorf("%s: %v is sea", c.name, p)
			}
		}
	}
}
