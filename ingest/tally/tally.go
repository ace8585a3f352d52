// Package tally puts what a publisher tells about one area together: in go the figures of its lines by the cell that they
// belong to, out come rows of staged.statistic, table by table. A table is staged whole or not at all: one of which a
// figure is missing, or of which a part is greater than its total, is told as an issue and left out of that area.
//
//	row := tally.New("US")
//	row.Reset("census:bg:410510001001", "line 17")
//	row.Add(cell, figure) // as often as a cell has lines
//	row.Miss(other, tally.NoEstimate)
//	err := row.Stage(out)
package tally

import (
	"math"
	"strings"

	"quartier/ingest/source"
	"quartier/internal/margin"
	"quartier/schemas/calibration"
	"quartier/schemas/demographics"
)

// Gap is why a figure is not told.
type Gap struct {
	Severity source.Severity // Skipped where the publisher tells none, Rejected where it tells what cannot be
	Reason   string
}

// Gaps that any publisher's figures may have.
var (
	NoEstimate = Gap{source.Skipped, "no estimate"}
	Unread     = Gap{source.Skipped, "some of its lines are not in the file"}
	NoNumber   = Gap{source.Rejected, "a figure that is no number"}
	Negative   = Gap{source.Rejected, "negative count"}

	partTooGreat  = Gap{source.Rejected, "a part is greater than its total"}
	partsTooGreat = Gap{source.Rejected, "its parts together are greater than its total"}
	tooRich       = Gap{source.Rejected, "more dollars for each of its households or recipients than can be"}
)

// Row is what is told about one area. It is made once and used for one area after the other.
type Row struct {
	country string
	base    float64 // that the country's counts are rounded to, each on its own; 0: they are not
	area    string
	where   string
	cells   [demographics.CellCount]cell
	touched []int  // cells that something was told of
	told    []bool // the same by table
}

// cell is a cell of the row.
type cell struct {
	first margin.Figure // of its lines
	sum   margin.Sum    // of all of them
	lines int
	gap   Gap
}

// New is an empty row for the areas of a country, 'CA' or 'US'.
func New(country string) *Row {
	r := &Row{country: country, told: make([]bool, len(demographics.Tables))}
	if country == "CA" {
		r.base = 5
	}
	return r
}

// Reset begins with another area. where names it in issues.
func (r *Row) Reset(areaKey, where string) {
	r.area, r.where = areaKey, where
	for _, c := range r.touched {
		r.cells[c] = cell{}
	}
	r.touched = r.touched[:0]
}

// Add adds a figure to a cell, a place in demographics.Cells. An estimate that is NaN or negative is missed instead.
func (r *Row) Add(place int, f margin.Figure) {
	switch {
	case math.IsNaN(f.Estimate):
		r.Miss(place, NoEstimate)
		return
	case f.Estimate < 0:
		r.Miss(place, Negative)
		return
	}
	c := r.touch(place)
	if c.lines == 0 {
		c.first = f
	}
	c.lines++
	c.sum.Add(f, 1, 0)
}

// Miss says that a line of a cell is not told, which leaves the cell's table out. The first gap of a cell stands.
func (r *Row) Miss(place int, g Gap) {
	if c := r.touch(place); c.gap == (Gap{}) {
		c.gap = g
	}
}

func (r *Row) touch(place int) *cell {
	c := &r.cells[place]
	if c.lines == 0 && c.gap == (Gap{}) {
		r.touched = append(r.touched, place)
	}
	return c
}

// Figure is a cell with its lines added up; false where none was told, or one is missing.
func (r *Row) Figure(place int) (margin.Figure, bool) {
	switch c := &r.cells[place]; {
	case c.lines == 0 || c.gap != Gap{}:
		return margin.Figure{}, false
	case c.lines == 1:
		return c.first, true // as the publisher tells it
	default:
		return c.sum.Figure(), true
	}
}

// Stage stages the tables of which anything was told, in the order of demographics.Tables, and tells of each other one
// why it is left out. A cell that the country does not have is held against its table's parts, and not staged.
func (r *Row) Stage(out source.Sink) error {
	clear(r.told)
	for _, c := range r.touched {
		r.told[demographics.Cells[c].Table] = true
	}
	for t, told := range r.told {
		if !told {
			continue
		}
		table := &demographics.Tables[t]
		if g := r.judge(table); g != (Gap{}) {
			out.Issue(source.Uncoded(g.Severity, "table left out: "+g.Reason), table.ID+", "+r.where)
			continue
		}
		if err := r.stage(table, out); err != nil {
			return err
		}
	}
	return nil
}

// judge says why a table is left out; the zero Gap where it is not. A gap that is the publisher's fault is told first.
func (r *Row) judge(table *demographics.Table) (worst Gap) {
	for _, place := range table.Cells {
		cell, c := &demographics.Cells[place], &r.cells[place]
		g := c.gap
		if c.lines == 0 && g == (Gap{}) && cell.Has(r.country) && cell.Role != demographics.Optional {
			g = Unread
		}
		if worst == (Gap{}) || worst.Severity == source.Skipped && g.Severity == source.Rejected {
			worst = g
		}
	}
	if worst == (Gap{}) {
		worst = r.exceeds(table)
	}
	return worst
}

// exceeds is the gap of a table of which a part, or all of them together, are greater than the total by more than
// rounding makes: calibration's rounding_slack, and the base that the country rounds to for each figure. Dollars are held
// to what they are divided by.
func (r *Row) exceeds(table *demographics.Table) Gap {
	slack := 1 + calibration.Standard().Demographics.RoundingSlack
	total, sum, parts, greatest := math.Inf(1), 0.0, 0.0, 0.0
	base, dollars := math.NaN(), 0.0
	for _, place := range table.Cells {
		f, ok := r.Figure(place)
		if !ok {
			continue
		}
		if strings.HasSuffix(demographics.Cells[place].ID, ".dollars") {
			dollars = f.Estimate
			continue
		}
		switch demographics.Cells[place].Role {
		case demographics.Base:
			base = f.Estimate
		case demographics.Total:
			total = f.Estimate
		case demographics.Part, demographics.Apart:
			sum, parts, greatest = sum+f.Estimate, parts+1, max(greatest, f.Estimate)
		case demographics.Optional:
			if r.country != "CA" { // whose commuters do not count those who work at home
				greatest = max(greatest, f.Estimate)
			}
		}
	}
	switch {
	case dollars > base*source.MaxIncome:
		return tooRich
	case greatest > total*slack+2*r.base:
		return partTooGreat
	case sum > total*slack+(1+parts)*r.base:
		return partsTooGreat
	}
	return Gap{}
}

func (r *Row) stage(table *demographics.Table, out source.Sink) error {
	for _, place := range table.Cells {
		f, ok := r.Figure(place)
		if !ok || !demographics.Cells[place].Has(r.country) {
			continue
		}
		row := source.Statistic{AreaKey: r.area, Cell: demographics.Cells[place].ID, Estimate: f.Estimate}
		if f.Known() {
			row.MOE = &f.MOE
		}
		if err := out.Statistic(row); err != nil {
			return err
		}
	}
	return nil
}
