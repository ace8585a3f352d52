// Package demography makes the variables of the API of the figures of a place. In go cells, the people, households,
// dwellings and dollars of package demographics, published for the place or added up over small areas; out come shares,
// counts, medians and means in the order of demographics.ByGeography, with 90 % confidence intervals, or of
// demographics.Around, without. It has no opinion on where the figures are from.
package demography

import (
	"math"

	"quartier/internal/margin"
	"quartier/schemas/demographics"
)

// Cells are the figures of a place by their place in demographics.Cells. The zero value has none.
type Cells struct {
	figures [demographics.CellCount]margin.Figure
	known   [demographics.CellCount]bool
	partial [demographics.TopicCount]bool // by table
}

// Set gives a cell its figure.
func (c *Cells) Set(cell int, f margin.Figure) { c.figures[cell], c.known[cell] = f, true }

// Get is the figure of a cell; false where it has none.
func (c *Cells) Get(cell int) (margin.Figure, bool) { return c.figures[cell], c.known[cell] }

// HasTable reports whether any cell of a table has a figure.
func (c *Cells) HasTable(table int) bool {
	for _, cell := range demographics.Tables[table].Cells {
		if c.known[cell] {
			return true
		}
	}
	return false
}

// SetPartial says that a table is known of a part of the people only: its shares are told, and how many they are not.
func (c *Cells) SetPartial(table int) { c.partial[table] = true }

// total is the publisher's total of a table, else the sum of its parts; false where it is that of some people only.
func (c *Cells) total(table int) (margin.Figure, bool) {
	if c.partial[table] {
		return margin.Figure{}, false
	}
	var sum margin.Sum
	any := false
	for _, cell := range demographics.Tables[table].Cells {
		switch demographics.Cells[cell].Role {
		case demographics.Total:
			if f, ok := c.Get(cell); ok {
				return f, true
			}
		case demographics.Part:
			if f, ok := c.Get(cell); ok {
				sum.Add(f, 1, 0)
				any = true
			}
		}
	}
	return sum.Figure(), any
}

// add adds up the terms that have figures; false where none has. Part of a bin has that part of its margin.
func (c *Cells) add(terms []demographics.Term, sum *margin.Sum) bool {
	any := false
	for _, t := range terms {
		if f, ok := c.Get(t.Cell); ok {
			sum.Add(f, t.Share, 0)
			any = true
		}
	}
	return any
}

// bins are the bins of a distribution that have figures, and how many they count together.
func (c *Cells) bins(into []margin.Bin, table int) (bins []margin.Bin, count float64) {
	bins = into
	for _, cell := range demographics.Tables[table].Cells {
		d := &demographics.Cells[cell]
		if f, ok := c.Get(cell); ok && d.Bin() {
			bins = append(bins, margin.Bin{Lower: d.Lower, Upper: d.Upper, Count: f})
			count += f.Estimate
		}
	}
	return bins, count
}

// whole is one in the ten-thousandths that shares are told in.
const whole = 10000

// apportion rounds the shares that parts have of their sum to ten-thousandths that add up to one: down, and then the
// largest remainders up, of equal ones the first. Parts of nothing have no shares.
func apportion(parts []float64, out []uint32) bool {
	sum := 0.0
	for _, p := range parts {
		sum += p
	}
	if !(sum > 0) || math.IsInf(sum, 1) {
		return false
	}
	left := uint32(whole)
	for i, p := range parts {
		out[i] = uint32(p / sum * whole)
		left -= out[i]
	}
	for ; left > 0; left-- {
		best, most := -1, -1.0
		for i, p := range parts {
			if rest := p/sum*whole - float64(out[i]); rest > most && rest < 1 && p > 0 {
				best, most = i, rest
			}
		}
		if best < 0 {
			best = 0
		}
		out[best]++
	}
	return true
}
