package form

import (
	"cmp"
	"math"
	"slices"

	"github.com/paulmach/orb"

	"quartier/internal/geo"
	"quartier/internal/pack"
	"quartier/schemas/calibration"
	"quartier/transform/street"
	"quartier/transform/strip"
)

// intersection is where streets meet, after junctions that lie together were made one.
type intersection struct {
	at     pack.Point
	weight float64
}

// vertex is a vertex of a street that may meet another one.
type vertex struct {
	key      uint64 // equal where streets meet
	keys     uint8  // of what kind: ids of nodes, or places
	street   uint32
	number   uint32 // of the vertex in its street
	legs     uint8  // of the street at the vertex
	junction uint32
}

// Kinds of keys.
const (
	byNode uint8 = iota
	byPlace
)

// intersections finds where at least three legs of streets meet, auto-oriented ones left out.
func intersections(streets []street.Street, c *calibration.Calibration) []intersection {
	vertices := meeting(streets, c.Form.Intersections.Classes)
	junctions, at := number(vertices, streets)
	merged := consolidate(at, c.Form.Intersections.ConsolidateM)
	crossings := make([]crossing, len(at))
	for i := range at {
		crossings[merged[i]].add(at[i])
	}
	for _, v := range junctions {
		crossings[merged[v.junction]].count(int(v.legs), &streets[v.street], c)
	}
	dropInner(junctions, merged, streets, crossings, c)
	var found []intersection
	for i := range crossings {
		if weight := crossings[i].weight(&c.Form.Intersections); weight > 0 {
			found = append(found, intersection{crossings[i].middle(), weight})
		}
	}
	return found
}

// meeting is the vertices of the streets of some classes.
func meeting(streets []street.Street, classes []string) []vertex {
	var vertices []vertex
	for i := range streets {
		s := &streets[i]
		if !slices.Contains(classes, s.Class) {
			continue
		}
		for k, p := range s.Line {
			v := vertex{street: uint32(i), number: uint32(k), legs: 2}
			if k == 0 || k == len(s.Line)-1 {
				v.legs = 1
			}
			if s.Nodes != nil {
				v.key, v.keys = uint64(s.Nodes[k]), byNode
			} else if at, ok := pack.NewPoint(p[0], p[1]); ok {
				v.key, v.keys = uint64(uint32(at.Lng))<<32|uint64(uint32(at.Lat)), byPlace
			}
			vertices = append(vertices, v)
		}
	}
	slices.SortFunc(vertices, func(a, b vertex) int {
		return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.keys, b.keys), cmp.Compare(a.street, b.street), cmp.Compare(a.number, b.number))
	})
	return vertices
}

// number keeps the vertices at which three legs or more meet, and numbers the junctions that they are.
func number(vertices []vertex, streets []street.Street) (junctions []vertex, at []pack.Point) {
	for i := 0; i < len(vertices); {
		legs, end := 0, i
		for ; end < len(vertices) && vertices[end].key == vertices[i].key && vertices[end].keys == vertices[i].keys; end++ {
			legs += int(vertices[end].legs)
		}
		if legs >= 3 {
			first := vertices[i]
			p := streets[first.street].Line[first.number]
			place, _ := pack.NewPoint(p[0], p[1])
			for _, v := range vertices[i:end] {
				v.junction = uint32(len(at))
				junctions = append(junctions, v)
			}
			at = append(at, place)
		}
		i = end
	}
	return junctions, at
}

// consolidate tells for every junction which one it is taken together with: the first of a group in which each is
// within so many metres of another.
func consolidate(at []pack.Point, metres float64) []uint32 {
	group := make([]uint32, len(at))
	for i := range group {
		group[i] = uint32(i)
	}
	find := func(i uint32) uint32 {
		for group[i] != i {
			group[i] = group[group[i]]
			i = group[i]
		}
		return i
	}
	index, order := strip.New(at, 4*metres)
	for i, p := range at {
		from := strip.Degrees(p)
		plane := geo.NewPlane(from)
		index.Runs(from, metres, func(lo, hi int) {
			for _, k := range order[lo:hi] {
				if plane.Distance(strip.Degrees(at[k])) <= metres {
					a, b := find(uint32(i)), find(k)
					group[max(a, b)] = min(a, b)
				}
			}
		})
	}
	for i := range group {
		group[i] = find(uint32(i))
	}
	return group
}

// crossing counts the legs of the junctions that are one.
type crossing struct {
	junctions      int
	lng, lat       int64 // sums
	twoWay, oneWay int   // legs
	auto, walkers  int   // legs of streets for cars alone and for walkers
}

