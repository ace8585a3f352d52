package shapes

import (
	"cmp"
	"math"
	"slices"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"

	"quartier/internal/geo"
	"quartier/internal/wkt"
)

// minVertices is the number of vertices of the smallest closed ring.
const minVertices = 4

// Check reports why rings do not bound an area, nil where they do: each is closed, in range, simple, and neither crosses another
// nor is where it does not belong. Polygons may touch each other, and a hole its polygon.
func Check(m orb.MultiPolygon) error {
	var rings []ring
	bound := orb.Bound{Min: orb.Point{math.Inf(1), math.Inf(1)}, Max: orb.Point{math.Inf(-1), math.Inf(-1)}}
	for i, polygon := range m {
		for k, vertices := range polygon {
			if err := checkRing(vertices); err != nil {
				return err
			}
			r := ring{vertices: vertices, bound: vertices.Bound(), polygon: i, hole: k > 0}
			bound = bound.Union(r.bound)
			rings = append(rings, r)
		}
	}
	if bound.Max[0]-bound.Min[0] > 180 {
		return ErrWide
	}
	for _, r := range rings {
		if problem := wkt.SelfContact(r.vertices); problem != "" {
			return wrong(ErrRing, "%s", problem)
		}
	}
	if len(rings) == 1 {
		return nil
	}
	if at, crossing := crossing(rings); crossing {
		return wrong(ErrCrossing, "near %v %v", at[0], at[1])
	}
	return checkNesting(rings)
}

func checkRing(vertices orb.Ring) error {
	for i, v := range vertices {
		if !(math.Abs(v[0]) <= 180 && math.Abs(v[1]) <= 90) { // also NaN
			return wrong(ErrRange, "vertex %d, longitude %v latitude %v", i+1, v[0], v[1])
		}
	}
	switch n := len(vertices); {
	case n > 0 && vertices[0] != vertices[n-1]:
		return ErrOpen
	case n < minVertices:
		return wrong(ErrRing, "%d vertices, at least %d are needed", n, minVertices)
	}
	return nil
}

// ring is a ring of a shape.
type ring struct {
	vertices orb.Ring
	bound    orb.Bound
	polygon  int
	hole     bool
	prepared *geo.Prepared
}

// locate is the side of the ring on which a point is.
func (r *ring) locate(p orb.Point) geo.Side {
	if !r.bound.Contains(p) {
		return geo.Outside
	}
	if r.prepared == nil {
		r.prepared = geo.Prepare(orb.MultiPolygon{{r.vertices}})
	}
	return r.prepared.Locate(p)
}

// tolerance is how far, in degrees, rings may be on the wrong side of each other: a centimetre, to which shapes are rounded.
const tolerance = 1e-7

// near reports whether a point is on the ring within the tolerance.
func (r *ring) near(p orb.Point) bool {
	for k := 1; k < len(r.vertices); k++ {
		if planar.DistanceFromSegmentSquared(r.vertices[k-1], r.vertices[k], p) <= tolerance*tolerance {
			return true
		}
	}
	return false
}

// crossing finds a point at which edges of two rings cross each other: of the edges by longitude, it compares those whose
// extents overlap.
func crossing(rings []ring) (at orb.Point, found bool) {
	type edge struct {
		a, b orb.Point
		east float64
		ring int
	}
	var edges []edge
	for i, r := range rings {
		for k := 1; k < len(r.vertices); k++ {
			a, b := r.vertices[k-1], r.vertices[k]
			if a[0] > b[0] {
				a, b = b, a
			}
			edges = append(edges, edge{a, b, b[0], i})
		}
	}
	slices.SortFunc(edges, func(e, f edge) int { return cmp.Compare(e.a[0], f.a[0]) })
	var open []edge
	for _, e := range edges {
		kept := open[:0]
		for _, f := range open {
			if f.east < e.a[0] {
				continue
			}
			kept = append(kept, f)
			if e.ring != f.ring && max(e.a[1], e.b[1]) >= min(f.a[1], f.b[1]) && max(f.a[1], f.b[1]) >= min(e.a[1], e.b[1]) &&
				crosses(e.a, e.b, f.a, f.b) {
				return e.a, true
			}
		}
		open = append(kept, e)
	}
	return at, false
}

// crosses reports whether two segments cross, by more than the tolerance.
func crosses(a, b, c, d orb.Point) bool {
	return apart(a, b, c, d) && apart(c, d, a, b)
}

// apart reports whether c and d are on different sides of the line a–b, farther away than the tolerance.
func apart(a, b, c, d orb.Point) bool {
	x, y := b[0]-a[0], b[1]-a[1]
	least := tolerance * math.Hypot(x, y)
	of := func(p orb.Point) float64 { return x*(p[1]-a[1]) - y*(p[0]-a[0]) }
	p, q := of(c), of(d)
	return p > least && q < -least || p < -least && q > least
}

// manyVertices is from which number on the vertices of a ring are not looked at one by one for each smaller ring.
const manyVertices = 10_000

// checkNesting checks that holes are in their polygons and not in each other, and that no polygon is in another, but in a hole
// of it. Rings do not cross, but at vertices.
func checkNesting(rings []ring) error {
	depth := make([]map[int]int, len(rings)) // by ring and polygon: 1 in its outline, less 1 for each of its holes
	order := make([]int, len(rings))
	for i := range rings {
		order[i], depth[i] = i, map[int]int{}
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(rings[i].bound.Min[0], rings[j].bound.Min[0]) })
	for n, i := range order {
		for _, j := range order[n+1:] {
			if rings[j].bound.Min[0] > rings[i].bound.Max[0] {
				break
			}
			if !rings[i].bound.Intersects(rings[j].bound) {
				continue
			}
			for _, pair := range [][2]int{{i, j}, {j, i}} {
				inside, of := &rings[pair[0]], &rings[pair[1]]
				if len(inside.vertices) > max(manyVertices, len(of.vertices)) && !contains(of.bound, inside.bound) {
					continue
				}
				in, clear := within(inside, of)
				switch {
				case !clear:
					return wrong(ErrNesting, "near %v %v", inside.vertices[0][0], inside.vertices[0][1])
				case in && of.hole:
					depth[pair[0]][of.polygon]--
				case in:
					depth[pair[0]][of.polygon]++
				}
			}
		}
	}
	for i := range rings {
		r := &rings[i]
		if r.hole {
			depth[i][r.polygon]-- // it is to be in its own outline
		}
		for _, d := range depth[i] {
			if d != 0 {
				return wrong(ErrNesting, "near %v %v", r.vertices[0][0], r.vertices[0][1])
			}
		}
	}
	return nil
}

func contains(a, b orb.Bound) bool { return a.Contains(b.Min) && a.Contains(b.Max) }

// within reports whether a ring is inside another, by its vertices and the middles of its edges. It is not clear where some are
// inside and some outside, or all are on the other ring.
func within(r, of *ring) (in, clear bool) {
	side, at := geo.Edge, orb.Point{}
	look := func(p orb.Point) bool {
		found := of.locate(p)
		switch {
		case found == geo.Edge || found == side || side != geo.Edge && of.near(p):
			return true
		case side != geo.Edge && !of.near(at):
			return false
		}
		side, at = found, p
		return true
	}
	for k := 1; k < len(r.vertices); k++ {
		a, b := r.vertices[k-1], r.vertices[k]
		if !look(b) || !look(orb.Point{(a[0] + b[0]) / 2, (a[1] + b[1]) / 2}) {
			return false, false
		}
	}
	return side == geo.Inside, side != geo.Edge
}
