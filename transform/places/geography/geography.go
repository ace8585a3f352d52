// Package geography computes geographies from staged outlines: country and states, area, bounding
// box, interior point, and population where it is known. Input: staged.boundary, staged.coverage, staged.further_name
// and staged.gazetteer_place. Output: derived.geography, derived.geography_name and derived.coverage. All outlines of a region are held in
// memory.
package geography

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/paulmach/orb"

	"quartier/internal/geo"
	"quartier/internal/parallel"
	"quartier/schemas"
	"quartier/transform/issue"
)

// Boundary is a row of staged.boundary with the priority of its source. Empty strings and nil mean missing.
type Boundary struct {
	Source, Key    string
	Priority       int // of the source; 0 is the highest
	Level          schemas.Level
	NameEN, NameFR string
	Country, State string
	Population     *int64
	Names          []Name // further ones
	Geometry       orb.MultiPolygon
}

// Name is a further name of a geography, by which it is found.
type Name struct{ Name, Kind, Language, Source string }

// GazetteerPlace is a row of staged.gazetteer_place with its names.
type GazetteerPlace struct {
	Key   string
	Level schemas.Level
	Point orb.Point
	Names []Name // its own first
}

// Extent is a row of staged.coverage.
type Extent struct {
	Source, Country, State string
	Geometry               orb.MultiPolygon
}

// Geography is a row of derived.geography.
type Geography struct {
	Boundary
	States   []string // 'CA_QC', the largest share first; none at level 70
	AreaM2   float64
	Bound    orb.Bound
	Centroid orb.Point // strictly inside
}

// Result is the output of Derive.
type Result struct {
	Geographies []Geography // by key
	Coverage    *Coverage
	Issues      []issue.Issue
}

// Derive computes the geographies of a region. The order of its arguments does not matter. Its only errors are those
// of ctx.
func Derive(ctx context.Context, boundaries []Boundary, extents []Extent, gazetteer []GazetteerPlace) (Result, error) {
	issues := issue.NewCounter("geography")
	list, err := measure(ctx, boundaries, issues)
	if err != nil {
		return Result{}, err
	}
	list = dropDuplicates(list, issues)
	coverage := newCoverage(list, extents)
	if list, err = assignStates(ctx, list, coverage, issues); err != nil {
		return Result{}, err
	}
	sumPopulation(list)
	nameByGazetteer(list, gazetteer, issues)
	slices.SortFunc(list, func(a, b Geography) int { return cmp.Compare(a.Key, b.Key) })
	return Result{list, coverage, issues.Issues()}, nil
}

// measure computes the area, box and centroid of every boundary, in the order of priority and key.
func measure(ctx context.Context, boundaries []Boundary, issues *issue.Counter) ([]Geography, error) {
	list := make([]Geography, len(boundaries))
	for i, b := range boundaries {
		list[i].Boundary = b
	}
	slices.SortFunc(list, func(a, b Geography) int {
		return cmp.Or(cmp.Compare(a.Priority, b.Priority), cmp.Compare(a.Source, b.Source), cmp.Compare(a.Key, b.Key))
	})
	inside := make([]bool, len(list))
	err := parallel.Each(ctx, len(list), func(i int) {
		g := &list[i]
		g.Centroid, inside[i] = geo.InteriorPoint(g.Geometry)
		g.AreaM2 = geo.Area(g.Geometry)
		g.Bound = g.Geometry.Bound()
		if g.NameFR == "" {
			g.NameFR = frenchName(g.Boundary)
		}
	})
	kept := list[:0]
	for i, g := range list {
		if !inside[i] || g.AreaM2 <= 0 {
			issues.Add(issue.NoInteriorPoint, g.Key)
			continue
		}
		kept = append(kept, g)
	}
	return kept, err
}

// frenchName is the French name of a country or state in schemas, else the English name.
func frenchName(b Boundary) string {
	country, state := codes(b)
	switch b.Level {
	case schemas.State:
		if name, ok := schemas.StateName(country, state); ok && strings.EqualFold(name.EN, b.NameEN) {
			return name.FR
		}
	case schemas.Country:
		if name := schemas.CountryName(country); strings.EqualFold(name.EN, b.NameEN) {
			return name.FR
		}
	}
	return b.NameEN
}
