package geography

import (
	"cmp"
	"context"
	"slices"

	"github.com/paulmach/orb"

	"quartier/internal/coord"
	"quartier/internal/geo"
	"quartier/internal/outline"
	"quartier/internal/parallel"
	"quartier/schemas"
	"quartier/transform/issue"
	"quartier/transform/places/normalize"
)

// Cover is a row of derived.coverage: an area of a state.
type Cover struct {
	Country, State string
	Key            string // of the level-60 geography, or 'extent:<source_id>'
	Geometry       orb.MultiPolygon
	outline        *geo.Prepared
}

// Code is the region code, 'US_DE'.
func (c Cover) Code() string { return c.Country + "_" + c.State }

// Coverage finds the country and state of a point: by the level-60 outlines of the region, and outside of them by the
// extents of its sources, which end at the coarse outlines of states that come with the program.
type Coverage struct {
	Covers   []Cover // outlines, then extents, each by code and key
	outlines int     // number of outlines
	index    *coord.BoxIndex
}

// ShoreTolerance is the distance in metres from the nearest outline up to which a point outside all outlines belongs
// to it: outlines are generalised, and piers extend beyond them.
const ShoreTolerance = 200.0

func newCoverage(list []Geography, extents []Extent) *Coverage {
	c := &Coverage{}
	for _, g := range list {
		country, state := codes(g.Boundary)
		if g.Level == schemas.State && state != "" {
			c.Covers = append(c.Covers, Cover{country, state, g.Key, g.Geometry, geo.Prepare(g.Geometry)})
		}
	}
	c.outlines = len(c.Covers)
	for _, e := range extents {
		c.Covers = append(c.Covers, Cover{e.Country, e.State, "extent:" + e.Source, e.Geometry, geo.Prepare(e.Geometry)})
	}
	for _, part := range [][]Cover{c.Covers[:c.outlines], c.Covers[c.outlines:]} {
		slices.SortStableFunc(part, func(a, b Cover) int {
			return cmp.Or(cmp.Compare(a.Code(), b.Code()), cmp.Compare(a.Key, b.Key))
		})
	}
	boxes := make([]orb.Bound, len(c.Covers))
	for i, cover := range c.Covers {
		boxes[i] = cover.outline.Bound()
	}
	c.index = coord.NewBoxIndex(boxes)
	return c
}

// WithoutOutline lists the codes of the states of which there is only an extent.
func (c *Coverage) WithoutOutline() (codes []string) {
	for _, e := range c.Covers[c.outlines:] {
		known := slices.ContainsFunc(c.Covers[:c.outlines], func(o Cover) bool { return o.Code() == e.Code() })
		if !known && !slices.Contains(codes, e.Code()) {
			codes = append(codes, e.Code())
		}
	}
	return codes
}

// At is the outline that contains p or is within the shore tolerance of it, else the extent; nil if there is none. On a
// border, the first code counts.
func (c *Coverage) At(p orb.Point) *Cover {
	if cover := c.find(p, 0, c.outlines); cover != nil {
		return cover
	}
	return c.find(p, c.outlines, len(c.Covers))
}

// find looks among the covers from number first to end-1.
func (c *Coverage) find(p orb.Point, first, end int) *Cover {
	best, nearest := -1, ShoreTolerance
	c.index.Search(geo.CircleBound(p, ShoreTolerance), func(i int) bool {
		if i < first || i >= end {
			return true
		}
		d := c.Covers[i].outline.DistanceWithin(p, ShoreTolerance)
		if d < nearest || d == nearest && i < best {
			best, nearest = i, d
		}
		return true
	})
	if best < 0 {
		return nil
	}
	return &c.Covers[best]
}

// Land reports whether a point may be on land: it is in an outline, or in a state of which there is none. What is in the
// coarse outline of a state and not in its own is the sea off its coast, which it has 10 km of.
func (c *Coverage) Land(p orb.Point) bool {
	inside := false
	c.index.At(p, func(i int) bool {
		inside = i < c.outlines && c.Covers[i].outline.Contains(p)
		return !inside
	})
	if inside {
		return true
	}
	code := outline.At(p)
	return code != "" && !slices.ContainsFunc(c.Covers[:c.outlines], func(cover Cover) bool { return cover.Code() == code })
}

// Empty reports whether no state or province is known.
func (c *Coverage) Empty() bool { return len(c.Covers) == 0 }

// Contains reports whether a point is in a cover or within the shore tolerance of one.
func (c *Coverage) Contains(p orb.Point) bool { return c.At(p) != nil }

