// Package acs is the kind for the 5-year estimates of the American Community Survey. It reads detailed tables, in the
// formats that people download them in, into staged.survey and staged.statistic, each estimate with its margin of error.
//
// A file is opened as a grid: text, an answer of the Census API or features. Its columns say which layout it has, and so
// where areas and figures are; a long table is turned into a wide one. From there all layouts are read alike.
package acs

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"quartier/ingest/census"
	"quartier/ingest/formats/folder"
	"quartier/ingest/source"
	"quartier/schemas/demographics"
	"quartier/schemas/reason"
)

var reasons reason.List

var (
	missingMargins   = reasons.Rejected("missing_margins", "The area has estimates and no row in the file of margins of error.")
	missingEstimates = reasons.Rejected("missing_estimates", "The area has margins of error and no row in the file of estimates.")
	invalidGeoID     = reasons.Rejected("invalid_geoid", "The GEO_ID is not one of the Census Bureau.")
	invalidGISJoin   = reasons.Rejected("invalid_gisjoin", "The GISJOIN does not fit the geographic level of the table.")
	unclearLevel     = reasons.Rejected("unclear_level",
		"The GEOID could be of several levels, because it may have lost a leading zero, and no NAME says which; set the option level.")
	openMedian = reasons.Repaired("median_in_open_bin",
		"The median is in the first or last bin, which is open; the limit of the bin is staged without a margin of error.")
	noMargins    = reasons.Repaired("no_margins_of_error", "The file has estimates without margins of error, which then are unknown.")
	missingLines = reasons.Skipped("lines_not_in_file",
		"The files have some lines of the table and lack others that are needed; the table is left out.")
	formFound           = reasons.Noted("census_form_found", "Tables are read in the form that the detail names.")
	geographicComponent = reasons.Skipped("geographic_component",
		"The row is of a part of an area (geographic component), such as its rural part.")
)

// kind has beside a declaration the schemes of its tables.
type kind struct{ source.Declaration[Options] }

// Tables returns the schemes of the levels that the options select.
func (k kind) Tables(in source.Input) (schemes []string) {
	o, _ := k.Settings(in) // Check reports the error
	for _, name := range levelNames() {
		if o.Levels == nil || slices.Contains(o.Levels, name) {
			schemes = append(schemes, "census:"+name)
		}
	}
	return schemes
}

// Kind is the source kind "acs".
var Kind = kind{source.Declaration[Options]{
	Kind:  "acs",
	Title: "American Community Survey, 5-year estimates with margins of error",
	Formats: []string{
		"data.census.gov: ACSDT5Y<year>.<table>-Data.csv, or the .zip as it is downloaded",
		"American FactFinder: ACS_<yy>_5YR_<table>_with_ann.csv, or the .zip",
		"Census API: JSON, an array of arrays, with GEO_ID or with state, county, tract, block group …",
		"tidycensus: long (variable, estimate, moe) or wide (B01003_001E, B01003_001M), as CSV, GeoJSON, GeoPackage or shapefile",
		"table-based summary files of the US Census Bureau, acsdt5y<year>-<table>.dat",
		"NHGIS tables: CSV with its codebook in the same folder or .zip, estimates and margins of error in one file or in two (…_E.csv, …_M.csv)",
		"one file, or a folder of files and .zips in any of these formats",
	},
	Yields: []string{"survey", "statistic"},
	Own:    &reasons,
	Reasons: slices.Concat(census.Reasons(), []reason.Reason{source.UnusedFile, source.ExcludedByOption, source.UnreadSummaryLevel,
		source.WrongFieldCount, source.DuplicateKey, source.AssumedWindows1252, source.MarginRemoved}),
	Notes: "Tables read: " + strings.Join(tables(), ", ") +
		"; other files of a folder are counted as issues. All files of a source are of one survey: let each vintage be a source. " +
		"The format is found by the columns, the survey by the name of the file or the option vintage.\n" +
		"Files cover any summary levels; select states and levels with the options. Block groups and tracts are the parts that places are " +
		"added up from; the other levels are used as published where a geography has their key. " +
		"B12001 and B05002 are not published for block groups, so keep both levels bg and tract. B25034 is read from 2008-2012 on, when its " +
		"decades begin in years ending in 0.\n" +
		"GEOIDs without a summary level get the level that NAME says, else that of their number of digits; leading zeros that R or a " +
		"spreadsheet removed are added. A table of which a file lacks lines is left out. " +
		"A view of data.census.gov (\"Label (Grouping)\"), data profiles, subject tables, 1-year estimates and the decennial census are not " +
		"read. tidycensus gives margins of error at 90 % unless moe_level says otherwise, which its files do not show.\n" +
		"Annotations (-666666666, -, **, (X), N, null, NA) are not numbers: a table is left out for an area that has no estimate for one of " +
		"its lines. A margin of error of -555555555 or ***** means 0 (the estimate is controlled), any other annotation that it is unknown. " +
		"Medians in an open bin (250,000+ and 2,500-, or the jam values 250,001 and 2,499) are kept without a margin of error and counted.\n" +
		"Where NHGIS has margins of error in a second file, an area that is in one of the two files only is rejected, and the source fails " +
		"where their share exceeds most_unpaired. A long table has at most 40 million figures of lines that are read.",
	Complete: (*Options).check,
	Inspect: func(ctx context.Context, in source.Input, o *Options) error {
		p, err := makePlan(ctx, in, o, source.Discard{})
		if p != nil {
			p.close()
		}
		return err
	},
	Read: read,
}}

