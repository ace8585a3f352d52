package areal

import (
	"math"
	"slices"
	"testing"

	"github.com/paulmach/orb"
	"pgregory.net/rapid"

	"quartier/internal/coord"
	"quartier/internal/geo"
)

// area makes an Area of rings in units, which it closes.
func area(rings ...[]coord.Point) coord.Area {
	var a coord.Area
	for _, ring := range rings {
		a.Points = append(append(a.Points, ring...), ring[0])
		a.Ends = append(a.Ends, uint32(len(a.Points)))
	}
	return a
}

// polygon is a's rings in degrees.
func polygon(a coord.Area) (p orb.Polygon) {
	for i := range a.Ends {
		var ring orb.Ring
		for _, v := range a.Ring(i) {
			lng, lat := v.Degrees()
			ring = append(ring, orb.Point{lng, lat})
		}
		p = append(p, ring)
	}
	return p
}

func shape(areas ...coord.Area) *Shape {
	var m orb.MultiPolygon
	for _, a := range areas {
		m = append(m, polygon(a))
	}
	return Polygons(m)
}

func rectangle(west, south, east, north int32) coord.Area {
	return area([]coord.Point{{Lng: west, Lat: south}, {Lng: east, Lat: south}, {Lng: east, Lat: north}, {Lng: west, Lat: north}})
}

func near(t interface {
	Helper()
	Errorf(string, ...any)
}, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s is %.15g, want %.15g", what, got, want)
	}
}

func TestShareOfPolygons(t *testing.T) {
	square := rectangle(0, 0, 100, 100)
	ring := area([]coord.Point{{Lng: 0, Lat: 0}, {Lng: 100, Lat: 0}, {Lng: 100, Lat: 100}, {Lng: 0, Lat: 100}},
		[]coord.Point{{Lng: 40, Lat: 40}, {Lng: 40, Lat: 60}, {Lng: 60, Lat: 60}, {Lng: 60, Lat: 40}})
	spike := area([]coord.Point{{Lng: 10, Lat: 10}, {Lng: 90, Lat: 10}, {Lng: 10, Lat: 10}})
	for _, c := range []struct {
		name  string
		shape *Shape
		of    coord.Area
		want  float64
	}{
		{"itself", shape(square), square, 1},
		{"western half", shape(rectangle(-10, -10, 50, 110)), square, 0.5},
		{"a corner", shape(rectangle(70, 50, 200, 200)), square, 0.15},
		{"outside, an edge shared", shape(rectangle(100, 0, 200, 100)), square, 0},
		{"outside, a corner shared", shape(rectangle(100, 100, 200, 200)), square, 0},
		{"north, part of an edge shared", shape(rectangle(20, 100, 50, 200)), square, 0},
		{"south, part of an edge shared", shape(rectangle(20, -100, 50, 0)), square, 0},
		{"inside, two edges shared", shape(square), rectangle(0, 0, 10, 10), 1},
		{"a hole", shape(ring), rectangle(40, 40, 60, 60), 0},
		{"half a hole", shape(ring), rectangle(20, 40, 60, 60), 0.5},
		{"of an area with a hole", shape(rectangle(0, 0, 50, 100)), ring, 0.5},
		{"of an area with a hole, all of it", shape(square), ring, 1},
		{"of an area with a hole, the hole", shape(rectangle(40, 40, 60, 60)), ring, 0},
		{"a triangle's tip", shape(area([]coord.Point{{Lng: 0, Lat: 0}, {Lng: 200, Lat: 100}, {Lng: 0, Lat: 100}})), square, 0.75},
		{"two pieces", shape(rectangle(0, 0, 10, 100), rectangle(90, 0, 100, 50)), square, 0.15},
		{"two pieces that touch", shape(rectangle(0, 0, 50, 100), rectangle(50, 0, 100, 100)), square, 1},
		{"nothing", shape(), square, 0},
		{"nothing set", new(Shape), square, 0},
		{"of nothing", shape(square), coord.Area{}, 0},
		{"of a line inside", shape(square), spike, 1},
		{"of a line outside", shape(rectangle(200, 0, 300, 100)), spike, 0},
	} {
		near(t, c.name, c.shape.Share(c.of), c.want, 1e-7) // a degree of longitude narrows by 1e-12 over 100 units
	}
}

