// Package acs is the kind for the 5-year estimates of the American Community Survey. It reads detailed tables, as
// table-based summary files of the Census Bureau or as NHGIS tables with their codebooks, into staged.survey and
// staged.statistic, each estimate with its margin of error.
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
			"table-based summary files of the US Census Bureau, acsdt5y<year>-<table>.dat: one file or a folder",
			"NHGIS tables: CSV with its codebook in the same folder, estimates and margins of error in one file or in two (…_E.csv, …_M.csv); one file or a folder",
		},
		Yields:  []string{"survey", "statistic"},
		Options: Options{},
		Reasons: slices.Concat(reasons, census.Reasons(), []reason.Reason{source.ExcludedByOption, source.UnreadSummaryLevel, source.WrongFieldCount, source.DuplicateKey, source.AssumedWindows1252, source.MarginRemoved}),
		Notes: "Tables read: " + strings.Join(tables(), ", ") + "; other files of a folder are counted as issues. All files of a source are of one survey.\n" +
			"Summary files cover the entire country and all summary levels; select states and levels with the options. Block groups and tracts are the parts that places are added up from; the other levels are used as published where a geography has their key. " +
			"B12001 and B05002 are not published for block groups, so keep both levels bg and tract. B25034 is read from 2008-2012 on, when its decades begin in years ending in 0.\n" +
			"Annotation values are not numbers: a table is left out for an area that has no estimate for one of its lines. A margin of error of -555555555 means 0 (the estimate is controlled), any other annotation that it is unknown. Medians in an open bin (jam values such as 250,001 and 2,499) are kept without a margin of error.\n" +
			"Where NHGIS has margins of error in a second file, an area that is in one of the two files only is rejected, and the source fails where their share exceeds most_unpaired.",
	}
}

// title of the survey.
const title = "American Community Survey, 5-year estimates"

// Check checks options, headers and codebooks.
func (Kind) Check(_ context.Context, in source.Input) error {
	o, err := options(in)
	_, _, planErr := plan(in.Path, o, source.Discard{})
	return source.Join(err, planErr)
}

// plan returns the files to read, and the entries of the mapping that they have together.
func plan(path string, o *Options, out source.Sink) ([]*input, []entry, error) {
	files, err := inputs(path, o, out)
	if err != nil {
		return nil, nil, err
	}
	has := map[string]bool{}
	for _, f := range files {
		maps.Copy(has, f.has)
	}
	entries := entriesOf(files[0].year, has)
	if len(entries) == 0 {
		return nil, nil, source.BadFile(path, "no table can be assembled from %s alone", strings.Join(slices.Sorted(maps.Keys(has)), ", "))
	}
	return files, entries, nil
}

// Stage reads the file or those of the folder.
func (Kind) Stage(ctx context.Context, in source.Input, out source.Sink) error {
	o, err := options(in)
	if err != nil {
		return err
	}
	files, entries, err := plan(in.Path, o, out)
	if err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := out.Row(source.Survey{Vintage: files[0].vintage, Title: title}); err != nil {
		return err
	}
	s := &stage{options: o, out: out, row: census.New("US"), held: map[areaTable]*partialTable{}}
	for _, f := range files {
		if err := s.read(ctx, f, columnsOf(entries, f.has)); err != nil {
			return err
		}
	}
	if s.kept == 0 {
		return s.noRowsError(in.Path)
	}
	return s.finish()
}

// columnsOf returns the entries whose table a file has.
func columnsOf(entries []entry, has map[string]bool) (list []mappedEntry) {
	there := map[int]bool{}
	for _, e := range entries {
		if has[e.table] {
			list = append(list, mappedEntry{entry: e})
			there[e.cell] = true
		}
	}
	for i := range list {
		list[i].held = !complete(demographics.Cells[list[i].cell].Table, func(cell int) bool { return there[cell] })
	}
	return list
}

// stage is one run of the kind. It keeps tables whose lines are in several files until they are complete.
type stage struct {
	options *Options
	out     source.Sink
	row     *census.Tables
	held    map[areaTable]*partialTable
	skipped []skipCount
	kept    int // areas, file by file
}

// skipCount counts the rows that are not kept for one reason.
type skipCount struct {
	why   reason.Reason
	rows  int
	where string // first of them
}

// skip counts a row that is not kept.
func (s *stage) skip(why reason.Reason, where string) {
	s.out.Issue(why, where)
	i := slices.IndexFunc(s.skipped, func(l skipCount) bool { return l.why == why })
	if i < 0 {
		i = len(s.skipped)
		s.skipped = append(s.skipped, skipCount{why: why, where: where})
	}
	s.skipped[i].rows++
}

// noRowsError describes why no row of any file is kept, by the most frequent reason.
func (s *stage) noRowsError(path string) error {
	var most skipCount
	all := 0
	for _, l := range s.skipped {
		all += l.rows
		if l.rows > most.rows {
			most = l
		}
	}
	switch {
	case all == 0:
		return source.BadFile(path, "no area has both estimates and margins of error")
	case most.why == notSelected:
		return source.BadFile(path, "the options levels, states and where select none of its %d rows", all)
	}
	return source.BadFile(path, "%d of %d rows: %s (first: %s)", most.rows, all, most.why, most.where)
}

// areaTable is a table of demographics.Tables of one area.
type areaTable struct {
	key   string
	table int
}

// partialTable has the cells of a table that have been read so far.
type partialTable struct {
	where   string
	cells   []int
	figures []figure
}

// area stages the tables that a file has of an area.
func (s *stage) area(key, where string, list []mappedEntry, figures []figure) error {
	s.kept++
	s.row.Reset(key, where)
	var complete []areaTable // with the lines of this file
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
			} else if h := (areaTable{key, demographics.Cells[t.cell].Table}); s.holdPartial(h, where, t.cell, f) {
				complete = append(complete, h)
			}
		}
	}
	if err := s.row.Stage(s.out); err != nil {
		return err
	}
	for _, h := range complete {
		if err := s.release(h); err != nil {
			return err
		}
	}
	return nil
}

func add(row *census.Tables, cell int, f figure) {
	if f.why != (reason.Reason{}) {
		row.Miss(cell, f.why)
		return
	}
	row.Add(cell, f.Figure)
}

// holdPartial keeps a figure until its table is complete, and reports whether it is.
func (s *stage) holdPartial(h areaTable, where string, cell int, f figure) bool {
	p := s.held[h]
	if p == nil {
		p = &partialTable{where: where}
		s.held[h] = p
	}
	p.cells, p.figures = append(p.cells, cell), append(p.figures, f)
	return complete(h.table, func(place int) bool { return slices.Contains(p.cells, place) })
}

// release stages a table that was kept.
func (s *stage) release(h areaTable) error {
	p := s.held[h]
	delete(s.held, h)
	s.row.Reset(h.key, p.where)
	for i, cell := range p.cells {
		add(s.row, cell, p.figures[i])
	}
	return s.row.Stage(s.out)
}

// finish stages what is left, which counts the incomplete tables as issues.
func (s *stage) finish() error {
	rest := slices.SortedFunc(maps.Keys(s.held), func(a, b areaTable) int {
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