// title of the survey.
const title = "American Community Survey, 5-year estimates"

// plan says what is read: the files of a source, and the entries of the mapping that they have together.
type plan struct {
	inputs  []*input
	entries []entry
	close   func() // of the zips
}

func makePlan(ctx context.Context, in source.Input, o *Options, out source.Sink) (_ *plan, err error) {
	list, err := folder.Open(in.Path, in.Limits, ".dat", ".csv", ".json", ".geojson")
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			list.Close()
		}
	}()
	for _, path := range in.With {
		more, err := folder.Open(path, in.Limits, ".dat", ".csv", ".json", ".geojson")
		if err != nil {
			return nil, err
		}
		list.Join(more)
	}
	inputs, err := inputs(ctx, in.Path, list.Files, o, out)
	if err != nil {
		return nil, err
	}
	entries := entriesOf(inputs[0].year, func(e entry) bool {
		return slices.ContainsFunc(inputs, func(in *input) bool { return in.hasAll(e) })
	})
	own := inputs[:slices.IndexFunc(append(inputs, nil), func(f *input) bool { return f == nil || f.file.In(in.With) })]
	entries = completed(entries, own)
	if len(entries) == 0 {
		return nil, source.BadFile(in.Path, "no table can be assembled: %s", strings.Join(incomplete(own, nil), "; "))
	}
	for _, why := range incomplete(own, entries) {
		out.Issue(missingLines, why)
	}
	return &plan{inputs, entries, list.Close}, nil
}

// completed are the entries of tables of which some lines are in files of the source itself, not in those of others alone.
func completed(entries []entry, own []*input) []entry {
	tables := map[int]bool{} // of demographics.Tables
	for _, e := range entries {
		if slices.ContainsFunc(own, func(in *input) bool { return in.hasAll(e) }) {
			tables[demographics.Cells[e.cell].Table] = true
		}
	}
	return slices.DeleteFunc(entries, func(e entry) bool { return !tables[demographics.Cells[e.cell].Table] })
}

func read(ctx context.Context, in source.Input, o *Options, out source.Sink) error {
	p, err := makePlan(ctx, in, o, out)
	if err != nil {
		return err
	}
	defer p.close()
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := out.Row(source.Survey{Vintage: p.inputs[0].vintage, Title: title, MaxUnmatched: o.MaxUnmatched}); err != nil {
		return err
	}
	s := &stage{options: o, out: out, row: census.New("US"), held: map[areaTable]*partialTable{}}
	for i, in := range p.inputs {
		if !slices.ContainsFunc(p.inputs[:i], func(other *input) bool { return other.form == in.form }) {
			out.Issue(formFound.With(in.form), in.file.Base())
		}
		if in.estimatesOnly {
			out.Issue(noMargins, in.file.Base())
		}
		if err := s.read(ctx, in, columnsOf(p.entries, in)); err != nil {
			return err
		}
	}
	if s.kept == 0 {
		return s.noRowsError(in.Path)
	}
	return s.finish()
}

// hasAll reports whether a file has all lines of an entry.
func (in *input) hasAll(e entry) bool {
	return !slices.ContainsFunc(e.lines, func(n int) bool { return !in.has[line{e.table, n}] })
}

// incomplete describes the tables of which the files have lines, and no entry does: "B25003 lacks B25003_003".
func incomplete(inputs []*input, entries []entry) (list []string) {
	has, partial := map[line]bool{}, map[string]bool{}
	for _, in := range inputs {
		for l := range in.has {
			has[l] = true
			partial[l.table] = true
		}
	}
	for _, e := range entries {
		delete(partial, e.table)
	}
	for _, name := range slices.Sorted(maps.Keys(partial)) {
		var lacks []string
		for _, l := range slices.SortedFunc(maps.Keys(neededLines), compareLines) {
			if l.table == name && !has[l] {
				lacks = append(lacks, l.String())
			}
		}
		if len(lacks) > 0 {
			list = append(list, name+" lacks "+strings.Join(lacks, ", "))
		} else {
			list = append(list, name+" alone is not enough")
		}
	}
	return list
}

// columnsOf returns the entries whose lines a file has.
func columnsOf(entries []entry, in *input) (list []mappedEntry) {
	there := map[int]bool{}
	for _, e := range entries {
		if in.hasAll(e) {
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

// skip counts rows that are not kept.
func (s *stage) skip(why reason.Reason, where string, rows int) {
	for range rows {
		s.out.Issue(why, where)
	}
	i := slices.IndexFunc(s.skipped, func(l skipCount) bool { return l.why == why })
	if i < 0 {
		i = len(s.skipped)
		s.skipped = append(s.skipped, skipCount{why: why, where: where})
	}
	s.skipped[i].rows += rows
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
			if f.open {
				f.MOE = math.NaN()
				s.out.Issue(openMedian, fmt.Sprintf("%s, %s %.0f", where, t.table, f.Estimate))
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
		row.Miss(cell, f.why, f.text)
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
