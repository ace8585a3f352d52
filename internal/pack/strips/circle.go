package strips

import "math"

// setCircle plans a circle; false if its radius is invalid.
func (p *Plan) setCircle(x *Index) bool {
	radius := p.shape.RadiusM
	if !(radius >= 0 && radius <= 1e7) {
		return false
	}
	p.radius2, p.flat = radius*radius, true
	tall := radius/p.ruler.y0*1.01 + 2
	first, last := stripOf(p.ruler.lat-tall)/cellStrips, stripOf(p.ruler.lat+tall)/cellStrips
	p.south = first
	for band := first; band <= last; band++ {
		p.circleBand(x, band, radius)
		p.bands = append(p.bands, len(p.cells))
	}
	return true
}

// circleReach is how far a circle reaches in the strips of a band: ruler.reach of each, the least of inner and the most of outer.
type circleReach struct {
	inner, outer   [cellStrips]float64
	narrow, widest float64
}

func (p *Plan) reachOf(band int, radius float64) (r circleReach) {
	r.narrow, r.widest = math.Inf(1), -1
	for k := range cellStrips {
		south := southOf(band*cellStrips + k)
		inner, outer := p.ruler.reach(south, south+stripHeight, radius)
		r.inner[k], r.outer[k] = inner, outer
		r.narrow, r.widest = min(r.narrow, inner), max(r.widest, outer)
	}
	return r
}

// circleBand adds the runs of the cells of a band that are in reach, also from beyond the antimeridian.
func (p *Plan) circleBand(x *Index, band int, radius float64) {
	r, at := p.reachOf(band, radius), p.ruler.lng
	if r.widest < 0 {
		return
	}
	p.flat = p.flat && r.widest <= closeUnits/2 && at-r.widest >= -halfTurn && at+r.widest <= halfTurn
	for _, centre := range [...]float64{at - 2*halfTurn, at, at + 2*halfTurn} {
		if centre+r.widest < -halfTurn || centre-r.widest > halfTurn {
			continue
		}
		first, last := x.cells(band, centre-r.widest, centre+r.widest)
		for cell := first; cell < last; cell++ {
			west := x.west(cell) - centre
			if lo, hi := x.strip(cell, 0, cellStrips); west >= -r.narrow && west+cellWidth <= r.narrow {
				p.push(cell, Run{lo, hi, true})
			} else {
				p.ahead += x.readAhead(lo, hi)
				p.circleCell(x, cell, centre, &r)
			}
		}
	}
}

// circleCell adds the runs of a cell that is not inside as a whole: strips that are need no search.
func (p *Plan) circleCell(x *Index, cell int, centre float64, r *circleReach) {
	west := x.west(cell) - centre
	east := west + cellWidth
	for k := range cellStrips {
		inner, outer := r.inner[k], r.outer[k]
		if outer < 0 || east <= -outer || west >= outer {
			continue
		}
		lo, hi := x.strip(cell, k, k+1)
		switch {
		case lo == hi:
		case inner <= 0:
			ends := x.cut(lo, hi, [4]float64{centre - outer, centre + outer, math.Inf(1), math.Inf(1)})
			p.push(cell, Run{ends[0], ends[1], false})
		case west >= -inner && east <= inner:
			p.push(cell, Run{lo, hi, true})
		default:
			ends := x.cut(lo, hi, [4]float64{centre - outer, centre - inner, centre + inner, centre + outer})
			p.push(cell, Run{ends[0], ends[1], false})
			p.push(cell, Run{ends[1], ends[2], true})
			p.push(cell, Run{ends[2], ends[3], false})
		}
	}
}

// aheadPoints is up to how many points of a cell are read ahead.
const aheadPoints = 1024

// readAhead reads a number of each line of points of a cell, if they are few: read in a row, their cache misses overlap, while the
// searches of its strips wait for one after the other. The sum has no meaning.
func (x *Index) readAhead(first, last uint32) (sum int32) {
	const points = 64 / 8 // in a line of the processor's cache
	if last-first <= aheadPoints {
		for i := first; i < last; i += points {
			sum += x.Points[i].Lng
		}
	}
	return sum
}
