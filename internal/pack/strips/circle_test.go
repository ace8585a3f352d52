package strips

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"quartier/internal/coord"
)

// drawAround draws points around a centre: at the edges of cells and strips, at a distance, or anywhere.
func drawAround(t *rapid.T, centre coord.Point, metres float64) []coord.Point {
	far := max(metres/100_000*coord.Scale, 10)
	along := func(at int32, size int32, label string) int64 {
		offset := rapid.OneOf(rapid.Float64Range(-1.3*far, 1.3*far), rapid.Float64Range(-3*cellWidth, 3*cellWidth)).Draw(t, label)
		if to := int64(at) + int64(offset); rapid.Bool().Draw(t, label+" anywhere") {
			return to
		} else {
			return to/int64(size)*int64(size) + int64(rapid.Int32Range(-1, 1).Draw(t, label+" edge"))
		}
	}
	var points []coord.Point
	for range rapid.IntRange(1, 200).Draw(t, "points") {
		lat := min(max(along(centre.Lat, stripHeight, "lat"), -90*coord.Scale), 90*coord.Scale)
		lng := along(centre.Lng, cellWidth, "lng")
		for lng > halfTurn {
			lng -= 2 * halfTurn
		}
		for lng < -halfTurn {
			lng += 2 * halfTurn
		}
		points = append(points, coord.Point{Lng: int32(lng), Lat: int32(lat)})
	}
	return points
}

// TestCirclesHaveTheirPoints plans circles, narrower ones in the same plan, and visits of their cells, with any reach, and compares
// them with the distance of every point.
func TestCirclesHaveTheirPoints(t *testing.T) {
	var p, narrow Plan
	rapid.Check(t, func(t *rapid.T) {
		lng := rapid.OneOf(rapid.SampledFrom([]float64{-180, -179.999, 0, 179.98, 180}), rapid.Float64Range(-180, 180)).Draw(t, "lng")
		lat := rapid.OneOf(rapid.SampledFrom([]float64{-90, 0, 45, 89.9, 90}), rapid.Float64Range(-90, 90)).Draw(t, "lat")
		metres := rapid.OneOf(rapid.SampledFrom([]float64{0, 500, 5000, 1e5, 1e6, 1e7}), rapid.Float64Range(0, 3e4)).Draw(t, "metres")
		lat, metres = math.Round(lat*1e9)/1e9, math.Round(metres*1e3)/1e3 // squares of less are 0
		centre, _ := coord.NewPoint(lng, lat)
		x := indexOf(drawAround(t, centre, metres))
		if !p.Set(x, &Shape{Lng: lng, Lat: lat, RadiusM: metres}) {
			t.Fatal("the circle is refused")
		}
		hasItsPoints(t, x, &p, metres)
		smaller := math.Round(metres * rapid.Float64Range(0, 1).Draw(t, "smaller"))
		narrow.Narrow(x, &p, smaller)
		hasItsPoints(t, x, &narrow, smaller)
	})
}

// hasItsPoints checks that the runs of the plan of a circle have each of its points once, and that visits do so with any reach.
func hasItsPoints(t *rapid.T, x *Index, p *Plan, metres float64) {
	inside := func(i uint32) bool { return p.ruler.squared(x.Points[i]) <= metres*metres }
	seen, count := make([]int, len(x.Points)), 0
	for _, r := range p.Runs() {
		for i := r.First; i < r.Last; i++ {
			seen[i]++
			count++
			if r.Sure && !inside(i) {
				t.Fatalf("%v is sure", x.Points[i])
			}
		}
	}
	if count != p.Len() {
		t.Fatalf("%d points in runs, Len %d", count, p.Len())
	}
	for i, times := range seen {
		if times > 1 || times == 0 && inside(uint32(i)) {
			t.Fatalf("%v is in %d runs", x.Points[i], times)
		}
	}
	reach := rapid.OneOf(rapid.Just(math.Inf(1)), rapid.Float64Range(0, metres+1)).Draw(t, "reach")
	p.Outward(x, func() float64 { return reach }, func(r Run, first, last uint32) {
		if r.First > first || first > last || last > r.Last ||
			stripOf(float64(x.Points[r.First].Lat)) != stripOf(float64(x.Points[r.Last-1].Lat)) {
			t.Fatalf("visit of %+v from %d to %d", r, first, last)
		}
		for i := r.First; i < r.Last; i++ {
			seen[i]--
			if (i < first || i >= last) && math.Sqrt(p.ruler.squared(x.Points[i])) <= reach {
				t.Fatalf("%v is out of reach", x.Points[i])
			}
		}
	})
	for i, times := range seen {
		if times != 0 {
			t.Fatalf("%v is not visited as often as it is in runs", x.Points[i])
		}
	}
}
