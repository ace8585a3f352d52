// Package acs is the kind for the American Community Survey's estimates of five years. In go its detailed tables, as the
// Census Bureau's table-based summary files or as tables of NHGIS with their codebooks; out come staged.survey and
// staged.statistic, each figure with its margin of error.
package acs

import (
	"context"
	"maps"
	"math"
	"slices"
	"strings"

	"quartier/ingest/census"
	"quartier/ingest/source"
	"quartier/schemas/demographics"
	"quartier/schemas/reason"
)

var reasons reason.List

var (
	unusedFile          = reasons.Skipped("unused_file", "The file has no table that is read.")
	missingMargins      = reasons.Rejected("missing_margins", "The area has estimates and no row in the file of margins of error.")
	missingEstimates    = reasons.Rejected("missing_estimates", "The area has margins of error and no row in the file of estimates.")
	invalidGeoID        = reasons.Rejected("invalid_geoid", "The GEO_ID is not one of the Census Bureau.")
	invalidGISJoin      = reasons.Rejected("invalid_gisjoin", "The GISJOIN does not fit the geographic level of the table.")
	geographicComponent = reasons.Skipped("geographic_component", "The row is of a part of an area (geographic component), such as its rural part.")
)

// Kind is the source kind "acs".
type Kind struct{}

// Info describes the kind.
func (Kind) Info() source.Info {
	return source.Info{
		Kind:  "acs",
		Title: "American Community Survey, 5-year estimates with margins of error",
		Formats: []string{
			"table-based summary files of the US Census Bureau: acsdt5y<year>-<table>.dat, one or a folder of them",
			"NHGIS tables: CSV beside its codebook, estimates and margins of error in one file or in two (…_E.csv, …_M.csv), one or a folder of them",
		},
		Yields:  []string{"survey", "statistic"},
		Options: Options{},
		Reasons: slices.Concat(reasons, census.Reasons(), []reason.Reason{source.ExcludedByOption, source.UnreadSummaryLevel, source.WrongFieldCount, source.DuplicateKey, source.AssumedWindows1252, source.MarginRemoved}),
		Notes: "Tables read: " + strings.Join(tables(), ", ") + "; other files of a folder are told and left. All files of a source are of one survey. " +
			"Summary files are of the whole country and all summary levels: name states:, and levels: where not all are wanted. Block groups and tracts are what places are made of; the others are told as published where a geography has their key. " +
			"B12001 and B05002 are not published for block groups: have the levels bg and tract both. B25034 is read from 2008-2012 on, whose decades begin with a 0. " +
			"Annotation values are no figures: a table of ours of which an area has no estimate is left out there, -555555555 as a margin of error means 0 (the estimate is controlled), another that none is known. Medians in an open bin (250,001; 2,499) are kept without one. " +
			"An area of NHGIS that has estimates and no margins of error in a second file, or the other way round, is rejected, and more than most_unpaired of them the file.",
	}
}

// title of the survey.
const title = "American Community Survey, 5-year estimates"

// Stage reads the file or those of the folder.
func (Kind) Stage(ctx context.Context, in source.Input, out source.Sink) error {
	o, err := options(in)
	if err != nil {
		return err
	}
	files, err := inputs(in.Path, o, out)
	if err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := out.Survey(source.Survey{Vintage: files[0].vintage, Title: title}); err != nil {
		return err
	}
	has := map[string]bool{}
	for _, f := range files {
		maps.Copy(has, f.has)
	}
	entries := entriesOf(files[0].year, has)
	if len(entries) == 0 {
		return source.BadFile(in.Path, "of %s alone no table of ours can be made", strings.Join(slices.Sorted(maps.Keys(has)), ", "))
	}
	s := &stage{options: o, out: out, row: census.New("US"), held: map[holding]*parts{}}
	for _, f := range files {
		if err := s.read(ctx, f, columnsOf(entries, f.has)); err != nil {
			return err
		}
	}
	if s.kept == 0 {
		return s.nothing(in.Path)
	}
	return s.finish()
}