// TestShareIsIndependentOfState: the direction of rings and the former content of a shape make no difference.
func TestShareIsIndependentOfState(t *testing.T) {
	outer := []coord.Point{{Lng: 0, Lat: 0}, {Lng: 100, Lat: 0}, {Lng: 100, Lat: 100}, {Lng: 0, Lat: 100}}
	hole := []coord.Point{{Lng: 40, Lat: 40}, {Lng: 60, Lat: 40}, {Lng: 60, Lat: 60}, {Lng: 40, Lat: 60}}
	reversed := func(ring []coord.Point) []coord.Point {
		ring = slices.Clone(ring)
		slices.Reverse(ring)
		return ring
	}
	block := rectangle(20, 30, 60, 60)
	var s Shape
	for _, a := range []coord.Area{area(outer, hole), area(reversed(outer), hole), area(outer, reversed(hole)),
		area(reversed(outer), reversed(hole))} {
		s.SetPolygon(polygon(rectangle(0, 0, 1000, 1000)))
		s.SetDisc(0, 0, 1)
		s.SetPolygons(orb.MultiPolygon{polygon(a)})
		near(t, "the share besides a hole", s.Share(block), 2./3, 1e-12)
		same, err := Oriented(orb.MultiPolygon{polygon(a)})
		if err != nil {
			t.Fatal(err)
		}
		near(t, "the share of what has a hole", shape(rectangle(0, 0, 50, 50)).Share(same), 2400./9600, 1e-12)
		if coord.SignedArea2(same.Ring(0)) != 20000 || coord.SignedArea2(same.Ring(1)) != -800 {
			t.Errorf("rings of %d and %d", coord.SignedArea2(same.Ring(0)), coord.SignedArea2(same.Ring(1)))
		}
	}
}

// grid draws the vertices of a ring, mostly a self-intersecting one, on a coarse grid where many edges coincide.
func grid(size int32) *rapid.Generator[[]coord.Point] {
	return rapid.Custom(func(t *rapid.T) []coord.Point {
		c := rapid.Int32Range(0, size)
		return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) coord.Point {
			return coord.Point{Lng: c.Draw(t, "lng"), Lat: c.Draw(t, "lat")}
		}), 3, 9).Draw(t, "ring")
	})
}

// TestOverlapAgreesWithTriangles compares with the sum over the triangles of a vertex and each edge, clipped by each
// other. Both count points by their winding number, so that self-intersecting rings are compared too.
func TestOverlapAgreesWithTriangles(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.SampledFrom([]int32{3, 8, 1000}).Draw(t, "size")
		a, b := area(grid(size).Draw(t, "a")), area(grid(size).Draw(t, "b"))
		if coord.SignedArea2(a.Points) == 0 || coord.SignedArea2(b.Points) == 0 {
			return
		}
		want := share(common(a, b)*sign(b), math.Abs(float64(coord.SignedArea2(a.Points))/2)*sign(a))
		near(t, "share", shape(b).Share(a), want, 1e-7)
	})
}

func sign(a coord.Area) float64 { return math.Copysign(1, float64(coord.SignedArea2(a.Points))) }

// common is the area that the triangles of two rings have in common, with their signs.
func common(a, b coord.Area) float64 {
	sum := 0.0
	for _, p := range fan(a.Points) {
		for _, q := range fan(b.Points) {
			if sp, sq := geo.SignedArea(p), geo.SignedArea(q); sp != 0 && sq != 0 {
				if sq < 0 {
					slices.Reverse(q)
				}
				sum += math.Copysign(1, sq) * geo.SignedArea(clip(p, q))
			}
		}
	}
	return sum
}

func fan(ring []coord.Point) (triangles []orb.Ring) {
	at := func(k int) orb.Point { return orb.Point{float64(ring[k].Lng), float64(ring[k].Lat)} }
	for k := 1; k < len(ring); k++ {
		triangles = append(triangles, orb.Ring{at(0), at(k - 1), at(k), at(0)})
	}
	return triangles
}

