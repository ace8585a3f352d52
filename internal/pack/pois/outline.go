package pois

import (
	"math"

	"quartier/internal/coord"
)

// fanout is how many edges a leaf of an outline has and how many nodes their parent.
const fanout = 8

// outline is an area made ready for containment and distance questions: a tree of boxes over its edges in the order
// of its rings. Its memory is kept when it is built again.
type outline struct {
	points []coord.Point
	nodes  []node
	roots  []node // of the rings, while the tree is built
	top    int    // number of the root; -1: no edges
	recent int    // number of the leaf that a place was within reach of last; its neighbours are asked about next
}

// node is a stretch of consecutive edges of one ring, or several whole rings.
type node struct {
	min, max    coord.Point
	first, last int32 // a leaf: edges from points first to last; else the nodes first to last-1
	from, to    int32 // latitudes of the stretch's two ends; equal where it is closed
	leaf        bool
}

func (o *outline) build(a coord.Area) {
	o.points, o.nodes, o.roots, o.top = a.Points, o.nodes[:0], o.roots[:0], -1
	start := 0
	for i := range a.Ends {
		ring := a.Ring(i)
		if len(ring) > 1 {
			root := o.buildRing(start, start+len(ring)-1)
			root.from, root.to = 0, 0 // closed, and so is a group of rings
			o.roots = append(o.roots, root)
		}
		start = int(a.Ends[i])
	}
	if len(o.roots) == 0 {
		return
	}
	first := len(o.nodes)
	o.nodes = append(o.nodes, o.roots...)
	root := o.raise(first)
	o.top = len(o.nodes)
	o.recent = o.top
	o.nodes = append(o.nodes, root)
}

// buildRing makes the tree of the ring whose vertices are first to last, and returns its root.
func (o *outline) buildRing(first, last int) node {
	start := len(o.nodes)
	for i := first; i < last; i += fanout {
		end := min(i+fanout, last)
		n := node{
			min: o.points[i], max: o.points[i], first: int32(i), last: int32(end),
			from: o.points[i].Lat, to: o.points[end].Lat, leaf: true,
		}
		for _, p := range o.points[i : end+1] {
			n.cover(p, p)
		}
		o.nodes = append(o.nodes, n)
	}
	return o.raise(start)
}

// raise groups the nodes from start on, level by level, and takes the one that is left away from the nodes.
func (o *outline) raise(start int) node {
	for len(o.nodes)-start > 1 {
		end := len(o.nodes)
		for i := start; i < end; i += fanout {
			last := min(i+fanout, end)
			group := o.nodes[i]
			group.first, group.last, group.leaf = int32(i), int32(last), false
			for _, n := range o.nodes[i:last] {
				group.cover(n.min, n.max)
				group.to = n.to
			}
			o.nodes = append(o.nodes, group)
		}
		start = end
	}
	root := o.nodes[start]
	o.nodes = o.nodes[:start]
	return root
}

func (n *node) cover(lo, hi coord.Point) {
	n.min = coord.Point{Lng: min(n.min.Lng, lo.Lng), Lat: min(n.min.Lat, lo.Lat)}
	n.max = coord.Point{Lng: max(n.max.Lng, hi.Lng), Lat: max(n.max.Lat, hi.Lat)}
}

// contains is coord.Area.Contains.
func (o *outline) contains(p coord.Point) bool {
	return o.top >= 0 && o.crossings(&o.nodes[o.top], p)
}

// crossings reports whether the ray from p eastward crosses the edges under n an odd number of times.
func (o *outline) crossings(n *node, p coord.Point) bool {
	if p.Lat >= n.max.Lat || p.Lat < n.min.Lat || p.Lng > n.max.Lng {
		return false
	}
	if p.Lng < n.min.Lng { // all of it lies east: only its ends matter
		return (n.from > p.Lat) != (n.to > p.Lat)
	}
	odd := false
	if n.leaf {
		for i := n.first; i < n.last; i++ {
			if coord.Crosses(o.points[i], o.points[i+1], p) {
				odd = !odd
			}
		}
		return odd
	}
	for i := n.first; i < n.last; i++ {
		if o.crossings(&o.nodes[i], p) {
			odd = !odd
		}
	}
	return odd
}

// near measures around one place, in a plane that touches there.
type near struct {
	at         coord.Point
	mLng, mLat float64 // metres in a unit
	limit      float64 // squared metres
}

func newNear(p coord.Point, metres float64) near {
	_, lat := p.Degrees()
	r := newRuler(0, lat)
	return near{p, r.x0, r.y0, metres * metres}
}

