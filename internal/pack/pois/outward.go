package pois

import (
	"math"

	"quartier/internal/coord"
)

// outward visits the runs strip by strip, nearest to the centre first, with the part [first, last) of each run that can be
// within the current reach of the search.
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
		south := float64(p.south+strip)*stripHeight - 90*coord.Scale
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

// withTerms appends to dst the POIs in the shape that have a requested term, each once.
func (p *plan) withTerms(t *Table, v *terms, w *termFilter, dst []uint32) []uint32 {
	for _, number := range w.numbers {
		for _, poi := range v.postings.At(number) {
			if uint64(poi) >= uint64(len(t.points)) || !p.contains(t.points[poi]) {
				continue
			}
			if len(w.numbers) == 1 || w.first(v, poi) == number {
				dst = append(dst, poi)
			}
		}
	}
	return dst
}

// first is the first requested term of a POI; −1 if it has none.
func (w *termFilter) first(v *terms, poi uint32) int {
	for _, number := range v.of.At(int(poi)) {
		if w.set.has(number) {
			return int(number)
		}
	}
	return -1
}
