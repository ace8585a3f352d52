package strips

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"quartier/internal/coord"

	"github.com/paulmach/orb"
	"pgregory.net/rapid"
)

// indexOf is the index of points.
func indexOf(points []coord.Point) *Index {
	slices.SortFunc(points, Compare)
	x := &Index{Points: points}
	x.divide(len(points), func(i int) coord.Point { return points[i] })
	return x
}

// TestRunsAreWhatIsInside plans areas with and without a buffer over points at vertices, on their latitudes and longitudes,
// and anywhere, and compares the runs with every edge.
func TestRunsAreWhatIsInside(t *testing.T) {
	var p Plan
	rapid.Check(t, func(rt *rapid.T) {
		a := drawOutline(rt)
		if rapid.Bool().Draw(rt, "comb") {
			a = drawComb(rt)
		}
		var points []coord.Point
		for range rapid.IntRange(1, 300).Draw(rt, "points") {
			at := somewhere(rt, a)
			for range rapid.IntRange(1, 4).Draw(rt, "neighbours") { // many in one strip
				points = append(points, at)
				at.Lng += rapid.Int32Range(-3, 100000).Draw(rt, "east")
				at.Lat += rapid.Int32Range(-2, 2).Draw(rt, "north")
			}
		}
		x := indexOf(points)
		buffer := rapid.SampledFrom([]float64{0, 1, 300, 10000}).Draw(rt, "buffer")
		if !p.Set(x, &Shape{Lng: -75.5, Lat: 45.5, Area: &a, BufferM: buffer}) {
			rt.Fatal("the shape is refused")
		}
		inside := make([]bool, len(points))
		last := uint32(0)
		for _, r := range p.Runs() {
			if !r.Sure && buffer == 0 || r.First >= r.Last || r.First < last {
				rt.Fatalf("run %+v after %d", r, last)
			}
			last = r.Last
			for i := r.First; i < r.Last; i++ {
				inside[i] = r.Sure || p.Near(points[i])
				if r.Sure && !a.Contains(points[i]) && !passesWithin(a, points[i], buffer) {
					rt.Fatalf("%v is sure", points[i])
				}
			}
		}
		for i, at := range points {
			if want := a.Contains(at) || buffer > 0 && passesWithin(a, at, buffer); inside[i] != want || p.Contains(at) != want {
				rt.Fatalf("%v inside: %v, want %v", at, inside[i], want)
			}
		}
	})
}

// drawComb draws a comb with upright, flat or slanted teeth, whose vertices are on few latitudes.
func drawComb(t *rapid.T) coord.Area {
	n := rapid.IntRange(1, 150).Draw(t, "teeth")
	slant, flat := rapid.SampledFrom([]float64{0, 0.3, 1}).Draw(t, "slant"), rapid.Bool().Draw(t, "flat")
	ring := orb.Ring{{-76, 45}}
	for i := range n {
		at := float64(i) / float64(n)
		ring = append(ring, orb.Point{-76 + at + slant, 45.9}, orb.Point{-76 + at + 0.5/float64(n), 45.01})
	}
	ring = append(ring, orb.Point{-75 + slant, 45.9}, orb.Point{-75, 45}, ring[0])
	if flat {
		for i, p := range ring {
			ring[i] = orb.Point{p[1] - 121, p[0] + 121}
		}
	}
	a, err := coord.NewArea(orb.MultiPolygon{{ring}})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// BenchmarkComb plans combs of 290 vertices over 60,000 points of a city.
//
//	go test ./internal/pack/strips -run - -bench Comb
func BenchmarkComb(b *testing.B) {
	var points []coord.Point
	for i := range 60_000 {
		p, _ := coord.NewPoint(-76+math.Mod(float64(i)*0.618034, 1)*0.4, 45+math.Mod(float64(i)*0.414214, 1)*0.4)
		points = append(points, p)
	}
	x := indexOf(points)
	for _, slant := range []float64{0, 0.1, 1000} {
		ring := orb.Ring{{-76, 45}}
		for i := range 145 {
			at := 0.3 * float64(i) / 145
			ring = append(ring, orb.Point{-76 + at + math.Mod(slant, 1000), 45.4}, orb.Point{-76 + at + 0.001, 45.01})
		}
		ring = append(ring, orb.Point{-75.7, 45}, ring[0])
		if slant == 1000 {
			for i, p := range ring {
				ring[i] = orb.Point{p[1] - 121, p[0] + 121}
			}
		}
		a, err := coord.NewArea(orb.MultiPolygon{{ring}})
		if err != nil {
			b.Fatal(err)
		}
		b.Run(fmt.Sprint(slant), func(b *testing.B) {
			var p Plan
			for b.Loop() {
				p.Set(x, &Shape{Lng: -75.5, Lat: 45.5, Area: &a})
			}
			b.ReportMetric(float64(len(p.Runs())), "runs")
		})
	}
}

// TestSearchIsStopped stops plans and visits of runs when they ask for the third time.
func TestSearchIsStopped(t *testing.T) {
	var points []coord.Point
	for i := range 200_000 {
		p, _ := coord.NewPoint(-76+math.Mod(float64(i)*0.618034, 1)*0.4, 45+math.Mod(float64(i)*0.414214, 1)*0.4)
		points = append(points, p)
	}
	x := indexOf(points)
	var ring orb.Ring
	for i := range 500 {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / 500)
		far := 0.2 - 0.1*float64(i%2)
		ring = append(ring, orb.Point{-75.8 + far*cos, 45.2 + far*sin})
	}
	area, err := coord.NewArea(orb.MultiPolygon{{append(ring, ring[0])}})
	if err != nil {
		t.Fatal(err)
	}
	for name, shape := range map[string]Shape{
		"polygon": {Lng: -75.8, Lat: 45.2, Area: &area}, "buffer": {Lng: -75.8, Lat: 45.2, Area: &area, BufferM: 1000},
		"circle": {Lng: -75.8, Lat: 45.2, RadiusM: 30000},
	} {
		for _, stops := range []bool{false, true} {
			asked := 0
			shape.Stop = func() bool { asked++; return stops && asked == 3 }
			var p Plan
			seen := 0
			if p.Set(x, &shape) {
				p.Outward(x, func() float64 { return math.Inf(1) }, func(r Run, first, last uint32) { seen += int(r.Last - r.First) })
			}
			switch {
			case !stops && (asked < 4 || seen < 10_000):
				t.Errorf("%s: asked %d times for %d points", name, asked, seen)
			case stops && asked != 3:
				t.Errorf("%s: goes on after it was stopped: asked %d times", name, asked)
			}
		}
	}
}
