// Package analysis compares the geographies of a release with each other: one figure of many areas, the figures of one beside those
// of what contains it with its rank among its peers, and the streets within minutes on foot of a point. Input: a release and what of
// it an account may see. Output: values as the API has them; what is not known is left out.
package analysis

import (
	"math"
	"slices"

	"quartier/internal/pack/market"
	"quartier/internal/pack/people"
	"quartier/schemas"
	vocabulary "quartier/schemas/demographics"
	statistics "quartier/schemas/market"
	"quartier/serve/account"
	"quartier/serve/release"
)

// Figure is a number that the release has of geographies.
type Figure struct {
	ID      string // a score, CATEGORY.VARIABLE of demographics, or one of the market
	Product string // of the API that has it
	places  int    // of its decimals
}

// firstPeople and firstSold are the indexes in Figures of those of demographics and of the market; scores are first.
var firstPeople, firstSold = len(schemas.Scores), len(schemas.Scores) + people.Variables()

// sold are the figures of the market: of all homes over the last twelve months, counts of the last day.
var sold = []statistics.Metric{statistics.SaleMedian, statistics.Sold, statistics.DaysToSellMedian, statistics.Active}

// Figures are all figures, in the order of the API.
var Figures = func() (all []Figure) {
	for _, s := range schemas.Scores {
		all = append(all, Figure{s.ID, "scores", 4})
	}
	for _, at := range vocabulary.Flat(vocabulary.ByGeography) {
		c := &vocabulary.ByGeography[at.Category]
		v := &c.Variables[at.Variable]
		all = append(all, Figure{c.ID + "." + v.ID, "demographics", v.Decimals()})
	}
	for _, m := range sold {
		all = append(all, Figure{"market." + m.String(), "market_stats", m.Decimals()})
	}
	return all
}()

// Number is the value of a figure for a geography.
type Number struct {
	Value float64  `json:"value"`
	Lower *float64 `json:"lower,omitempty"` // limits of the 90 % confidence interval
	Upper *float64 `json:"upper,omitempty"`
	Open  string   `json:"open,omitempty"` // upper: the value or more; lower: less
}

// Reader reads the figures of the public geographies of a release, as an account may see them.
type Reader struct {
	Release   *release.Release
	Agreement *account.Agreement
	Sees      func(i int) bool // whether the account may see geography i
}

// AllowedBy reports whether an agreement has a figure.
func (f *Figure) AllowedBy(a *account.Agreement) bool {
	return a.AllowsProduct(f.Product) && (f.Product != "scores" || a.AllowsScore(f.ID))
}

// each visits the figures of geography i that are known and that the agreement has, by their index in Figures.
func (r *Reader) each(i int, visit func(f int, n Number)) {
	add := func(f int, value float64) {
		if Figures[f].AllowedBy(r.Agreement) {
			visit(f, Number{Value: value / math.Pow10(Figures[f].places)})
		}
	}
	id := r.Release.Geographies.ID(i)
	if values, ok := r.Release.Access.Geography(id); ok {
		for s, v := range values {
			if v != schemas.AbsentValue {
				add(s, float64(v))
			}
		}
	}
	if record, ok := r.Release.People.Find(id); ok && r.Agreement.AllowsProduct("demographics") {
		for place := range people.Variables() {
			if value, lower, upper := record.Value(place); value != people.Absent {
				visit(firstPeople+place, numberOf(value, lower, upper, math.Pow10(Figures[firstPeople+place].places)))
			}
		}
	}
	if m := r.Release.Market; m != nil {
		var row market.Row
		var values statistics.Values
		m.Table.Find(i, statistics.AllResidential, &row)
		year := slices.IndexFunc(m.Table.Intervals(), func(i statistics.Interval) bool { return i.Code == "12m" })
		for n, metric := range sold {
			if year >= 0 && row.Values(year, &values) && values[metric] != statistics.Absent {
				add(firstSold+n, float64(values[metric]))
			}
		}
	}
}

// numberOf is a record's numbers, with a scale.
func numberOf(value, lower, upper uint32, scale float64) Number {
	n, low, high := Number{Value: float64(value) / scale}, float64(lower)/scale, float64(upper)/scale
	switch {
	case lower != people.Absent && upper != people.Absent:
		n.Lower, n.Upper = &low, &high
	case lower != people.Absent:
		n.Open = string(vocabulary.OpenUpper)
	case upper != people.Absent:
		n.Open = string(vocabulary.OpenLower)
	}
	return n
}
