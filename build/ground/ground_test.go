package ground

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/paulmach/orb"

	"quartier/internal/geo"
)

func box(west, south, east, north float64) orb.MultiPolygon {
	return orb.MultiPolygon{orb.Bound{Min: orb.Point{west, south}, Max: orb.Point{east, north}}.ToPolygon()}
}

// TestDivide divides two states across the border of the countries by small areas of one of them, with a lake, and compares
// the pieces with random points.
func TestDivide(t *testing.T) {
	states := []orb.MultiPolygon{box(-73.7, 44.2, -71.4, 45.01), box(-74, 45.01, -71, 46)}
	codes := []string{"US_VT", "CA_QC"}
	random := rand.New(rand.NewPCG(3, 3))
	var parts, water []orb.MultiPolygon
	for x := range 40 { // side by side, with a gap in the middle; some extend beyond the border
		for y := range 30 {
			if x > 18 && x < 22 && y > 10 && y < 14 {
				continue
			}
			west, south := -73+0.013*float64(x), 44.63+0.013*float64(y)
			parts = append(parts, box(west, south, west+0.013, south+0.013))
		}
	}
	water = append(water, box(-72.9, 44.7, -72.8, 44.75), box(-71.9, 44.3, -71.8, 44.35))
	in := Input{Water: water}
	for i, s := range states {
		in.States = append(in.States, Area{codes[i], s.Bound()})
	}
	for _, p := range parts {
		in.Parts = append(in.Parts, Area{"US_VT", p.Bound()})
	}
	in.State = func(i int) (orb.MultiPolygon, error) { return states[i], nil }
	in.Part = func(i int) (orb.MultiPolygon, error) { return parts[i], nil }
	var pieces []Piece
	if err := Divide(t.Context(), in, func(p Piece) error { pieces = append(pieces, p); return nil }); err != nil {
		t.Fatal(err)
	}
	m2 := map[string]float64{}
	for _, p := range pieces {
		if bound := p.Outline.Bound(); bound.Max[0]-bound.Min[0] > largestTile+1e-9 || bound.Max[1]-bound.Min[1] > largestTile+1e-9 {
			t.Errorf("a piece of %v", bound)
		}
		m2[p.RegionCode] += geo.Area(p.Outline)
	}
	for i, s := range states {
		want := geo.Area(s)
		if i == 0 {
			want -= geo.Area(water[0]) + geo.Area(water[1])
		}
		if got := m2[codes[i]]; math.Abs(got-want) > 1e-6*want {
			t.Errorf("%s: pieces of %.0f m², without the water it has %.0f", codes[i], got, want)
		}
	}
	contains := func(list []orb.MultiPolygon, at orb.Point) bool {
		for _, m := range list {
			if geo.Contains(m, at) {
				return true
			}
		}
		return false
	}
	for range 3000 {
		at := orb.Point{-74 + 3*random.Float64(), 44.2 + 1.8*random.Float64()}
		covered, found := false, 0
		for _, p := range pieces {
			if geo.Contains(p.Outline, at) {
				covered = p.Covered
				found++
			}
		}
		land := contains(states, at) && !contains(water, at)
		want := land && at[1] < 45.01 && contains(parts, at)
		if (found == 1) != land || found > 1 || covered != want {
			t.Fatalf("%v is in %d pieces, covered %t; on land %t, covered %t", at, found, covered, land, want)
		}
	}
	if len(pieces) > 400 {
		t.Errorf("%d pieces", len(pieces))
	}
}
