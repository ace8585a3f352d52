package geography

import (
	"slices"

	"github.com/paulmach/orb"

	"quartier/internal/coord"
	"quartier/internal/geo"
	"quartier/schemas"
)

// containers finds the geography of a level that contains a point.
type containers struct {
	level    schemas.Level
	list     []*Geography
	outlines []*geo.Prepared // of the list
	index    *coord.BoxIndex
}

func newContainers(list []Geography, level schemas.Level) *containers {
	h := &containers{level: level}
	var boxes []orb.Bound
	for i := range list {
		if list[i].Level == level {
			h.list = append(h.list, &list[i])
			h.outlines = append(h.outlines, geo.Prepare(list[i].Geometry))
			boxes = append(boxes, list[i].Bound)
		}
	}
	h.index = coord.NewBoxIndex(boxes)
	return h
}

func smaller(a, b *Geography) bool {
	if a.AreaM2 != b.AreaM2 {
		return a.AreaM2 < b.AreaM2
	}
	return a.Key < b.Key
}

// Cities finds the level-30 geography at a point.
type Cities struct{ *containers }

// NewCities indexes the level-30 geographies of a derived list.
func NewCities(list []Geography) Cities { return Cities{newContainers(list, schemas.Municipality)} }

// At is the English name of the smallest level-30 geography that contains p; empty if there is none.
func (c Cities) At(p orb.Point) string {
	var best *Geography
	c.index.At(p, func(i int) bool {
		if city := c.list[i]; c.outlines[i].Contains(p) && (best == nil || smaller(city, best)) {
			best = city
		}
		return true
	})
	if best == nil {
		return ""
	}
	return best.NameEN
}

// areaTolerance is the difference between the sum of the parts' areas and that of the geography up to which the parts
// cover it, as a share.
const areaTolerance = 0.005

// sumPopulation sets the missing population of geographies to the sum over the geographies of a lower level, if these
// cover it and all have a population.
func sumPopulation(list []Geography) {
	for _, level := range schemas.Levels {
		if !counted(list, level) {
			continue
		}
		parents := newContainers(list, level)
		for _, below := range slices.Backward(schemas.Levels) {
			if below < level {
				parents.sumFrom(list, below)
			}
		}
	}
}

// counted reports whether any population below a level is known.
func counted(list []Geography, level schemas.Level) bool {
	return slices.ContainsFunc(list, func(g Geography) bool { return g.Level < level && g.Population != nil })
}

func (h *containers) sumFrom(list []Geography, below schemas.Level) {
	type sum struct {
		area   float64
		people int64
		gap    bool // some part has no population
	}
	sums := make([]sum, len(h.list))
	for i := range list {
		part := &list[i]
		if part.Level != below {
			continue
		}
		h.index.At(part.Centroid, func(j int) bool {
			if h.list[j].Population == nil && h.outlines[j].Contains(part.Centroid) {
				sums[j].area += part.AreaM2
				if part.Population == nil || geo.Overlap(geo.Prepare(part.Geometry), h.outlines[j], parallels) < 1-sliver {
					sums[j].gap = true
				} else {
					sums[j].people += *part.Population
				}
			}
			return true
		})
	}
	for j, s := range sums {
		container := h.list[j]
		if container.Population == nil && !s.gap && s.area > (1-areaTolerance)*container.AreaM2 && s.area < (1+areaTolerance)*container.AreaM2 {
			container.Population = &sums[j].people
		}
	}
}
