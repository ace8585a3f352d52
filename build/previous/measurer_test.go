package previous

import (
	"math"
	"testing"

	"github.com/paulmach/orb"
	"pgregory.net/rapid"

	"quartier/build/assembly"
	"quartier/build/homes"
	"quartier/internal/geo"
	"quartier/internal/spatialite/spatialitetest"
	"quartier/schemas/calibration"
)

func square(west, south, east, north float64) orb.MultiPolygon {
	return orb.MultiPolygon{{orb.Bound{Min: orb.Point{west, south}, Max: orb.Point{east, north}}.ToRing()}}
}

// TestCountedHomes compares the households of an old outline and of the tiles over it with sums over all homes, of which many
// are on the borders, by their coordinates.
func TestCountedHomes(t *testing.T) {
	spatialitetest.Need(t)
	rapid.Check(t, func(t *rapid.T) {
		coordinate := rapid.OneOf(rapid.Float64Range(-0.01, 0.05), rapid.SampledFrom([]float64{0, 0.01, 0.02, 0.03, 0.04}))
		list := make([]homes.Home, rapid.IntRange(0, 60).Draw(t, "homes"))
		for i := range list {
			list[i] = homes.Home{
				Point:  orb.Point{coordinate.Draw(t, "lng"), coordinate.Draw(t, "lat")},
				Weight: rapid.Uint64Range(1, 50_000).Draw(t, "weight"), Street: rapid.IntRange(0, 20).Draw(t, "street") == 0,
			}
		}
		hullEast := rapid.SampledFrom([]float64{0.015, 0.025, 0.05}).Draw(t, "hull")
		lived := Lived{homes.NewIndex(list), assembly.Hulls{geo.Prepare(square(-0.01, -0.01, hullEast, 0.05))}}
		cut := rapid.SampledFrom([]float64{0.01, 0.02, 0.03}).Draw(t, "cut")
		bounds := [][2]float64{{0, cut}, {cut, 0.04}}
		m, err := newMeasurer(lived, func(string) (orb.MultiPolygon, error) { return square(0, 0, 0.04, 0.04), nil },
			func(i int) (orb.MultiPolygon, error) { return square(bounds[i][0], 0, bounds[i][1], 0.04), nil })
		if err != nil {
			t.Fatal(err)
		}
		defer m.close()
		count := func(west, east float64) (households float64, counted, streets int) {
			sum := uint64(0)
			for _, h := range list {
				switch p := h.Point; {
				case p[0] < west || p[0] >= east || p[1] < 0 || p[1] >= 0.04:
				case h.Street:
					streets++
				default:
					counted++
					sum += h.Weight
				}
			}
			return float64(sum) / 1000, counted, streets
		}
		whole, shared, err := m.Homes(t.Context(), "old", []int{0, 1})
		if err != nil {
			t.Fatal(err)
		}
		want, counted, streets := count(0, 0.04)
		covered := min(hullEast, 0.04) / 0.04
		known := float64(counted) >= leastCounted*float64(counted+streets) && covered >= calibration.Standard().Homes.MinCoverage
		if whole.Households != want || whole.Known != known {
			t.Fatalf("%+v, want %v households, known %t", whole, want, known)
		}
		if !known {
			return
		}
		for i, b := range bounds {
			part, _, _ := count(b[0], b[1])
			if new, err := m.NewHomes(t.Context(), i); err != nil || shared[i] != part || new.Households != part {
				t.Fatalf("tile %d: %v of the old one and %+v, want %v", i, shared[i], new, part)
			}
		}
		if math.Abs(shared[0]+shared[1]-want) > 1e-9 {
			t.Fatalf("%v do not add up to %v", shared, want)
		}
	})
}

// TestHomesAreUnknown: without homes nothing is counted.
func TestHomesAreUnknown(t *testing.T) {
	spatialitetest.Need(t)
	outline := func(int) (orb.MultiPolygon, error) { return square(0, 0, 1, 1), nil }
	m, err := newMeasurer(Lived{}, func(string) (orb.MultiPolygon, error) { return outline(0) }, outline)
	if err != nil {
		t.Fatal(err)
	}
	defer m.close()
	whole, shared, err := m.Homes(t.Context(), "old", []int{0})
	if err != nil || whole.Known || whole.Households != 0 || shared[0] != 0 {
		t.Errorf("%+v, %v, %v", whole, shared, err)
	}
	if new, err := m.NewHomes(t.Context(), 0); err != nil || new.Known {
		t.Errorf("%+v, %v", new, err)
	}
}
