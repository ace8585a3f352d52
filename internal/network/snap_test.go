package network

import (
	"math"
	"slices"
	"testing"

	"quartier/internal/coord"

	"pgregory.net/rapid"
)

func anyPoint(t *rapid.T) coord.Point {
	return coord.Point{
		Lng: int32(-755000000 + rapid.IntRange(-9000, 60000).Draw(t, "lng")),
		Lat: int32(391000000 + rapid.IntRange(-9000, 45000).Draw(t, "lat")),
	}
}

func anyBarriers(t *rapid.T) [][]coord.Point {
	var barriers [][]coord.Point
	for range rapid.IntRange(0, 4).Draw(t, "barriers") {
		var line []coord.Point
		for range rapid.IntRange(0, 20).Draw(t, "corners") {
			line = append(line, anyPoint(t))
		}
		barriers = append(barriers, line)
	}
	return barriers
}

// bySlowSnap is the place on every edge, by the definition.
func bySlowSnap(s *Snapper, g *Graph, barriers [][]coord.Point, p coord.Point, limit float64) []Place {
	var places []Place
	plane := planeAround(p)
	for i := range g.Edges {
		at, ok := s.nearest(uint32(i), plane)
		if !ok || at.d2 > limit*limit {
			continue
		}
		cut := false
		for _, b := range barriers {
			cut = cut || crosses(b, p, at.point())
		}
		if !cut {
			places = append(places, s.place(at, plane))
		}
	}
	return places
}

func TestSnap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g, barriers := anyGraph(t, false), anyBarriers(t)
		s, err := SnapperFrom(NewSnapper(g, barriers).Tables())
		if err != nil {
			t.Fatal(err)
		}
		p, limit := anyPoint(t), float64(rapid.IntRange(0, 300).Draw(t, "limit"))
		var within []Place
		s.Within(p, limit, func(at Place) { within = append(within, at) })
		want := bySlowSnap(s, g, barriers, p, limit)
		if !slices.Equal(within, want) {
			t.Fatalf("%v within, not %v", within, want)
		}
		got, ok := s.Snap(p, limit)
		if ok != (len(want) > 0) {
			t.Fatalf("%v, %v; %v within", got, ok, want)
		}
		for _, other := range want {
			if other.Leg < got.Leg {
				t.Fatalf("%v, but %v is nearer", got, other)
			}
		}
		if ok && !slices.Contains(want, got) {
			t.Fatalf("%v is not among %v", got, want)
		}
	})
}

// The nearest point of an edge is no farther than points sampled along it, and is at distance Along.
func TestNearestPointOfAnEdge(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := anyGraph(t, false)
		s := NewSnapper(g, nil)
		p := anyPoint(t)
		at, ok := s.Snap(p, 1e4)
		if !ok {
			t.Fatal("no place")
		}
		nearest := math.Inf(1)
		for i, e := range g.Edges {
			for d := Distance(0); d <= e.Length; d += 5 {
				nearest = min(nearest, metresBetween(p, s.Point(Place{Edge: uint32(i), Along: d})))
			}
		}
		if at.Leg.Metres() > nearest+0.1+nearest/1000 {
			t.Fatalf("%v m, sampled %v m", at.Leg.Metres(), nearest)
		}
		if drawn := metresBetween(p, s.Point(at)); math.Abs(drawn-at.Leg.Metres()) > 0.3+drawn/1000 {
			t.Fatalf("leg of %v m, drawn %v m", at.Leg.Metres(), drawn)
		}
	})
}

func TestSnapAllocatesNothing(t *testing.T) {
	b := NewBuilder(Options{MaxEdgeM: 50})
	for y := range lattice {
		var l Line
		for x := range lattice {
			l.Points = append(l.Points, latticePoint(x, y))
		}
		b.Add(l)
	}
	g, _ := b.Finish()
	s := NewSnapper(g, [][]coord.Point{{latticePoint(0, 0), latticePoint(3, 4)}})
	if n := testing.AllocsPerRun(100, func() { s.Snap(at(-75.4995, 39.1005), 250) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// boxesOver is the number of boxes of a tree.
func boxesOver(items int) int {
	var tree coord.Tree
	tree.Build(items, func(int) coord.Box { return coord.EmptyBox })
	return len(tree.Corners()) / 2
}

// Damaged tables give wrong answers or an error, but no panic.
func FuzzSnapperFrom(f *testing.F) {
	f.Add([]byte{1, 2, 3}, []byte{0, 1, 200}, uint8(9), uint8(3), int32(5), int32(7))
	f.Fuzz(func(t *testing.T, ends, barriers []byte, edges, cut uint8, lng, lat int32) {
		points := func(n int) []coord.Point {
			out := make([]coord.Point, n)
			for i := range out {
				out[i] = coord.Point{Lng: lng * int32(i), Lat: lat ^ int32(i*i)}
			}
			return out
		}
		numbers := func(bytes []byte, n int) []uint32 {
			out := make([]uint32, n)
			for i := range out {
				if len(bytes) > 0 {
					out[i] = uint32(bytes[i%len(bytes)])
				}
			}
			return out
		}
		n := int(edges)
		tables := Tables{
			A: numbers(nil, n), B: numbers(nil, n), Length: numbers(ends, n),
			ShapeEnds: numbers(ends, n), Shape: points(40), EdgeBoxes: points(2 * boxesOver(groups(n))),
			Barrier: points(30), BarrierEnds: numbers(barriers, len(barriers)), BarrierBoxes: points(2 * boxesOver(len(barriers))),
		}
		if cut%4 == 1 && len(tables.EdgeBoxes) > 0 {
			tables.EdgeBoxes = tables.EdgeBoxes[1:]
		}
		s, err := SnapperFrom(tables)
		if err != nil {
			return
		}
		for _, p := range []coord.Point{{}, {Lng: lng, Lat: lat}} {
			if at, ok := s.Snap(p, 1e9); ok {
				s.Point(at)
				s.Edge(at.Edge)
			}
			s.Within(p, 1e5, func(Place) {})
		}
	})
}
