package build

import (
	"fmt"
	"slices"
	"strings"

	"github.com/paulmach/orb"

	"quartier/internal/geo"
	"quartier/schemas"
	"quartier/schemas/calibration"
)

// footing is whether a geography has enough ground for its homes to speak for all of it.
type footing int

const (
	firm     footing = iota
	fewHomes         // nobody counted households, and hardly a street is there
	beyond           // most of the geography lies beyond the streets of the release
)

// addHull tells that the ground is known within the hull of the region's walking network.
func (s *streets) addHull() {
	if ring := s.hull.Ring(); ring != nil {
		s.hulls = append(s.hulls, geo.Prepare(orb.MultiPolygon{{ring}}))
	}
}

// addHull tells that people are known within the hull of the region's small areas.
func (s *smallAreas) addHull() {
	if ring := s.hull.Ring(); ring != nil {
		s.hulls = append(s.hulls, geo.Prepare(orb.MultiPolygon{{ring}}))
	}
}

// footing judges the geography whose homes were found.
func (m *medians) footing(p *place) footing {
	c := &calibration.Standard().Homes
	switch {
	case m.index.homes[m.found[0]].street && len(m.found) < c.MinStreets:
		return fewHomes
	case known(p, m.area, m.parts, m.hulls) < c.MinCoverage:
		return beyond
	}
	return firm
}

// Parallels along which outlines are measured: so many for each part, up to the most. The share is exact to a hundredth
// or so.
const (
	hullParallels     = 128
	mostHullParallels = 1024
)

// known is the share of a geography's area, land and water alike, within the hulls of all regions together; its outline
// has so many parts. Where an outline slips through between the parallels its centroid stands for it.
func known(p *place, area *geo.Prepared, parts int, hulls []*geo.Prepared) float64 {
	share, met := geo.OverlapAny(area, hulls, min(hullParallels*parts, mostHullParallels))
	if met {
		return share
	}
	for _, hull := range hulls {
		if hull.Contains(p.Centroid) {
			return 1
		}
	}
	return 0
}

// noteFooting counts by level the geographies that have homes and no scores for want of ground; footings are those of
// d.places.
func (d *draft) noteFooting(footings []footing) {
	counts := map[footing]map[schemas.Level]int{fewHomes: {}, beyond: {}}
	for i, f := range footings {
		if f != firm {
			counts[f][d.places[i].Level]++
		}
	}
	for _, f := range []footing{fewHomes, beyond} {
		switch levels := byLevel(counts[f]); {
		case levels == "":
		case f == fewHomes:
			d.note("geographies with fewer than %d stretches of residential street and no households counted, which have no scores: %s",
				calibration.Standard().Homes.MinStreets, levels)
		default:
			d.note("geographies that lie mostly beyond the streets of the release and have no scores: %s", levels)
		}
	}
}

// byLevel lists counts of geographies by level; it is empty where there are none.
func byLevel(counts map[schemas.Level]int) string {
	var list []string
	for _, level := range schemas.Levels {
		if n := counts[level]; n > 0 {
			list = append(list, fmt.Sprintf("%d of level %d", n, level))
		}
	}
	return strings.Join(list, ", ")
}

// standsOn reports whether enough of a geography lies within the hulls of the regions' small areas for sums over them to
// be its own; beyond that it does not and yet has some of them.
func (c *census) standsOn(p *place, outline orb.MultiPolygon) (stands, beyond bool) {
	corners := []orb.Point{p.Bound.Min, p.Bound.Max, p.Bound.LeftTop(), p.Bound.RightBottom()}
	for _, hull := range c.hulls {
		if !slices.ContainsFunc(corners, func(corner orb.Point) bool { return !hull.Contains(corner) }) {
			return true, false // a hull is convex
		}
	}
	share := known(p, geo.Prepare(outline), len(outline), c.hulls)
	stands = share >= c.constants.MinCoverage
	return stands, !stands && share > 0
}