// clip is the part of a closed ring inside a convex counter-clockwise one, by Sutherland and Hodgman.
func clip(ring, convex orb.Ring) orb.Ring {
	for k := 1; k < len(convex) && len(ring) > 0; k++ {
		a, b := convex[k-1], convex[k]
		side := func(p orb.Point) float64 { return (b[0]-a[0])*(p[1]-a[1]) - (b[1]-a[1])*(p[0]-a[0]) }
		var out orb.Ring
		for i := 1; i < len(ring); i++ {
			p, q := ring[i-1], ring[i]
			sp, sq := side(p), side(q)
			if sp >= 0 {
				out = append(out, p)
			}
			if sp < 0 && sq > 0 || sp > 0 && sq < 0 {
				f := sp / (sp - sq)
				out = append(out, orb.Point{p[0] + f*(q[0]-p[0]), p[1] + f*(q[1]-p[1])})
			}
		}
		if len(out) > 0 {
			out = append(out, out[0])
		}
		ring = out
	}
	return ring
}

// star draws a polygon of up to 40 vertices around a centre, which is simple except for rounding.
func star(lng, lat, radius int32) *rapid.Generator[coord.Area] {
	return rapid.Custom(func(t *rapid.T) coord.Area {
		n := rapid.IntRange(3, 40).Draw(t, "corners")
		var ring []coord.Point
		for k := range n {
			r := float64(radius) * rapid.Float64Range(0.3, 1).Draw(t, "radius")
			sin, cos := math.Sincos(2 * math.Pi * float64(k) / float64(n))
			ring = append(ring, coord.Point{Lng: lng + int32(math.Round(r*cos)), Lat: lat + int32(math.Round(r*sin))})
		}
		return area(ring)
	})
}

// place draws the centre of a star so near to a point that the two can overlap.
func place(t *rapid.T, lng, lat, far int32) (int32, int32) {
	d := rapid.Int32Range(-far, far)
	return lng + d.Draw(t, "east"), lat + d.Draw(t, "north")
}

const lng, lat = -756_900_000, 454_200_000 // a position in units

// TestPartition cuts a block by a wheel of sectors and checks that the pieces add up to it: nothing is lost or counted signedArea2
// if shapes share edges and vertices.
func TestPartition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x, y := place(t, lng, lat, 20_000)
		block := star(x, y, 10_000).Draw(t, "block")
		hub := coord.Point{Lng: lng, Lat: lat}
		rim := star(lng, lat, 200_000).Draw(t, "rim")
		sum := 0.0
		for k := 1; k < len(rim.Points); k++ {
			if p, q := rim.Points[k-1], rim.Points[k]; coord.SignedArea2([]coord.Point{hub, p, q, hub}) > 0 {
				sum += shape(area([]coord.Point{hub, p, q})).Share(block)
			}
		}
		near(t, "the sum of all sectors", sum, shape(rim).Share(block), 1e-8)
	})
}

// TestNeighbours cuts a polygon along a line; blocks of either side, which share vertices and edges with the line, are
// entirely in one of the two.
func TestNeighbours(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 30).Draw(t, "corners")
		step := rapid.Int32Range(1, 5000)
		line := []coord.Point{{Lng: lng, Lat: lat}}
		for k := range n {
			line = append(line, coord.Point{Lng: line[k].Lng + step.Draw(t, "east"), Lat: lat + step.Draw(t, "north") - 2500})
		}
		first, last := line[0], line[n]
		upper := area(append(slices.Clone(line), coord.Point{Lng: last.Lng, Lat: lat + 9000}, coord.Point{Lng: first.Lng, Lat: lat + 9000}))
		lower := area(append(slices.Clone(line), coord.Point{Lng: last.Lng, Lat: lat - 9000}, coord.Point{Lng: first.Lng, Lat: lat - 9000}))
		for k := range n {
			west, east := line[k], line[k+1]
			block := area([]coord.Point{west, east, {Lng: east.Lng, Lat: lat + 5000}, {Lng: west.Lng, Lat: lat + 5000}})
			if in, out := shape(upper).Share(block), shape(lower).Share(block); in != 1 || out != 0 {
				t.Fatalf("block %d is in its own side by %v and in the other by %v", k, in, out)
			}
		}
	})
}