// Touches reports whether a box touches that of a cover.
func (c *Coverage) Touches(box orb.Bound) bool {
	touches := false
	c.index.Search(box, func(int) bool {
		touches = true
		return false
	})
	return touches
}

// Names are the codes of the covers, such as US_OR, sorted.
func (c *Coverage) Names() (names []string) {
	for _, cover := range c.Covers {
		names = append(names, cover.Code())
	}
	return slices.Compact(names)
}

// codes are the country and state of a boundary: as published, else for levels 60 and 70 by its name. Empty if
// unknown.
func codes(b Boundary) (country, state string) {
	country, state = b.Country, b.State
	switch b.Level {
	case schemas.Country:
		for _, code := range schemas.Countries {
			if country == "" && normalize.Name(schemas.CountryName(code).EN) == normalize.Name(b.NameEN) {
				country = code
			}
		}
		return country, ""
	case schemas.State:
		for _, s := range schemas.States {
			if state == "" && (country == "" || country == s.Country) &&
				(normalize.Name(s.Name.EN) == normalize.Name(b.NameEN) || normalize.Name(s.Name.FR) == normalize.Name(b.NameEN)) {
				country, state = s.Country, s.Code
			}
		}
	}
	if country == "" && state != "" {
		for _, code := range schemas.Countries { // no state code occurs in both countries
			if _, ok := schemas.FindState(code, state); ok {
				country = code
			}
		}
	}
	return country, state
}

// Shares below 1 % are due to differences between two publishers' borders, not a part of the geography.
const (
	sliver         = 0.01
	stateParallels = 128
)

// assignStates sets the country and states of every geography and drops those that have none.
func assignStates(ctx context.Context, list []Geography, coverage *Coverage, issues *issue.Counter) ([]Geography, error) {
	err := parallel.Each(ctx, len(list), func(i int) {
		g := &list[i]
		country, state := codes(g.Boundary)
		switch {
		case g.Level == schemas.Country:
		case g.Level == schemas.State:
			if _, known := schemas.FindState(country, state); known {
				g.States = []string{country + "_" + state}
			}
		case g.Level < schemas.Metro && country != "" && state != "":
			g.States = []string{country + "_" + state}
		default:
			g.States = coverage.shares(g)
			if len(g.States) == 0 && country != "" && state != "" && !coverage.has(country+"_"+state) {
				g.States = []string{country + "_" + state}
			}
		}
		if len(g.States) > 0 {
			country, state = g.States[0][:2], g.States[0][3:]
		}
		g.Country, g.State = country, state
	})
	kept := list[:0]
	for _, g := range list {
		switch {
		case schemas.CountryName(g.Country) == (schemas.Text{}):
			issues.Add(issue.OutsideCoverage.With("country"), g.Key)
		case g.Level < schemas.Country && len(g.States) == 0:
			issues.Add(issue.OutsideCoverage.With("state"), g.Key)
		default:
			kept = append(kept, g)
		}
	}
	return kept, err
}

func (c *Coverage) has(code string) bool {
	return slices.ContainsFunc(c.Covers, func(cover Cover) bool { return cover.Code() == code })
}

// shares lists the states that contain a part of g, the largest share first; if all parts are slivers, the state of
// its centroid. Extents count only if g is for the most part outside of the outlines: their borders are coarse.
func (c *Coverage) shares(g *Geography) []string {
	share := map[string]float64{}
	var states []string
	outline := geo.Prepare(g.Geometry)
	inOutlines, parts := 0.0, make([]float64, len(c.Covers))
	c.index.Search(g.Bound, func(i int) bool {
		parts[i] = geo.Overlap(outline, c.Covers[i].outline, stateParallels)
		if i < c.outlines {
			inOutlines += parts[i]
		}
		return true
	})
	if inOutlines >= 0.5 {
		parts = parts[:c.outlines]
	}
	for i, part := range parts {
		if part < sliver {
			continue
		}
		code := c.Covers[i].Code()
		if _, seen := share[code]; !seen {
			states = append(states, code)
		}
		share[code] = max(share[code], part)
	}
	slices.SortFunc(states, func(a, b string) int {
		return cmp.Or(cmp.Compare(share[b], share[a]), cmp.Compare(a, b))
	})
	if len(states) == 0 {
		if cover := c.At(g.Centroid); cover != nil {
			return []string{cover.Code()}
		}
	}
	return states
}
