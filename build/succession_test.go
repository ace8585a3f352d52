package build

import (
	"context"
	"crypto/sha256"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/paulmach/orb"
	"pgregory.net/rapid"

	"quartier/schemas"
)

// box is a rectangle in metres on a plane.
type box struct{ west, south, east, north float64 }

func (b box) area() float64 { return (b.east - b.west) * (b.north - b.south) }

// boxMeter measures outlines that are boxes.
type boxMeter struct{ old, new, superseded []box }

func (b box) shared(other box) float64 {
	w := min(b.east, other.east) - max(b.west, other.west)
	h := min(b.north, other.north) - max(b.south, other.south)
	return max(0, w) * max(0, h)
}

func (m boxMeter) Shared(_ context.Context, o, n int) (float64, error) {
	return m.old[o].shared(m.new[n]), nil
}

func (m boxMeter) Covered(_ context.Context, superseded, n int) (float64, error) {
	was := m.superseded[superseded]
	return was.shared(m.new[n]) / was.area(), nil
}

func (m boxMeter) Farthest(_ context.Context, o, n int) (float64, error) {
	a, b := m.old[o], m.new[n]
	dx := max(math.Abs(a.west-b.west), math.Abs(a.east-b.east))
	dy := max(math.Abs(a.south-b.south), math.Abs(a.north-b.north))
	return math.Hypot(dx, dy), nil
}

// boxes is a release of boxes by source key; the key's first part is the level where it is a number.
type boxes map[string]box

