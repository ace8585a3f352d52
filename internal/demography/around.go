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
	at := 0
	for i := range demographics.Around {
		category := &demographics.Around[i]
		figures := out[at : at+len(category.Variables)]
		at += len(category.Variables)
		for n := range figures {
			figures[n] = Absent
		}
		if category.Has(country) {
			e.shares(category, country, figures)
			e.single(category, country, c, figures)
		}
	}
}

func (e Estimates) hasCoverage(topic int) bool { return topic >= 0 && e.Topics&(1<<topic) != 0 }

// shares fills the shares of a category.
func (e Estimates) shares(category *demographics.Category, country string, figures []uint32) {
	var places [32]int
	var parts [32]float64
	var rounded [32]uint32
	n := 0
	for i := range category.Variables {
		v := &category.Variables[i]
		if v.Method != demographics.Share || !v.Has(country) {
			continue
		}
		count, known := 0.0, false
		for _, t := range v.Terms {
			cell := &demographics.Cells[t.Cell]
			if cell.Has(country) && e.hasCoverage(cell.CoverageUnit) {
				count += t.Share * e.Cells[t.Cell]
				known = true
			}
		}
		if known {
			places[n], parts[n] = i, count
			n++
		}
	}
	if n > 0 && apportion(parts[:n], rounded[:n]) {
		for k := range n {
			figures[places[k]] = rounded[k]
		}
	}
}

// single fills the variables of a category that are not shares.
func (e Estimates) single(category *demographics.Category, country string, c *calibration.Demographics, figures []uint32) {
	var bins bins
	for i := range category.Variables {
		v := &category.Variables[i]
		if !v.Has(country) {
			continue
		}
		value, ok := 0.0, false
		switch v.Method {
		case demographics.Count:
			cell := v.Terms[0].Cell
			value, ok = e.Cells[cell], e.hasCoverage(demographics.Cells[cell].Table)
		case demographics.Median:
			if e.bins(v.Dist, c, &bins) {
				f, _, _, found := margin.Median(bins.list[:bins.n], c.LinearDollars, c.JamDollars)
				value, ok = f.Estimate, found
			}
		case demographics.Mean:
			if e.hasCoverage(v.Sum) {
				cells := demographics.Tables[v.Sum].Cells
				value, ok = e.Cells[cells[1]]/e.Cells[cells[0]], e.Cells[cells[0]] >= c.MinHouseholds
			} else if e.bins(v.Dist, c, &bins) {
				f, found := margin.Mean(bins.list[:bins.n])
				value, ok = f.Estimate, found
			}
		}
		if ok && value >= 0 && value < Absent {
			figures[i] = uint32(math.Round(value * Scale(v)))
		}
	}
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
