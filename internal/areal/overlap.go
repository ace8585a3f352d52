package areal

import (
	"math"

	"quartier/internal/pack"
)

// share is the area that an outline and the polygons have in common, over the outline's own.
//
// A place is in an outline where the signs of the edges north of it add up to one. So what two outlines have in common
// is the sum, over all pairs of an edge of one and an edge of the other, of the product of their signs times the area
// between a base line and the lower one of both, over the longitudes that they share. No pair is a special case: edges
// that cross, touch or coincide are all the same.
//
// The time is linear in the corners of the outline for every edge of the polygons that passes through its box, and for
// every run of edges that passes north of it and does not go from end to end.
func (s *polygons) share(a pack.Area) float64 {
	o := outline{Area: a}
	o.measure()
	if s.beside(&o.box) {
		return 0
	}
	if !(math.Abs(o.total) > 1e-12*(o.east-o.west)*(o.north-o.south)) {
		return corner(a, s.contains)
	}
	inside := 0.0
	var above run
	first, last := s.band(o.west), s.band(o.east)
	for b := first; b <= last; b++ {
		for _, i := range s.list[s.starts[b]:s.starts[b+1]] {
			e := &s.edges[i]
			if e.x0 >= o.east || e.x1 <= o.west || e.band < b && b > first || e.x0 == e.x1 {
				continue // beside the outline, or seen
			}
			if e.y0 <= o.south && e.y1 <= o.south {
				continue
			}
			inside += o.overlap(e, &above)
		}
	}
	inside += above.area(&o)
	return share(inside, o.total)
}

// outline is an area, its box, and how the world narrows to the pole over its height: the area between its southern
// end and y units north of it is plain·y + bent·y², per unit of longitude.
type outline struct {
	pack.Area
	box
	plain, bent float64
	total       float64 // its own area
}

func (o *outline) measure() {
	o.box = nowhere
	for _, p := range o.Points {
		o.extend(float64(p.Lng), float64(p.Lat))
	}
	middle := (o.south + o.north) / 2 / pack.Scale
	half := (o.north - o.south) / 2
	narrowing := math.Tan(middle*radian) * radian / pack.Scale
	if math.Abs(narrowing)*half > 1 {
		narrowing = math.Copysign(1/half, narrowing) // of what spans half the world
	}
	o.plain, o.bent = 1+narrowing*half, -narrowing/2
	o.total = o.sum(o.east - o.west)
}

// overlap is the sum of an edge's pairs with the edges of the outline. The part of it that passes north of the outline
// goes to a run.
func (o *outline) overlap(e *edge, above *run) float64 {
	height := o.north - o.south
	// What of the edge is between the outline's sides, from its southwestern corner.
	x0, y0, x1, y1 := e.x0-o.west, e.y0-o.south, e.x1-o.west, e.y1-o.south
	if width := o.east - o.west; x1 > width {
		x1, y1 = width, y0+(width-x0)*e.slope
	}
	if x0 < 0 {
		x0, y0 = 0, y0-x0*e.slope
	}
	if y0 >= height && y1 >= height {
		return above.extend(o, x0, x1, e.sign)
	}
	if y0 <= 0 && y1 <= 0 {
		return 0
	}
	sum := 0.0
	// Nothing south of the base counts, and north of the top the outline alone.
	if y0 < 0 {
		x0, y0 = x0-y0/e.slope, 0
	} else if y1 < 0 {
		x1, y1 = x0-y0/e.slope, 0
	}
	if y0 > height {
		x := x0 + (height-y0)/e.slope
		sum += above.extend(o, x0, x, e.sign)
		x0, y0 = x, height
	} else if y1 > height {
		x := x0 + (height-y0)/e.slope
		sum += above.extend(o, x, x1, e.sign)
		x1, y1 = x, height
	}
	if x0 < x1 {
		sum += e.sign * o.lower(x0, y0, x1, y1)
	}
	return sum
}

// run is edges one after another that pass north of an outline: what they have in common with it depends on where the
// run starts and ends only, which spares looking at most of them. Places are those of overlap.
type run struct {
	start, end float64
}

