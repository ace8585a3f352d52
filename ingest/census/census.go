// Package census assembles the census tables of one area after the other from the lines that a publisher has for it. A
// cell is the sum of its lines. A table is staged completely or not at all: one with a missing or invalid cell, or with
// a part that exceeds its total, is left out for that area and counted as an issue.
//
//	tables := census.New("US")
//	tables.Reset("census:bg:410510001001", "line 17")
//	tables.Add(cell, figure) // once for each line of the cell
//	tables.Miss(other, census.MissingEstimate, "")
//	err := tables.Stage(out)
package census

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"quartier/ingest/source"
	"quartier/internal/margin"
	"quartier/schemas/calibration"
	"quartier/schemas/demographics"
	"quartier/schemas/reason"
)

var own reason.List

// Reasons why a table of an area is left out, which is the detail of the issue.
var (
	MissingEstimate = own.Skipped("missing_estimate", "The publisher gives no estimate for a line; the table is left out for the area.")
	MissingLine     = own.Skipped("missing_table_line", "The file does not have all lines of the table; it is left out for the area.")

	partTooLarge = own.Rejected("part_exceeds_total",
		"A part exceeds the total of its table by more than rounding; the table is left out for the area.")
	partsTooLarge = own.Rejected("parts_exceed_total",
		"The parts together exceed the total of their table by more than rounding; the table is left out for the area.")
	tooManyDollars = own.Rejected("implausible_aggregate",
		"An aggregate in dollars is implausibly large for the number of households or recipients; the table is left out for the area.")
)

// Reasons are all that Stage passes to the sink.
func Reasons() []reason.Reason {
	return append(slices.Clone(own), source.InvalidNumber, source.NegativeCount)
}

// roundingBase is the number to a multiple of which each count of the Canadian census is rounded, independently.
const roundingBase = 5

// Tables are the census tables of one area. They are made once and reused for one area after the other.
type Tables struct {
	country string
	base    float64 // roundingBase, or 0 in a country that does not round
	area    string
	where   string
	cells   [demographics.CellCount]cell
	touched []int  // cells that have a line or a reason
	present []bool // tables that have such a cell
}

// cell is a cell of the area.
type cell struct {
	first margin.Figure // of its lines
	sum   margin.Sum    // of all its lines
	lines int
	why   reason.Reason // why it has no value
	text  string        // what the file has in place of a value; may be empty
}

// New returns tables for areas of a country, 'CA' or 'US'.
func New(country string) *Tables {
	t := &Tables{country: country, present: make([]bool, len(demographics.Tables))}
	if country == "CA" {
		t.base = roundingBase
	}
	return t
}

// Reset begins another area. where names it in issues.
func (t *Tables) Reset(areaKey, where string) {
	t.area, t.where = areaKey, where
	for _, c := range t.touched {
		t.cells[c] = cell{}
	}
	t.touched = t.touched[:0]
}

// Add adds a line to a cell, an index of demographics.Cells. An estimate that is NaN or negative makes the cell missing.
func (t *Tables) Add(index int, f margin.Figure) {
	switch {
	case math.IsNaN(f.Estimate):
		t.Miss(index, MissingEstimate, "")
		return
	case f.Estimate < 0:
		t.Miss(index, source.NegativeCount, fmt.Sprint(f.Estimate))
		return
	}
	c := t.touch(index)
	if c.lines == 0 {
		c.first = f
	}
	c.lines++
	c.sum.Add(f, 1)
}

// Miss records why a line of a cell has no value, so that the table is left out, and what the file has instead, for
// messages. The first reason of a cell is kept.
func (t *Tables) Miss(index int, why reason.Reason, text string) {
	if c := t.touch(index); c.why.OK() {
		c.why, c.text = why, text
	}
}

func (t *Tables) touch(index int) *cell {
	c := &t.cells[index]
	if c.lines == 0 && c.why.OK() {
		t.touched = append(t.touched, index)
	}
	return c
}

