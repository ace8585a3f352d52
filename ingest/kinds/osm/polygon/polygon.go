// Package polygon assembles multipolygons from the lines of multipolygon and boundary relations, in any order and
// direction. It ignores roles, which are often wrong or missing: the geometry shows which rings are outer rings and
// which are holes.
package polygon

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/paulmach/orb"

	"quartier/schemas/reason"
)

var own reason.List

// OpenOutline is the reason of rows whose outline is an OpenError.
var OpenOutline = own.Rejected("open_outline", "The outline is not closed.")

// ErrEmpty is returned if the lines enclose no area.
var ErrEmpty = errors.New("the outline encloses no area")

// OpenError is the error of an outline that is not closed.
type OpenError struct {
	Ends []orb.Point // ends of lines at which no other one continues, sorted
}

func (e *OpenError) Error() string {
	p := e.Ends[0]
	return fmt.Sprintf("the outline is open at %d places, first at %.7f,%.7f", len(e.Ends), p.X(), p.Y())
}

// Assemble joins lines into the area that they enclose by the even-odd rule. Lines meet at equal points. Rings that
// touch at points are separated there. A segment that occurs twice, such as between two adjacent outer rings, is not a
// border. Outer rings run counter-clockwise, holes clockwise. The result does not depend on the order of the lines.
// Lines that cross between their points are not detected.
//
// For example, the lines (0 0, 4 0, 4 4), (4 4, 0 4, 0 0) and (1 1, 2 1, 2 2, 1 1) give a square with a triangular hole.
func Assemble(lines []orb.LineString) (orb.MultiPolygon, error) {
	g := newGraph(lines)
	if open := g.open(); len(open) > 0 {
		return nil, &OpenError{Ends: open}
	}
	area := nest(g.rings())
	if len(area) == 0 {
		return nil, ErrEmpty
	}
	return area, nil
}

// graph has the segments of an outline. Segment i has two ends, 2*i and 2*i+1, each at a vertex.
type graph struct {
	points []orb.Point // vertices, sorted
	at     []int32     // the vertex of each end
	ends   []int32     // all ends, sorted by vertex
	first  []int32     // index in ends of the first end of each vertex, and their total
}

func newGraph(lines []orb.LineString) *graph {
	g := &graph{}
	segments := oddSegments(lines)
	for _, s := range segments {
		g.points = append(g.points, s[0], s[1])
	}
	slices.SortFunc(g.points, comparePoints)
	g.points = slices.Compact(g.points)
	g.first = make([]int32, len(g.points)+1)
	for i, s := range segments {
		for _, p := range s {
			v, _ := slices.BinarySearchFunc(g.points, p, comparePoints)
			g.at = append(g.at, int32(v))
			g.first[v+1]++
		}
		g.ends = append(g.ends, int32(2*i), int32(2*i+1))
	}
	for v := range g.points {
		g.first[v+1] += g.first[v]
	}
	slices.SortStableFunc(g.ends, func(a, b int32) int { return cmp.Compare(g.at[a], g.at[b]) })
	return g
}

// oddSegments returns the segments that occur an odd number of times, each from its lesser to its greater point.
func oddSegments(lines []orb.LineString) [][2]orb.Point {
	var all [][2]orb.Point
	for _, line := range lines {
		for i := 1; i < len(line); i++ {
			switch comparePoints(line[i-1], line[i]) {
			case -1:
				all = append(all, [2]orb.Point{line[i-1], line[i]})
			case 1:
				all = append(all, [2]orb.Point{line[i], line[i-1]})
			}
		}
	}
	slices.SortFunc(all, func(a, b [2]orb.Point) int {
		return cmp.Or(comparePoints(a[0], b[0]), comparePoints(a[1], b[1]))
	})
	odd := all[:0]
	for _, s := range all {
		if n := len(odd); n > 0 && odd[n-1] == s {
			odd = odd[:n-1]
		} else {
			odd = append(odd, s)
		}
	}
	return odd
}

func comparePoints(a, b orb.Point) int {
	return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1]))
}

// open returns the vertices where an odd number of segments meet.
func (g *graph) open() []orb.Point {
	var open []orb.Point
	for v, p := range g.points {
		if (g.first[v+1]-g.first[v])%2 == 1 {
			open = append(open, p)
		}
	}
	return open
}

// pair returns for each end the other end at its vertex that continues the ring. If more than two meet, those are paired
// that have a corner of the area between them: such rings touch but never cross, and an area that is connected only at
// points is split there, as in valid polygons.
func (g *graph) pair() []int32 {
	partner := make([]int32, len(g.at))
	for v := range g.points {
		ends := g.ends[g.first[v]:g.first[v+1]]
		from := 0
		if len(ends) > 2 {
			slices.SortStableFunc(ends, func(a, b int32) int { return cmp.Compare(g.direction(a), g.direction(b)) })
			from = g.corner(v, ends)
		}
		for i := 0; i < len(ends); i += 2 {
			a, b := ends[(from+i)%len(ends)], ends[(from+i+1)%len(ends)]
			partner[a], partner[b] = b, a
		}
	}
	return partner
}

// corner returns an index in the ends of a vertex, sorted by direction, such that the area is between that end and the
// next. It casts a ray down from the vertex, slightly to the right, and counts the segments that it crosses.
func (g *graph) corner(vertex int, ends []int32) int {
	below := 0
	for below < len(ends) && g.direction(ends[below]) <= -math.Pi/2 {
		below++
	}
	p, inside := g.points[vertex], false
	for i := 0; i < len(g.at); i += 2 {
		a, b := g.points[g.at[i]], g.points[g.at[i+1]] // a is the lesser one
		if a[0] <= p[0] && p[0] < b[0] && a != p && (b[0]-a[0])*(p[1]-a[1]) > (b[1]-a[1])*(p[0]-a[0]) {
			inside = !inside
		}
	}
	if inside {
		return below + len(ends) - 1
	}
	return below
}

// direction returns the angle at which the segment leaves the vertex of its end.
func (g *graph) direction(end int32) float64 {
	from, to := g.points[g.at[end]], g.points[g.at[end^1]]
	return math.Atan2(to[1]-from[1], to[0]-from[0])
}

// rings follows all segments and splits off a ring whenever it reaches a vertex again.
func (g *graph) rings() []orb.Ring {
	partner := g.pair()
	used := make([]bool, len(g.at)/2)
	place := make([]int32, len(g.points)) // index of a vertex on the path, plus one
	var rings []orb.Ring
	var path []int32
	for start := range used {
		if used[start] {
			continue
		}
		path = append(path[:0], g.at[2*start])
		place[path[0]] = 1
		for end := int32(2 * start); !used[end/2]; {
			used[end/2] = true
			v := g.at[end^1]
			if back := place[v]; back > 0 {
				rings = append(rings, g.ring(path[back-1:]))
				for _, left := range path[back:] {
					place[left] = 0
				}
				path = path[:back]
			} else {
				path = append(path, v)
				place[v] = int32(len(path))
			}
			end = partner[end^1]
		}
		for _, left := range path {
			place[left] = 0
		}
	}
	return rings
}

func (g *graph) ring(path []int32) orb.Ring {
	ring := make(orb.Ring, 0, len(path)+1)
	for _, v := range path {
		ring = append(ring, g.points[v])
	}
	return append(ring, ring[0])
}
