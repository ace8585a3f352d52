package strips

import (
	"cmp"
	"math"
	"slices"

	"quartier/internal/coord"
)

// sweep goes through the points of a strip from west to east, with the edges of an outline in the strip, and finds which of
// them are in the outline. It compares a point with the edges that are at its longitude, however many the strip has, and
// with those whose end in the strip it has passed. Its memory is kept.
//
// Example: of the edges |a  /b  |c the points west of a are outside, those between a and b inside without a look at them,
// and those at the longitudes of b are compared with b alone.
type sweep struct {
	edges  []stripEdge
	next   int     // of edges: the first that is east of the longitude that is looked at
	here   []int32 // of edges: at that longitude
	ending []int32 // west of it, not through the strip
	inside bool    // whether an odd number of the others is west of it
}

// stripEdge is an edge in a strip of latitudes, with a not north of b.
type stripEdge struct {
	a, b       coord.Point
	west, east float64 // of its part in the strip, in units
	through    bool    // from south of the strip to north of it
}

// collect lists the edges that are in a strip of latitudes, south to north, from west to east.
func (w *sweep) collect(o *outline, south, north int64) {
	w.edges, w.next, w.here, w.ending, w.inside = w.edges[:0], 0, w.here[:0], w.ending[:0], false
	strip := coord.Box{Min: coord.Point{Lng: math.MinInt32, Lat: int32(south)}, Max: coord.Point{Lng: math.MaxInt32, Lat: int32(north)}}
	o.tree.Search(strip, func(i uint32) bool {
		for k := o.leaves[i].first; k < o.leaves[i].last; k++ {
			w.add(o.points[k], o.points[k+1], south, north)
		}
		return true
	})
	slices.SortFunc(w.edges, func(e, f stripEdge) int { return cmp.Compare(e.west, f.west) })
}

// add adds the edge from a to b if it is in the strip.
func (w *sweep) add(a, b coord.Point, south, north int64) {
	if a.Lat > b.Lat {
		a, b = b, a
	}
	if int64(b.Lat) < south || int64(a.Lat) > north {
		return
	}
	from, to := float64(a.Lng), float64(b.Lng)
	if rise := float64(b.Lat) - float64(a.Lat); rise > 0 {
		slope := (to - from) / rise
		if d := float64(south) - float64(a.Lat); d > 0 {
			from += slope * d
		}
		if d := float64(b.Lat) - float64(north); d > 0 {
			to -= slope * d
		}
	}
	w.edges = append(w.edges, stripEdge{a, b, min(from, to) - 2, max(from, to) + 2, int64(a.Lat) <= south && int64(b.Lat) > north})
}

// crosses reports whether the edge crosses the latitude of p west of it: coord.Crosses, to the other side.
func (e *stripEdge) crosses(p coord.Point) bool {
	return e.a.Lat <= p.Lat && p.Lat < e.b.Lat && !coord.Crosses(e.a, e.b, p)
}

// pass moves on to a longitude.
func (w *sweep) pass(lng float64) {
	left := w.here[:0]
	for _, i := range w.here {
		if w.edges[i].east >= lng {
			left = append(left, i)
		} else {
			w.leave(i)
		}
	}
	w.here = left
	for ; w.next < len(w.edges) && w.edges[w.next].west <= lng; w.next++ {
		if w.edges[w.next].east >= lng {
			w.here = append(w.here, int32(w.next))
		} else {
			w.leave(int32(w.next))
		}
	}
}

// leave counts an edge that is west of the longitude.
func (w *sweep) leave(i int32) {
	if w.edges[i].through {
		w.inside = !w.inside
	} else {
		w.ending = append(w.ending, i)
	}
}

// contains reports whether a point at the longitude is in the outline: whether an odd number of edges is west of it.
func (w *sweep) contains(p coord.Point) bool {
	odd := w.inside
	for _, i := range w.ending {
		odd = odd != w.edges[i].crosses(p)
	}
	for _, i := range w.here {
		odd = odd != w.edges[i].crosses(p)
	}
	return odd
}

// runs pushes the points of a strip of a cell that are in the outline. The strips of cells have to be passed from west to east.
func (w *sweep) runs(x *Index, lo, hi uint32, push func(Run)) {
	begin := hi // of a run that is not finished, or hi
	for i := lo; i < hi; {
		p := x.Points[i]
		w.pass(float64(p.Lng))
		in, end := w.contains(p), i+1
		if len(w.here) == 0 { // up to the next edge all are on one side
			w.inside, w.ending, end = in, w.ending[:0], hi
			if w.next < len(w.edges) {
				end = x.longitudes(i, hi, w.edges[w.next].west)
			}
		}
		if in && begin == hi {
			begin = i
		} else if !in && begin < hi {
			push(Run{begin, i, true})
			begin = hi
		}
		i = end
	}
	push(Run{begin, hi, true})
}
