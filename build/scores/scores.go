// Package scores computes the scores of geographies: those of the median household, over homes on the streets of all
// regions.
package scores

import (
	"context"
	"fmt"

	"quartier/build/assembly"
	"quartier/build/homes"
	"quartier/internal/geo"
	"quartier/internal/household"
	"quartier/internal/parallel"
	"quartier/schemas"
	"quartier/schemas/calibration"
)

// Geography is the scores of one geography.
type Geography struct {
	Index  int    // of the geography
	Basis  string // homes.Households or homes.Streets
	Values homes.Values
	Homes  [len(homes.Values{})]int64 // number of homes with the score
}

// Compute returns the scores of those geographies that have any, ordered by index, and notes on those that have none.
func Compute(ctx context.Context, outlines *assembly.Outlines, index *homes.Index, hulls assembly.Hulls,
	geographies []assembly.Geography) ([]Geography, []string, error) {
	if len(index.Homes) == 0 {
		return nil, nil, nil
	}
	all := make([]*Geography, len(geographies))
	coverage, err := Each(ctx, outlines, index, hulls, geographies, func(i int, found []int32, weights *homes.Quantiles) bool {
		if g := median(weights, index, found, i); g.Basis != "" {
			all[i] = &g
		}
		return all[i] != nil
	})
	if err != nil {
		return nil, nil, err
	}
	var scored []Geography
	for i, g := range all {
		if g != nil && coverage[i] == household.Sufficient {
			scored = append(scored, *g)
		}
	}
	return scored, notes(geographies, coverage), nil
}

// Each visits the geographies up to metros that have homes, several at once, with the homes that count. The coverage of those for which
// visit returns true is computed; that of others is Sufficient.
func Each(ctx context.Context, outlines *assembly.Outlines, index *homes.Index, hulls assembly.Hulls, geographies []assembly.Geography,
	visit func(i int, found []int32, weights *homes.Quantiles) bool) ([]household.Coverage, error) {
	coverage := make([]household.Coverage, len(geographies))
	newMedians := func() *medians { return &medians{index: index} }
	return coverage, parallel.EachWith(ctx, len(geographies), newMedians, func(m *medians, i int) error {
		g := &geographies[i]
		if g.Level > schemas.Metro {
			return nil
		}
		if err := m.collectHomes(g, i, outlines); err != nil {
			return fmt.Errorf("geography %s: %w", g.Key, err)
		}
		if len(m.found) > 0 && visit(i, m.found, &m.weights) {
			coverage[i] = household.CoverageOf(m.index, m.found, hulls, m.outline, m.polygons, g.Centroid)
		}
		return nil
	})
}

// notes counts the geographies by level that have homes and no scores.
func notes(geographies []assembly.Geography, all []household.Coverage) (notes []string) {
	counts := map[household.Coverage]assembly.LevelCounts{household.Sufficient: {}, household.TooFewStreets: {}, household.Outside: {}}
	for i, c := range all {
		counts[c][geographies[i].Level]++
	}
	if levels := counts[household.TooFewStreets].String(); levels != "" {
		notes = append(notes,
			fmt.Sprintf("geographies without scores because household counts are not available and they have fewer than %d residential street "+
				"segments: %s",
				calibration.Standard().Homes.MinStreets, levels))
	}
	if levels := counts[household.Outside].String(); levels != "" {
		notes = append(notes, "geographies without scores because most of their area is outside of the street networks of the release: "+levels)
	}
	return notes
}

// medians computes the medians of one geography after another.
type medians struct {
	index    *homes.Index
	near     []int32       // homes in the bounding box of the geography
	found    []int32       // homes in the geography that count
	outline  *geo.Prepared // of the geography; undefined where near is empty
	polygons int           // in the outline
	weights  homes.Quantiles
}

// collectHomes finds the homes of a geography: those with household counts, otherwise those along streets.
func (m *medians) collectHomes(g *assembly.Geography, i int, outlines *assembly.Outlines) error {
	m.found = m.found[:0]
	m.near = m.index.InBox(m.near[:0], g.Bound)
	if len(m.near) == 0 {
		return nil
	}
	outline, err := outlines.Get(i)
	if err != nil {
		return err
	}
	m.outline, m.polygons = geo.Prepare(outline), len(outline)
	m.found = m.index.In(m.found, m.near, m.outline)
	return nil
}

// median is the scores of geography i over the homes that were collected. Basis is "" where there are none.
func median(weights *homes.Quantiles, index *homes.Index, found []int32, i int) Geography {
	of := weights.Medians(index, found)
	return Geography{Index: i, Basis: of.Basis, Values: of.Values, Homes: of.Homes}
}
