package strips

import "math"

// Outward visits the runs of the strips of cells, bands and in them cells nearest to the centre first, with the part [first, last)
// of each that can be within the current reach of the search, until it is stopped.
func (p *Plan) Outward(x *Index, reach func() float64, visit func(r Run, first, last uint32)) {
	n := len(p.bands)
	home := min(max(stripOf(p.ruler.lat)/cellStrips-p.south, 0), n-1)
	for away := 0; away < n; away++ {
		if home+away < n && !p.visitBand(x, home+away, reach, visit) || away > 0 && home >= away && !p.visitBand(x, home-away, reach, visit) {
			return
		}
	}
}

// visitBand visits the cells of a band; false if the search is stopped.
func (p *Plan) visitBand(x *Index, band int, reach func() float64, visit func(r Run, first, last uint32)) bool {
	lo, hi := 0, p.bands[band]
	if band > 0 {
		lo = p.bands[band-1]
	}
	home := int(columnOf(p.ruler.lng))
	column := func(i int) int { return int(x.columns[p.cells[i].cell]) }
	east := lo // the next cell to visit that is not west of the centre, and the one after the next west of it
	for east < hi && column(east) < home {
		east++
	}
	for west := east; west > lo || east < hi; {
		if p.meter.Spend(stripWork) {
			return false
		}
		if west == lo || east < hi && column(east)-home <= home-column(west-1) {
			p.visitCell(x, band, east, reach, visit)
			east++
		} else {
			west--
			p.visitCell(x, band, west, reach, visit)
		}
	}
	return true
}

// visitCell visits the runs of a cell, each in the strips that it has points of.
func (p *Plan) visitCell(x *Index, band, i int, reach func() float64, visit func(r Run, first, last uint32)) {
	begin, c := 0, p.cells[i]
	if i > 0 {
		begin = p.cells[i-1].end
	}
	runs := p.runs[begin:c.end]
	for k := range cellStrips {
		lo, hi := x.strip(c.cell, k, k+1)
		for len(runs) > 0 && runs[0].Last <= lo {
			runs = runs[1:]
		}
		if lo == hi || len(runs) == 0 || runs[0].First >= hi {
			continue
		}
		west, east := p.inReach((p.south+band)*cellStrips+k, reach())
		for _, r := range runs {
			if r.First >= hi {
				break
			}
			r.First, r.Last = max(r.First, lo), min(r.Last, hi)
			p.meter.Spend(workOfPoint * int(r.Last-r.First))
			first := x.longitudes(r.First, r.Last, west)
			visit(r, first, x.longitudes(first, r.Last, east))
		}
	}
}

// inReach is the longitudes of a strip that are within some metres of the centre: all if it has points beyond the antimeridian.
func (p *Plan) inReach(strip int, metres float64) (west, east float64) {
	if !math.IsInf(metres, 1) {
		south := southOf(strip)
		_, outer := p.ruler.reach(south, south+stripHeight, metres)
		if a, b := p.ruler.lng-outer, p.ruler.lng+outer; a >= -halfTurn && b <= halfTurn {
			return a, b
		}
	}
	return math.Inf(-1), math.Inf(1)
}
