package household

import (
	"github.com/paulmach/orb"

	"quartier/internal/geo"
	"quartier/schemas"
	"quartier/schemas/calibration"
)

// Medians are the scores of the median household.
type Medians struct {
	Basis  string // Households or Streets; "": no score is known
	Values Values
	Homes  [len(Values{})]int64 // number of homes with the score
}

// Medians computes those over homes that Index.In found. q is reused.
func (q *Quantiles) Medians(x *Index, found []int32) (m Medians) {
	for s := range m.Values {
		m.Values[s] = schemas.AbsentValue
	}
	if len(found) == 0 {
		return m
	}
	q.Set(x, found)
	m.Homes = q.Homes
	for s := range m.Values {
		if m.Values[s] = q.Median(s); m.Values[s] != schemas.AbsentValue {
			m.Basis = Households
		}
	}
	if m.Basis != "" && x.Homes[found[0]].Street {
		m.Basis = Streets
	}
	return m
}

// Coverage is whether the homes of an outline represent all of it.
type Coverage int

// The coverages.
const (
	Sufficient    Coverage = iota
	TooFewStreets          // there are no household counts, and hardly any streets
	Outside                // most of the outline is outside of the regions' street networks
)

// CoverageOf classifies an outline of some polygons by the homes that were found in it, at least one. The centroid decides
// about an outline that is as small as a point.
func CoverageOf(x *Index, found []int32, hulls Hulls, outline *geo.Prepared, polygons int, centroid orb.Point) Coverage {
	c := &calibration.Standard().Homes
	switch {
	case x.Homes[found[0]].Street && len(found) < c.MinStreets:
		return TooFewStreets
	case hulls.Share(outline, polygons, centroid) < c.MinCoverage:
		return Outside
	}
	return Sufficient
}