// TestRelateIsTrue checks boxes that are reported as inside or outside of a shape, for discs and polygons.
func TestRelateIsTrue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, slight := shape(star(lng, lat, 50_000).Draw(t, "polygon")), 0.0
		if rapid.Bool().Draw(t, "disc") {
			s = Disc(lng/coord.Scale, lat/coord.Scale, rapid.Float64Range(50, 600).Draw(t, "radius"))
			slight = 1e-7 // of a box of a centimetre
		}
		x, y := place(t, lng, lat, 60_000)
		side := rapid.Int32Range(1, 40_000)
		southwest, northeast := coord.Point{Lng: x, Lat: y}, coord.Point{Lng: x + side.Draw(t, "width"), Lat: y + side.Draw(t, "height")}
		f := s.Share(rectangle(southwest.Lng, southwest.Lat, northeast.Lng, northeast.Lat))
		switch r := s.Relate(coord.Box{Min: southwest, Max: northeast}); {
		case r == Outside && f > slight, r == Inside && f < 1-slight:
			t.Fatalf("%v, but %v of it is inside", r, f)
		case r == Across && !s.round && (f < 1e-6 || f > 1-1e-6) && f > 0 && f < 1:
			t.Skip("next to nothing is cut off")
		case r == Across && !s.round && (f == 0 || f == 1):
			t.Fatalf("reported as Across, but %v of it is inside", f)
		}
		b := s.Bound()
		if f > 0 && !b.Intersects(orb.Bound{Min: degrees(southwest), Max: degrees(northeast)}) {
			t.Fatalf("%v is inside, but not in the bound", f)
		}
	})
}

func degrees(p coord.Point) orb.Point {
	x, y := p.Degrees()
	return orb.Point{x, y}
}

