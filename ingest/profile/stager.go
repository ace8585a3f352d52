package profile

import (
	"fmt"

	"quartier/ingest/source"
	"quartier/schemas/calibration"
	"quartier/schemas/demographics"
)

// stager turns areas into staged tables.
type stager struct {
	out   source.Sink
	area  area
	cells [demographics.CellCount]figure
	seen  map[string]bool // keys of areas
}

// begin gets ready for an area. An area that was there before is not to be read again.
func (s *stager) begin(key, where string) (fresh bool) {
	if s.seen == nil {
		s.seen = map[string]bool{}
	}
	if s.seen[key] {
		s.out.Issue(source.Rejected, "area stands twice", where)
		return false
	}
	s.seen[key] = true
	s.area.reset(key, where)
	return true
}

// finish stages the tables of the area that are complete and add up.
func (s *stager) finish() error {
	s.area.cells(&s.cells)
	for t := range demographics.Tables {
		table := &demographics.Tables[t]
		if table.In("CA") == demographics.Nobody {
			continue
		}
		g := s.judge(table)
		switch g {
		case unread:
		case gap{}:
			if err := s.stage(table); err != nil {
				return err
			}
		default:
			s.out.Issue(g.severity, "table left out: "+g.reason, fmt.Sprintf("%s, %s", table.ID, s.area.where))
		}
	}
	return nil
}

// needed reports whether a table cannot do without a cell.
func needed(c *demographics.Cell) bool { return c.Has("CA") && c.Role != demographics.Optional }

// judge says why a table is left out. A table of which the file has nothing at all is unread.
func (s *stager) judge(table *demographics.Table) gap {
	var first gap
	told := 0
	for _, c := range table.Cells {
		if !needed(&demographics.Cells[c]) {
			continue
		}
		switch g := s.cells[c].gap; {
		case g == gap{}:
			told++
		case first == gap{} || first == unread:
			first = g
		}
	}
	switch {
	case first == unread && told > 0:
		return partial
	case first != gap{}:
		return first
	}
	return s.exceeds(table)
}

// exceeds is the gap of a table of which a part, or all of them together, are more than its total, by more than rounding
// makes.
func (s *stager) exceeds(table *demographics.Table) gap {
	const base = 5 // that counts are rounded to
	slack := 1 + calibration.Standard().Demographics.RoundingSlack
	total, sum, parts, most := -1.0, 0.0, 0.0, 0.0
	for _, c := range table.Cells {
		cell := &demographics.Cells[c]
		if !needed(cell) {
			continue
		}
		switch n := s.cells[c].Estimate; cell.Role {
		case demographics.Total:
			total = n
		case demographics.Part, demographics.Apart:
			sum, parts, most = sum+n, parts+1, max(most, n)
		}
	}
	switch {
	case total < 0:
	case most > total*slack+2*base:
		return gap{source.Rejected, "a part is more than the total"}
	case sum > total*slack+parts*base:
		return gap{source.Rejected, "its parts are more than the total"}
	}
	return gap{}
}

func (s *stager) stage(table *demographics.Table) error {
	for _, c := range table.Cells {
		cell, f := &demographics.Cells[c], s.cells[c]
		if !cell.Has("CA") || f.gap != (gap{}) {
			continue
		}
		row := source.Statistic{AreaKey: s.area.key, Cell: cell.ID, Estimate: f.Estimate}
		if f.Known() {
			row.MOE = &f.MOE
		}
		if err := s.out.Statistic(row); err != nil {
			return err
		}
	}
	return nil
}