// extend goes on with the run along an edge, or begins another and returns what the last one had.
func (r *run) extend(o *outline, x0, x1, sign float64) (area float64) {
	start, end := x0, x1
	if sign > 0 {
		start, end = x1, x0
	}
	switch {
	case start == r.end:
		r.end = end
	case end == r.start:
		r.start = start
	default:
		area = r.area(o)
		r.start, r.end = start, end
	}
	return area
}

// area is what the run has in common with the outline.
func (r *run) area(o *outline) float64 {
	if r.start == r.end {
		return 0
	}
	return o.upTo(r.start) - o.upTo(r.end)
}

// upTo is the area of the outline up to x units from its western end.
func (o *outline) upTo(x float64) float64 {
	if x <= 0 {
		return 0
	}
	if x >= o.east-o.west {
		return o.total
	}
	return o.sum(x)
}

// sum adds up the areas between the base and each edge, up to x.
func (o *outline) sum(x float64) float64 {
	sum := 0.0
	first := 0
	for i := range o.Ends {
		last := int(o.Ends[i])
		if last > len(o.Points) || last <= first {
			continue // damaged
		}
		ring := o.Points[first:last]
		first = last
		px, py := o.corner(ring[0])
		for _, v := range ring[1:] {
			qx, qy := o.corner(v)
			if px <= x && qx <= x {
				sum += (px - qx) * o.mean(py, qy)
			} else if px < x {
				sum += (px - x) * o.mean(py, py+(x-px)*(qy-py)/(qx-px))
			} else if qx < x {
				sum += (x - qx) * o.mean(qy, qy+(x-qx)*(py-qy)/(px-qx))
			}
			px, py = qx, qy
		}
	}
	return sum
}

// lower is the sum, over all edges of the outline, of the area between the base and the lower one of that edge and the
// one given, which rises or falls between the base and the top.
func (o *outline) lower(x0, y0, x1, y1 float64) float64 {
	sum := 0.0
	slope := (y1 - y0) / (x1 - x0)
	first := 0
	for i := range o.Ends {
		last := int(o.Ends[i])
		if last > len(o.Points) || last <= first {
			continue // damaged
		}
		ring := o.Points[first:last]
		first = last
		px, py := o.corner(ring[0])
		for _, v := range ring[1:] {
			qx, qy := o.corner(v)
			if px < qx {
				if px < x1 && qx > x0 {
					sum -= o.pair(px, py, qx, qy, x0, y0, x1, y1, slope)
				}
			} else if qx < x1 && px > x0 && qx < px {
				sum += o.pair(qx, qy, px, py, x0, y0, x1, y1, slope)
			}
			px, py = qx, qy
		}
	}
	return sum
}

// pair is the area between the base and the lower one of two edges, over the longitudes that they share.
func (o *outline) pair(ax0, ay0, ax1, ay1, bx0, by0, bx1, by1, slope float64) float64 {
	l, r := ax0, ax1
	al, ar, bl, br := ay0, ay1, by0, by1
	own := (ay1 - ay0) / (ax1 - ax0)
	if bx0 > l {
		l = bx0
		al = ay0 + (l-ax0)*own
	}
	if bx1 < r {
		r = bx1
		ar = ay0 + (r-ax0)*own
	}
	if bx0 < l {
		bl = by0 + (l-bx0)*slope
	}
	if bx1 > r {
		br = by0 + (r-bx0)*slope
	}
	left, right := al-bl, ar-br
	switch {
	case left <= 0 && right <= 0:
		return (r - l) * o.mean(al, ar)
	case left >= 0 && right >= 0:
		return (r - l) * o.mean(bl, br)
	}
	t := left / (left - right) // where they cross
	x, y := t*(r-l), al+t*(ar-al)
	if left < 0 {
		return x*o.mean(al, y) + (r-l-x)*o.mean(y, br)
	}
	return x*o.mean(bl, y) + (r-l-x)*o.mean(y, ar)
}

// mean is the area between the base and an edge from height y to height z, per unit of longitude.
func (o *outline) mean(y, z float64) float64 {
	return o.plain*(y+z)/2 + o.bent*(y*y+y*z+z*z)/3
}

// corner is a corner's place from the outline's southwestern one.
func (o *outline) corner(p pack.Point) (x, y float64) {
	return float64(p.Lng) - o.west, float64(p.Lat) - o.south
}
