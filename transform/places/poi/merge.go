package poi

import (
	"cmp"
	"math"
	"slices"

	"github.com/paulmach/orb"

	"quartier/internal/geo"
	"quartier/schemas/derived"
)

// Merge is a record that was merged into another one.
type Merge = derived.Merge

// Distances in metres and similarities of names up to which two records are duplicates. Places with an area may be
// farther apart, because publishers put their points in different spots.
const (
	reachPoint = 150.0  // of a place mapped as a point
	reachMax   = 1000.0 // of any place
	reachArea  = 0.75   // × side of a square of the place's area

	sameName     = 0.9  // within the reach
	similarName  = 0.75 // within reachSimilar
	relatedName  = 0.5  // within the reach, with the same telephone number, web or street address
	reachSimilar = 75.0
	reachBrand   = 50.0 // of two POIs of the same brand
	sameSpot     = 10.0 // of two points of the same source
	sameThing    = 75.0 // of a node and an area, if larger than the area's reach
)

// merge merges the records of the same place, except stops of timetables. The record of the source with the higher priority is kept,
// then the one with the smaller key. A record is compared with the published attributes of kept ones, so that the result depends
// neither on the order of the records nor on places out of reach.
//
// For example, "Joe's Café" of OpenStreetMap and "Joes Cafe" of Overture are cafes 21 m apart. Their normalised names
// are equal (similarity 1), so that the second is merged into the first for "same name nearby", and its telephone
// number is added.
func (s *places) merge() {
	cells := newGrid(len(s.list))
	for _, priority := range s.priorities() {
		for i := range s.list {
			p := &s.list[i]
			if p.stop || s.sources[p.source].priority != priority {
				continue
			}
			found := merged{kept: kept}
			cells.near(p, func(j int32) {
				if m, same := s.compare(j, int32(i)); same && (found.kept == kept || closer(m, found)) {
					found = m
				}
			})
			if p.into = found.kept; p.into == kept {
				cells.add(p, int32(i))
				continue
			}
			s.merges = append(s.merges, found)
		}
	}
	for _, m := range s.merges {
		into, from := &s.list[m.kept], &s.list[m.merged]
		if into.categories |= from.categories; into.brand < 0 {
			into.brand = from.brand
		}
	}
	slices.SortStableFunc(s.merges, func(a, b merged) int { return cmp.Compare(a.kept, b.kept) })
}

// priorities are those of the sources, each once.
func (s *places) priorities() (list []int) {
	for _, from := range s.sources {
		list = append(list, from.priority)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// closer orders merges of a record; places are numbered by key.
func closer(a, b merged) bool {
	return cmp.Or(cmp.Compare(b.similarity, a.similarity), cmp.Compare(a.metres, b.metres), cmp.Compare(a.kept, b.kept)) < 0
}

// reach is the maximum distance of a duplicate in metres.
func (p *entry) reach() float64 {
	return min(reachMax, max(reachPoint, reachArea*math.Sqrt(p.area)))
}

// compare reports whether two records are of the same place, with the reason.
func (s *places) compare(i, j int32) (merged, bool) {
	one, other := &s.list[i], &s.list[j]
	shared := withRelated(one.categories&^broadest) & other.categories
	if shared == 0 || shared.has(stops) || one.unnamed || other.unnamed || one.mall != other.mall {
		return merged{}, false
	}
	m := merged{kept: i, merged: j, metres: geo.NewPlane(one.point).Distance(other.point)}
	if m.metres > max(one.reach(), other.reach()) {
		return merged{}, false
	}
	m.similarity = similarity(s.name(i), s.name(j))
	if s.sources[one.source].id == s.sources[other.source].id {
		m.reason = s.compareWithin(m)
	} else {
		m.reason = s.compareAcross(m)
	}
	return m, m.reason != ""
}

// compareWithin compares two records of one source, which has few duplicates: only a node and an area of the same
// thing, two records at one spot, and the parts of a park.
func (s *places) compareWithin(m merged) string {
	a, b := &s.list[m.kept], &s.list[m.merged]
	switch {
	case numbers(s.name(m.kept)) != numbers(s.name(m.merged)):
	case a.element != b.element && m.similarity >= sameName &&
		m.metres <= max(sameThing, reachArea*math.Sqrt(max(a.area, b.area))):
		return "node and area of the same thing"
	case m.similarity == 1 && m.metres <= sameSpot:
		return "same name at the same spot"
	case m.similarity == 1 && a.categories.has(parks) && b.categories.has(parks):
		return "parts of one park"
	}
	return ""
}

func (s *places) compareAcross(m merged) string {
	a, b := &s.list[m.kept], &s.list[m.merged]
	switch {
	case m.similarity >= sameName:
		return "same name nearby"
	case m.similarity >= similarName && m.metres <= reachSimilar:
		return "similar name nearby"
	}
	if m.similarity >= relatedName {
		for i, bits := range a.texts {
			if bits != 0 && bits == b.texts[i] {
				if reason := relatedBy(s.record(m.kept), s.record(m.merged)); reason != "" {
					return reason
				}
				break
			}
		}
	}
	if m.metres <= reachBrand && a.brand >= 0 && b.brand >= 0 && s.brands[a.brand].ID == s.brands[b.brand].ID {
		return "same brand at the same spot"
	}
	return ""
}

// relatedBy is why two records with similar names are of one place.
func relatedBy(a, b *POI) string {
	switch {
	case a.Phone != "" && a.Phone == b.Phone:
		return "similar name and same telephone"
	case a.URL != "" && a.URL == b.URL:
		return "similar name and same web address"
	case sameText(a.Address, b.Address):
		return "similar name and same address"
	}
	return ""
}

// grid is an index of kept places: squares of about 200 m with the places whose reach touches them.
type grid struct {
	first map[[2]int32]int32 // in links, of a square
	links []link
}

// link is a place of a square, and the next one; -1: none.
type link struct{ place, next int32 }

func newGrid(places int) *grid { return &grid{map[[2]int32]int32{}, make([]link, 0, places)} }

const cellDegrees = 0.002

func cellsOf(box orb.Bound) (first, last [2]int32) {
	cell := func(p orb.Point) [2]int32 {
		return [2]int32{int32(math.Floor(p[0] / cellDegrees)), int32(math.Floor(p[1] / cellDegrees))}
	}
	return cell(box.Min), cell(box.Max)
}

// add adds a kept place to every square that its reach touches. One with the minimum reach is added to its own square
// only, because near searches that far.
func (g *grid) add(p *entry, number int32) {
	box := orb.Bound{Min: p.point, Max: p.point}
	if reach := p.reach(); reach > reachPoint {
		box = geo.CircleBound(p.point, reach)
	}
	first, last := cellsOf(box)
	for x := first[0]; x <= last[0]; x++ {
		for y := first[1]; y <= last[1]; y++ {
			cell, next := [2]int32{x, y}, int32(-1)
			if at, some := g.first[cell]; some {
				next = at
			}
			g.first[cell] = int32(len(g.links))
			g.links = append(g.links, link{number, next})
		}
	}
}

// near visits the kept places that may be within reach of p; some are visited more than once or are farther away.
func (g *grid) near(p *entry, visit func(number int32)) {
	first, last := cellsOf(geo.CircleBound(p.point, p.reach()))
	for x := first[0]; x <= last[0]; x++ {
		for y := first[1]; y <= last[1]; y++ {
			at, some := g.first[[2]int32{x, y}]
			for ; some && at >= 0; at = g.links[at].next {
				visit(g.links[at].place)
			}
		}
	}
}
