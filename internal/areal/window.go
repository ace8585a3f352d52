package areal

import (
	"slices"

	"quartier/internal/coord"
)

// Window is the part of a shape that matters inside a box. For boxes and areas in that box it gives the same results as
// the shape with less work. It must be set before use and is for one goroutine.
type Window struct {
	shape *Shape
	edges []edge // that pass through the box
	above []run  // of those that pass north of it, between its sides
}

// run is a chain of edges that pass north of a box from one longitude to another: towards the west if the polygon is south
// of them, towards the east if north. What it contributes to an outline in the box depends on its two ends only, so that
// most edges of a polygon need no look.
type run struct {
	start, end float64
}

func runOf(x0, x1, sign float64) run {
	if sign > 0 {
		return run{x1, x0}
	}
	return run{x0, x1}
}

// join appends another run at either end; false if they do not touch.
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

// clip is the part of the run between two longitudes; false if there is none.
func (r run) clip(west, east float64) (run, bool) {
	r.start, r.end = min(max(r.start, west), east), min(max(r.end, west), east)
	return r, r.start != r.end
}

// Set makes w the window on s in a box and reuses its memory. It is invalid once s is set again.
func (w *Window) Set(s *Shape, b coord.Box) {
	w.shape = s
	w.edges, w.above = w.edges[:0], w.above[:0]
	if !s.round {
		o := boxOf(b)
		s.polygons.window(&o, w)
	}
}

func (s *polygons) window(o *box, w *Window) {
	if s.disjoint(o) {
		return
	}
	first, last := s.band(o.west), s.band(o.east)
	for b := first; b <= last; b++ {
		for _, i := range s.list[s.starts[b]:s.starts[b+1]] {
			e := &s.edges[i]
			if e.band < b && b > first {
				continue // already seen
			}
			switch e.edgePosition(o) {
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

// Relate is that of the shape, for a box inside the window's.
func (w *Window) Relate(b coord.Box) Relation {
	o := boxOf(b)
	if w.shape.round {
		return w.shape.disc.relate(&o)
	}
	inside := 0.0
	for i := range w.edges {
		switch e := &w.edges[i]; e.edgePosition(&o) {
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

// Share is that of the shape, for an area whose bounding box is given and inside the window's.
func (w *Window) Share(a coord.Area, bound coord.Box) float64 {
	o := boxOf(bound)
	if w.shape.round {
		return w.shape.disc.share(a, &o)
	}
	return w.overlap(a, &o)
}

func boxOf(b coord.Box) box {
	return box{float64(b.Min.Lng), float64(b.Min.Lat), float64(b.Max.Lng), float64(b.Max.Lat)}
}
