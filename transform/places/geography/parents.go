package geography

import (
	"context"
	"slices"

	"github.com/paulmach/orb"

	"quartier/internal/coord"
	"quartier/internal/geo"
	"quartier/schemas"
)

// findParents gives every geography its city, metro, state and country by containment.
// A city holds levels up to 35, because a county is larger than its towns; a metro holds everything below it.
func findParents(ctx context.Context, list []Geography) error {
	cities, metros := newHolders(list, schemas.Municipality), newHolders(list, schemas.Metro)
	byCode := map[string]string{}
	for _, g := range list {
		switch g.Level {
		case schemas.State:
			byCode[g.States[0]] = g.Key
		case schemas.Country:
			byCode[g.Country] = g.Key
		}
	}
	return each(ctx, len(list), func(i int) {
		g := &list[i]
		if g.Level <= schemas.Metro {
			outline := geo.Prepare(g.Geometry)
			g.MetroKey = metros.of(g, outline)
			if g.Level <= schemas.CountySubdivision {
				g.CityKey = cities.of(g, outline)
			}
		}
		if len(g.States) > 0 {
			g.StateKey = byCode[g.States[0]]
		}
		g.CountryKey = byCode[g.Country]
	})
}

// holders finds the geography of one level that holds a point or another geography.
type holders struct {
	level    schemas.Level
	list     []*Geography
	outlines []*geo.Prepared // of the list
	index    *coord.BoxIndex
}

func newHolders(list []Geography, level schemas.Level) *holders {
	h := &holders{level: level}
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

// of is the key of the geography that holds the largest share of g, at least half of it or its point inside; itself
// at its own level; empty where there is none. Of two that hold the same share the smaller one is nearer to g.
func (h *holders) of(g *Geography, outline *geo.Prepared) string {
	if g.Level == h.level {
		return g.Key
	}
	var best *Geography
	largest := 0.0
	h.index.Search(g.Bound, func(i int) bool {
		holder := h.list[i]
		share := geo.Overlap(outline, h.outlines[i], parallels)
		if share == 0 || share < 0.5 && !h.outlines[i].Contains(g.Centroid) {
			return true
		}
		if best == nil || share > largest || share == largest && nearer(holder, best) {
			best, largest = holder, share
		}
		return true
	})
	if best == nil {
		return ""
	}
	return best.Key
}

func nearer(a, b *Geography) bool {
	if a.AreaM2 != b.AreaM2 {
		return a.AreaM2 < b.AreaM2
	}
	return a.Key < b.Key
}

// Cities names the level-30 geography around a point.
type Cities struct{ *holders }

// NewCities indexes the level-30 geographies of a derived list.
func NewCities(list []Geography) Cities { return Cities{newHolders(list, schemas.Municipality)} }

// At is the English name of the smallest level-30 geography that holds p; empty where none does.
func (c Cities) At(p orb.Point) string {
	var best *Geography
	c.index.At(p, func(i int) bool {
		if city := c.list[i]; c.outlines[i].Contains(p) && (best == nil || nearer(city, best)) {
			best = city
		}
		return true
	})
	if best == nil {
		return ""
	}
	return best.NameEN
}

// whole is how far the areas of the parts may be from that of the whole, as a share of it.
const whole = 0.005

// sumPopulation gives a geography without people those of a lower level, if its parts make up the whole of it and
// the people of each are known.
func sumPopulation(list []Geography) {
	for _, level := range schemas.Levels {
		if !counted(list, level) {
			continue
		}
		parents := newHolders(list, level)
		for _, below := range slices.Backward(schemas.Levels) {
			if below < level {
				parents.sumFrom(list, below)
			}
		}
	}
}

// counted reports whether people are known anywhere below a level.
func counted(list []Geography, level schemas.Level) bool {
	return slices.ContainsFunc(list, func(g Geography) bool { return g.Level < level && g.Population != nil })
}

func (h *holders) sumFrom(list []Geography, below schemas.Level) {
	type sum struct {
		area   float64
		people int64
		gap    bool
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
		holder := h.list[j]
		if holder.Population == nil && !s.gap && s.area > (1-whole)*holder.AreaM2 && s.area < (1+whole)*holder.AreaM2 {
			holder.Population = &sums[j].people
		}
	}
}
