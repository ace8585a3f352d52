package areal

import (
	"slices"

	"quartier/internal/coord"
)

// Window is what of a shape matters in a box: it relates smaller boxes and shares areas in it as the shape does, and
// looks at less. It is to be set before anything else, and serves one goroutine at a time.
type Window struct {
	shape *Shape
	edges []edge // that pass through the box
	above []run  // of those that pass north of it, between its sides
}

// run is edges one after another that pass north of a box, from a longitude to another one: west where the polygon lies
// south of them, east where north. What they have in common with an outline in the box depends on both ends alone, which
// spares looking at most edges.
type run struct {
	start, end float64
}

func runOf(x0, x1, sign float64) run {
	if sign > 0 {
		return run{x1, x0}
	}
	return run{x0, x1}
}

// join appends another run at either end; false where they do not touch.
func (r *run) join(o run) bool {
	switch {
	case o.start == r.end:
		r.end = o.end
	case o.end == r.start:
		r.start = o.start
	default:
		return false
	}
	return true
}

// clip is the run between two longitudes; false where there is nothing of it.
func (r run) clip(west, east float64) (run, bool) {
	r.start, r.end = min(max(r.start, west), east), min(max(r.end, west), east)
	return r, r.start != r.end
}

// Set makes w what s is in the box, in the memory that it has. It tells nothing true once s is set again.
func (w *Window) Set(s *Shape, southwest, northeast coord.Point) {
	w.shape = s
	w.edges, w.above = w.edges[:0], w.above[:0]
	if !s.round {
		o := boxOf(southwest, northeast)
		s.polygons.window(&o, w)
	}
}

func (s *polygons) window(o *box, w *Window) {
	if s.apart(o) {
		return
	}
	first, last := s.band(o.west), s.band(o.east)
	for b := first; b <= last; b++ {
		for _, i := range s.list[s.starts[b]:s.starts[b+1]] {
			e := &s.edges[i]
			if e.band < b && b > first {
				continue // seen
			}
			switch e.course(o) {
			case through:
				w.edges = append(w.edges, *e)
			case above:
				if e.x0 < e.x1 {
					w.pass(runOf(max(e.x0, o.west), min(e.x1, o.east), e.sign))
				}
			}
		}
	}
}

// pass adds an edge north of the box to the run that it touches.
func (w *Window) pass(r run) {
	for i := range w.above {
		if a := &w.above[i]; a.join(r) {
			if a.start == a.end {
				w.above = slices.Delete(w.above, i, i+1)
			}
			return
		}
	}
	w.above = append(w.above, r)
}

// RelateBox is as that of the shape, of a box in the window's.
func (w *Window) RelateBox(southwest, northeast coord.Point) Relation {
	o := boxOf(southwest, northeast)
	if w.shape.round {
		return w.shape.disc.relate(&o)
	}
	inside := 0.0
	for i := range w.edges {
		switch e := &w.edges[i]; e.course(&o) {
		case through:
			return Across
		case above:
			if e.x0 <= o.west {
				inside += e.sign
			}
		}
	}
	for _, r := range w.above {
		if r.end <= o.west && o.west < r.start {
			inside++
		} else if r.start <= o.west && o.west < r.end {
			inside--
		}
	}
	return sided(inside)
}

// Share is as that of the shape, of an area whose corners' box is the one given and in the window's.
func (w *Window) Share(a coord.Area, southwest, northeast coord.Point) float64 {
	o := boxOf(southwest, northeast)
	if w.shape.round {
		return w.shape.disc.share(a, &o)
	}
	return w.overlap(a, &o)
}

func boxOf(southwest, northeast coord.Point) box {
	return box{float64(southwest.Lng), float64(southwest.Lat), float64(northeast.Lng), float64(northeast.Lat)}
}
