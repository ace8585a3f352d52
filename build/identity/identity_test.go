package identity

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

func (b box) shared(other box) float64 {
	w := min(b.east, other.east) - max(b.west, other.west)
	h := min(b.north, other.north) - max(b.south, other.south)
	return max(0, w) * max(0, h)
}

// household is a home of one household on the plane.
type household struct{ x, y float64 }

// holds reports whether a home is in the box, of its borders the western and southern ones.
func (b box) holds(h household) bool {
	return b.west <= h.x && h.x < b.east && b.south <= h.y && h.y < b.north
}

// boxMeasurer measures outlines that are boxes.
type boxMeasurer struct {
	byID    map[string]box // of earlier releases
	new     []box
	homes   []household
	unknown []box // where there are no counts
}

func (m boxMeasurer) SharedM2(_ context.Context, id string, n int) (float64, error) {
	return m.byID[id].shared(m.new[n]), nil
}

func (m boxMeasurer) PerimeterM(_ context.Context, id string, n int) (float64, error) {
	a, b := m.byID[id], m.new[n]
	return a.east - a.west + a.north - a.south + b.east - b.west + b.north - b.south, nil
}

func (m boxMeasurer) Within(_ context.Context, id string, n int, metres float64) (bool, error) {
	a, b := m.byID[id], m.new[n]
	dx := max(math.Abs(a.west-b.west), math.Abs(a.east-b.east))
	dy := max(math.Abs(a.south-b.south), math.Abs(a.north-b.north))
	return math.Hypot(dx, dy) <= metres, nil
}

func (m boxMeasurer) MovedHomes(_ context.Context, id string, n int, beyond float64) (Homes, float64, error) {
	a, b := m.byID[id], m.new[n]
	moved := m.count(a) + m.count(b) - m.count(a, b.wider(beyond)) - m.count(b, a.wider(beyond))
	whole, other := m.whole(a), m.whole(b)
	whole.Known = whole.Known && other.Known
	return whole, moved, nil
}

func (m boxMeasurer) MovedM2(_ context.Context, id string, n int, beyond float64) (float64, error) {
	a, b := m.byID[id], m.new[n]
	return a.area() + b.area() - a.shared(b.wider(beyond)) - b.shared(a.wider(beyond)), nil
}

func (b box) wider(m float64) box { return box{b.west - m, b.south - m, b.east + m, b.north + m} }

// count counts the homes in all of the boxes.
func (m boxMeasurer) count(boxes ...box) (n float64) {
	for _, h := range m.homes {
		if !slices.ContainsFunc(boxes, func(b box) bool { return !b.holds(h) }) {
			n++
		}
	}
	return n
}

func (m boxMeasurer) whole(b box) Homes {
	known := !slices.ContainsFunc(m.unknown, func(u box) bool { return u.shared(b) > 0 })
	return Homes{Households: m.count(b), Known: known}
}

func (m boxMeasurer) Homes(_ context.Context, id string, in []int) (Homes, []float64, error) {
	var shared []float64
	for _, n := range in {
		shared = append(shared, m.count(m.byID[id], m.new[n]))
	}
	return m.whole(m.byID[id]), shared, nil
}

func (m boxMeasurer) NewHomes(_ context.Context, n int) (Homes, error) { return m.whole(m.new[n]), nil }

// boxes is a release of boxes by source key. Keys that start with "30:", and those to which "@30" is appended, are of
// municipalities, all others of neighbourhoods.
type boxes map[string]box

// list returns the boxes ordered by key.
func (r boxes) list() (outlines []Outline, shapes []box) {
	for _, key := range slices.Sorted(maps.Keys(r)) {
		b := r[key]
		key, municipal := strings.CutSuffix(key, "@30")
		level := schemas.Neighbourhood
		if strings.HasPrefix(key, "30:") || municipal {
			level = schemas.Municipality
		}
		outlines = append(outlines, Outline{
			Version:  Version{Key: key},
			Level:    level,
			Bound:    orb.Bound{Min: orb.Point{b.west, b.south}, Max: orb.Point{b.east, b.north}},
			AreaM2:   b.area(),
			Geometry: sha256.Sum256(fmt.Append(nil, b)),
		})
		shapes = append(shapes, b)
	}
	return outlines, shapes
}

// chain is a sequence of releases r1, r2, …
type chain struct {
	past     History
	byID     map[string]box // of all releases
	homes    []household    // of the next release
	unknown  []box          // where the next release has no counts
	releases int
}

// measurer compares earlier releases with new shapes.
func (c *chain) measurer(shapes []box) boxMeasurer {
	return boxMeasurer{c.byID, shapes, c.homes, c.unknown}
}

// next adds a release.
func (c *chain) next(r boxes) (*Assignment, error) {
	c.releases++
	if c.byID == nil {
		c.byID = map[string]box{}
	}
	outlines, shapes := r.list()
	ids, err := Assign(context.Background(), fmt.Sprintf("r%d", c.releases), c.past, outlines, c.measurer(shapes))
	if err != nil {
		return nil, err
	}
	for i, v := range ids.Versions {
		outlines[i].Version = v
		c.byID[v.ID] = shapes[i]
	}
	c.past = History{Current: outlines, Superseded: ids.Superseded, Bridges: ids.Bridges}
	return ids, nil
}

func TestIDsDoNotDependOnOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		old, new := randomRelease(t, nil), randomRelease(t, nil)
		var c chain
		if _, err := c.next(old); err != nil {
			t.Fatal(err)
		}
		outlines, shapes := new.list()
		run := func(order []int) map[string]string {
			list := make([]Outline, len(order))
			boxes := make([]box, len(order))
			for i, from := range order {
				list[i], boxes[i] = outlines[from], shapes[from]
			}
			ids, err := Assign(context.Background(), "r2", c.past, list, c.measurer(boxes))
			if err != nil {
				t.Fatal(err)
			}
			got := map[string]string{}
			for i, v := range ids.Versions {
				got[list[i].Key] = v.ID
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

// randomRelease changes a release as publishers do: outlines grow, split, overlap, appear and disappear, keys change.
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

// valid reports whether the shares are within 0 and 1 and the one that decided is there.
func (b Bridge) valid() bool {
	within := func(v float64) bool { return v >= 0 && v <= 1 }
	if b.HouseholdShare == nil {
		return within(b.AreaShare) && b.Measure == ByArea
	}
	return within(b.AreaShare) && within(*b.HouseholdShare) && (b.Measure == ByArea || b.Measure == ByHouseholds)
}

func TestSequenceOfReleases(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var c chain
		issued := map[string]bool{} // all ids of all releases
		var last boxes
		for range rapid.IntRange(1, 8).Draw(t, "releases") {
			last = randomRelease(t, last)
			ids, err := c.next(last)
			if err != nil {
				t.Fatal(err)
			}
			current, old := map[string]bool{}, map[string]bool{}
			for _, v := range ids.Versions {
				if current[v.ID] {
					t.Fatalf("%s is the id of two geographies", v.ID)
				}
				current[v.ID], issued[v.ID] = true, true
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
			for id := range issued {
				if !current[id] && !old[id] {
					t.Fatalf("%s is neither current nor superseded", id)
				}
			}
			for _, b := range ids.Bridges {
				if !old[b.Old] || b.New != "" && !current[b.New] && !old[b.New] || !b.valid() {
					t.Fatalf("bridge %+v between unknown ids", b)
				}
			}
		}
	})
}
