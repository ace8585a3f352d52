package streets_test

import (
	"slices"
	"testing"

	"github.com/paulmach/orb"
	"pgregory.net/rapid"

	"quartier/internal/coord"
	"quartier/internal/geo"
	"quartier/internal/network"
	"quartier/internal/travel/streets"
)

func ring(points []coord.Point) orb.Ring {
	r := make(orb.Ring, len(points))
	for i, p := range points {
		r[i] = p.Orb()
	}
	return r
}

func multi(polygons []streets.Polygon) (m orb.MultiPolygon) {
	for _, p := range polygons {
		var polygon orb.Polygon
		for _, r := range p {
			polygon = append(polygon, ring(r))
		}
		m = append(m, polygon)
	}
	return m
}

// TestOutlines checks that rings are valid, that outlines of longer limits contain the others, and that they hold what is reached
// and not what is far from it.
func TestOutlines(t *testing.T) {
	var o streets.Outliner
	rapid.Check(t, func(t *rapid.T) {
		w := drawTown(t)
		limits := []uint32{10, 25, 60}
		q := w.net.NewQuery()
		q.Start(streets.Car, 60)
		for range rapid.IntRange(1, 2).Draw(t, "seeds") {
			q.Add(w.place(t, "from"), rapid.Uint32Range(0, 30).Draw(t, "seconds"))
		}
		q.Run()
		cell := rapid.SampledFrom([]float64{5, 12, 25}).Draw(t, "cell")
		bands := q.Outlines(&o, limits, 25, cell)
		var before []streets.Polygon
		for i, polygons := range bands {
			checkPolygons(t, polygons)
			m := multi(polygons)
			for _, p := range before {
				for _, corner := range p[0] {
					if !geo.Contains(m, corner.Orb()) && !onRing(m, corner.Orb()) {
						t.Fatalf("limit %d s does not contain %v of the one before", limits[i], corner)
					}
				}
			}
			before = polygons
			checkReach(t, w, q, m, limits[i], 25+2*cell)
		}
	})
}

// checkReach checks points on streets and near them.
func checkReach(t *rapid.T, w *town, q *streets.Query, m orb.MultiPolygon, limit uint32, farM float64) {
	for range 5 {
		p := w.place(t, "on a street")
		p.Leg = 0
		point := w.net.Snapper().Point(p)
		if time := q.To(p); time < limit-1 && !geo.Contains(m, point.Orb()) {
			t.Fatalf("%v is reached in %d s of %d and not in %v", p, time, limit, m)
		}
	}
	for _, polygon := range m {
		for _, corner := range polygon[0] {
			p, _ := coord.NewPoint(corner[0], corner[1])
			near := false
			w.net.Snapper().Within(p, 1.5*farM+5, func(place network.Place) {
				length := w.graph.Edges[place.Edge].Length
				for along := network.Distance(0); !near && along < length+10; along += 10 { // its end, too
					on := network.Place{Edge: place.Edge, Along: min(along, length)}
					near = q.To(on) <= limit+10 && geo.Distance(w.net.Snapper().Point(on).Orb(), corner) < 1.5*farM+5
				}
			})
			if !near {
				t.Fatalf("the outline at %v is far from all that is reached within %d s", corner, limit)
			}
		}
	}
}

func onRing(m orb.MultiPolygon, p orb.Point) bool {
	return slices.ContainsFunc(m, func(polygon orb.Polygon) bool {
		return slices.ContainsFunc(polygon, func(r orb.Ring) bool { return geo.DistanceTo(orb.MultiPolygon{{r}}, p) < 0.05 })
	})
}

type fataler interface {
	Helper()
	Fatalf(format string, args ...any)
}

// checkPolygons checks that rings are closed, simple, wound the right way and that holes are inside.
func checkPolygons(t fataler, polygons []streets.Polygon) {
	t.Helper()
	sides := map[[4]int32]bool{}
	for _, p := range polygons {
		for i, points := range p {
			r := ring(points)
			if len(points) < 4 || points[0] != points[len(points)-1] || !geo.RingIsSimple(r) {
				t.Fatalf("ring %d of %d points is not simple: %v", i, len(points), points)
			}
			if area := coord.SignedArea2(points); (area > 0) != (i == 0) {
				t.Fatalf("ring %d has the area %d", i, area)
			}
			if i > 0 && !geo.RingContains(ring(p[0]), r[0]) {
				t.Fatalf("hole %d is outside", i)
			}
			for k := 1; k < len(points); k++ {
				side := [4]int32{points[k-1].Lng, points[k-1].Lat, points[k].Lng, points[k].Lat}
				if sides[side] {
					t.Fatalf("two rings have the side %v", side)
				}
				sides[side] = true
			}
		}
	}
}

// TestOutlineOfBlock is a street around a block, with a hole inside, and only the street that is reached.
func TestOutlineOfBlock(t *testing.T) {
	builder := network.NewBuilder(network.Options{})
	builder.Add(network.Line{Points: []coord.Point{at(0, 0), at(400, 0), at(400, 400), at(0, 400), at(0, 0)}})
	builder.Add(network.Line{Points: []coord.Point{at(400, 400), at(3000, 400)}})
	g, _ := builder.Finish()
	n := streets.New(network.NewSnapper(g, nil), len(g.Nodes), nil, nil)
	from, _ := n.Snapper().Snap(at(0, 0), 50)
	q := n.NewQuery()
	q.Start(streets.Foot(3.6), 1000)
	q.Add(from, 0)
	q.Run()
	var o streets.Outliner
	bands := q.Outlines(&o, []uint32{100, 1000}, 50, 25)
	if len(bands[0]) != 1 || len(bands[0][0]) != 1 || len(bands[1]) != 1 || len(bands[1][0]) != 2 {
		t.Fatalf("%v", bands)
	}
	m := multi(bands[1])
	for _, tt := range []struct {
		x, y float64
		want bool
	}{{200, 0, true}, {200, 30, true}, {200, 200, false}, {580, 400, true}, {700, 400, false}, {-30, 0, true}, {-100, 0, false}} {
		if got := geo.Contains(m, at(tt.x, tt.y).Orb()); got != tt.want {
			t.Errorf("%v, %v: %v", tt.x, tt.y, got)
		}
	}
	q.Start(streets.Foot(3.6), 1000)
	q.Run()
	if got := q.Outlines(&o, []uint32{100}, 50, 25); len(got) != 1 || got[0] != nil {
		t.Errorf("nothing is reached: %v", got)
	}
}