// columnsOf are the entries that a file has the table of.
func columnsOf(entries []entry, has map[string]bool) (list []taken) {
	there := map[int]bool{}
	for _, e := range entries {
		if has[e.table] {
			list = append(list, taken{entry: e})
			there[e.cell] = true
		}
	}
	for i := range list {
		list[i].held = !complete(demographics.Cells[list[i].cell].Table, func(cell int) bool { return there[cell] })
	}
	return list
}

// stage is one run of the kind. It holds the tables of ours whose lines stand in several files, until they are together.
type stage struct {
	options *Options
	out     source.Sink
	row     *census.Tables
	held    map[holding]*parts
	left    []leaving
	kept    int // areas, file by file
}

// leaving is why rows are not kept, and how many.
type leaving struct {
	gap   reason.Reason
	rows  int
	where string // the first
}

// leave tells of a row that is not kept.
func (s *stage) leave(gap reason.Reason, where string) {
	s.out.Issue(gap, where)
	i := slices.IndexFunc(s.left, func(l leaving) bool { return l.gap == gap })
	if i < 0 {
		i = len(s.left)
		s.left = append(s.left, leaving{gap: gap, where: where})
	}
	s.left[i].rows++
}

// nothing says of files of which no row is kept what most of them lack.
func (s *stage) nothing(path string) error {
	var most leaving
	all := 0
	for _, l := range s.left {
		all += l.rows
		if l.rows > most.rows {
			most = l
		}
	}
	switch {
	case all == 0:
		return source.BadFile(path, "no area in it has estimates and margins of error both")
	case most.gap == unselected:
		return source.BadFile(path, "levels, states and where leave none of its %d rows", all)
	}
	return source.BadFile(path, "%d of %d rows: %s (the first: %s)", most.rows, all, most.gap, most.where)
}

// holding is an area and a table of ours.
type holding struct {
	key   string
	table int
}

// parts are the cells of a table that have come.
type parts struct {
	where   string
	cells   []int
	figures []figure
}

// area stages the tables that a file tells of an area.
func (s *stage) area(key, where string, list []taken, figures []figure) error {
	s.kept++
	s.row.Reset(key, where)
	var whole []holding // that have come together now
	n := 0
	for _, t := range list {
		for range t.lines {
			f := figures[n]
			n++
			if slices.Contains(t.jams, f.Estimate) {
				f.MOE = math.NaN()
			}
			if !t.held {
				add(s.row, t.cell, f)
			} else if h := (holding{key, demographics.Cells[t.cell].Table}); s.hold(h, where, t.cell, f) {
				whole = append(whole, h)
			}
		}
	}
	if err := s.row.Stage(s.out); err != nil {
		return err
	}
	for _, h := range whole {
		if err := s.release(h); err != nil {
			return err
		}
	}
	return nil
}

func add(row *census.Tables, cell int, f figure) {
	if f.gap != (reason.Reason{}) {
		row.Miss(cell, f.gap)
		return
	}
	row.Add(cell, f.Figure)
}

// hold keeps a figure until its table is together, which it reports.
func (s *stage) hold(h holding, where string, cell int, f figure) bool {
	p := s.held[h]
	if p == nil {
		p = &parts{where: where}
		s.held[h] = p
	}
	p.cells, p.figures = append(p.cells, cell), append(p.figures, f)
	return complete(h.table, func(place int) bool { return slices.Contains(p.cells, place) })
}

// release stages a table that was held.
func (s *stage) release(h holding) error {
	p := s.held[h]
	delete(s.held, h)
	s.row.Reset(h.key, p.where)
	for i, cell := range p.cells {
		add(s.row, cell, p.figures[i])
	}
	return s.row.Stage(s.out)
}

// finish tells of the tables that never came together.
func (s *stage) finish() error {
	rest := slices.SortedFunc(maps.Keys(s.held), func(a, b holding) int {
		if a.key != b.key {
			return strings.Compare(a.key, b.key)
		}
		return a.table - b.table
	})
	for _, h := range rest {
		if err := s.release(h); err != nil {
			return err
		}
	}
	return nil
}