func (x *crossing) add(p pack.Point) {
	x.junctions++
	x.lng, x.lat = x.lng+int64(p.Lng), x.lat+int64(p.Lat)
}

func (x *crossing) middle() pack.Point {
	n := int64(x.junctions)
	return pack.Point{Lng: int32(x.lng / n), Lat: int32(x.lat / n)}
}

// count adds legs of a street, or takes them back.
func (x *crossing) count(legs int, s *street.Street, c *calibration.Calibration) {
	if oneWay(s) {
		x.oneWay += legs
	} else {
		x.twoWay += legs
	}
	switch facility(s, c) {
	case auto:
		x.auto += legs
	case walkers:
		x.walkers += legs
	}
}

// weight is what EPA's D3B counts the crossing as. The carriageways of one road, which meet another road in junctions
// of their own, are half a leg each. Where only streets for cars and others meet that are not for walkers it is nothing.
func (x *crossing) weight(c *calibration.Intersections) float64 {
	legs := x.twoWay + x.oneWay
	if x.junctions > 1 {
		legs = x.twoWay + (x.oneWay+1)/2
	}
	switch {
	case legs < 3 || x.auto > 0 && x.walkers == 0:
		return 0
	case legs == 3:
		return c.Three
	}
	return c.Four
}

// dropInner takes back the legs between junctions of one crossing.
func dropInner(junctions []vertex, merged []uint32, streets []street.Street, crossings []crossing, c *calibration.Calibration) {
	slices.SortFunc(junctions, func(a, b vertex) int {
		return cmp.Or(cmp.Compare(a.street, b.street), cmp.Compare(a.number, b.number))
	})
	for i := 1; i < len(junctions); i++ {
		a, b := junctions[i-1], junctions[i]
		if a.street != b.street || merged[a.junction] != merged[b.junction] {
			continue
		}
		s := &streets[a.street]
		// A loop that comes back to its crossing is two streets, not an inner way.
		if length(s.Line[a.number:b.number+1]) <= 3*c.Form.Intersections.ConsolidateM {
			crossings[merged[a.junction]].count(-2, s, c)
		}
	}
}

func length(line orb.LineString) float64 {
	sum := 0.0
	for i := 1; i < len(line); i++ {
		sum += geo.Distance(line[i-1], line[i])
	}
	return sum
}

type kind int

const (
	mixed kind = iota
	auto
	walkers
)

// facility is whom a street is for, after EPA's Smart Location Database.
func facility(s *street.Street, c *calibration.Calibration) kind {
	i := &c.Form.Intersections
	if s.Car == "no" {
		return walkers
	}
	road, _ := c.Traffic.Of(s.Class, oneWay(s), s.Lanes, s.SpeedKMH)
	switch {
	case !s.Foot, road.SpeedKMH >= i.AutoKMH, oneWay(s) && road.SpeedKMH >= i.AutoOneWay:
		return auto
	case road.SpeedKMH <= i.WalkersKMH && !oneWay(s):
		return walkers
	}
	return mixed
}

func oneWay(s *street.Street) bool { return s.Car == "forward" || s.Car == "backward" }

// counted are intersections, found by place.
type counted struct {
	index  *strip.Index
	at     []orb.Point
	weight []float64
}

func newCounted(all []intersection, radius float64) *counted {
	points := make([]pack.Point, len(all))
	for i := range all {
		points[i] = all[i].at
	}
	x := &counted{at: make([]orb.Point, len(all)), weight: make([]float64, len(all))}
	index, order := strip.New(points, radius/4)
	for i, from := range order {
		x.at[i], x.weight[i] = strip.Degrees(all[from].at), all[from].weight
	}
	x.index = index
	return x
}

// within is the weight of all within radius metres of p.
func (x *counted) within(p orb.Point, radius float64) (sum float64) {
	plane := geo.NewPlane(p)
	x.index.Runs(p, radius, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			if dx, dy := plane.XY(x.at[i]); dx*dx+dy*dy <= radius*radius {
				sum += x.weight[i]
			}
		}
	})
	return sum
}

const sqMile = 1609.344 * 1609.344 // m²

// density is intersections a square mile, as a rank of EPA's on the scale of 0 to 5. land is the share of the disc.
func density(sum, land float64, f *calibration.Form) float64 {
	i := &f.Intersections
	area := math.Pi * f.RadiusM * f.RadiusM * max(land, i.LeastLand)
	return 5 * float64(i.Rank(sum/area*sqMile)-1) / float64(len(i.RanksSqMi))
}
