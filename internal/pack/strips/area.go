package strips

import (
	"cmp"
	"slices"

	"quartier/internal/coord"
	"quartier/internal/geo"
)

// areaPlan is the memory of a plan of an area.
type areaPlan struct {
	sweep   sweep
	edges   []lngRange // longitudes of a band at which edges are, or a point within the buffer of one
	near    []lngRange // the same of a strip
	crossed []int      // cells at these longitudes
	found   []Run      // of a band, in any order
	inside  []Run      // of a strip
}

// setArea plans an area with its buffer; false if the buffer is invalid or the search was stopped.
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
	p.south = first / cellStrips
	for band := p.south; band <= last/cellStrips; band++ {
		if !p.areaBand(x, band, max(first-band*cellStrips, 0), min(last-band*cellStrips, cellStrips-1)) {
			return false
		}
		p.bands = append(p.bands, len(p.cells))
	}
	return true
}

// areaBand adds the runs of a band, of whose strips those from first to last are in reach. Cells without an edge near them are
// inside or outside as a whole, all those between the same edges alike; the others are searched strip by strip.
func (p *Plan) areaBand(x *Index, band, first, last int) bool {
	a := &p.area
	south := int64(southOf(band * cellStrips))
	a.edges = joinRanges(p.outline.ranges(a.edges[:0], south, south+cellStrips*stripHeight-1, p.shape.BufferM))
	if p.meter.Spend(stripWork + workOfPoint*len(a.edges)) {
		return false
	}
	if len(a.edges) == 0 {
		return true
	}
	a.crossed, a.found = a.crossed[:0], a.found[:0]
	from, to := x.cells(band, a.edges[0].west, a.edges[len(a.edges)-1].east)
	next, known, inside := 0, -1, false // edges: the first not west of the cell, and the one for which inside is known
	for cell := from; cell < to; cell++ {
		west := x.west(cell)
		for next < len(a.edges) && a.edges[next].east < west {
			next++
		}
		if next < len(a.edges) && a.edges[next].west <= west+cellWidth {
			a.crossed = append(a.crossed, cell)
			continue
		}
		lo, hi := x.strip(cell, 0, cellStrips)
		if lo < hi && known != next {
			known, inside = next, p.outline.contains(x.Points[lo])
		}
		if inside {
			a.found = append(a.found, Run{lo, hi, true})
		}
	}
	for strip := first; strip <= last && len(a.crossed) > 0; strip++ {
		if !p.areaStrip(x, band, strip) {
			return false
		}
	}
	p.pushFound(x, from)
	return true
}

// areaStrip finds the runs of a strip of the cells that edges cross.
func (p *Plan) areaStrip(x *Index, band, strip int) bool {
	a := &p.area
	south := int64(southOf(band*cellStrips + strip))
	a.sweep.collect(&p.outline, south, south+stripHeight-1)
	a.near = a.near[:0]
	if p.shape.BufferM > 0 {
		a.near = joinRanges(p.outline.ranges(a.near, south, south+stripHeight-1, p.shape.BufferM))
	}
	next := 0 // of near
	for _, cell := range a.crossed {
		if lo, hi := x.strip(cell, strip, strip+1); lo < hi {
			for west := x.west(cell); next < len(a.near) && a.near[next].east < west; next++ {
			}
			a.row(x, lo, hi, a.near[next:], x.west(cell)+cellWidth)
		}
	}
	return !p.meter.Spend(stripWork + workOfPoint*(len(a.sweep.edges)+len(a.near)))
}

// row finds the runs of a strip of a cell: sure ones of the points in the area, and others of those at longitudes near edges, of
// which those from east on are of other cells.
func (a *areaPlan) row(x *Index, lo, hi uint32, near []lngRange, east float64) {
	a.inside = a.inside[:0]
	a.sweep.runs(x, lo, hi, func(r Run) { a.inside = append(a.inside, r) })
	next, done := 0, lo // of inside
	for _, n := range near {
		if n.west >= east {
			break
		}
		first := x.longitudes(done, hi, n.west)
		last := x.longitudes(first, hi, n.east)
		for ; next < len(a.inside) && a.inside[next].First < last; next++ {
			r := a.inside[next]
			a.found = append(a.found, Run{first, r.First, false}, r)
			first = max(first, r.Last)
		}
		a.found = append(a.found, Run{first, last, false})
		done = max(first, last)
	}
	a.found = append(a.found, a.inside[next:]...)
}

// pushFound adds the runs that were found in a band, whose cells begin with from, in the order of the index.
func (p *Plan) pushFound(x *Index, from int) {
	found := slices.DeleteFunc(p.area.found, func(r Run) bool { return r.First >= r.Last })
	slices.SortFunc(found, func(a, b Run) int { return cmp.Compare(a.First, b.First) })
	cell := from
	for _, r := range found {
		for cell+1 < len(x.columns) && x.strips[cellStrips*(cell+1)] <= r.First { // the end is for damaged files
			cell++
		}
		p.push(cell, r)
	}
}

// joinRanges sorts ranges from west to east, and makes those one that overlap.
func joinRanges(ranges []lngRange) []lngRange {
	slices.SortFunc(ranges, func(a, b lngRange) int { return cmp.Compare(a.west, b.west) })
	joined := ranges[:0]
	for _, r := range ranges {
		if n := len(joined); n > 0 && r.west <= joined[n-1].east {
			joined[n-1].east = max(joined[n-1].east, r.east)
		} else {
			joined = append(joined, r)
		}
	}
	return joined
}
