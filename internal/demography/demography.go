// Package demography computes the demographic variables of the API from the cells of a place: counts of people, households
// and dwellings and sums of dollars, published for the place or added up over small areas. The variables are shares,
// counts, medians and means in the order of demographics.ByGeography, with 90 % confidence intervals, or of
// demographics.Around, without.
package demography

import (
	"math"

	"quartier/internal/margin"
	"quartier/schemas/demographics"
)

// Cells are the figures of a place by index in demographics.Cells. The zero value is empty.
type Cells struct {
	sums    [demographics.CellCount]margin.Sum
	known   [demographics.CellCount]bool
	partial [demographics.CoverageUnitCount]bool // by table
}

// Set sets the published figure of a cell.
func (c *Cells) Set(cell int, f margin.Figure) {
	var sum margin.Sum
	sum.Add(f, 1)
	c.SetSum(cell, sum)
}

// SetSum sets the figure of a cell that is a sum over small areas.
func (c *Cells) SetSum(cell int, sum margin.Sum) { c.sums[cell], c.known[cell] = sum, true }

// Get is the figure of a cell; false if it has none.
func (c *Cells) Get(cell int) (margin.Figure, bool) { return c.sums[cell].Figure(), c.known[cell] }

// HasTable reports whether any cell of a table has a figure.
func (c *Cells) HasTable(table int) bool {
	for _, cell := range demographics.Tables[table].Cells {
		if c.known[cell] {
			return true
		}
	}
	return false
}

// SetPartial marks a table that covers only a part of the people: its shares are reported, its counts are not.
func (c *Cells) SetPartial(table int) { c.partial[table] = true }

// total is the published total of a table, else the sum of its parts; false if it covers only a part of the people.
func (c *Cells) total(table int) (sum margin.Sum, any bool) {
	if c.partial[table] {
		return margin.Sum{}, false
	}
	for _, cell := range demographics.Tables[table].Cells {
		switch role := demographics.Cells[cell].Role; {
		case !c.known[cell]:
		case role == demographics.Total:
			return c.sums[cell], true
		case role == demographics.Part:
			sum.Join(c.sums[cell], 1)
			any = true
		}
	}
	sum.Mixed = 0 // what one part has more, others have less
	return sum, any
}

// add adds up the terms that have figures; false if none has. A share of a bin has the same share of its margin.
func (c *Cells) add(terms []demographics.Term, sum *margin.Sum) bool {
	any := false
	for _, t := range terms {
		if c.known[t.Cell] {
			sum.Join(c.sums[t.Cell], t.Share)
			any = true
		}
	}
	return any
}

// bins are the bins of a distribution that have figures, and the sum of their counts.
func (c *Cells) bins(into []margin.Bin, table int) (bins []margin.Bin, count float64) {
	bins = into
	for _, cell := range demographics.Tables[table].Cells {
		d := &demographics.Cells[cell]
		if c.known[cell] && d.Bin() {
			f := c.sums[cell].Composed()
			bins = append(bins, margin.Bin{Lower: d.Lower, Upper: d.Upper, Count: f})
			count += f.Estimate
		}
	}
	return bins, count
}

// whole is 1 in the ten-thousandths to which shares are rounded.
const whole = 10000

// apportion rounds the shares of parts in their sum to ten-thousandths that add up to 1, by the largest remainders: shares
// are rounded down, then those with the largest remainders up, of equal ones the first. False if the sum is 0.
//
// Thirds are 3333.3 ten-thousandths each and become 3334, 3333 and 3333.
func apportion(parts []float64, out []uint32) bool {
	sum := 0.0
	for _, p := range parts {
		sum += p
	}
	if !(sum > 0) || math.IsInf(sum, 1) {
		return false
	}
	left := uint32(whole)
	var few [32]float64
	rests := append(few[:0], parts...) // −1 of what was rounded up, and of nothing
	for i, p := range parts {
		exact := p / sum * whole
		out[i] = uint32(exact)
		left -= out[i]
		if rests[i] = exact - float64(out[i]); !(rests[i] < 1 && p > 0) {
			rests[i] = -1
		}
	}
	for ; left > 0; left-- {
		best := 0
		for i, rest := range rests {
			if rest > rests[best] {
				best = i
			}
		}
		rests[best]--
		out[best]++
	}
	return true
}