// Figure returns the sum of a cell's lines; false where it has none or one of them is missing.
func (t *Tables) Figure(index int) (margin.Figure, bool) {
	switch c := &t.cells[index]; {
	case c.lines == 0 || !c.why.OK():
		return margin.Figure{}, false
	case c.lines == 1:
		return c.first, true // as published
	default:
		return c.sum.Figure(), true
	}
}

// Stage stages the tables that have any line, in the order of demographics.Tables, and counts an issue for each that is
// left out. A cell that the country does not have takes part in the checks and is not staged.
func (t *Tables) Stage(out source.Sink) error {
	clear(t.present)
	for _, c := range t.touched {
		t.present[demographics.Cells[c].Table] = true
	}
	for i, present := range t.present {
		if !present {
			continue
		}
		table := &demographics.Tables[i]
		if why, text := t.check(table); !why.OK() {
			where := table.ID + ", " + t.where
			if text != "" {
				where += ", " + text
			}
			out.Issue(why.With(table.ID), where)
			continue
		}
		if err := t.stage(table, out); err != nil {
			return err
		}
	}
	return nil
}

// check returns why a table is left out, and the values that say so; the zero Reason where it is complete and consistent.
// An error of the publisher takes precedence over a missing value.
func (t *Tables) check(table *demographics.Table) (worst reason.Reason, text string) {
	for _, index := range table.Cells {
		cell, c := &demographics.Cells[index], &t.cells[index]
		why := c.why
		if c.lines == 0 && why.OK() && cell.Has(t.country) && cell.Role != demographics.Optional {
			why = MissingLine
		}
		if worst.OK() || worst.Severity == reason.Skipped && why.Severity == reason.Rejected {
			worst, text = why, c.text
		}
	}
	if worst.OK() {
		return t.checkTotal(table)
	}
	return worst, text
}

// checkTotal compares the parts of a table with its total. They may exceed it by calibration's rounding slack and by the
// rounding base of each figure:
//
//	Canada, total 0, parts 5 and 10: sum 15 ≤ 0 + (1 + 2 parts) × 5, largest part 10 ≤ 0 + 2 × 5, so the table is kept
//
// Dollars are compared with the number of households or recipients.
func (t *Tables) checkTotal(table *demographics.Table) (reason.Reason, string) {
	slack := 1 + calibration.Standard().Demographics.RoundingSlack
	total, sum, parts, largest := math.Inf(1), 0.0, 0.0, 0.0
	base, dollars := math.NaN(), 0.0
	for _, index := range table.Cells {
		f, ok := t.Figure(index)
		if !ok {
			continue
		}
		if strings.HasSuffix(demographics.Cells[index].ID, ".dollars") {
			dollars = f.Estimate
			continue
		}
		switch demographics.Cells[index].Role {
		case demographics.Base:
			base = f.Estimate
		case demographics.Total:
			total = f.Estimate
		case demographics.Part, demographics.OutsideParts:
			sum, parts, largest = sum+f.Estimate, parts+1, max(largest, f.Estimate)
		case demographics.Optional:
			if t.country != "CA" { // whose total of commuters excludes those who work at home
				largest = max(largest, f.Estimate)
			}
		}
	}
	switch {
	case dollars > base*source.MaxIncome:
		return tooManyDollars, fmt.Sprintf("%.0f dollars of %.0f", dollars, base)
	case largest > total*slack+2*t.base:
		return partTooLarge, fmt.Sprintf("%.0f of %.0f", largest, total)
	case sum > total*slack+(1+parts)*t.base:
		return partsTooLarge, fmt.Sprintf("%.0f of %.0f", sum, total)
	}
	return reason.Reason{}, ""
}

func (t *Tables) stage(table *demographics.Table, out source.Sink) error {
	for _, index := range table.Cells {
		f, ok := t.Figure(index)
		if !ok || !demographics.Cells[index].Has(t.country) {
			continue
		}
		row := source.Statistic{AreaKey: t.area, Cell: demographics.Cells[index].ID, Estimate: f.Estimate}
		if f.Known() {
			row.MOE = &f.MOE
		}
		if err := out.Row(row); err != nil {
			return err
		}
	}
	return nil
}
