package pois

import "math"

// outward visits the runs strip by strip, nearest to the centre first, and tells of each run which part of it can lie
// within the reach that the search is down to by then.
func (p *plan) outward(t *Table, reach func() float64, visit func(r run, first, last uint32)) {
	n := len(p.ends)
	home := min(max(stripOf(p.ruler.lat)-p.south, 0), n-1)
	for away := 0; away < n; away++ {
		if home+away < n {
			p.visit(t, home+away, reach(), visit)
		}
		if away > 0 && home-away >= 0 {
			p.visit(t, home-away, reach(), visit)
		}
	}
}

func (p *plan) visit(t *Table, strip int, reach float64, visit func(r run, first, last uint32)) {
	runs := p.strip(strip)
	if len(runs) == 0 {
		return
	}
	west, east := math.Inf(-1), math.Inf(1)
	if !math.IsInf(reach, 1) {
		south := float64(p.south+strip)*stripHeight - 90*1e7
		_, outer := p.ruler.reach(south, south+stripHeight, reach)
		if a, b := p.ruler.lng-outer, p.ruler.lng+outer; a >= -halfTurn && b <= halfTurn {
			west, east = a, b
		}
	}
	for _, r := range runs {
		first := t.longitudes(r.first, r.last, west)
		visit(r, first, t.longitudes(first, r.last, east))
	}
}

// carriers appends to dst the POIs in the shape that carry a term asked for, each once.
func (p *plan) carriers(t *Table, v *terms, w *wanted, dst []uint32) []uint32 {
	for _, number := range w.numbers {
		for _, poi := range v.postings.At(number) {
			if uint64(poi) >= uint64(len(t.points)) || !p.holds(t.points[poi]) {
				continue
			}
			if len(w.numbers) == 1 || w.first(v, poi) == number {
				dst = append(dst, poi)
			}
		}
	}
	return dst
}

// first is the first number in the list of a POI that is asked for; -1 where there is none.
func (w *wanted) first(v *terms, poi uint32) int {
	for _, number := range v.of.At(int(poi)) {
		if w.set.has(number) {
			return int(number)
		}
	}
	return -1
}
