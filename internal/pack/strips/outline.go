package strips

import (
	"math"

	"quartier/internal/coord"
	"quartier/internal/geo"
)

// leafEdges is how many edges a leaf of an outline has.
const leafEdges = 8

// outline is an area prepared for containment and distance questions: a tree of boxes over its edges in the order of its
// rings. Its memory is kept when it is built again.
type outline struct {
	points []coord.Point
	leaves []leaf
	tree   coord.Tree
	recent int // the last leaf found within reach; it is tried first
}

// leaf is consecutive edges of one ring, between the points first to last.
type leaf struct{ first, last int32 }

func (o *outline) build(a coord.Area) {
	o.points, o.leaves, o.recent = a.Points, o.leaves[:0], 0
	for i := range a.Ends {
		end := int(a.Ends[i])
		for first := end - len(a.Ring(i)); first+1 < end; first += leafEdges {
			o.leaves = append(o.leaves, leaf{int32(first), int32(min(first+leafEdges, end-1))})
		}
	}
	o.tree.Build(len(o.leaves), func(i int) coord.Box {
		return coord.BoxAround(o.points[o.leaves[i].first : o.leaves[i].last+1])
	})
}

// box is the bounding box of the outline; false if it has no edges.
func (o *outline) box() (b coord.Box, ok bool) {
	o.tree.Walk(func(root coord.Box) bool { b, ok = root, true; return false }, nil)
	return b, ok
}

// contains is coord.Area.Contains.
func (o *outline) contains(p coord.Point) bool {
	odd := false
	ray := coord.Box{Min: p, Max: coord.Point{Lng: math.MaxInt32, Lat: p.Lat}}
	o.tree.Search(ray, func(i uint32) bool {
		l := o.leaves[i]
		if p.Lng < o.tree.Box(i).Min.Lng { // all of it is east of p: only its ends matter
			odd = odd != ((o.points[l.first].Lat > p.Lat) != (o.points[l.last].Lat > p.Lat))
			return true
		}
		for k := l.first; k < l.last; k++ {
			odd = odd != coord.Crosses(o.points[k], o.points[k+1], p)
		}
		return true
	})
	return odd
}

// within reports whether an edge passes within metres of p.
func (o *outline) within(p coord.Point, metres float64) bool {
	if len(o.leaves) == 0 {
		return false
	}
	plane, limit := coord.NewPlane(p), metres*metres
	if o.passes(o.recent, plane, limit) {
		return true
	}
	near := func(b coord.Box) bool { return plane.SquareToBox(b) <= limit }
	return !o.tree.Walk(near, func(i uint32) bool {
		if !o.passes(int(i), plane, limit) {
			return true
		}
		o.recent = int(i)
		return false
	})
}

// passes reports whether an edge of a leaf is within the square root of limit metres of the origin of a plane.
func (o *outline) passes(i int, plane coord.Plane, limit float64) bool {
	for k := o.leaves[i].first; k < o.leaves[i].last; k++ {
		if squareToSegment(plane, o.points[k], o.points[k+1]) <= limit {
			return true
		}
	}
	return false
}

// squareToSegment is the squared distance in metres from the origin of a plane to the segment a–b.
func squareToSegment(plane coord.Plane, a, b coord.Point) float64 {
	ax, ay := plane.XY(a)
	dx, dy := plane.Delta(a, b)
	t := 0.0
	if length := dx*dx + dy*dy; length > 0 {
		t = min(1, max(0, -(ax*dx+ay*dy)/length))
	}
	x, y := ax+t*dx, ay+t*dy
	return x*x + y*y
}

// lngRange is a range of longitudes in units.
type lngRange struct{ west, east float64 }

// ranges appends to dst the longitudes, in any order, at which an edge may be within buffer metres of a point in the strip
// of latitudes south to north (inclusive).
func (o *outline) ranges(dst []lngRange, south, north int64, buffer float64) []lngRange {
	r := newRuler(0, math.Min(85, math.Max(math.Abs(float64(south)), math.Abs(float64(north)))/coord.Scale+buffer/geo.MinDegreeM))
	b := band{south: south, north: north, lng: int64(buffer/r.x0*1.001) + 2, lat: int64(buffer/r.y0*1.02) + 2}
	o.tree.Walk(func(box coord.Box) bool {
		if int64(box.Max.Lat)+b.lat < b.south || int64(box.Min.Lat)-b.lat > b.north {
			return false
		}
		if b.small(box) {
			dst = append(dst, b.around(box))
			return false
		}
		return true
	}, func(i uint32) bool {
		dst = append(dst, b.around(o.tree.Box(i)))
		return true
	})
	return dst
}

// band is a strip of latitudes and the buffer of an edge, in units.
type band struct{ south, north, lng, lat int64 }

// small reports whether a box is so much smaller than the buffer that its parts need no look.
func (b *band) small(box coord.Box) bool {
	return 4*(int64(box.Max.Lng)-int64(box.Min.Lng)) < b.lng && 4*(int64(box.Max.Lat)-int64(box.Min.Lat)) < b.lat
}

// around is the longitudes of a box with the buffer.
func (b *band) around(box coord.Box) lngRange {
	return lngRange{float64(int64(box.Min.Lng) - b.lng), float64(int64(box.Max.Lng) + b.lng)}
}
