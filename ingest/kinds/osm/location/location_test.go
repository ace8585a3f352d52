package location_test

import (
	"slices"
	"testing"

	"github.com/paulmach/orb"
	"pgregory.net/rapid"

	"quartier/ingest/kinds/osm/location"
	"quartier/internal/geo"
)

// TestStore compares the store with a map.
func TestStore(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		id := rapid.Int64Range(-20, 20)
		degree := func(limit int) *rapid.Generator[float64] {
			return rapid.Map(rapid.IntRange(-limit*10000000, limit*10000000), func(n int) float64 { return float64(n) / 1e7 })
		}
		wanted := rapid.SliceOf(id).Draw(t, "wanted")
		var c location.Store
		for _, ref := range wanted {
			c.Want([]int64{ref})
		}
		c.Freeze()
		model := map[int64]orb.Point{}
		for range rapid.IntRange(0, 60).Draw(t, "nodes") {
			node, p := id.Draw(t, "id"), orb.Point{degree(200).Draw(t, "lon"), degree(95).Draw(t, "lat")}
			c.Put(node, p)
			if _, twice := model[node]; !twice && geo.Valid(p) {
				model[node] = p
			}
		}
		for ref := int64(-21); ref <= 21; ref++ {
			want, there := model[ref]
			requested := false
			for _, w := range wanted {
				requested = requested || w == ref
			}
			got, ok := c.Point(ref)
			if ok != (there && requested) || ok && got != want {
				t.Fatalf("node %d: %v %t, want %v %t", ref, got, ok, want, there && requested)
			}
		}
	})
}

func TestLongestKnownRun(t *testing.T) {
	var c location.Store
	c.Want([]int64{1, 2, 3, 4, 5, 6, 7, 90, 91})
	c.Freeze()
	for id := int64(1); id <= 7; id++ {
		c.Put(id, orb.Point{float64(id), 1})
	}
	for _, test := range []struct {
		name    string
		refs    []int64
		want    []int64
		missing int
	}{
		{"all known", []int64{1, 2, 3}, []int64{1, 2, 3}, 0},
		{"a repeated node", []int64{1, 2, 2, 3}, []int64{1, 2, 3}, 0},
		{"closed", []int64{1, 2, 3, 1}, []int64{1, 2, 3, 1}, 0},
		{"leaves at the end", []int64{1, 2, 90}, []int64{1, 2}, 1},
		{"enters and leaves", []int64{90, 3, 4, 91}, []int64{3, 4}, 2},
		{"the second run is longer", []int64{1, 2, 90, 3, 4, 5, 91, 6, 7}, []int64{3, 4, 5}, 2},
		{"the first of two equal ones", []int64{1, 2, 90, 3, 4}, []int64{1, 2}, 1},
		{"one node", []int64{90, 5, 91}, []int64{5}, 2},
		{"nothing", []int64{90, 91}, []int64{}, 2},
		{"never requested for", []int64{1, 2, 8}, []int64{1, 2}, 1},
	} {
		line, ids, missing := c.LongestKnownRun(test.refs, make(orb.LineString, 1, 3), make([]int64, 2, 9))
		if !slices.Equal(ids, test.want) || missing != test.missing || len(line) != len(ids) {
			t.Errorf("%s: %v at %v, %d missing; want %v, %d", test.name, ids, line, missing, test.want, test.missing)
			continue
		}
		for i, id := range ids {
			if line[i] != (orb.Point{float64(id), 1}) {
				t.Errorf("%s: node %d is at %v", test.name, id, line[i])
			}
		}
	}
}

func TestWantedInAnyOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ids := rapid.SliceOf(rapid.OneOf(rapid.Int64(), rapid.Int64Range(-3, 1<<33))).Draw(t, "ids")
		var c location.Store
		for rest := ids; len(rest) > 0; {
			n := rapid.IntRange(1, len(rest)).Draw(t, "refs of a way")
			c.Want(rest[:n])
			rest = rest[n:]
		}
		c.Freeze()
		for _, id := range ids {
			p := orb.Point{float64(id % 180), 1}
			c.Put(id, p)
			if got, ok := c.Point(id); !ok || got != p {
				t.Fatalf("node %d: %v %t, want %v", id, got, ok, p)
			}
		}
	})
}

// TestHasInvalidLocation checks nodes out of range, which are not the same as missing ones.
func TestHasInvalidLocation(t *testing.T) {
	var c location.Store
	c.Want([]int64{1, 2, 3, 4})
	c.Freeze()
	c.Put(1, orb.Point{-75, 45})
	c.Put(2, orb.Point{1e9, 45})
	c.Put(3, orb.Point{-75, 95})
	c.Put(3, orb.Point{-75, 46}) // a valid duplicate is used
	for _, test := range []struct {
		refs []int64
		want bool
	}{{[]int64{1}, false}, {[]int64{1, 2}, true}, {[]int64{1, 3}, false}, {[]int64{4}, false}, {[]int64{99}, false}} {
		if got := c.HasInvalidLocation(test.refs); got != test.want {
			t.Errorf("%v: %t", test.refs, got)
		}
	}
	if _, ok := c.Point(2); ok {
		t.Error("a node out of range has a location")
	}
}
