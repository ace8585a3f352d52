package estimates

import (
	"cmp"
	"math"
	"slices"

	"quartier/build/assembly"
	"quartier/internal/demography"
	"quartier/internal/margin"
	"quartier/internal/pack/smallareas"
	"quartier/schemas/calibration"
	"quartier/schemas/demographics"
)

// areaHomeValue is the home value in a small area, and its households in the shape that own a home.
type areaHomeValue struct {
	area    int
	dollars float64
	owners  float64
}

// medianHomeValue returns the median of the home values in the small areas of the shape, weighted by the households that
// own one: the first of the ascending values at which half of the weight is reached. It is NaN where the value is known
// for too few, and a bound where that of the area is.
func (e *estimator) medianHomeValue(scope smallareas.Scope) (demography.Middle, error) {
	e.homeValues = e.homeValues[:0]
	all, known := 0.0, 0.0
	err := e.areas.Each(&e.shape, scope, func(area int, weight [demographics.Universes]float64) error {
		owners, ok := e.areas.Value(area, ownersCell)
		if !ok {
			owners, ok = e.areas.Value(area, householdsCell)
		}
		v := areaHomeValue{area: area, owners: owners.Estimate * weight[demographics.Households-1]}
		if !ok || !(v.owners > 0) {
			return nil
		}
		all += v.owners
		if f, ok := e.areas.Value(area, homeValueCell); ok && f.Estimate > 0 {
			known += v.owners
			v.dollars = f.Estimate
			e.homeValues = append(e.homeValues, v)
		}
		return nil
	})
	if err != nil || known == 0 || known < e.constants.MinKnown*all {
		return unknownHomeValue, err
	}
	slices.SortFunc(e.homeValues, func(a, b areaHomeValue) int {
		return cmp.Or(cmp.Compare(a.dollars, b.dollars), cmp.Compare(a.area, b.area))
	})
	below := 0.0
	for _, v := range e.homeValues {
		if below += v.owners; 2*below >= known {
			return homeValueOf(v), nil
		}
	}
	return homeValueOf(e.homeValues[len(e.homeValues)-1]), nil // half was missed by rounding errors only
}

// homeValueOf is the home value in a small area, whose error is not that of the shape.
func homeValueOf(v areaHomeValue) demography.Middle {
	return demography.Published(homeValueCell, withoutMOE(v.dollars))
}

var unknownHomeValue = demography.Middle{Figure: withoutMOE(math.NaN())}

// amount is a figure in dollars of a year, or the bound of an open bin; year 0 where it is not known.
type amount struct {
	demography.Middle
	year    int
	vintage string // of the survey; "" where it is of an index of home values
}

func withoutMOE(estimate float64) margin.Figure {
	return margin.Figure{Estimate: estimate, MOE: math.NaN()}
}

// consumerPrices returns the consumer price index of a country by year.
func consumerPrices(country string, c *calibration.Demographics) map[int]float64 {
	if country == "CA" {
		return c.ConsumerPricesCA
	}
	return c.ConsumerPricesUS
}

// nearestYear returns the home value of the year nearest to the given one, of two the later one, among the years in the
// price index. Values are ordered by year.
func nearestYear(values []assembly.HomeValue, year int, prices map[int]float64) (nearest amount) {
	distance := func(y int) int { return max(y-year, year-y) }
	for _, v := range values {
		if y := int(v.Year); prices[y] > 0 && (nearest.year == 0 || distance(y) <= distance(nearest.year)) {
			nearest = amount{Middle: demography.Middle{Figure: withoutMOE(v.Dollars)}, year: y}
		}
	}
	return nearest
}

// affordability returns the affordability index: the median household income of the metro area divided by the home value
// in prices of the income's year. It has an interval where the errors of both are known. Example: an income of 80,000
// and a home value of 250,000 dollars of the same year give 0.32. A home value of 2,000,000 or more gives 0.04 or less, and
// an income in an open bin a bound, too; of two that contradict each other nothing follows.
func affordability(country string, income, home amount, c *calibration.Demographics) (v demography.Value) {
	open, ok := openRatio(income.Open, home.Open)
	if income.year == 0 || home.year == 0 || !(home.Estimate > 0) || !ok {
		return v
	}
	inflation := 1.0
	if prices := consumerPrices(country, c); income.year != home.year {
		if inflation = prices[income.year] / prices[home.year]; !(inflation > 0) || math.IsInf(inflation, 1) {
			return v
		}
	}
	home.Estimate, home.MOE = home.Estimate*inflation, home.MOE*inflation
	ratio := margin.Ratio(income.Figure, home.Figure)
	round := func(x float64) float64 { return math.Round(x*affordabilityScale) / affordabilityScale }
	v = demography.Value{Value: round(ratio.Estimate), Present: true, Open: open}
	if lower, upper, ok := margin.Interval(ratio, 0, math.Inf(1)); ok {
		v.Lower, v.Upper, v.Interval = round(lower), round(upper), true
	}
	return v
}

// openRatio is the open end of a ratio x / y of bounds; false where they bound nothing.
func openRatio(x, y demographics.OpenEnd) (demographics.OpenEnd, bool) {
	inverse := map[demographics.OpenEnd]demographics.OpenEnd{demographics.OpenUpper: demographics.OpenLower,
		demographics.OpenLower: demographics.OpenUpper}[y]
	return cmp.Or(x, inverse), x == demographics.Closed || inverse == demographics.Closed || x == inverse
}

// incomeYear returns the year in whose prices incomes of a vintage are reported: the last one of the American survey, the
// year before a Canadian census.
func incomeYear(country, vintage string) int {
	year := lastYear(vintage)
	if country == "CA" && year > 0 {
		year--
	}
	return year
}

// affordabilityIndex is the index of the affordability index among the variables of a geography, and affordabilityScale
// the factor by which it is rounded.
var affordabilityIndex, affordabilityScale = func() (int, float64) {
	for i, at := range demographics.Flat(demographics.ByGeography) {
		if v := &demographics.ByGeography[at.Category].Variables[at.Variable]; v.Method == demographics.Index {
			return i, demography.Scale(v)
		}
	}
	panic("there is no affordability index")
}()
