package strips

import (
	"math"

	"quartier/internal/coord"
)

// Outward visits the runs strip by strip, nearest to the centre first, with the part [first, last) of each run that can be
// within the current reach of the search, until it is stopped.
func (p *Plan) Outward(x *Index, reach func() float64, visit func(r Run, first, last uint32)) {
	n := len(p.ends)
	home := min(max(stripOf(p.ruler.lat)-p.south, 0), n-1)
	for away := 0; away < n; away++ {
		if p.meter.Spend(stripWork) {
			return
		}
		if home+away < n {
			p.visit(x, home+away, reach(), visit)
		}
		if away > 0 && home-away >= 0 {
			p.visit(x, home-away, reach(), visit)
		}
	}
}

func (p *Plan) visit(x *Index, strip int, reach float64, visit func(r Run, first, last uint32)) {
	runs := p.strip(strip)
	if len(runs) == 0 {
		return
	}
	west, east := math.Inf(-1), math.Inf(1)
	limited := !math.IsInf(reach, 1)
	if limited {
		south := float64(p.south+strip)*stripHeight - 90*coord.Scale
		_, outer := p.ruler.reach(south, south+stripHeight, reach)
		if a, b := p.ruler.lng-outer, p.ruler.lng+outer; a >= -halfTurn && b <= halfTurn {
			west, east = a, b
		}
	}
	for _, r := range runs {
		p.meter.Spend(workOfPoint * int(r.Last-r.First))
		first, last := r.First, r.Last
		if limited {
			first = x.longitudes(first, last, west)
			last = x.longitudes(first, last, east)
		}
		visit(r, first, last)
	}
}
