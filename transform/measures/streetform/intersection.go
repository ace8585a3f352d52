package streetform

import (
	"cmp"
	"math"
	"slices"

	"github.com/paulmach/orb"

	"quartier/internal/coord"
	"quartier/internal/geo"
	"quartier/internal/pointindex"
	"quartier/internal/rating"
	"quartier/schemas/calibration"
	"quartier/transform/network/junction"
	"quartier/transform/network/street"
)

// intersection is where streets meet, after nearby junctions were merged.
type intersection struct {
	at     coord.Point
	weight float64
}

// leg is a vertex of a street that belongs to a junction.
type leg struct {
	junction.Vertex
	junction uint32
}

// intersections finds where at least three legs of streets meet, without those of auto-oriented streets only.
func intersections(streets []street.Street, c *calibration.Calibration) []intersection {
	legs, at := junctions(streets, c.Form.Intersections.Classes)
	merged := consolidate(at, c.Form.Intersections.ConsolidateM)
	crossings := make([]crossing, len(at))
	for i := range at {
		crossings[merged[i]].add(at[i])
	}
	for _, v := range legs {
		s := &streets[v.Street]
		crossings[merged[v.junction]].count(v.Legs(s), s, c)
	}
	dropInner(legs, merged, streets, crossings, c)
	var found []intersection
	for i := range crossings {
		if weight := crossings[i].weight(&c.Form.Intersections); weight > 0 {
			found = append(found, intersection{crossings[i].centre(), weight})
		}
	}
	return found
}

// junctions are where three or more legs of streets of the classes meet.
func junctions(streets []street.Street, classes []string) (legs []leg, at []coord.Point) {
	admits := func(i int) bool { return slices.Contains(classes, streets[i].Class) }
	junction.Each(streets, admits, func(vertices []junction.Vertex) {
		count := 0
		for _, v := range vertices {
			count += v.Legs(&streets[v.Street])
		}
		if count < 3 {
			return
		}
		for _, v := range vertices {
			legs = append(legs, leg{v, uint32(len(at))})
		}
		p := streets[vertices[0].Street].Line[vertices[0].Number]
		place, _ := coord.NewPoint(p[0], p[1])
		at = append(at, place)
	})
	return legs, at
}

// consolidate returns for every junction the first one of its group. A group is connected by distances of at most the
// given metres: junctions at 0, 15 and 30 m on a line are one group for 20 m.
func consolidate(at []coord.Point, metres float64) junction.UnionFind {
	groups := junction.NewUnionFind(len(at))
	index, order := pointindex.New(at, 4*metres)
	for i, p := range at {
		plane := coord.NewPlane(p)
		index.Search(p, metres, func(lo, hi int) {
			for _, k := range order[lo:hi] {
				if plane.Square(at[k]) <= metres*metres {
					groups.Union(uint32(i), k)
				}
			}
		})
	}
	for i := range groups {
		groups[i] = groups.Find(uint32(i))
	}
	return groups
}

// crossing counts the legs of a group of junctions.
type crossing struct {
	junctions      int
	lng, lat       int64 // sums over the junctions
	twoWay, oneWay int   // legs
	auto, walkable int   // legs of auto-oriented and of pedestrian-oriented streets
}

func (x *crossing) add(p coord.Point) {
	x.junctions++
	x.lng, x.lat = x.lng+int64(p.Lng), x.lat+int64(p.Lat)
}

func (x *crossing) centre() coord.Point {
	n := int64(x.junctions)
	return coord.Point{Lng: int32(x.lng / n), Lat: int32(x.lat / n)}
}

// count adds legs of a street; a negative number removes them.
func (x *crossing) count(legs int, s *street.Street, c *calibration.Calibration) {
	if oneWay(s) {
		x.oneWay += legs
	} else {
		x.twoWay += legs
	}
	switch facility(s, c) {
	case auto:
		x.auto += legs
	case walkable:
		x.walkable += legs
	}
}

// weight is that of EPA's D3B. Where a divided road meets another road in several junctions, each carriageway counts
// as half a leg. It is 0 where auto-oriented streets meet, unless a pedestrian-oriented one does too.
//
// For example, a street that ends at a divided road makes two junctions 12 m apart: four one-way legs and, without
// the piece between the carriageways, one two-way leg. (4+1)/2 + 1 = 3 legs, rounded down.
func (x *crossing) weight(c *calibration.Intersections) float64 {
	legs := x.twoWay + x.oneWay
	if x.junctions > 1 {
		legs = x.twoWay + (x.oneWay+1)/2
	}
	switch {
	case legs < 3 || x.auto > 0 && x.walkable == 0:
		return 0
	case legs == 3:
		return c.Three
	}
	return c.Four
}

// dropInner removes the legs between junctions of the same crossing.
func dropInner(legs []leg, merged junction.UnionFind, streets []street.Street, crossings []crossing, c *calibration.Calibration) {
	slices.SortFunc(legs, func(a, b leg) int {
		return cmp.Or(cmp.Compare(a.Street, b.Street), cmp.Compare(a.Number, b.Number))
	})
	for i := 1; i < len(legs); i++ {
		a, b := legs[i-1], legs[i]
		if a.Street != b.Street || merged[a.junction] != merged[b.junction] {
			continue
		}
		s := &streets[a.Street]
		// A long loop that returns to its crossing is two streets, not an inner way.
		if length(s.Line[a.Number:b.Number+1]) <= 3*c.Form.Intersections.ConsolidateM {
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
	walkable
)

// facility classifies a street by its users, as in EPA's Smart Location Database.
func facility(s *street.Street, c *calibration.Calibration) kind {
	i := &c.Form.Intersections
	if s.Car == "no" {
		return walkable
	}
	road, _ := c.Traffic.Of(s.Class, oneWay(s), s.Lanes, s.SpeedKMH)
	switch {
	case !s.Foot, road.SpeedKMH >= i.AutoKMH, oneWay(s) && road.SpeedKMH >= i.AutoOneWay:
		return auto
	case road.SpeedKMH <= i.WalkersKMH && !oneWay(s):
		return walkable
	}
	return mixed
}

func oneWay(s *street.Street) bool { return s.Car == "forward" || s.Car == "backward" }

// indexed makes the weights of intersections searchable by position.
func indexed(all []intersection, radius float64) *pointindex.Values[float64] {
	points, weights := make([]coord.Point, len(all)), make([]float64, len(all))
	for i := range all {
		points[i], weights[i] = all[i].at, all[i].weight
	}
	return pointindex.NewValues(points, weights, radius/4)
}

// weightWithin is the sum of the weights within radius metres of p.
func weightWithin(x *pointindex.Values[float64], p coord.Point, radius float64) (sum float64) {
	x.Within(p, radius, func(weight *float64, _ float64) { sum += *weight })
	return sum
}

const sqMile = 1609.344 * 1609.344 // m²

// density converts a sum of weights to EPA's rank of intersections per square mile, on the scale of 0 to 5. land is
// the share of land in the disc.
func density(sum, land float64, f *calibration.Form) float64 {
	i := &f.Intersections
	area := math.Pi * f.RadiusM * f.RadiusM * max(land, i.MinLand)
	return rating.IntersectionDensity(f, float64(i.Rank(sum/area*sqMile)), nil)
}
