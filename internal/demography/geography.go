package demography

import (
	"math"

	"quartier/internal/margin"
	"quartier/schemas/calibration"
	"quartier/schemas/demographics"
)

// Value is a variable of a geography, rounded to the variable's decimals.
type Value struct {
	Value, Lower, Upper float64 // Lower and Upper are the 90 % confidence interval, if Interval
	Interval, Present   bool
	Open                demographics.OpenEnd // Value is a bound of the median, which is in an open bin and has no interval
}

// Scale is ten to the power of a variable's decimals: values times Scale are integers.
func Scale(v *demographics.Variable) float64 { return math.Pow10(v.Decimals()) }

// Of computes the variables of a geography in the order of demographics.Flat(demographics.ByGeography). Variables that its
// country does not publish are not present, nor is the affordability index, which needs other geographies.
func Of(country string, cells *Cells, c *calibration.Demographics) []Value {
	m := variableBuilder{country, cells, c}
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

// Middle is a median, or the bound of an open bin that it is in.
type Middle struct {
	margin.Figure
	Open demographics.OpenEnd
}

// Published is a figure that is published for the place, whose margin is not known where it is a jam value.
func Published(cell int, f margin.Figure) Middle {
	bound, open := demographics.Cells[cell].Bound(f.Estimate)
	if open != demographics.Closed {
		f = margin.Figure{Estimate: bound, MOE: math.NaN()}
	}
	return Middle{f, open}
}

// binned is a median of bins.
func binned(m margin.Middle) Middle {
	if m.Open {
		return Middle{m.Figure, demographics.OpenUpper}
	}
	return Middle{Figure: m.Figure}
}

// Income is the median household income of a place: published, or from its bins; false if it is not known.
func Income(country string, cells *Cells, c *calibration.Demographics) (Middle, bool) {
	m := variableBuilder{country, cells, c}
	income, _, _, ok := m.median(incomeVariable)
	return income, ok
}

// HomeValue is the median value of the homes of a place by the bins of their values, linearly within a bin; false if it is
// not known.
func HomeValue(cells *Cells, c *calibration.Demographics) (Middle, bool) {
	var memory [32]margin.Bin
	bins, count := cells.bins(memory[:0], homeValueTable)
	if count < c.MinHouseholds {
		return Middle{}, false
	}
	m, ok := margin.Median(bins, math.Inf(1))
	return binned(m), ok
}

var homeValueTable, _ = demographics.TableOf("home_value")

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

// variableBuilder computes the variables of one place.
type variableBuilder struct {
	country string
	cells   *Cells
	c       *calibration.Demographics
}

// fill computes the variables of a category.
func (m *variableBuilder) fill(category *demographics.Category, list []Value) {
	m.shares(category, list)
	for i := range category.Variables {
		v := &category.Variables[i]
		if !v.Has(m.country) {
			continue
		}
		switch v.Method {
		case demographics.Count:
			if sum, ok := m.cells.total(demographics.Cells[v.Terms[0].Cell].Table); ok {
				lower, upper, _ := sum.Interval(0, math.Inf(1))
				list[i] = bounded(v, sum.Figure(), lower, upper)
			}
		case demographics.Median:
			if middle, lower, upper, ok := m.median(v); ok {
				list[i] = bounded(v, middle.Figure, lower, upper)
				list[i].Open = middle.Open
			}
		case demographics.Mean:
			if f, ok := m.mean(v); ok {
				list[i] = valueOf(v, f, 0, math.Inf(1))
			}
		case demographics.Ratio:
			if f, ok := m.ratio(v); ok {
				list[i] = valueOf(v, f, 0, math.Inf(1))
			}
		}
	}
}

// shares computes the shares of a category in the sum of its parts, so that they add up to 1.
func (m *variableBuilder) shares(category *demographics.Category, list []Value) {
	var places []int
	var parts []margin.Sum
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
		sum.Join(part, 1)
		places, parts = append(places, i), append(parts, part)
		estimates = append(estimates, part.Estimate)
	}
	rounded := make([]uint32, len(parts))
	if !apportion(estimates, rounded) {
		return
	}
	t, ok := m.cells.total(demographics.Cells[category.Variables[places[0]].Terms[0].Cell].Table)
	if ok && !t.Unknown && t.Published().MOE < sum.Published().MOE {
		sum.Squares, sum.Zero = t.Squares, t.Zero // the published total is more exact than the sum of its parts
	}
	for n, i := range places {
		value := float64(rounded[n]) / whole
		list[i] = Value{Value: value, Present: true}
		if lower, upper, ok := parts[n].ShareInterval(sum); ok {
			list[i].Lower, list[i].Upper, list[i].Interval = min(round(lower, whole), value), max(round(upper, whole), value), true
		}
	}
}

