package junction

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/paulmach/orb"
	"pgregory.net/rapid"

	"quartier/transform/network/street"
)

func TestStreetsMeetAtNodesOrPositions(t *testing.T) {
	streets := []street.Street{
		{Class: "residential", Line: orb.LineString{{0, 0}, {1, 0}, {2, 0}}, Nodes: []int64{1, 2, 3}},
		{Class: "residential", Line: orb.LineString{{1, 0}, {1, 1}}, Nodes: []int64{2, 4}},
		{Class: "residential", Line: orb.LineString{{1, 0}, {1, 1}, {1, 2}, {1, 0}}}, // without ids: meets itself only
		{Class: "footway", Line: orb.LineString{{1, 1}, {5, 5}}},
		{Class: "residential", Line: orb.LineString{{1, 2}, {5, 5}}},
	}
	var got []string
	Each(streets, func(i int) bool { return streets[i].Class == "residential" }, func(v []Vertex) {
		got = append(got, fmt.Sprint(v, v[0].Legs(&streets[v[0].Street])))
	})
	want := []string{"[{0 1} {1 0}] 2", "[{2 0} {2 3}] 1", "[{2 2} {4 0}] 2"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestUnionFind(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g, colour := NewUnionFind(12), make([]int, 12)
		for i := range colour {
			colour[i] = i
		}
		for range rapid.IntRange(0, 12).Draw(t, "joins") {
			a, b := rapid.IntRange(0, 11).Draw(t, "a"), rapid.IntRange(0, 11).Draw(t, "b")
			g.Union(uint32(a), uint32(b))
			from, to := colour[a], colour[b]
			for i := range colour {
				if colour[i] == from {
					colour[i] = to
				}
			}
		}
		for a := range uint32(12) {
			for b := range a {
				if (g.Find(a) == g.Find(b)) != (colour[a] == colour[b]) {
					t.Fatalf("%d and %d", a, b)
				}
			}
			if g.Find(a) > a {
				t.Fatalf("%d is in the group of %d", a, g.Find(a))
			}
		}
	})
}