// list puts the boxes in some order that does not depend on the map's.
func (r boxes) list() (keys []string, outlines []outline, shapes []box) {
	for key := range r {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	for _, key := range keys {
		b := r[key]
		level := schemas.Neighbourhood
		if strings.HasPrefix(key, "30:") {
			level = schemas.Municipality
		}
		outlines = append(outlines, outline{
			edition:  edition{Key: key},
			Level:    level,
			Bound:    orb.Bound{Min: orb.Point{b.west, b.south}, Max: orb.Point{b.east, b.north}},
			AreaM2:   b.area(),
			Geometry: sha256.Sum256(fmt.Append(nil, b)),
		})
		shapes = append(shapes, b)
	}
	return keys, outlines, shapes
}

// chain is a line of releases.
type chain struct {
	past   history
	shapes []box          // of past.Current
	every  map[string]box // by id
	count  int
}

// meter measures what was before against shapes.
func (c *chain) meter(shapes []box) boxMeter {
	m := boxMeter{old: c.shapes, new: shapes}
	for _, t := range c.past.Superseded {
		m.superseded = append(m.superseded, c.every[t.ID])
	}
	return m
}

// next adds a release and returns its ids by source key.
func (c *chain) next(r boxes) (map[string]edition, *identities, error) {
	c.count++
	if c.every == nil {
		c.every = map[string]box{}
	}
	keys, outlines, shapes := r.list()
	m := c.meter(shapes)
	s, err := follow(context.Background(), c.past.Current, outlines, m)
	if err != nil {
		return nil, nil, err
	}
	ids, err := identify(context.Background(), fmt.Sprintf("r%d", c.count), c.past, s, m)
	if err != nil {
		return nil, nil, err
	}
	byKey := map[string]edition{}
	for i, key := range keys {
		byKey[key] = ids.Editions[i]
		outlines[i].edition = ids.Editions[i]
		c.every[ids.Editions[i].ID] = shapes[i]
	}
	c.past = history{Current: outlines, Superseded: ids.Superseded, Bridges: ids.Bridges}
	c.shapes = shapes
	return byKey, ids, nil
}

func TestSuccession(t *testing.T) {
	km := func(west, south, east, north float64) box {
		return box{west * 1000, south * 1000, east * 1000, north * 1000}
	}
	for _, tt := range []struct {
		name        string
		old, new    boxes
		want        map[string]string // new key → "kept <old key>" or "version n"
		superseded  map[string]string // old key → "<kind> <new key>", "retired"
		bridgeCount int
	}{
		{"unchanged", boxes{"a": km(0, 0, 10, 10)}, boxes{"a": km(0, 0, 10, 10)},
			map[string]string{"a": "kept a"}, nil, 0},
		{"key renamed", boxes{"a": km(0, 0, 10, 10)}, boxes{"b": km(0, 0, 10, 10)},
			map[string]string{"b": "kept a"}, nil, 0},
		{"noise", boxes{"a": km(0, 0, 100, 100)}, boxes{"a": km(0, 0, 100.04, 100)},
			map[string]string{"a": "kept a"}, nil, 0},
		{"a small area moved far is no noise", boxes{"a": km(0, 0, 100, 100)}, boxes{"a": km(0, 0, 100.06, 100)},
			map[string]string{"a": "version 2"}, map[string]string{"a": "reversion a"}, 1},
		{"near but too different is no noise", boxes{"a": km(0, 0, 10, 10)}, boxes{"a": km(0, 0, 10.04, 10)},
			map[string]string{"a": "version 2"}, map[string]string{"a": "reversion a"}, 1},
		{"new version under another key", boxes{"a": km(0, 0, 10, 10)}, boxes{"b": km(0, 0, 11, 10)},
			map[string]string{"b": "version 2"}, map[string]string{"a": "reversion b"}, 1},
		{"a border moved between neighbours", boxes{"a": km(0, 0, 10, 10), "b": km(10, 0, 20, 10)},
			boxes{"a": km(0, 0, 8, 10), "b": km(8, 0, 20, 10)},
			map[string]string{"a": "version 2", "b": "version 2"},
			map[string]string{"a": "reversion a", "b": "reversion b"}, 3},
		{"redrawn", boxes{"a": km(0, 0, 10, 10)}, boxes{"a": km(7, 0, 17, 10)},
			map[string]string{"a": "version 2"}, map[string]string{"a": "redrawn a"}, 1},
		{"split in equal parts", boxes{"a": km(0, 0, 10, 10)}, boxes{"a1": km(0, 0, 4, 10), "a2": km(4, 0, 10, 10)},
			map[string]string{"a1": "version 1", "a2": "version 1"}, map[string]string{"a": "split a2"}, 2},
		{"split with the larger part under the old key", boxes{"a": km(0, 0, 10, 10)},
			boxes{"a": km(0, 0, 7, 10), "b": km(7, 0, 10, 10)},
			map[string]string{"a": "version 2", "b": "version 1"}, map[string]string{"a": "split a"}, 2},
		{"merge", boxes{"a": km(0, 0, 10, 10), "b": km(10, 0, 20, 10)}, boxes{"c": km(0, 0, 20, 10)},
			map[string]string{"c": "version 1"}, map[string]string{"a": "merge c", "b": "merge c"}, 2},
		{"taken in by one that keeps its id", boxes{"a": km(0, 0, 100, 100), "b": km(0, 0, 1, 1)}, boxes{"a": km(0, 0, 100, 100)},
			map[string]string{"a": "kept a"}, map[string]string{"b": "merge a"}, 1},
		{"retired", boxes{"a": km(0, 0, 10, 10), "b": km(50, 0, 60, 10)}, boxes{"a": km(0, 0, 10, 10)},
			map[string]string{"a": "kept a"}, map[string]string{"b": "retired"}, 1},
		{"under a tenth is no successor", boxes{"a": km(0, 0, 10, 10)}, boxes{"b": km(9.5, 0, 20, 10)},
			map[string]string{"b": "version 1"}, map[string]string{"a": "retired"}, 1},
		{"another level is no successor", boxes{"10:a": km(0, 0, 10, 10)}, boxes{"30:a": km(0, 0, 10, 10)},
			map[string]string{"30:a": "version 1"}, map[string]string{"10:a": "retired"}, 1},
		{"a publisher's own is the successor, not another's that lies there", boxes{"osm:a": km(0, 0, 10, 10), "tiger:a": km(0, 0, 10.2, 10)},
			boxes{"osm:a": km(0, 0, 10.5, 10), "tiger:a": km(0, 0, 10.2, 10)},
			map[string]string{"osm:a": "version 2", "tiger:a": "kept tiger:a"}, map[string]string{"osm:a": "reversion osm:a"}, 1},
		{"a publisher that leaves is followed by the one that stays", boxes{"osm:a": km(0, 0, 10, 10), "tiger:a": km(0, 0, 10.2, 10)},
			boxes{"tiger:a": km(0, 0, 10.2, 10)},
			map[string]string{"tiger:a": "kept tiger:a"}, map[string]string{"osm:a": "merge tiger:a"}, 1},
		{"keys that change hands go with the outline", boxes{"a": km(0, 0, 10, 10), "b": km(20, 0, 30, 10)},
			boxes{"a": km(20, 0, 30, 10), "b": km(0, 0, 10, 10)},
			map[string]string{"a": "kept b", "b": "kept a"}, nil, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var c chain
			before, _, err := c.next(tt.old)
			must(t, err)
			after, ids, err := c.next(tt.new)
			must(t, err)
			for key, want := range tt.want {
				got := fmt.Sprintf("version %d", after[key].Version)
				for old, e := range before {
					if e.ID == after[key].ID {
						got = "kept " + old
					}
				}
				if got != want {
					t.Errorf("%s: %s, want %s", key, got, want)
				}
			}
			got := map[string]string{}
			for _, s := range ids.Superseded {
				got[s.Key] = successorOf(ids, s, after)
			}
			if len(got) != len(tt.superseded) {
				t.Errorf("superseded %v, want %v", got, tt.superseded)
			}
			for key, want := range tt.superseded {
				if got[key] != want {
					t.Errorf("old %s: %q, want %q", key, got[key], want)
				}
			}
			if len(ids.Bridges) != tt.bridgeCount {
				t.Errorf("bridge %v, want %d rows", ids.Bridges, tt.bridgeCount)
			}
		})
	}
}

