package network

import (
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"quartier/internal/coord"
)

func anyReach(t *rapid.T) Distance { return Distance(rapid.IntRange(0, 8000).Draw(t, "reach")) }

func TestNearest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := anyGraph(t, rapid.Bool().Draw(t, "directed"))
		places, reach, k := anyPlaces(t, g, 12), anyReach(t), rapid.IntRange(1, 4).Draw(t, "k")
		var group []uint32
		if rapid.Bool().Draw(t, "grouped") {
			for range places {
				group = append(group, uint32(rapid.IntRange(0, 4).Draw(t, "group")))
			}
		}
		all := naive(g)
		patchBits := rapid.SampledFrom([]uint32{1, 3, patchBits}).Draw(t, "bits of a patch")
		threads := rapid.IntRange(1, 3).Draw(t, "threads")
		before := runtime.GOMAXPROCS(threads)
		anyBound(t, g)
		labels := g.nearest(places, group, k, reach, patchBits)
		runtime.GOMAXPROCS(before)
		for node := range g.Nodes {
			var want []Label
			seen := map[uint32]bool{}
			for _, l := range inOrder(g, all, node, places, reach) {
				of := l.Place
				if group != nil {
					of = group[l.Place]
				}
				if !seen[of] && len(want) < k {
					seen[of] = true
					want = append(want, l)
				}
			}
			if !slices.Equal(labels.At(node), want) {
				t.Fatalf("node %d has %v, not %v", node, labels.At(node), want)
			}
		}
	})
}

func TestNonDominated(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := anyGraph(t, rapid.Bool().Draw(t, "directed"))
		places, reach := anyPlaces(t, g, 12), anyReach(t)
		var weight []uint32
		for range places {
			weight = append(weight, uint32(rapid.IntRange(0, 5).Draw(t, "weight")))
		}
		all := naive(g)
		anyBound(t, g)
		got := make([][]Label, len(g.Nodes))
		before := -1
		g.NonDominated(places, weight, reach, func(node int, labels []Label) {
			if node <= before || len(labels) == 0 {
				t.Fatalf("node %d after %d with %d labels", node, before, len(labels))
			}
			before, got[node] = node, slices.Clone(labels)
		})
		for node := range g.Nodes {
			within := inOrder(g, all, node, places, reach)
			var want []Label
			for i, l := range within {
				dominated := weight[l.Place] == 0
				for j, other := range within {
					better := weight[other.Place] > weight[l.Place] || weight[other.Place] == weight[l.Place] && j < i
					dominated = dominated || other.Distance <= l.Distance && better
				}
				if !dominated {
					want = append(want, l)
				}
			}
			if !slices.Equal(got[node], want) {
				t.Fatalf("node %d has %v, not %v", node, got[node], want)
			}
		}
	})
}

func TestSums(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := anyGraph(t, rapid.Bool().Draw(t, "directed"))
		places := anyPlaces(t, g, rapid.SampledFrom([]int{3, 60}).Draw(t, "max places"))
		classes := rapid.IntRange(1, 3).Draw(t, "classes")
		class := make([]uint8, len(places))
		for i := range class {
			class[i] = uint8(rapid.IntRange(0, classes-1).Draw(t, "class"))
		}
		weight := make([]uint32, rapid.IntRange(0, 600).Draw(t, "metres"))
		for i := range weight {
			weight[i] = uint32(4_000_000_000 - i*i)
		}
		want := make([]uint64, classes*len(g.Nodes))
		all := naive(g)
		anyBound(t, g)
		for node := range g.Nodes {
			for i, p := range places {
				if d := toPlace(g, all, node, p) / 10; d < uint64(len(weight)) {
					want[node*classes+int(class[i])] += uint64(weight[d])
				}
			}
		}
		for _, threads := range []int{1, 2} {
			before := runtime.GOMAXPROCS(threads)
			got := g.Sums(places, class, classes, weight)
			runtime.GOMAXPROCS(before)
			if !slices.Equal(got, want) {
				t.Fatalf("on %d threads %v, not %v", threads, got, want)
			}
		}
	})
}

func TestReach(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := anyGraph(t, rapid.Bool().Draw(t, "directed"))
		reach := anyReach(t)
		places := anyPlaces(t, g, 8)
		all := naive(g)
		from := places[0]
		e := g.Edges[from.Edge]
		forth, back := g.open(from.Edge)
		at := func(node int) uint64 {
			d := uint64(Far)
			if forth {
				d = min(d, uint64(e.Length-from.Along)+all[e.B][node])
			}
			if back {
				d = min(d, uint64(from.Along)+all[e.A][node])
			}
			return d + uint64(from.Leg)
		}
		r := g.ReachOf(from, reach)
		for node := range g.Nodes {
			d, ok := r.At(uint32(node))
			if want := at(node); ok != (want <= uint64(reach)) || ok && uint64(d) != want {
				t.Fatalf("node %d is at %d, %v, not %d", node, d, ok, want)
			}
		}
		for _, p := range places {
			e := g.Edges[p.Edge]
			forth, back := g.open(p.Edge)
			want := uint64(Far)
			if forth {
				want = min(want, at(int(e.A))+uint64(p.Along))
			}
			if back {
				want = min(want, at(int(e.B))+uint64(e.Length-p.Along))
			}
			if p.Edge == from.Edge && forth && p.Along >= from.Along {
				want = min(want, uint64(from.Leg+p.Along-from.Along))
			}
			if p.Edge == from.Edge && back && p.Along <= from.Along {
				want = min(want, uint64(from.Leg+from.Along-p.Along))
			}
			want += uint64(p.Leg)
			if d, ok := r.To(p); ok != (want <= uint64(reach)) || ok && uint64(d) != want {
				t.Fatalf("%v is at %d, %v, not %d", p, d, ok, want)
			}
		}
	})
}

// Searches from places, whose sums cross many ranges, agree with searches from nodes.
func TestSumsOfATown(t *testing.T) {
	const side, classes = 50, 3
	b := NewBuilder(Options{})
	at := func(x, y int) coord.Point { return coord.Point{Lng: int32(7000 * x), Lat: int32(5500*y + 3*x*x)} }
	for i := range side {
		var row, column []coord.Point
		for k := range side {
			row, column = append(row, at(k, i)), append(column, at(i, k))
		}
		b.Add(Line{Points: row})
		b.Add(Line{Points: column})
	}
	g, _ := b.Finish()
	random := rand.New(rand.NewPCG(1, 2))
	var places []Place
	var class []uint8
	for range 2000 {
		e := random.Uint32N(uint32(len(g.Edges)))
		places = append(places, Place{Edge: e, Along: Distance(random.Uint32N(uint32(g.Edges[e].Length) + 1)),
			Leg: Distance(random.Uint32N(300))})
		class = append(class, uint8(random.IntN(classes)))
	}
	weight := make([]uint32, 900)
	for i := range weight {
		weight[i] = uint32(1_000_000 - 1000*i)
	}
	spots := g.spots(places, class)
	want := make([]uint64, classes*len(g.Nodes))
	g.sumFromNodes(spots, want, classes, weight)
	for _, threads := range []int{1, 2, 3} {
		got := make([]uint64, len(want))
		before := runtime.GOMAXPROCS(threads)
		g.sumFromSpots(spots, got, classes, weight)
		runtime.GOMAXPROCS(before)
		if !slices.Equal(got, want) {
			t.Fatalf("sums on %d threads differ", threads)
		}
	}
}