// median is a published median, else that of the bins, with the bounds of its interval.
func (m *variableBuilder) median(v *demographics.Variable) (middle Middle, lower, upper float64, ok bool) {
	if f, ok := m.cells.Get(v.Scalar); ok {
		middle = Published(v.Scalar, f)
		lower, upper, _ := margin.Interval(middle.Figure, 0, math.Inf(1))
		return middle, lower, upper, true
	}
	var memory [32]margin.Bin
	bins, count := m.cells.bins(memory[:0], v.Dist)
	if count < m.c.MinHouseholds {
		return Middle{}, 0, 0, false
	}
	found, ok := margin.Median(bins, m.c.LinearDollars)
	return binned(found), found.Lower, found.Upper, ok
}

// mean is a published mean, else dollars over their recipients, else that of the bins.
func (m *variableBuilder) mean(v *demographics.Variable) (margin.Figure, bool) {
	if f, ok := m.cells.Get(v.Scalar); ok {
		return f, true
	}
	sum := demographics.Tables[v.Sum].Cells
	if m.cells.known[sum[0]] && m.cells.known[sum[1]] {
		base := &m.cells.sums[sum[0]]
		return m.cells.sums[sum[1]].Ratio(*base), base.Estimate >= m.c.MinHouseholds
	}
	var memory [32]margin.Bin
	bins, count := m.cells.bins(memory[:0], v.Dist)
	if count < m.c.MinHouseholds {
		return margin.Figure{}, false
	}
	return margin.Mean(bins)
}

// ratio is the published figure, else the second cell of the table over the first.
func (m *variableBuilder) ratio(v *demographics.Variable) (margin.Figure, bool) {
	if f, ok := m.cells.Get(v.Scalar); ok {
		return f, true
	}
	cells := demographics.Tables[v.Sum].Cells
	base := &m.cells.sums[cells[0]]
	if !m.cells.known[cells[0]] || !m.cells.known[cells[1]] || base.Estimate <= 0 {
		return margin.Figure{}, false
	}
	return m.cells.sums[cells[1]].Ratio(*base), true
}

// valueOf is a figure with its interval, clipped to lo to hi.
func valueOf(v *demographics.Variable, f margin.Figure, lo, hi float64) Value {
	lower, upper, ok := margin.Interval(f, lo, hi)
	if !ok {
		lower, upper = math.NaN(), math.NaN()
	}
	return bounded(v, f, lower, upper)
}

// bounded is a figure with the given interval; none if a limit is NaN or upper is infinite.
func bounded(v *demographics.Variable, f margin.Figure, lower, upper float64) Value {
	scale := Scale(v)
	value := Value{Value: round(f.Estimate, scale), Present: true}
	if f.Known() && !math.IsNaN(lower) && !math.IsNaN(upper) && !math.IsInf(upper, 1) {
		value.Lower, value.Upper, value.Interval = min(round(lower, scale), value.Value), max(round(upper, scale), value.Value), true
	}
	return value
}

func round(v, scale float64) float64 { return math.Round(v*scale) / scale }
