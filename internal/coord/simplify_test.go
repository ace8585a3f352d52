package coord

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// closed is a ring of an origin and offsets from it in units.
func closed(origin Point, offsets ...[2]int32) Area {
	var ring []Point
	for _, o := range offsets {
		ring = append(ring, Point{origin.Lng + o[0], origin.Lat + o[1]})
	}
	return Area{Points: append(ring, ring[0]), Ends: []uint32{uint32(len(ring) + 1)}}
}

var ottawa = Point{-757000000, 454000000}

// metre is about a metre in units of latitude.
const metre = 90

func TestSimplify(t *testing.T) {
	const km = 1000 * metre
	// A square of 10 km with an inlet of 150 m by 3 km, a bay of 90 m, and a vertex on a straight edge.
	coast := closed(ottawa, [2]int32{0, 0}, [2]int32{5 * km, 0}, [2]int32{10 * km, 0}, [2]int32{10 * km, 10 * km},
		[2]int32{6 * km, 10 * km}, [2]int32{5*km + 150*metre, 7 * km}, [2]int32{5 * km, 10 * km},
		[2]int32{3 * km, 10 * km}, [2]int32{3*km - 50*metre, 10*km - 90*metre}, [2]int32{3*km - 100*metre, 10 * km}, [2]int32{0, 10 * km})
	island := func(lng, lat, size int32) Area {
		return closed(Point{ottawa.Lng + lng, ottawa.Lat + lat}, [2]int32{0, 0}, [2]int32{size, 0}, [2]int32{size, size}, [2]int32{0, size})
	}
	for name, test := range map[string]struct {
		polygons []Area
		want     []int // vertices of each polygon
	}{
		"bay and straight edge": {[]Area{coast}, []int{8}},
		"small island":          {[]Area{coast, island(-2*km, 0, 150*metre)}, []int{8}},
		"island":                {[]Area{island(-2*km, 0, 250*metre), coast}, []int{5, 8}},
		"small islands alone":   {[]Area{island(0, 0, 20*metre), island(km, 0, 30*metre)}, []int{4}},
		"none":                  {nil, nil},
	} {
		var got []int
		for _, a := range Simplify(test.polygons, 100) {
			got = append(got, len(a.Points))
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: polygons of %d vertices, want %d", name, got, test.want)
		}
	}
}

// TestSimplifyKeepsIslandsOutside has an island of 300 m by 40 m in a bay that is 90 m deep.
func TestSimplifyKeepsIslandsOutside(t *testing.T) {
	const km = 1000 * metre
	coast := closed(ottawa, [2]int32{0, 0}, [2]int32{10 * km, 0}, [2]int32{10 * km, 10 * km}, [2]int32{6 * km, 10 * km},
		[2]int32{6*km - 50*metre, 10*km - 90*metre}, [2]int32{5 * km, 10*km - 90*metre}, [2]int32{5*km - 50*metre, 10 * km}, [2]int32{0, 10 * km})
	island := closed(Point{ottawa.Lng + 5*km + 200*metre, ottawa.Lat + 10*km - 70*metre}, [2]int32{0, 0}, [2]int32{430 * metre, 0},
		[2]int32{430 * metre, 40 * metre}, [2]int32{0, 40 * metre})
	got := Simplify([]Area{coast, island}, 100)
	if len(got) != 2 || got[0].Contains(got[1].Points[0]) {
		t.Errorf("the island is on land: %v", got)
	}
	if alone := Simplify([]Area{coast}, 100); !alone[0].Contains(island.Points[0]) {
		t.Error("the bay is not cut off without the island; the test shows nothing")
	}
}

// TestSimplifyStaysValid simplifies islands with ragged coasts and lakes beside each other.
func TestSimplifyStaysValid(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		star := func(origin Point, low, high int32, n int) []Point {
			var ring []Point
			for i := range n {
				sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(n))
				far := float64(rapid.Int32Range(low, high).Draw(r, "far"))
				ring = append(ring, Point{origin.Lng + int32(far*cos), origin.Lat + int32(far*sin)})
			}
			return append(ring, ring[0])
		}
		const km = 1000 * metre
		var polygons []Area
		for i := range rapid.IntRange(1, 4).Draw(r, "islands") {
			origin := Point{ottawa.Lng + int32(i)*6*km, ottawa.Lat}
			var a Area
			a.add(star(origin, 2*km, 29*km/10, rapid.IntRange(3, 60).Draw(r, "vertices")))
			if rapid.Bool().Draw(r, "lake") {
				a.add(star(origin, km/10, km*8/10, rapid.IntRange(3, 30).Draw(r, "vertices of the lake")))
			}
			polygons = append(polygons, a)
		}
		if len(crossings(polygons)) > 0 {
			r.Skip("not valid")
		}
		tolerance := rapid.Float64Range(1, 3000).Draw(r, "tolerance")
		got := Simplify(polygons, tolerance)
		if len(got) == 0 {
			r.Fatal("nothing is left")
		}
		if bad := crossings(got); len(bad) > 0 {
			r.Fatalf("edges %v have a point in common", bad)
		}
		all := Join(got)
		for i := range all.Ends {
			if ring := all.Ring(i); len(ring) < 4 || ring[0] != ring[len(ring)-1] || SignedArea2(ring) == 0 {
				r.Fatalf("ring %v", ring)
			}
		}
		for _, p := range Join(polygons).Points {
			if d := distance(all, p); len(got) == len(polygons) && len(all.Ends) == len(Join(polygons).Ends) && d > tolerance*1.01 {
				r.Fatalf("%v is %.1f m from what is left, tolerance %.1f", p, d, tolerance)
			}
		}
	})
}

// crossings lists pairs of edges that have a point in common but for that of neighbours, by comparing all of them.
func crossings(polygons []Area) (pairs [][2]int) {
	type edge struct {
		ring, number, last int
		a, b               Point
	}
	var edges []edge
	all := Join(polygons)
	for n := range all.Ends {
		ring := all.Ring(n)
		for i := 1; i < len(ring); i++ {
			edges = append(edges, edge{n, i, len(ring) - 1, ring[i-1], ring[i]})
		}
	}
	for i, e := range edges {
		for j, f := range edges[:i] {
			if e.ring == f.ring && (e.number-f.number == 1 || e.number == e.last && f.number == 1) {
				continue
			}
			if turn(e.a, e.b, f.a)*turn(e.a, e.b, f.b) <= 0 && turn(f.a, f.b, e.a)*turn(f.a, f.b, e.b) <= 0 &&
				BoxAround([]Point{e.a, e.b}).Intersects(BoxAround([]Point{f.a, f.b})) {
				pairs = append(pairs, [2]int{i, j})
			}
		}
	}
	return pairs
}

// distance is that of a point from the nearest edge, in metres.
func distance(a Area, p Point) float64 {
	nearest := math.Inf(1)
	for n := range a.Ends {
		ring := a.Ring(n)
		for i := 1; i < len(ring); i++ {
			r := simplified{points: []Point{ring[i-1], p, ring[i]}}
			_, square := r.farthest(0, 2)
			nearest = min(nearest, square)
		}
	}
	return math.Sqrt(nearest)
}