func TestRelate(t *testing.T) {
	ring := area([]coord.Point{{Lng: 0, Lat: 0}, {Lng: 100, Lat: 0}, {Lng: 100, Lat: 100}, {Lng: 0, Lat: 100}},
		[]coord.Point{{Lng: 40, Lat: 40}, {Lng: 40, Lat: 60}, {Lng: 60, Lat: 60}, {Lng: 60, Lat: 40}})
	for _, c := range []struct {
		name                     string
		shape                    *Shape
		west, south, east, north int32
		want                     Relation
	}{
		{"touching from outside", shape(ring), 100, 0, 200, 100, Outside},
		{"touching from inside", shape(ring), 0, 0, 40, 100, Inside},
		{"in the hole", shape(ring), 40, 40, 60, 60, Outside},
		{"around the hole", shape(ring), 20, 20, 80, 80, Across},
		{"around it all", shape(ring), -10, -10, 110, 110, Across},
		{"cut by a meridian alone", shape(ring), 90, 70, 110, 80, Across},
		{"cut by a parallel alone", shape(ring), 70, 90, 80, 110, Across},
		{"north of it", shape(ring), 10, 200, 20, 300, Outside},
		{"of nothing", shape(), 0, 0, 1, 1, Outside},
		{"of a disc of no size", Disc(0, 0, 0), -1, -1, 1, 1, Outside},
		{"a disc's centre", Disc(0, 0, 100), -1, -1, 1, 1, Inside},
		{"around a disc", Disc(0, 0, 100), -100_000, -100_000, 100_000, 100_000, Across},
		{"next to a disc", Disc(0, 0, 100), 9_100, 0, 10_000, 10, Outside},
		{"next to a disc's corner", Disc(0, 0, 100), 6_500, 6_500, 8_000, 8_000, Outside},
	} {
		got := c.shape.Relate(coord.Box{Min: coord.Point{Lng: c.west, Lat: c.south}, Max: coord.Point{Lng: c.east, Lat: c.north}})
		if got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// TestPolygonsOnTheEllipsoid compares with areas on the ellipsoid, of outlines taller than any real one, up to the far north.
func TestPolygonsOnTheEllipsoid(t *testing.T) {
	for _, c := range []struct {
		south, cut, north int32 // degrees
		tolerance         float64
	}{{44, 45, 46, 1e-4}, {60, 62, 70, 1e-3}, {81, 82, 83, 1e-4}} {
		const degree = int32(coord.Scale)
		whole := rectangle(-100*degree, c.south*degree, -95*degree, c.north*degree)
		part := rectangle(-110*degree, 40*degree, -90*degree, c.cut*degree)
		both := rectangle(-100*degree, c.south*degree, -95*degree, c.cut*degree)
		want := geo.Area(orb.MultiPolygon{polygon(both)}) / geo.Area(orb.MultiPolygon{polygon(whole)})
		near(t, "the southern part", shape(part).Share(whole), want, c.tolerance)
	}
}

// TestWindow compares the results of a window with those of its shape, for a box and an area.
func TestWindow(t *testing.T) {
	var w Window
	rapid.Check(t, func(t *rapid.T) {
		s := shape(star(lng, lat, 50_000).Draw(t, "polygon"), star(lng+70_000, lat, 50_000).Draw(t, "another"))
		if rapid.Bool().Draw(t, "disc") {
			s = Disc(lng/coord.Scale, lat/coord.Scale, rapid.Float64Range(50, 600).Draw(t, "radius"))
		}
		x, y := place(t, lng, lat, 60_000)
		block := star(x, y, 20_000).Draw(t, "block")
		bound := coord.BoxAround(block.Points)
		margin := rapid.Int32Range(0, 40_000)
		w.Set(s, coord.Box{
			Min: coord.Point{Lng: bound.Min.Lng - margin.Draw(t, "west"), Lat: bound.Min.Lat - margin.Draw(t, "south")},
			Max: coord.Point{Lng: bound.Max.Lng + margin.Draw(t, "east"), Lat: bound.Max.Lat + margin.Draw(t, "north")},
		})
		if got, want := w.Relate(bound), s.Relate(bound); got != want {
			t.Fatalf("%v by the window, %v by the shape", got, want)
		}
		near(t, "the share through the window", w.Share(block, bound), s.Share(block), 1e-12)
	})
}

// TestNothingIsAllocated by a query, or by setting a shape again that is not larger than before.
func TestNothingIsAllocated(t *testing.T) {
	block := oriented(t, wheel(geo.NewPlane(home).Point(480, 0), 12, 70, 50))
	bound := coord.BoxAround(block.Points)
	ring := orb.Polygon{wheel(home, 200, 520, 480)}
	var s Shape
	var w Window
	for name, set := range map[string]func(){
		"disc":    func() { s.SetDisc(home[0], home[1], 500) },
		"polygon": func() { s.SetPolygon(ring) },
	} {
		n := testing.AllocsPerRun(10, func() {
			set()
			w.Set(&s, bound)
			sink += w.Share(block, bound) + float64(s.Relate(bound)+w.Relate(bound))
		})
		if n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}

// TestManyCorners compares blocks over two outlines of thousands of vertices, a wheel and a comb whose teeth are along
// parallels, with triangles, at the equator, where these may be computed in the plane. Memory is proportional to the
// number of vertices.
func TestManyCorners(t *testing.T) {
	rim, err := Oriented(orb.MultiPolygon{{wheel(orb.Point{home[0], 0}, 2000, 5000, 4500)}})
	if err != nil {
		t.Fatal(err)
	}
	comb := []coord.Point{{Lng: lng - 600_000, Lat: 500_000}, {Lng: lng - 600_000, Lat: -500_000}}
	for k := range int32(1000) {
		y := 1000*k - 500_000
		comb = append(comb, coord.Point{Lng: lng + 600_000 - k, Lat: y}, coord.Point{Lng: lng - 500_000 + k, Lat: y + 500})
	}
	for name, outline := range map[string]coord.Area{"wheel": rim, "comb": area(comb)} {
		s := shape(outline)
		if entries, edges := len(s.polygons.list), len(s.polygons.edges); entries > 4*edges {
			t.Errorf("%s: %d edges are listed %d times", name, edges, entries)
		}
		for k := range int32(10) {
			block := rectangle(lng-560_000+110_000*k, -3000*k, lng-560_000+110_000*k+20_000+k*k*2000, 2500*k*k+777)
			want := share(common(block, outline), float64(coord.SignedArea2(block.Points))/2)
			near(t, name, s.Share(block), want, 1e-6)
		}
	}
}