// successorOf is "<kind> <key of the successor>", or the kind alone.
func successorOf(ids *identities, s tombstone, now map[string]edition) string {
	kind := ""
	for _, b := range ids.Bridges {
		if b.Old == s.ID {
			kind = b.Kind
		}
	}
	for key, e := range now {
		if e.ID == s.ReplacedBy {
			return kind + " " + key
		}
	}
	return kind
}

func TestChainsPointAtTheCurrentID(t *testing.T) {
	var c chain
	first, _, err := c.next(boxes{"a": {0, 0, 10, 10}})
	must(t, err)
	for east := 12.0; east <= 30; east += 2 {
		_, _, err = c.next(boxes{"a": {0, 0, east, 10}})
		must(t, err)
	}
	last, ids, err := c.next(boxes{"a": {0, 0, 40, 10}})
	must(t, err)
	if len(ids.Superseded) != 11 || last["a"].Version != 12 {
		t.Fatalf("%d superseded, version %d", len(ids.Superseded), last["a"].Version)
	}
	for _, s := range ids.Superseded {
		if s.ReplacedBy != last["a"].ID {
			t.Errorf("%s is replaced by %s, want %s", s.ID, s.ReplacedBy, last["a"].ID)
		}
	}
	_, ids, err = c.next(boxes{"b": {500, 0, 510, 10}})
	must(t, err)
	for _, s := range ids.Superseded {
		if s.ReplacedBy != "" {
			t.Errorf("%s is replaced by %q although the place is gone", s.ID, s.ReplacedBy)
		}
	}
	again, _, err := c.next(boxes{"a": {0, 0, 10, 10}, "b": {500, 0, 510, 10}})
	must(t, err)
	if again["a"].Version != 13 || again["a"].ID == first["a"].ID {
		t.Errorf("an id that was given up came back: %+v", again["a"])
	}
}

func TestOldIDsFollowTheirKeyWhenItComesBack(t *testing.T) {
	apart := boxes{"a": {0, 0, 1000, 1000}, "b": {1000, 0, 1600, 1000}}
	for name, between := range map[string]boxes{
		"merge under a new key":   {"c": {0, 0, 1600, 1000}},
		"merge under the one key": {"a": {0, 0, 1600, 1000}},
		"merge under the other":   {"b": {0, 0, 1600, 1000}},
		"gone":                    {"z": {5000, 0, 6000, 1000}},
	} {
		t.Run(name, func(t *testing.T) {
			var c chain
			first, _, err := c.next(apart)
			must(t, err)
			_, _, err = c.next(between)
			must(t, err)
			last, ids, err := c.next(apart)
			must(t, err)
			for _, s := range ids.Superseded {
				for key := range apart {
					if s.ID == first[key].ID && s.ReplacedBy != last[key].ID {
						t.Errorf("the first %s is replaced by %q, want %s", key, s.ReplacedBy, last[key].ID)
					}
				}
			}
		})
	}
	t.Run("another covers it better", func(t *testing.T) {
		var c chain
		first, _, err := c.next(boxes{"a": {0, 0, 1000, 1000}})
		must(t, err)
		_, _, err = c.next(boxes{"c": {0, 0, 3000, 1000}})
		must(t, err)
		last, ids, err := c.next(boxes{"c": {0, 0, 3000, 1000}, "a": {800, 0, 1800, 1000}})
		must(t, err)
		if s := ids.Superseded[0]; s.ID != first["a"].ID || s.ReplacedBy != last["c"].ID {
			t.Errorf("%+v, want %s", s, last["c"].ID)
		}
	})
}

func TestOrderOfRowsDoesNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		old, new := randomRelease(t, nil), randomRelease(t, nil)
		var c chain
		_, _, err := c.next(old)
		if err != nil {
			t.Fatal(err)
		}
		_, outlines, shapes := new.list()
		run := func(order []int) map[string]string {
			list := make([]outline, len(order))
			boxes := make([]box, len(order))
			for i, from := range order {
				list[i], boxes[i] = outlines[from], shapes[from]
			}
			m := c.meter(boxes)
			s, err := follow(context.Background(), c.past.Current, list, m)
			if err != nil {
				t.Fatal(err)
			}
			ids, err := identify(context.Background(), "r2", c.past, s, m)
			if err != nil {
				t.Fatal(err)
			}
			got := map[string]string{}
			for i, e := range ids.Editions {
				got[list[i].Key] = e.ID
			}
			for _, s := range ids.Superseded {
				got[s.ID] = s.ReplacedBy
			}
			return got
		}
		straight := make([]int, len(outlines))
		for i := range straight {
			straight[i] = i
		}
		shuffled := rapid.Permutation(straight).Draw(t, "order")
		if a, b := run(straight), run(shuffled); fmt.Sprint(a) != fmt.Sprint(b) {
			t.Fatalf("in order %v, shuffled %v", a, b)
		}
	})
}

// randomRelease changes a release as publishers do: outlines move, grow, split, merge, go and come.
func randomRelease(t *rapid.T, last boxes) boxes {
	r := boxes{}
	coordinate := rapid.Float64Range(0, 1000)
	for _, key := range slices.Sorted(maps.Keys(last)) {
		b := last[key]
		switch rapid.IntRange(0, 6).Draw(t, "change "+key) {
		case 0, 1, 2:
			r[key] = b
		case 3:
			r[key] = box{b.west, b.south, b.east + rapid.Float64Range(0, 200).Draw(t, "by"), b.north}
		case 4:
			middle := (b.west + b.east) / 2
			r[key] = box{b.west, b.south, middle, b.north}
			r[key+"'"] = box{middle, b.south, b.east, b.north}
		case 5:
			r["renamed "+key] = b
		}
	}
	for range rapid.IntRange(0, 3).Draw(t, "new ones") {
		b := box{west: coordinate.Draw(t, "west"), south: coordinate.Draw(t, "south")}
		b.east = b.west + rapid.Float64Range(1, 500).Draw(t, "width")
		b.north = b.south + rapid.Float64Range(1, 500).Draw(t, "height")
		r[rapid.SampledFrom([]string{"a", "b", "c", "d", "osm:a", "osm:b", "30:a"}).Draw(t, "key")] = b
	}
	return r
}

func TestLineOfReleases(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var c chain
		answered := map[string]bool{} // every id that any release ever had
		var last boxes
		for range rapid.IntRange(1, 8).Draw(t, "releases") {
			last = randomRelease(t, last)
			now, ids, err := c.next(last)
			if err != nil {
				t.Fatal(err)
			}
			current, old := map[string]bool{}, map[string]bool{}
			for _, e := range now {
				if current[e.ID] {
					t.Fatalf("%s stands for two geographies", e.ID)
				}
				current[e.ID], answered[e.ID] = true, true
			}
			if len(current) != len(last) {
				t.Fatalf("%d ids for %d geographies", len(current), len(last))
			}
			for _, s := range ids.Superseded {
				old[s.ID] = true
				if current[s.ID] {
					t.Fatalf("%s is current and superseded", s.ID)
				}
				if s.ReplacedBy != "" && !current[s.ReplacedBy] {
					t.Fatalf("%s is replaced by %s, which is not current", s.ID, s.ReplacedBy)
				}
			}
			for id := range answered {
				if !current[id] && !old[id] {
					t.Fatalf("%s does not answer any more", id)
				}
			}
			for _, b := range ids.Bridges {
				if !old[b.Old] || b.New != "" && !current[b.New] && !old[b.New] || b.Share < 0 || b.Share > 1 {
					t.Fatalf("bridge %+v leads nowhere", b)
				}
			}
		}
	})
}
