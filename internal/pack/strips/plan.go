package strips

import (
	"cmp"
	"math"
	"slices"

	"quartier/internal/coord"
	"quartier/internal/geo"
	"quartier/internal/pack"
)

// Run is a range of points of one strip that may be in the shape.
type Run struct {
	First, Last uint32 // Last is one past the end
	Sure        bool   // all of them are in the shape
}

// Plan is the part of an index that a shape covers: the runs of points of each strip that it touches, west to east. Its
// memory is kept when it is set again.
type Plan struct {
	shape   Shape
	ruler   ruler
	radius2 float64 // squared metres; of a circle
	flat    bool    // a circle of which all points are close, and none is beyond the antimeridian
	outline outline
	south   int   // the first strip
	runs    []Run // of all strips
	ends    []int // end of the runs of each strip
	count   int   // points in all runs
	near    []lngRange
	sweep   sweep
	inside  []Run // of a strip
	meter   pack.Meter
}

// Set plans a search of s; false if s is invalid or the search was stopped.
func (p *Plan) Set(x *Index, s *Shape) bool {
	if !(math.Abs(s.Lng) <= 180 && math.Abs(s.Lat) <= 90) {
		return false
	}
	p.shape, p.ruler = *s, newRuler(s.Lng, s.Lat)
	p.meter.Start(s.Stop)
	p.runs, p.ends, p.count = p.runs[:0], p.ends[:0], 0
	if s.Area == nil {
		return p.setCircle(x, nil)
	}
	return p.setArea(x)
}

// Narrow plans the circle of another plan with a smaller radius; it looks for points only in the runs of that plan.
func (p *Plan) Narrow(x *Index, in *Plan, radiusM float64) {
	p.shape, p.ruler = in.shape, in.ruler
	p.shape.RadiusM = radiusM
	p.meter.Start(in.shape.Stop)
	p.runs, p.ends, p.count = p.runs[:0], p.ends[:0], 0
	p.setCircle(x, in)
}

// setCircle plans a circle, in the runs of another plan if there is one.
func (p *Plan) setCircle(x *Index, in *Plan) bool {
	radius := p.shape.RadiusM
	if !(radius >= 0 && radius <= 1e7) {
		return false
	}
	p.radius2, p.flat = radius*radius, true
	tall := radius/p.ruler.y0*1.01 + 2
	first, last := stripOf(p.ruler.lat-tall), stripOf(p.ruler.lat+tall)
	p.south = first
	for strip := first; strip <= last; strip++ {
		lo, hi := x.strip(strip)
		if in != nil {
			lo, hi = in.span(strip)
		}
		if lo < hi {
			south := float64(strip)*stripHeight - 90*coord.Scale
			inner, outer := p.ruler.reach(south, south+stripHeight, radius)
			p.addCircle(x, lo, hi, inner, outer)
		}
		p.ends = append(p.ends, len(p.runs))
	}
	return true
}

// addCircle adds the runs of a strip for the longitudes up to outer units away, sure up to inner.
func (p *Plan) addCircle(x *Index, lo, hi uint32, inner, outer float64) {
	if outer < 0 {
		return
	}
	at := p.ruler.lng
	p.flat = p.flat && outer <= closeUnits/2 && at-outer >= -halfTurn && at+outer <= halfTurn
	if at-outer < -halfTurn { // the part beyond the antimeridian
		p.add(x, lo, hi, at-outer+2*halfTurn, math.Inf(1), false)
	}
	if at+outer > halfTurn {
		p.add(x, lo, hi, math.Inf(-1), at+outer-2*halfTurn, false)
	}
	if inner <= 0 {
		p.add(x, lo, hi, at-outer, at+outer, false)
		return
	}
	ends := x.cut(lo, hi, [4]float64{at - outer, at - inner, at + inner, at + outer})
	p.push(Run{ends[0], ends[1], false})
	p.push(Run{ends[1], ends[2], true})
	p.push(Run{ends[2], ends[3], false})
}

func (p *Plan) setArea(x *Index) bool {
	buffer := p.shape.BufferM
	if !(buffer >= 0 && buffer <= 1e6) {
		return false
	}
	o := &p.outline
	o.build(*p.shape.Area)
	box, ok := o.box()
	if !ok {
		p.south = 0
		return true
	}
	tall := 0.0
	if buffer > 0 {
		tall = buffer/geo.MinDegreeM*coord.Scale + 2
	}
	first, last := stripOf(float64(box.Min.Lat)-tall), stripOf(float64(box.Max.Lat)+tall)
	p.south = first
	for strip := first; strip <= last; strip++ {
		if p.meter.Spend(stripWork + workOfPoint*(len(p.sweep.edges)+len(p.near))) {
			return false
		}
		if lo, hi := x.strip(strip); lo < hi {
			p.addArea(x, strip, lo, hi)
		}
		p.ends = append(p.ends, len(p.runs))
	}
	return true
}

