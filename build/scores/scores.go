package scores

import (
	"context"
	"fmt"

	"quartier/build/assembly"
	"quartier/internal/geo"
	"quartier/internal/parallel"
	"quartier/schemas"
	"quartier/schemas/calibration"
)

// What the weights of homes count.
const (
	Households = "households"
	Streets    = "street" // metres of residential street, where household counts are not available
)

// Geography is the scores of one geography.
type Geography struct {
	Index  int    // of the geography
	Basis  string // Households or Streets
	Values Values
	Homes  [len(Values{})]int64 // number of homes with the score
}

// Compute returns the scores of those geographies of the assembly that have any, ordered by index, and notes on those
// that have none.
func Compute(ctx context.Context, a *assembly.Assembly, geographies []assembly.Geography) ([]Geography, []string, error) {
	homes, hulls, err := readHomes(ctx, a)
	if err != nil || len(homes.homes) == 0 {
		return nil, nil, err
	}
	all := make([]*Geography, len(geographies))
	coverage := make([]coverage, len(geographies))
	newMedians := func() *medians { return &medians{index: homes} }
	err = parallel.EachWith(ctx, len(geographies), newMedians, func(m *medians, i int) error {
		g := &geographies[i]
		if g.Level > schemas.Metro {
			return nil
		}
		if err := m.collectHomes(g, i, a.Outlines); err != nil {
			return fmt.Errorf("geography %s: %w", g.Key, err)
		}
		scores := m.scores(i)
		if scores.Basis == "" {
			return nil
		}
		if coverage[i] = m.coverage(g, hulls); coverage[i] == sufficient {
			all[i] = &scores
		}
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	var scored []Geography
	for _, g := range all {
		if g != nil {
			scored = append(scored, *g)
		}
	}
	return scored, notes(geographies, coverage), nil
}

// coverage is whether the homes of a geography represent all of it.
type coverage int

const (
	sufficient    coverage = iota
	tooFewStreets          // there are no household counts, and hardly any streets
	outside                // most of the geography is outside of the regions' street networks
)

// coverage classifies the geography whose homes were collected.
func (m *medians) coverage(g *assembly.Geography, hulls assembly.Hulls) coverage {
	c := &calibration.Standard().Homes
	switch {
	case m.index.homes[m.found[0]].street && len(m.found) < c.MinStreets:
		return tooFewStreets
	case hulls.Share(m.outline, m.polygons, g.Centroid) < c.MinCoverage:
		return outside
	}
	return sufficient
}

// notes counts the geographies by level that have homes and no scores.
func notes(geographies []assembly.Geography, all []coverage) (notes []string) {
	counts := map[coverage]assembly.LevelCounts{sufficient: {}, tooFewStreets: {}, outside: {}}
	for i, c := range all {
		counts[c][geographies[i].Level]++
	}
	if levels := counts[tooFewStreets].String(); levels != "" {
		notes = append(notes, fmt.Sprintf("geographies without scores because household counts are not available and they have fewer than %d residential street segments: %s",
			calibration.Standard().Homes.MinStreets, levels))
	}
	if levels := counts[outside].String(); levels != "" {
		notes = append(notes, "geographies without scores because most of their area is outside of the street networks of the release: "+levels)
	}
	return notes
}

// medians computes the medians of one geography after another.
type medians struct {
	index    *homeIndex
	near     []int32       // homes in the bounding box of the geography
	found    []int32       // homes in the geography that count
	outline  *geo.Prepared // of the geography; undefined where near is empty
	polygons int           // in the outline

	// Weights by the upper byte of each score, and by the lower byte of the homes whose upper byte is the median's.
	upper [len(Values{})][256]uint64
	lower [256]uint64
}

// collectHomes finds the homes of a geography: those with household counts, otherwise those along streets.
func (m *medians) collectHomes(g *assembly.Geography, i int, outlines *assembly.Outlines) error {
	m.found = m.found[:0]
	m.near = m.index.within(m.near[:0], g.Bound)
	if len(m.near) == 0 {
		return nil
	}
	outline, err := outlines.Get(i)
	if err != nil {
		return err
	}
	m.outline, m.polygons = geo.Prepare(outline), len(outline)
	counted := false
	for _, i := range m.near {
		h := &m.index.homes[i]
		if counted && h.street || !m.outline.Contains(h.point) {
			continue
		}
		if !counted && !h.street { // the first one: those along streets no longer count
			counted, m.found = true, m.found[:0]
		}
		m.found = append(m.found, i)
	}
	return nil
}

// scores computes the medians over the homes that were collected. Basis is "" where there are no scores.
func (m *medians) scores(index int) Geography {
	g := Geography{Index: index}
	if len(m.found) == 0 {
		return g
	}
	clear(m.upper[:])
	total := uint64(0)
	for _, i := range m.found {
		h := &m.index.homes[i]
		total += h.weight
		for s, v := range h.values {
			if v != schemas.AbsentValue {
				m.upper[s][v>>8] += h.weight
				g.Homes[s]++
			}
		}
	}
	for s := range g.Values {
		if g.Values[s] = m.median(s, total); g.Values[s] != schemas.AbsentValue {
			g.Basis = Households
		}
	}
	if g.Basis != "" && m.index.homes[m.found[0]].street {
		g.Basis = Streets
	}
	return g
}

// median returns the lower weighted median of a score: the first of the ascending values at which half of the weight is
// reached. It is absent where the score is known for less than half of the total weight. Example: of the values 1.0, 1.25
// and 2.0 with weights 10, 20 and 30 the median is 1.25, because 10 + 20 is half of 60.
func (m *medians) median(s int, total uint64) uint16 {
	known := uint64(0)
	for _, w := range m.upper[s] {
		known += w
	}
	if known == 0 || 2*known < total {
		return schemas.AbsentValue
	}
	upper, below := reachHalf(&m.upper[s], 0, known)
	clear(m.lower[:])
	for _, i := range m.found {
		h := &m.index.homes[i]
		if v := h.values[s]; v != schemas.AbsentValue && int(v>>8) == upper {
			m.lower[v&255] += h.weight
		}
	}
	lower, _ := reachHalf(&m.lower, below, known)
	return uint16(upper<<8 | lower)
}

// reachHalf returns the first index at which the sum of below and of the weights up to it is half of total, and the sum
// before it.
func reachHalf(weights *[256]uint64, below, total uint64) (int, uint64) {
	for i, w := range weights {
		if 2*(below+w) >= total && w > 0 {
			return i, below
		}
		below += w
	}
	return 0, below // not reached: the sum of all is total
}
