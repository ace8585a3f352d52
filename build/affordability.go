package build

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"quartier/internal/demography"
	"quartier/internal/margin"
	"quartier/internal/pack/smallareas"
	"quartier/schemas/calibration"
	"quartier/schemas/demographics"
)

// worth is what homes are worth in a small area, and how many households of the shape own one there.
type worth struct {
	area    int
	dollars float64
	owners  float64
}

// worth is the median of what homes are worth in the small areas of the shape, weighed by the households that own one:
// of the values in order the first at which half of them is reached. NaN where it is known of too few.
func (d *describer) worth(scope smallareas.Scope) (float64, error) {
	d.worths = d.worths[:0]
	all, known := 0.0, 0.0
	err := d.areas.Each(&d.shape, scope, func(area int, weight [demographics.Universes]float64) error {
		owners, ok := d.areas.Value(area, ownersCell)
		if !ok {
			owners, ok = d.areas.Value(area, householdsCell)
		}
		w := worth{area: area, owners: owners.Estimate * weight[demographics.Households-1]}
		if !ok || !(w.owners > 0) {
			return nil
		}
		all += w.owners
		if f, ok := d.areas.Value(area, homeValueCell); ok && f.Estimate > 0 {
			known += w.owners
			w.dollars = f.Estimate
			d.worths = append(d.worths, w)
		}
		return nil
	})
	if err != nil || known == 0 || known < d.constants.MinKnown*all {
		return math.NaN(), err
	}
	slices.SortFunc(d.worths, func(a, b worth) int { return cmp.Or(cmp.Compare(a.dollars, b.dollars), cmp.Compare(a.area, b.area)) })
	below := 0.0
	for _, w := range d.worths {
		if below += w.owners; 2*below >= known {
			return w.dollars, nil
		}
	}
	return d.worths[len(d.worths)-1].dollars, nil // half was missed by rounding alone
}

// homeYear is what homes are worth in a geography in a year.
type homeYear struct {
	year    int
	dollars float64
}

// dollars are money of a year; year 0: nothing is known.
type dollars struct {
	margin.Figure
	year int
}

// prices is the consumer price index of a country by year.
func prices(country string, c *calibration.Demographics) map[int]float64 {
	if country == "CA" {
		return c.ConsumerPricesCA
	}
	return c.ConsumerPricesUS
}

// nearest is the value of the year nearest to the one asked for, of two the later one, among those whose prices are
// known; homes are by year.
func nearest(homes []homeYear, year int, index map[int]float64) (best dollars) {
	away := func(y int) int { return max(y-year, year-y) }
	for _, h := range homes {
		if index[h.year] > 0 && (best.year == 0 || away(h.year) <= away(best.year)) {
			best = dollars{margin.Figure{Estimate: h.dollars, MOE: math.NaN()}, h.year}
		}
	}
	return best
}

// affordability is the index: the metro's median household income over what a home is worth in prices of the income's
// year, with an interval where the errors of both are known.
func affordability(country string, income, home dollars, c *calibration.Demographics) (v demography.Value) {
	if income.year == 0 || home.year == 0 || !(home.Estimate > 0) {
		return v
	}
	rise := 1.0
	if index := prices(country, c); income.year != home.year {
		if rise = index[income.year] / index[home.year]; !(rise > 0) || math.IsInf(rise, 1) {
			return v
		}
	}
	home.Estimate, home.MOE = home.Estimate*rise, home.MOE*rise
	ratio := margin.Ratio(income.Figure, home.Figure)
	round := func(x float64) float64 { return math.Round(x*indexScale) / indexScale }
	v = demography.Value{Value: round(ratio.Estimate), Present: true}
	if lower, upper, ok := margin.Interval(ratio, 0, math.Inf(1)); ok {
		v.Lower, v.Upper, v.Interval = round(lower), round(upper), true
	}
	return v
}

// toldWorth is what homes are worth in a geography, told of it as a whole: by an index of home values in the year
// nearest to the one asked for, else as published.
func (c *census) toldWorth(turn, year int) dollars {
	if d := nearest(c.homes[turn-c.first], year, prices(c.place(turn).Country, c.constants)); d.year != 0 {
		return d
	}
	for _, f := range c.published[turn-c.first] {
		if f.Cell == homeValueCell {
			return dollars{f.Figure, lastYear(f.Vintage)}
		}
	}
	return dollars{}
}

// income is the median household income that a description tells of its geography.
func (c *census) income(turn int, d *Description) dollars {
	country := c.place(turn).Country
	f, ok := demography.Income(country, &d.Cells, c.constants)
	if !ok || d.Values == nil {
		return dollars{}
	}
	vintage := c.vintageOfAreas(turn)
	for _, published := range c.published[turn-c.first] {
		switch table := demographics.Cells[published.Cell].Table; {
		case published.Cell == incomeCell:
			return dollars{f, incomeYear(country, published.Vintage)}
		case table == incomeTable:
			vintage = published.Vintage
		}
	}
	return dollars{f, incomeYear(country, vintage)}
}

// incomeYear is the year whose prices incomes of a vintage are told in: the last one of the American survey, the year
// before a Canadian census.
func incomeYear(country, vintage string) int {
	year := lastYear(vintage)
	if country == "CA" && year > 0 {
		year--
	}
	return year
}

// index is the affordability index of a geography.
func (c *census) index(turn int, d *Description) demography.Value {
	income, ok := c.incomes[c.metro(turn)]
	if !ok {
		return demography.Value{}
	}
	home := c.toldWorth(turn, income.year)
	if home.year == 0 && !math.IsNaN(d.Worth) {
		home = dollars{margin.Figure{Estimate: d.Worth, MOE: math.NaN()}, lastYear(c.vintageOfAreas(turn))}
	}
	v := affordability(c.place(turn).Country, income, home, c.constants)
	if v.Present && home.Estimate >= c.constants.JamHomeValue {
		c.jammed++
	}
	return v
}

// indexPlace is where the index stands among the variables of a geography, and indexScale what it is rounded by.
var indexPlace, indexScale = func() (int, float64) {
	for i, at := range variables {
		if v := &demographics.ByGeography[at.Category].Variables[at.Variable]; v.Method == demographics.Index {
			return i, demography.Scale(v)
		}
	}
	panic("there is no index")
}()

// lastYear is the last of the years of a vintage, '2019-2023' or several joined by ', '; 0 where it has none.
func lastYear(vintage string) (last int) {
	for _, part := range strings.Split(vintage, ", ") {
		if year, err := strconv.Atoi(part[max(len(part)-4, 0):]); err == nil {
			last = max(last, year)
		}
	}
	return last
}

// joinVintages joins the vintages in several lists, each once, the newest first.
func joinVintages(lists []string) string {
	var all []string
	for _, list := range lists {
		for _, v := range strings.Split(list, ", ") {
			if v != "" && !slices.Contains(all, v) {
				all = append(all, v)
			}
		}
	}
	slices.SortFunc(all, func(a, b string) int { return cmp.Or(cmp.Compare(lastYear(b), lastYear(a)), cmp.Compare(b, a)) })
	return strings.Join(all, ", ")
}