// within reports whether an edge passes within metres of p.
func (o *outline) within(p coord.Point, metres float64) bool {
	if o.top < 0 {
		return false
	}
	around := newNear(p, metres)
	return o.passes(o.recent, &around) || o.passes(o.top, &around)
}

func (o *outline) passes(number int, around *near) bool {
	n := &o.nodes[number]
	x := beyond(n.min.Lng, n.max.Lng, around.at.Lng) * around.mLng
	y := beyond(n.min.Lat, n.max.Lat, around.at.Lat) * around.mLat
	if x*x+y*y > around.limit {
		return false
	}
	if !n.leaf {
		for i := n.first; i < n.last; i++ {
			if o.passes(int(i), around) {
				return true
			}
		}
		return false
	}
	for i := n.first; i < n.last; i++ {
		if around.squared(o.points[i], o.points[i+1]) <= around.limit {
			o.recent = number
			return true
		}
	}
	return false
}

// beyond is how far v lies outside lo to hi.
func beyond(lo, hi, v int32) float64 {
	return float64(max(int64(lo)-int64(v), int64(v)-int64(hi), 0))
}

// squared is the square of the distance in metres to the segment a–b.
func (n *near) squared(a, b coord.Point) float64 {
	ax, ay := float64(int64(a.Lng)-int64(n.at.Lng))*n.mLng, float64(int64(a.Lat)-int64(n.at.Lat))*n.mLat
	bx, by := float64(int64(b.Lng)-int64(n.at.Lng))*n.mLng, float64(int64(b.Lat)-int64(n.at.Lat))*n.mLat
	dx, dy := bx-ax, by-ay
	t := 0.0
	if length := dx*dx + dy*dy; length > 0 {
		t = min(1, max(0, -(ax*dx+ay*dy)/length))
	}
	x, y := ax+t*dx, ay+t*dy
	return x*x + y*y
}

// stretch is a range of longitudes in stored units.
type stretch struct{ west, east float64 }

// stretches appends to dst the longitudes, in any order, where an edge may pass within buffer metres of a place in the
// strip of latitudes south to north (inclusive). Outside of them the strip is all in or all out from one stretch to
// the next.
func (o *outline) stretches(dst []stretch, south, north int64, buffer float64) []stretch {
	if o.top < 0 {
		return dst
	}
	b := band{south: south, north: north}
	if buffer > 0 {
		r := newRuler(0, math.Min(85, math.Max(math.Abs(float64(south)), math.Abs(float64(north)))/coord.Scale+buffer/111e3))
		b.lng = int64(buffer/r.x0*1.001) + 2
		b.lat = int64(buffer/r.y0*1.02) + 2
	}
	return o.edgesIn(&o.nodes[o.top], &b, dst)
}

// band is a strip of latitudes and how far an edge reaches beyond itself, all in stored units.
type band struct{ south, north, lng, lat int64 }

func (o *outline) edgesIn(n *node, b *band, dst []stretch) []stretch {
	if int64(n.max.Lat)+b.lat < b.south || int64(n.min.Lat)-b.lat > b.north {
		return dst
	}
	if b.lng > 0 && (n.leaf || n.small(b)) {
		return append(dst, stretch{float64(int64(n.min.Lng) - b.lng), float64(int64(n.max.Lng) + b.lng)})
	}
	if n.leaf {
		for i := n.first; i < n.last; i++ {
			dst = clip(dst, o.points[i], o.points[i+1], b)
		}
		return dst
	}
	for i := n.first; i < n.last; i++ {
		dst = o.edgesIn(&o.nodes[i], b, dst)
	}
	return dst
}

// small reports whether the box of n is so much smaller than the buffer that a look at its parts would not tell more.
func (n *node) small(b *band) bool {
	return 4*(int64(n.max.Lng)-int64(n.min.Lng)) < b.lng && 4*(int64(n.max.Lat)-int64(n.min.Lat)) < b.lat
}

// clip appends the longitudes of the part of an edge that lies in the band.
func clip(dst []stretch, a, b coord.Point, in *band) []stretch {
	if a.Lat > b.Lat {
		a, b = b, a
	}
	if int64(b.Lat) < in.south || int64(a.Lat) > in.north {
		return dst
	}
	ax, bx := float64(a.Lng), float64(b.Lng)
	if rise := float64(b.Lat) - float64(a.Lat); rise > 0 {
		slope := (bx - ax) / rise
		if d := float64(in.south) - float64(a.Lat); d > 0 {
			ax += slope * d
		}
		if d := float64(b.Lat) - float64(in.north); d > 0 {
			bx -= slope * d
		}
	}
	return append(dst, stretch{min(ax, bx) - 2, max(ax, bx) + 2})
}
