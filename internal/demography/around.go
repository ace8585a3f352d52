package demography

import (
	"math"

	"quartier/internal/margin"
	"quartier/schemas/calibration"
	"quartier/schemas/demographics"
)

// Absent represents a value that is not known.
const Absent = math.MaxUint32

// AroundCount is the number of variables around a point; a test compares it with the vocabulary.
const AroundCount = 61

// OpenUpper is added to the figure of a median that is in an open bin: the figure is the bin's bound, or more.
const OpenUpper = 1 << 31

// Figures are the variables around a point in the order of demographics.Flat(demographics.Around), times Scale; Absent
// if not known.
type Figures [AroundCount]uint32

// Estimates are figures without margins of error, by index in demographics.Cells. Topics has a bit for every table and
// optional cell, by its coverage unit, that covers enough of the people to be reported.
type Estimates struct {
	Cells  *[demographics.CellCount]float64
	Topics uint64
}

// Around computes the variables around a point or in a polygon.
func Around(country string, e Estimates, c *calibration.Demographics, out *Figures) {
	for i := range out {
		out[i] = Absent
	}
	var bins bins
	for _, category := range around[country] {
		e.shares(category.shares, out)
		for _, single := range category.singles {
			value, open, ok := e.single(single.variable, c, &bins)
			if scaled := math.Round(value * Scale(single.variable)); ok && scaled >= 0 && scaled < OpenUpper {
				out[single.at] = uint32(scaled)
				if open {
					out[single.at] |= OpenUpper
				}
			}
		}
	}
}

// aroundCategory is a category that a country has, with the variables and terms that its publishers know.
type aroundCategory struct {
	shares  []shareVariable
	singles []singleVariable
}

// shareVariable is a share of the sum of a category. at is its index in Figures.
type shareVariable struct {
	at    int
	terms []shareTerm
}

// shareTerm is a term of demographics.Variable with the coverage unit of its cell.
type shareTerm struct {
	cell, unit int
	share      float64
}

// singleVariable is a variable that is not a share. at is its index in Figures.
type singleVariable struct {
	at       int
	variable *demographics.Variable
}

// around has the categories around a point by country: looking them up in the vocabulary takes longer than computing them.
var around = map[string][]aroundCategory{"CA": aroundIn("CA"), "US": aroundIn("US")}

func aroundIn(country string) (categories []aroundCategory) {
	at := -1
	for i := range demographics.Around {
		category := &demographics.Around[i]
		var in aroundCategory
		for n := range category.Variables {
			v := &category.Variables[n]
			at++
			switch {
			case !category.Has(country) || !v.Has(country):
			case v.Method == demographics.Share:
				in.shares = append(in.shares, shareVariable{at, shareTerms(v, country)})
			default:
				in.singles = append(in.singles, singleVariable{at, v})
			}
		}
		categories = append(categories, in)
	}
	return categories
}

// shareTerms are the terms of a share that publishers of a country have.
func shareTerms(v *demographics.Variable, country string) (terms []shareTerm) {
	for _, t := range v.Terms {
		if cell := &demographics.Cells[t.Cell]; cell.Has(country) && cell.CoverageUnit >= 0 {
			terms = append(terms, shareTerm{t.Cell, cell.CoverageUnit, t.Share})
		}
	}
	return terms
}

func (e Estimates) hasCoverage(topic int) bool { return topic >= 0 && e.Topics&(1<<topic) != 0 }

// shares fills in the shares of a category.
func (e Estimates) shares(variables []shareVariable, out *Figures) {
	var places [32]int
	var parts [32]float64
	var rounded [32]uint32
	n := 0
	for _, v := range variables {
		count, known := 0.0, false
		for _, t := range v.terms {
			if e.Topics&(1<<t.unit) != 0 {
				count += t.share * e.Cells[t.cell]
				known = true
			}
		}
		if known {
			places[n], parts[n] = v.at, count
			n++
		}
	}
	if n > 0 && apportion(parts[:n], rounded[:n]) {
		for k, at := range places[:n] {
			out[at] = rounded[k]
		}
	}
}

// single computes a variable that is not a share, and whether it is the bound of an open bin; not ok if it is not known.
func (e Estimates) single(v *demographics.Variable, c *calibration.Demographics, bins *bins) (value float64, open, ok bool) {
	switch v.Method {
	case demographics.Count:
		cell := v.Terms[0].Cell
		return e.Cells[cell], false, e.hasCoverage(demographics.Cells[cell].Table)
	case demographics.Median:
		if e.bins(v.Dist, c, bins) {
			m, found := margin.Median(bins.list[:bins.n], c.LinearDollars)
			return m.Estimate, m.Open, found
		}
	case demographics.Mean:
		if e.hasCoverage(v.Sum) {
			cells := demographics.Tables[v.Sum].Cells
			return e.Cells[cells[1]] / e.Cells[cells[0]], false, e.Cells[cells[0]] >= c.MinHouseholds
		}
		if e.bins(v.Dist, c, bins) {
			f, found := margin.Mean(bins.list[:bins.n])
			return f.Estimate, false, found
		}
	}
	return 0, false, false
}

// bins are the bins of a distribution.
type bins struct {
	list [32]margin.Bin
	n    int
}

// bins fills in the bins of a distribution that are not empty; false if they count too few.
func (e Estimates) bins(table int, c *calibration.Demographics, out *bins) bool {
	if !e.hasCoverage(table) {
		return false
	}
	count := 0.0
	out.n = 0
	for _, cell := range demographics.Tables[table].Cells {
		if d := &demographics.Cells[cell]; d.Bin() && e.Cells[cell] > 0 {
			out.list[out.n] = margin.Bin{Lower: d.Lower, Upper: d.Upper, Count: margin.Figure{Estimate: e.Cells[cell], MOE: math.NaN()}}
			count += e.Cells[cell]
			out.n++
		}
	}
	return count >= c.MinHouseholds
}
