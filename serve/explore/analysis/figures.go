// Package analysis compares the geographies of a release with each other: one figure of many areas, the figures of one beside those
// of what contains it with its rank among its peers, and the streets within minutes on foot of a point. Input: a release and what of
// it an account may see. Output: values as the API has them; what is not known is left out.
package analysis

import (
	"math"

	"quartier/internal/pack/market"
	"quartier/internal/pack/people"
	"quartier/schemas"
	vocabulary "quartier/schemas/demographics"
	statistics "quartier/schemas/market"
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
var sold = [...]struct {
	id     string
	metric statistics.Metric
}{
	{"market.price", statistics.SaleMedian}, {"market.sold", statistics.Sold}, {"market.days", statistics.DaysToSellMedian},
	{"market.active", statistics.Active},
}

// soldType and soldInterval are of what homes and time the market's figures are.
const soldType, soldInterval = statistics.AllResidential, "12m"

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
	for _, s := range sold {
		all = append(all, Figure{s.id, "market_stats", s.metric.Decimals()})
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
	Release *release.Release
	Sees    func(i int) bool          // whether the account may see geography i
	Allows  func(product string) bool // whether the agreement has a product
	Scores  func(score string) bool   // and a score
}

// May reports whether the agreement has a figure.
func (r *Reader) May(f *Figure) bool {
	return r.Allows(f.Product) && (f.Product != "scores" || r.Scores(f.ID))
}

// each visits the figures of geography i that are known and that the agreement has, by their index in Figures.
func (r *Reader) each(i int, visit func(f int, n Number)) {
	id := r.Release.Geographies.ID(i)
	if values, ok := r.Release.Access.Geography(id); ok {
		for s, v := range values {
			if v != schemas.AbsentValue && r.May(&Figures[s]) {
				visit(s, Number{Value: float64(v) / schemas.UnitValue})
			}
		}
	}
	if record, ok := r.Release.People.Find(id); ok && r.Allows("demographics") {
		for place := range people.Variables() {
			if n, known := numberOf(&record, place); known {
				visit(firstPeople+place, n)
			}
		}
	}
	r.eachSold(i, visit)
}

func numberOf(record *people.Record, place int) (n Number, known bool) {
	value, lower, upper := record.Value(place)
	if value == people.Absent {
		return n, false
	}
	scale := math.Pow10(Figures[firstPeople+place].places)
	n.Value = float64(value) / scale
	switch {
	case lower != people.Absent && upper != people.Absent:
		low, high := float64(lower)/scale, float64(upper)/scale
		n.Lower, n.Upper = &low, &high
	case lower != people.Absent:
		n.Open = string(vocabulary.OpenUpper)
	case upper != people.Absent:
		n.Open = string(vocabulary.OpenLower)
	}
	return n, true
}

// eachSold visits the figures of the market.
func (r *Reader) eachSold(i int, visit func(f int, n Number)) {
	m := r.Release.Market
	if m == nil || !r.Allows("market_stats") {
		return
	}
	interval, err := statistics.Parse(soldInterval, m.Table.Day(), m.Table.Intervals())
	if err != nil {
		return
	}
	var row market.Row
	var values statistics.Values
	if m.Table.Find(i, soldType, &row); !row.Values(interval, &values) {
		return
	}
	for s := range sold {
		f := firstSold + s
		if v := values[sold[s].metric]; v != statistics.Absent {
			visit(f, Number{Value: float64(v) / math.Pow10(Figures[f].places)})
		}
	}
}
