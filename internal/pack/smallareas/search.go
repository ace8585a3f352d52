package smallareas

import (
	"quartier/internal/areal"
	"quartier/internal/coord"
	"quartier/internal/pack"
	"quartier/schemas/demographics"
)

// weights are the shares of an area in a shape, 0 to 1, by universe − 1.
type weights = [demographics.Universes]float64

var whole = weights{1, 1, 1}

// visitor receives the areas that a search finds.
type visitor interface {
	// node receives a node that is entirely in the shape; false to receive its areas one by one instead.
	node(l *level, n int) bool
	// area receives an area with its share w in the shape. cut is, by universe, the sum over the parts that the shape
	// cuts of the square of their share in the area times f(1 − f), f being their share inside.
	area(area int, w, cut weights)
}

// search is a descent of the tree.
type search struct {
	*Table
	shape   *areal.Shape
	allowed regionSet
	visitor visitor
	window  *areal.Window // around an area
	meter   pack.Meter
}

// nodeWork is the work on a node, an area or a part of one, in units of a pack.Meter.
const nodeWork = 100

// find passes the areas of a scope that are in a shape to a visitor.
func (t *Table) find(shape *areal.Shape, scope Scope, visitor visitor, window *areal.Window) {
	s := search{t, shape, t.regions(scope), visitor, window, pack.Meter{Stop: scope.Stop}}
	if depth := len(t.levels); depth > 0 {
		s.nodes(depth, 0, 1, false)
	}
}

// nodes searches nodes of the given level from the areas; inside if they are known to be in the shape.
func (s *search) nodes(depth, first, last int, inside bool) {
	l := &s.levels[depth-1]
	for n := first; n < last; n++ {
		region := l.region[n]
		if region != mixed && !s.allowed.has(region) {
			continue
		}
		if s.meter.Spend(nodeWork) {
			return
		}
		relation := areal.Inside
		if !inside {
			relation = s.relate(l.boxes, n)
		}
		within := relation == areal.Inside
		switch {
		case relation == areal.Outside:
		case within && region != mixed && s.visitor.node(l, n):
		case depth > 1:
			s.nodes(depth-1, n*fan, min((n+1)*fan, l.below), within)
		default:
			s.areas(n*fan, min((n+1)*fan, l.below), within)
		}
	}
}

// boxAt is box i of a section of corners.
func boxAt(corners []coord.Point, i int) coord.Box {
	return coord.Box{Min: corners[2*i], Max: corners[2*i+1]}
}

func (s *search) relate(boxes []coord.Point, i int) areal.Relation {
	return s.shape.Relate(boxAt(boxes, i))
}

func (s *search) areas(first, last int, inside bool) {
	for area := first; area < last; area++ {
		if !s.allowed.has(s.region[area]) {
			continue
		}
		if s.meter.Spend(nodeWork) {
			return
		}
		relation := areal.Inside
		if !inside {
			relation = s.relate(s.boxes, area)
		}
		switch relation {
		case areal.Inside:
			s.visitor.area(area, whole, weights{})
		case areal.Across:
			if w, cut := s.share(area); w != (weights{}) {
				s.visitor.area(area, w, cut)
			}
		}
	}
}

// share adds up the weights of the parts of an area that are in the shape. The sum over all parts equals area.weight
// exactly, term by term, so that an area with all its parts inside has the share 1.
func (s *search) share(area int) (w, cut weights) {
	s.window.Set(s.shape, boxAt(s.boxes, area))
	first, last := s.partsOf(area)
	s.meter.Spend(nodeWork * (last - first))
	for part := first; part < last; part++ {
		f := 1.0
		bound := boxAt(s.partBoxes, part)
		switch s.window.Relate(bound) {
		case areal.Outside:
			continue
		case areal.Across:
			outline := coord.Area{Points: s.outlines.At(part), Ends: s.rings.At(part)}
			if f = s.window.Share(outline, bound); f <= 0 {
				continue
			}
		}
		for u, weight := range s.partShare[universes*part:][:universes] {
			w[u] += f * float64(weight)
			cut[u] += f * (1 - f) * float64(weight) * float64(weight)
		}
	}
	for u, total := range s.weights[universes*area:][:universes] {
		cut[u] /= total * total
		if w[u] = min(w[u]/total, 1); !(w[u] > 0) { // also NaN
			w[u], cut[u] = 0, 0
		}
	}
	return w, cut
}
