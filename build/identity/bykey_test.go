package identity

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// nextByKey adds a release whose geographies are succeeded by key alone.
func (c *chain) nextByKey(r boxes, stays map[string]bool) (*Assignment, error) {
	c.releases++
	if c.byID == nil {
		c.byID = map[string]box{}
	}
	outlines, shapes := r.list()
	ids, err := AssignByKey(context.Background(), fmt.Sprintf("r%d", c.releases), c.past, outlines, stays, c.measurer(shapes))
	if err != nil {
		return nil, err
	}
	for _, o := range c.past.Current {
		if stays[o.Key] {
			outlines = append(outlines, o)
		}
	}
	for i, v := range ids.Versions {
		outlines[i].Version = v
		c.byID[v.ID] = shapes[i]
	}
	c.past = History{Current: outlines, Superseded: ids.Superseded, Bridges: ids.Bridges}
	return ids, nil
}

// current is the current version of each key.
func (c *chain) current() map[string]Version {
	current := map[string]Version{}
	for _, o := range c.past.Current {
		current[o.Key] = o.Version
	}
	return current
}

func TestAssignByKey(t *testing.T) {
	var c chain
	step := func(r boxes, stays map[string]bool) map[string]Version {
		t.Helper()
		if _, err := c.nextByKey(r, stays); err != nil {
			t.Fatal(err)
		}
		return c.current()
	}
	replaced := func(id string) string {
		i := slices.IndexFunc(c.past.Superseded, func(s Superseded) bool { return s.ID == id })
		if i < 0 {
			return "not superseded"
		}
		return c.past.Superseded[i].ReplacedBy
	}
	square := box{0, 0, 100, 100}
	first := step(boxes{"c:a": square, "c:b": square, "c:d": square}, nil) // three customers draw the same
	if len(first) != 3 || first["c:a"].ID == first["c:b"].ID || first["c:a"].Number != 1 {
		t.Fatalf("%v", first)
	}
	// Another level; one moved by less than the tolerance; one has no outline and stays.
	second := step(boxes{"c:a@30": square, "c:b": {0, 0, 100.01, 100}}, map[string]bool{"c:d": true})
	if second["c:b"] != first["c:b"] || second["c:d"] != first["c:d"] || second["c:a"].Number != 2 ||
		replaced(first["c:a"].ID) != second["c:a"].ID {
		t.Errorf("%v, want as %v", second, first)
	}
	// An outline that comes back is a new version, and replaces both before it; what has neither is retired.
	third := step(boxes{"c:a": square, "c:d": {0, 0, 100, 50}}, nil)
	if third["c:a"].Number != 3 || replaced(first["c:a"].ID) != third["c:a"].ID || replaced(second["c:a"].ID) != third["c:a"].ID ||
		replaced(first["c:b"].ID) != "" || third["c:d"].Number != 2 {
		t.Errorf("%v, superseded %+v", third, c.past.Superseded)
	}
	for _, want := range []Bridge{
		{Release: "r2", Old: first["c:a"].ID, New: second["c:a"].ID, Kind: Reversion, AreaShare: 1, Measure: ByArea},
		{Release: "r3", Old: first["c:b"].ID, Kind: Retired, Measure: ByArea},
		{Release: "r3", Old: first["c:d"].ID, New: third["c:d"].ID, Kind: Reversion, AreaShare: 0.5, Measure: ByArea},
	} {
		if !slices.Contains(c.past.Bridges, want) {
			t.Errorf("no bridge %+v in %+v", want, c.past.Bridges)
		}
	}
}

// TestByKeyAlone checks histories: ids are never reused, and what was superseded leads to the current version of its key.
func TestByKeyAlone(t *testing.T) {
	keys := []string{"c:a", "c:b", "c:d"}
	rapid.Check(t, func(t *rapid.T) {
		var c chain
		shapeOf := map[string]string{} // of every id ever issued
		for range rapid.IntRange(1, 6).Draw(t, "updates") {
			next, stays, before := boxes{}, map[string]bool{}, c.current()
			for _, key := range keys {
				size := rapid.Float64Range(1000, 1003).Draw(t, "size")
				switch rapid.IntRange(0, 3).Draw(t, "fate") {
				case 0:
				case 1:
					stays[key] = true
				default:
					next[key] = box{0, 0, size, 1000}
				}
			}
			if _, err := c.nextByKey(next, stays); err != nil {
				t.Fatal(err)
			}
			after := c.current()
			for key, v := range after {
				if old, was := before[key]; stays[key] && (!was || old != v) || was && old.Number > v.Number {
					t.Errorf("%s was %v and is %v", key, old, v)
				}
				if shape, known := shapeOf[v.ID]; known && shape != key {
					t.Errorf("%s is of %s and of %s", v.ID, shape, key)
				}
				shapeOf[v.ID] = key
			}
			superseded := map[string]bool{}
			for _, s := range c.past.Superseded {
				superseded[s.ID] = true
				if s.ReplacedBy != after[s.Key].ID {
					t.Errorf("%s of %s is replaced by %q, current is %v", s.ID, s.Key, s.ReplacedBy, after[s.Key])
				}
			}
			for _, id := range slices.Sorted(maps.Keys(shapeOf)) {
				if superseded[id] == (after[shapeOf[id]].ID == id) {
					t.Errorf("%s is superseded: %v, and the current one is %v", id, superseded[id], after[shapeOf[id]])
				}
			}
		}
	})
}
