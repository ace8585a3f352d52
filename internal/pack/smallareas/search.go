package smallareas

import (
	"quartier/internal/areal"
	"quartier/internal/coord"
	"quartier/schemas/demographics"
)

// weights are how much of an area lies in a shape, 0 to 1, by universe − 1.
type weights = [demographics.Universes]float64

var whole = weights{1, 1, 1}

// taker takes what a search finds, area after area.
type taker interface {
	// node takes the sums of a node that lies wholly in the shape; false where its areas are to be taken one by one.
	node(l *level, n int) bool
	// area takes an area of which the share w lies in the shape. cut is the square sum, by universe, of what the parts
	// that the shape cuts weigh in the area, each times f(1 − f) of its share f inside.
	area(area int, w, cut weights)
}

// search is a walk down the tree.
type search struct {
	*Table
	shape   *areal.Shape
	allowed regionSet
	taker   taker
	window  *areal.Window // around an area
}

// find hands what of the areas of a scope lies in a shape to a taker.
func (t *Table) find(shape *areal.Shape, scope Scope, taker taker, window *areal.Window) {
	s := search{t, shape, t.regions(scope), taker, window}
	if depth := len(t.levels); depth > 0 {
		s.nodes(depth, 0, 1, false)
	}
}

// nodes walks nodes of the depth-th level from the areas; inside where they are known to lie in the shape.
func (s *search) nodes(depth, first, last int, inside bool) {
	l := &s.levels[depth-1]
	for n := first; n < last; n++ {
		region := l.region[n]
		if region != mixed && !s.allowed.has(region) {
			continue
		}
		relation := areal.Inside
		if !inside {
			relation = s.relate(l.boxes, n)
		}
		within := relation == areal.Inside
		switch {
		case relation == areal.Outside:
		case within && region != mixed && s.taker.node(l, n):
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
		relation := areal.Inside
		if !inside {
			relation = s.relate(s.boxes, area)
		}
		switch relation {
		case areal.Inside:
			s.taker.area(area, whole, weights{})
		case areal.Across:
			if w, cut := s.share(area); w != (weights{}) {
				s.taker.area(area, w, cut)
			}
		}
	}
}

// share weighs the parts of an area that lie in the shape. The sum of all parts is the area's own, term by term, so that
// an area is whole where all of its parts that weigh anything are.
func (s *search) share(area int) (w, cut weights) {
	s.window.Set(s.shape, boxAt(s.boxes, area))
	first, last := s.partsOf(area)
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
		if w[u] = min(w[u]/total, 1); !(w[u] > 0) { // also where it is no number
			w[u], cut[u] = 0, 0
		}
	}
	return w, cut
}
