package network

import (
	"testing"

	"quartier/internal/coord"

	"pgregory.net/rapid"
)

// TestStretches compares the band of every tenth of a metre of every edge with its distance by Reach, the plain search.
func TestStretches(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := anyGraph(t, false)
		s := NewSnapper(g, nil)
		from := anyPlaces(t, g, 1)[0]
		limits := []Distance{Distance(rapid.IntRange(0, 900).Draw(t, "first")), Distance(rapid.IntRange(901, 4000).Draw(t, "second"))}
		bands := map[Place]int{} // by the middle of each decimetre, in its Along
		last := Stretch{}
		s.Stretches(from, limits, func(part Stretch) {
			if part.From >= part.To || part.To > g.Edges[part.Edge].Length || part.Edge == last.Edge && part.From < last.To {
				t.Fatalf("%+v after %+v on an edge of %d", part, last, g.Edges[part.Edge].Length)
			}
			last = part
			for at := part.From; at < part.To; at++ {
				bands[Place{Edge: part.Edge, Along: at}] = part.Band + 1
			}
			line := s.Cut(part)
			if got, want := length(planeAround(line[0]), line), (part.To - part.From).Metres(); got > 1.01*want+0.5 || got < 0.99*want-0.5 {
				t.Fatalf("the line of %+v has %v m", part, got)
			}
		})
		reach := g.ReachOf(from, limits[1])
		for i, e := range g.Edges {
			for at := Distance(0); at < e.Length; at++ {
				near, nearOK := reach.To(Place{Edge: uint32(i), Along: at})
				far, farOK := reach.To(Place{Edge: uint32(i), Along: at + 1})
				got := bands[Place{Edge: uint32(i), Along: at}]
				if want := bandFor(near, nearOK, limits); got == want || got == bandFor(far, farOK, limits) {
					continue
				} else if peak := nearOK && farOK && near == far; !peak {
					t.Fatalf("edge %d at %d: band %d, want %d for %d dm", i, at, got, want, near)
				}
			}
		}
	})
}

// bandFor is 1 for the first limit, 2 for the second, 0 beyond.
func bandFor(d Distance, ok bool, limits []Distance) int {
	for band, limit := range limits {
		if ok && d <= limit {
			return band + 1
		}
	}
	return 0
}

// TestStretchesOfDamage gives tables that are damaged.
func TestStretchesOfDamage(t *testing.T) {
	b := NewBuilder(Options{})
	b.Add(Line{Points: []coord.Point{latticePoint(0, 0), latticePoint(1, 0), latticePoint(2, 1)}})
	g, _ := b.Finish()
	tables := NewSnapper(g, nil).Tables()
	for i := range tables.EdgeBoxes {
		tables.EdgeBoxes[i] = coord.Point{Lng: 1, Lat: 1}
	}
	tables.ShapeEnds = make([]uint32, len(tables.ShapeEnds))
	s, err := SnapperFrom(tables)
	if err != nil {
		t.Fatal(err)
	}
	for _, edge := range []uint32{0, 1, 1 << 31} {
		s.Stretches(Place{Edge: edge, Along: 5}, []Distance{100, 1000}, func(part Stretch) { s.Cut(part) })
	}
	s.Stretches(Place{}, nil, func(Stretch) { t.Error("a stretch without a limit") })
}
