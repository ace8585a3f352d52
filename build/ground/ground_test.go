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

// TestAnInvalidStateIsDivided: the outline of a state crosses itself, by which an overlay finds nothing.
func TestAnInvalidStateIsDivided(t *testing.T) {
	bow := orb.MultiPolygon{{{{-110, 49}, {-109.5, 50}, {-109.5, 49}, {-110, 50}, {-110, 49}}}}
	in := Input{States: []Area{{"CA_SK", bow.Bound()}}, State: func(int) (orb.MultiPolygon, error) { return bow, nil }}
	m2 := 0.0
	if err := Divide(t.Context(), in, func(p Piece) error { m2 += geo.Area(p.Outline); return nil }); err != nil {
		t.Fatal(err)
	}
	if want := geo.Area(box(-110, 49, -109.5, 50)) / 2; math.Abs(m2-want) > 0.01*want {
		t.Errorf("ground of %.0f m², want %.0f", m2, want)
	}
}

// BenchmarkDivide divides a state of the size of Texas with 90,000 parts of uneven borders, which cover two thirds of it.
func BenchmarkDivide(b *testing.B) {
	const side, step = 300, 10.0 / 300
	random := rand.New(rand.NewPCG(7, 7))
	var corners [side + 1][side + 1]orb.Point
	for x := range corners {
		for y := range corners[x] {
			corners[x][y] = orb.Point{-106 + step*(float64(x)+0.6*(random.Float64()-0.5)), 26 + step*(float64(y)+0.6*(random.Float64()-0.5))}
		}
	}
	var parts []orb.MultiPolygon
	in := Input{States: []Area{{RegionCode: "US_TX"}}}
	for x := range side {
		for y := range side {
			if x%20 > 6 || y%30 > 20 {
				parts = append(parts, orb.MultiPolygon{{{corners[x][y], corners[x+1][y], corners[x+1][y+1], corners[x][y+1], corners[x][y]}}})
				in.Parts = append(in.Parts, Area{"US_TX", parts[len(parts)-1].Bound()})
			}
		}
	}
	var state orb.Ring // with a vertex each 200 m
	for i := range 20_000 {
		angle := 2 * math.Pi * float64(i) / 20_000
		radius := 5.5 + 0.02*random.Float64()
		state = append(state, orb.Point{-101 + radius*math.Cos(angle), 31 + radius*math.Sin(angle)})
	}
	outline := orb.MultiPolygon{{append(state, state[0])}}
	in.State = func(int) (orb.MultiPolygon, error) { return outline, nil }
	in.Part = func(i int) (orb.MultiPolygon, error) { return parts[i], nil }
	for b.Loop() {
		pieces := 0
		if err := Divide(b.Context(), in, func(Piece) error { pieces++; return nil }); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(pieces), "pieces")
		b.ReportMetric(float64(len(parts)), "parts")
	}
}
