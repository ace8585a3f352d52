package demography

import (
	"math"

	"quartier/internal/margin"
	"quartier/schemas/calibration"
	"quartier/schemas/demographics"
)

// Value is a variable of a geography, rounded to the variable's decimals.
type Value struct {
	Value, Lower, Upper float64 // Lower and Upper bound the 90 % confidence interval where Interval
	Interval, Present   bool
}

// Scale is ten to the power of a variable's decimals: figures times Scale are whole numbers.
func Scale(v *demographics.Variable) float64 { return math.Pow10(v.Decimals()) }

// Of makes the variables of a geography in the order of demographics.Flat(demographics.ByGeography). What its country
// does not tell is not present, nor is the affordability index, for which more than one geography is needed.
func Of(country string, cells *Cells, c *calibration.Demographics) []Value {
	m := maker{country, cells, c}
	var values []Value
	for i := range demographics.ByGeography {
		category := &demographics.ByGeography[i]
		list := make([]Value, len(category.Variables))
		if category.Has(country) {
			m.fill(category, list)
		}
		values = append(values, list...)
	}
	return values
}

// Income is the median household income of a place: published, or from its bins; false where it is not known.
func Income(country string, cells *Cells, c *calibration.Demographics) (margin.Figure, bool) {
	m := maker{country, cells, c}
	f, _, _, ok := m.median(incomeVariable)
	return f, ok
}

var incomeVariable = func() *demographics.Variable {
	for i := range demographics.ByGeography {
		for v := range demographics.ByGeography[i].Variables {
			if found := &demographics.ByGeography[i].Variables[v]; found.ID == "median_household_income" {
				return found
			}
		}
	}
	panic("no median household income")
}()

// maker makes the variables of one place.
type maker struct {
	country string
	cells   *Cells
	c       *calibration.Demographics
}

// fill makes the variables of a category.
func (m *maker) fill(category *demographics.Category, list []Value) {
	m.shares(category, list)
	for i := range category.Variables {
		v := &category.Variables[i]
		if !v.Has(m.country) {
			continue
		}
		switch v.Method {
		case demographics.Count:
			if f, ok := m.cells.total(demographics.Cells[v.Terms[0].Cell].Table); ok {
				list[i] = told(v, f, 0, math.Inf(1))
			}
		case demographics.Median:
			if f, lower, upper, ok := m.median(v); ok {
				list[i] = bounded(v, f, lower, upper)
			}
		case demographics.Mean:
			if f, ok := m.mean(v); ok {
				list[i] = told(v, f, 0, math.Inf(1))
			}
		case demographics.Ratio:
			if f, ok := m.ratio(v); ok {
				list[i] = told(v, f, 0, math.Inf(1))
			}
		}
	}
}

// shares makes the shares of a category: of the sum of its parts, so that they add up to one.
func (m *maker) shares(category *demographics.Category, list []Value) {
	var places []int
	var parts []margin.Figure
	var estimates []float64
	var sum margin.Sum
	for i := range category.Variables {
		v := &category.Variables[i]
		if v.Method != demographics.Share || !v.Has(m.country) {
			continue
		}
		var part margin.Sum
		if !m.cells.add(v.Terms, &part) {
			continue
		}
		sum.Merge(part)
		places, parts = append(places, i), append(parts, part.Figure())
		estimates = append(estimates, part.Estimate)
	}
	rounded := make([]uint32, len(parts))
	if !apportion(estimates, rounded) {
		return
	}
	base := sum.Figure()
	if t, ok := m.cells.total(demographics.Cells[category.Variables[places[0]].Terms[0].Cell].Table); ok && t.Known() {
		base.MOE = min(base.MOE, t.MOE) // what the publisher knows of the total is more than what its parts tell
	}
	for n, i := range places {
		value := float64(rounded[n]) / whole
		list[i] = Value{Value: value, Present: true}
		if lower, upper, ok := margin.ShareInterval(parts[n], base); ok {
			list[i].Lower, list[i].Upper, list[i].Interval = min(round(lower, whole), value), max(round(upper, whole), value), true
		}
	}
}

// median is a published median, else that of the bins, with the bounds of its interval.
func (m *maker) median(v *demographics.Variable) (f margin.Figure, lower, upper float64, ok bool) {
	if f, ok := m.cells.Get(v.Scalar); ok {
		lower, upper, _ := margin.Interval(f, 0, math.Inf(1))
		return f, lower, upper, true
	}
	var memory [32]margin.Bin
	bins, count := m.cells.bins(memory[:0], v.Dist)
	if count < m.c.MinHouseholds {
		return margin.Figure{}, 0, 0, false
	}
	return margin.Median(bins, m.c.LinearDollars, m.c.JamDollars)
}

// mean is a published mean, else dollars over those who have them, else that of the bins.
func (m *maker) mean(v *demographics.Variable) (margin.Figure, bool) {
	if f, ok := m.cells.Get(v.Scalar); ok {
		return f, true
	}
	sum := demographics.Tables[v.Sum].Cells
	base, ok := m.cells.Get(sum[0])
	dollars, also := m.cells.Get(sum[1])
	if ok && also {
		if base.Estimate < m.c.MinHouseholds {
			return margin.Figure{}, false
		}
		return margin.Ratio(dollars, base), true
	}
	var memory [32]margin.Bin
	bins, count := m.cells.bins(memory[:0], v.Dist)
	if count < m.c.MinHouseholds {
		return margin.Figure{}, false
	}
	return margin.Mean(bins)
}

// ratio is the published figure, else the second cell of the table over the first.
func (m *maker) ratio(v *demographics.Variable) (margin.Figure, bool) {
	if f, ok := m.cells.Get(v.Scalar); ok {
		return f, true
	}
	cells := demographics.Tables[v.Sum].Cells
	base, ok := m.cells.Get(cells[0])
	counted, also := m.cells.Get(cells[1])
	if !ok || !also || base.Estimate <= 0 {
		return margin.Figure{}, false
	}
	return margin.Ratio(counted, base), true
}

// told is a figure with its interval inside of what the variable can be.
func told(v *demographics.Variable, f margin.Figure, lo, hi float64) Value {
	lower, upper, ok := margin.Interval(f, lo, hi)
	if !ok {
		lower, upper = math.NaN(), math.NaN()
	}
	return bounded(v, f, lower, upper)
}

// bounded is a figure with the interval given; NaN bounds are none.
func bounded(v *demographics.Variable, f margin.Figure, lower, upper float64) Value {
	scale := Scale(v)
	value := Value{Value: round(f.Estimate, scale), Present: true}
	if f.Known() && !math.IsNaN(lower) && !math.IsNaN(upper) {
		value.Lower, value.Upper, value.Interval = min(round(lower, scale), value.Value), max(round(upper, scale), value.Value), true
	}
	return value
}

func round(v, scale float64) float64 { return math.Round(v*scale) / scale }