// addArea adds the runs of a strip: sure ones of the points in the area, and with a buffer the others near edges.
func (p *Plan) addArea(x *Index, strip int, lo, hi uint32) {
	south := int64(strip)*stripHeight - 90*coord.Scale
	p.inside, p.near = p.inside[:0], p.near[:0]
	p.sweep.collect(&p.outline, south, south+stripHeight-1)
	p.sweep.runs(x, lo, hi, func(r Run) { p.inside = append(p.inside, r) })
	if p.shape.BufferM > 0 {
		p.near = p.outline.ranges(p.near, south, south+stripHeight-1, p.shape.BufferM)
		slices.SortFunc(p.near, func(a, b lngRange) int { return cmp.Compare(a.west, b.west) })
	}
	next, done := 0, lo // of inside
	for i := 0; i < len(p.near); {
		merged := p.near[i]
		for i++; i < len(p.near) && p.near[i].west <= merged.east; i++ {
			merged.east = max(merged.east, p.near[i].east)
		}
		first := x.longitudes(done, hi, merged.west)
		last := x.longitudes(first, hi, merged.east)
		for ; next < len(p.inside) && p.inside[next].First < last; next++ {
			r := p.inside[next]
			p.push(Run{first, r.First, false})
			p.push(r)
			first = max(first, r.Last)
		}
		p.push(Run{first, last, false})
		done = max(first, last)
	}
	for ; next < len(p.inside); next++ {
		p.push(p.inside[next])
	}
}

func (p *Plan) add(x *Index, lo, hi uint32, west, east float64, sure bool) {
	first := x.longitudes(lo, hi, west)
	p.push(Run{first, x.longitudes(first, hi, east), sure})
}

func (p *Plan) push(r Run) {
	if r.First < r.Last {
		p.runs = append(p.runs, r)
		p.count += int(r.Last - r.First)
	}
}

// The work of a search in units of a pack.Meter.
const (
	stripWork   = 100
	workOfPoint = 5
)

// Stopped reports, after the work on some points, whether the search should end.
func (p *Plan) Stopped(points int) bool { return p.meter.Spend(workOfPoint * points) }

// Runs are the runs of all strips.
func (p *Plan) Runs() []Run { return p.runs }

// Len is the number of points in all runs.
func (p *Plan) Len() int { return p.count }

// Key orders a point by its distance, rounded to decimetres, then by its rank.
func (p *Plan) Key(at coord.Point, rank uint32) uint64 { return keyOf(p.ruler.squared(at), rank) }

// KeyInCircle is Key of a point of a run of a circle; false if it is not in the circle.
func (p *Plan) KeyInCircle(r Run, at coord.Point, rank uint32) (key uint64, in bool) {
	squared := p.ruler.squared(at)
	if !r.Sure && squared > p.radius2 {
		return 0, false
	}
	return keyOf(squared, rank), true
}

func keyOf(squaredM float64, rank uint32) uint64 {
	return uint64(decimetres(math.Sqrt(squaredM)))<<32 | uint64(rank)
}

// span is the range of a strip that has all of its runs.
func (p *Plan) span(strip int) (lo, hi uint32) {
	i := strip - p.south
	if i < 0 || i >= len(p.ends) {
		return 0, 0
	}
	for k, r := range p.strip(i) {
		if k == 0 {
			lo = r.First
		}
		lo, hi = min(lo, r.First), max(hi, r.Last)
	}
	return lo, hi
}

// strip returns the runs of a strip counted from p.south.
func (p *Plan) strip(i int) []Run {
	first := 0
	if i > 0 {
		first = p.ends[i-1]
	}
	return p.runs[first:p.ends[i]]
}

// Contains reports whether a point is in the shape.
func (p *Plan) Contains(at coord.Point) bool {
	return p.Near(at) || p.shape.Area != nil && p.outline.contains(at)
}

// Near reports whether a point of a run that is not sure is in the shape: such a point is not in the area itself.
func (p *Plan) Near(at coord.Point) bool {
	if p.shape.Area == nil {
		return p.ruler.squared(at) <= p.radius2
	}
	return p.shape.BufferM > 0 && p.outline.within(at, p.shape.BufferM)
}
