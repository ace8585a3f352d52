package areal

import (
	"math"

	"quartier/internal/coord"
	"quartier/internal/geo"
)

// overlap is the area common to an outline in the box b and the polygons of a window, over the outline's own area.
//
// Every edge has a sign: +1 if its polygon is south of it, −1 if north. A point is in a polygon if the signs of the edges
// north of it add up to one, and so the area of a polygon is the sum over its edges of sign times the area between the
// edge and a base line south of everything. The area common to two polygons is the sum over all pairs of their edges of
// the product of the signs times the area between the base line and the lower edge of the two, over their common
// longitudes. No pair is a special case: edges may cross, touch or coincide.
//
// An example, with the base line at 0: the outline is the square from 0 to 4 in both directions, the polygon the one from
// 2 to 6. The edges that are not meridians are the horizontal ones, and a pair contributes over x from 2 to 4:
//
//	outline        polygon        lower edge   sign · width · height
//	top (4, +1)    top (6, +1)    4            +1 · 2 · 4 = +8
//	top (4, +1)    bottom (2, −1) 2            −1 · 2 · 2 = −4
//	bottom (0, −1) either         0            0
//
// The sum is 4, the overlap 4/16.
//
// The time is linear in the vertices of the outline for every edge of the window that passes through its box, and for
// every run of edges that passes north of it and ends above it.
func (w *Window) overlap(a coord.Area, b *box) float64 {
	o := outline{Area: a, box: *b}
	o.measure()
	if !(math.Abs(o.total) > 1e-12*(o.east-o.west)*(o.north-o.south)) {
		return corner(a, w.shape.polygons.contains)
	}
	for _, r := range w.above {
		if r, ok := r.clip(o.west, o.east); ok {
			o.pass(run{r.start - o.west, r.end - o.west})
		}
	}
	for i := range w.edges {
		e := &w.edges[i]
		if e.x0 < o.east && e.x1 > o.west && e.x0 < e.x1 && max(e.y0, e.y1) > o.south {
			o.cut(e)
		}
	}
	o.end()
	return share(o.inside, o.total)
}

// outline is an area, its box and the convergence of the meridians over its height: the area between its southern end and
// y units north of it is linear·y + quadratic·y², per unit of longitude.
type outline struct {
	coord.Area
	box
	linear, quadratic float64
	total             float64 // the outline's own area
	inside            float64 // sum of the pairs so far
	above             run     // the last run north of it, not yet in inside
}

func (o *outline) measure() {
	middle := (o.south + o.north) / 2 / coord.Scale
	half := (o.north - o.south) / 2
	narrowing := math.Tan(middle*geo.Radian) * geo.Radian / coord.Scale
	if math.Abs(narrowing)*half > 1 {
		narrowing = math.Copysign(1/half, narrowing) // of outlines over half the world
	}
	o.linear, o.quadratic = 1+narrowing*half, -narrowing/2
	o.total = o.sum(o.east - o.west)
}

// cut adds the pairs of an edge with the edges of the outline. A part of the edge that passes north of the outline is
// added to a run.
func (o *outline) cut(e *edge) {
	height := o.north - o.south
	// The part of the edge between the outline's sides, relative to its southwestern corner.
	x0, y0, x1, y1 := e.x0-o.west, e.y0-o.south, e.x1-o.west, e.y1-o.south
	if width := o.east - o.west; x1 > width {
		x1, y1 = width, y0+(width-x0)*e.slope
	}
	if x0 < 0 {
		x0, y0 = 0, y0-x0*e.slope
	}
	if y0 >= height && y1 >= height {
		o.pass(runOf(x0, x1, e.sign))
		return
	}
	if y0 <= 0 && y1 <= 0 {
		return
	}
	if !o.contains(e.x0, e.y0) && !o.contains(e.x1, e.y1) {
		o.inside += e.sign * o.below(x0, y0, e.slope)
		// What is below the line but not below the edge is below the end that is north of the outline.
		if e.slope > 0 && e.x1 < o.east {
			o.pass(runOf(x1, o.east-o.west, -e.sign))
		} else if e.slope < 0 && e.x0 > o.west {
			o.pass(runOf(0, x0, -e.sign))
		}
		return
	}
	// South of the base nothing counts, north of the top only the outline.
	if y0 < 0 {
		x0, y0 = x0-y0/e.slope, 0
	} else if y1 < 0 {
		x1, y1 = x0-y0/e.slope, 0
	}
	if y0 > height {
		x := x0 + (height-y0)/e.slope
		o.pass(runOf(x0, x, e.sign))
		x0, y0 = x, height
	} else if y1 > height {
		x := x0 + (height-y0)/e.slope
		o.pass(runOf(x, x1, e.sign))
		x1, y1 = x, height
	}
	if x0 < x1 {
		o.inside += e.sign * o.lower(x0, y0, x1, y1)
	}
}

// pass extends the run of edges north of the outline, or ends it and begins another.
func (o *outline) pass(r run) {
	if !o.above.join(r) {
		o.end()
		o.above = r
	}
}

// end adds the last run.
func (o *outline) end() {
	if o.above.start != o.above.end {
		o.inside += o.upTo(o.above.start) - o.upTo(o.above.end)
	}
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
	for i := range o.Ends {
		ring := o.Ring(i)
		if len(ring) == 0 {
			continue // damaged
		}
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

// below is the area of the outline south of the line through a point.
func (o *outline) below(x, y, slope float64) float64 {
	sum := 0.0
	for i := range o.Ends {
		ring := o.Ring(i)
		if len(ring) == 0 {
			continue // damaged
		}
		px, py := o.corner(ring[0])
		above := py - y - (px-x)*slope
		for _, v := range ring[1:] {
			qx, qy := o.corner(v)
			next := qy - y - (qx-x)*slope
			if above <= 0 && next <= 0 {
				sum += (px - qx) * o.mean(py, qy)
			} else if above <= 0 || next <= 0 {
				// The boundary continues along the line, as if from the given point and to it.
				t := above / (above - next)
				cx, cy := px+t*(qx-px), py+t*(qy-py)
				if above <= 0 {
					sum += (px-cx)*o.mean(py, cy) + (cx-x)*o.mean(cy, y)
				} else {
					sum += (x-cx)*o.mean(y, cy) + (cx-qx)*o.mean(cy, qy)
				}
			}
			px, py, above = qx, qy, next
		}
	}
	return sum
}

// lower is the sum, over all edges of the outline, of the area between the base and the lower one of that edge and the
// given one, which stays between the base and the top.
func (o *outline) lower(x0, y0, x1, y1 float64) float64 {
	sum := 0.0
	slope := (y1 - y0) / (x1 - x0)
	for i := range o.Ends {
		ring := o.Ring(i)
		if len(ring) == 0 {
			continue // damaged
		}
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

// pair is the area between the base and the lower one of two edges, over their common longitudes.
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
	return o.linear*(y+z)/2 + o.quadratic*(y*y+y*z+z*z)/3
}

// contains reports whether a point is in the interior of a box.
func (b *box) contains(x, y float64) bool {
	return x > b.west && x < b.east && y > b.south && y < b.north
}

// corner is the position of a vertex relative to the southwestern corner of the outline's box.
func (o *outline) corner(p coord.Point) (x, y float64) {
	return float64(p.Lng) - o.west, float64(p.Lat) - o.south
}
