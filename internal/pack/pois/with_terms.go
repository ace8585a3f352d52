package pois

import "quartier/internal/pack/strips"

// withTerms appends to dst the POIs in the shape of a plan that have a requested term, each once.
func withTerms(t *Table, p *strips.Plan, v *terms, w *termFilter, dst []uint32) []uint32 {
	for _, number := range w.numbers {
		for _, poi := range v.postings.At(number) {
			if p.Stopped(1) {
				return dst
			}
			if uint64(poi) >= uint64(len(t.index.Points)) || !p.Contains(t.index.Points[poi]) {
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
