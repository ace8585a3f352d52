package pois

import (
	"cmp"
	"math"
	"slices"

	"quartier/internal/coord"
	"quartier/internal/geo"
)

// run is a range of POIs of one strip that may be in the shape; sure if all of them are.
type run struct {
	first, last uint32 // last is one past the end
	sure        bool
}

// plan is the part of the table that a shape covers: the runs of POIs of each strip that it touches, west to east.
type plan struct {
	shape   Shape
	ruler   ruler
	radius2 float64 // squared metres; of a circle
	outline outline
	south   int   // the first strip
	runs    []run // of all strips
	ends    []int // end of the runs of each strip
	pois    int   // in all runs
	near    []lngRange
}

// set plans a search of s; false if s is invalid.
func (p *plan) set(t *Table, s *Shape) bool {
	if !(math.Abs(s.Lng) <= 180 && math.Abs(s.Lat) <= 90) {
		return false
	}
	p.shape, p.ruler = *s, newRuler(s.Lng, s.Lat)
	p.runs, p.ends, p.pois = p.runs[:0], p.ends[:0], 0
	if s.Area == nil {
		return p.setCircle(t)
	}
	return p.setArea(t)
}

func (p *plan) setCircle(t *Table) bool {
	radius := p.shape.RadiusM
	if !(radius >= 0 && radius <= 1e7) {
		return false
	}
	p.radius2 = radius * radius
	tall := radius/p.ruler.y0*1.01 + 2
	first, last := stripOf(p.ruler.lat-tall), stripOf(p.ruler.lat+tall)
	p.south = first
	for strip := first; strip <= last; strip++ {
		lo, hi := t.strip(strip)
		if lo < hi {
			south := float64(strip)*stripHeight - 90*coord.Scale
			inner, outer := p.ruler.reach(south, south+stripHeight, radius)
			p.addCircle(t, lo, hi, inner, outer)
		}
		p.ends = append(p.ends, len(p.runs))
	}
	return true
}

// addCircle adds the runs of a strip for the longitudes up to outer units away, sure up to inner.
func (p *plan) addCircle(t *Table, lo, hi uint32, inner, outer float64) {
	if outer < 0 {
		return
	}
	at := p.ruler.lng
	if at-outer < -halfTurn { // the part beyond the antimeridian
		p.add(t, lo, hi, at-outer+2*halfTurn, math.Inf(1), false)
	}
	if at+outer > halfTurn {
		p.add(t, lo, hi, math.Inf(-1), at+outer-2*halfTurn, false)
	}
	if inner <= 0 {
		p.add(t, lo, hi, at-outer, at+outer, false)
		return
	}
	a, d := t.longitudes(lo, hi, at-outer), t.longitudes(lo, hi, at+outer)
	b := t.longitudes(a, d, at-inner)
	c := t.longitudes(b, d, at+inner)
	p.push(run{a, b, false})
	p.push(run{b, c, true})
	p.push(run{c, d, false})
}

func (p *plan) setArea(t *Table) bool {
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
		if lo, hi := t.strip(strip); lo < hi {
			p.addArea(t, strip, lo, hi)
		}
		p.ends = append(p.ends, len(p.runs))
	}
	return true
}

// addArea adds the runs of a strip: unsure near edges, and sure between two such ranges if that is inside.
func (p *plan) addArea(t *Table, strip int, lo, hi uint32) {
	south := int64(strip)*stripHeight - 90*coord.Scale
	p.near = p.outline.ranges(p.near[:0], south, south+stripHeight-1, p.shape.BufferM)
	slices.SortFunc(p.near, func(a, b lngRange) int { return cmp.Compare(a.west, b.west) })
	for i := 0; i < len(p.near); {
		merged := p.near[i]
		for i++; i < len(p.near) && p.near[i].west <= merged.east; i++ {
			merged.east = max(merged.east, p.near[i].east)
		}
		p.add(t, lo, hi, merged.west, merged.east, false)
		if i == len(p.near) {
			return
		}
		first, last := t.longitudes(lo, hi, merged.east), t.longitudes(lo, hi, p.near[i].west)
		if first < last && p.outline.contains(t.points[first]) {
			p.push(run{first, last, true})
		}
	}
}

func (p *plan) add(t *Table, lo, hi uint32, west, east float64, sure bool) {
	first := t.longitudes(lo, hi, west)
	p.push(run{first, t.longitudes(first, hi, east), sure})
}

func (p *plan) push(r run) {
	if r.first < r.last {
		p.runs = append(p.runs, r)
		p.pois += int(r.last - r.first)
	}
}

// strips returns the runs of a strip counted from p.south.
func (p *plan) strip(i int) []run {
	first := 0
	if i > 0 {
		first = p.ends[i-1]
	}
	return p.runs[first:p.ends[i]]
}

// contains reports whether a point of an unsure run is in the shape.
func (p *plan) contains(at coord.Point) bool {
	if p.shape.Area == nil {
		return p.ruler.squared(at) <= p.radius2
	}
	return p.shape.BufferM > 0 && p.outline.within(at, p.shape.BufferM) || p.outline.contains(at)
}

// stripOf is the strip of a latitude in units.
func stripOf(lat float64) int {
	return min(max(int((lat+90*coord.Scale)/stripHeight), 0), numStrips-1)
}

// strip is the range of the POIs of a strip; empty if the file is damaged.
func (t *Table) strip(i int) (first, last uint32) {
	first, last = t.strips[i], t.strips[i+1]
	if first > last || uint64(last) > uint64(len(t.points)) {
		return 0, 0
	}
	return first, last
}

// longitudes is the first POI from lo on, in a range of one strip, that is not west of a longitude; hi if all are.
func (t *Table) longitudes(lo, hi uint32, lng float64) uint32 {
	for lo < hi {
		mid := lo + (hi-lo)/2
		if float64(t.points[mid].Lng) < lng {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}
