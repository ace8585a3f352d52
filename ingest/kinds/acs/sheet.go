package acs

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"quartier/ingest/formats/folder"
	"quartier/ingest/source"
	"quartier/internal/margin"
	"quartier/schemas/demographics"
	"quartier/schemas/reason"
)

// sheet is a file that is being read.
type sheet struct {
	grid
	file    folder.File
	areas   *areas
	figures figureColumns
	seen    map[string]bool // keys of areas
	read    int             // rows
}

// sheet opens a file of the input and reads its header; nil where it has no column of areas.
func (in *input) sheet(ctx context.Context, f folder.File) (*sheet, error) {
	g, err := openGrid(ctx, f)
	if err != nil {
		return nil, err
	}
	in.form = in.formOf(g)
	if _, _, _, ok := longColumns(g.columns()); ok {
		t, err := newLong(ctx, g, f, in.named)
		if t == nil || err != nil {
			return nil, err
		}
		g = t
	}
	if err := in.refuse(f, g.columns()); err != nil {
		g.Close()
		return nil, err
	}
	s := &sheet{grid: g, file: f, areas: in.areas(g.columns()), figures: in.figures(g.columns()), seen: map[string]bool{}}
	if s.areas == nil {
		g.Close()
		return nil, nil
	}
	return s, nil
}

// refuse returns an error for tables that lack what is needed to read them.
func (in *input) refuse(f folder.File, columns []string) error {
	switch {
	case len(columns) > 0 && columns[0] == "Label (Grouping)":
		return source.BadFile(f.Path,
			"it is a view of data.census.gov with areas by name; download the table itself, by Download Table Data, as .zip")
	case !in.nhgis && column(columns, gisjoin) == 0 && slices.ContainsFunc(columns, surveyColumn.MatchString):
		first, _ := cutLast(f.Stem(), "_E", "_M")
		return source.BadFile(f.Path, "it is an NHGIS table whose codebook, %s_codebook.txt, is missing", first)
	}
	return nil
}

// reopen opens a file of the input that was opened before, or its margins of error.
func (in *input) reopen(ctx context.Context, f folder.File) (*sheet, error) {
	s, err := in.sheet(ctx, f)
	if s == nil && err == nil {
		err = source.BadFile(f.Path, "it has no column with areas")
	}
	return s, err
}

// labels are the texts in the column of areas of a second header, which describes the columns.
var labels = []string{"Geography", "Id", "Id2", "GIS Join Match Code", "Geographic Identifier"}

// isLabel reports whether the first row is a second header.
func (s *sheet) isLabel() bool {
	text := s.areas.text(s.grid)
	return slices.ContainsFunc(labels, func(label string) bool { return strings.EqualFold(text, label) })
}

// next advances to the next row that is kept and returns the key of its area; "" at the end of the file.
func (s *sheet) next(ctx context.Context, run *stage) (string, error) {
	short := false
	for {
		if err := ctx.Err(); err != nil {
			return "", err
		}
		switch err := s.grid.next(); {
		case err == io.EOF && s.read == 0:
			return "", source.BadFile(s.file.Path, "it has no rows")
		case err == io.EOF && short:
			return "", source.BadFile(s.file.Path, "it ends within a row")
		case err == io.EOF:
			return "", nil
		case errors.Is(err, source.ErrBadFile):
			return "", err
		case err != nil:
			return "", source.BadFile(s.file.Path, "%v", err)
		}
		if s.read == 0 && s.isLabel() {
			continue
		}
		s.read++
		run.out.Read(s.rows())
		short = s.short()
		key, why := s.checkRow(run.options)
		if why != kept {
			run.skip(why, s.where(), s.rows())
			continue
		}
		if s.foreign() {
			run.out.Issue(source.AssumedWindows1252, s.where())
		}
		return key, nil
	}
}

// checkRow returns the key of the row's area, or why the row is not kept.
func (s *sheet) checkRow(o *Options) (string, reason.Reason) {
	l, id, why := s.areas.parse(s.grid)
	if s.short() {
		return "", source.WrongFieldCount
	}
	if why != kept {
		return "", why
	}
	key := l.key(id)
	switch why = o.keep(l, key); {
	case why != kept:
		return "", why
	case s.long():
		return "", source.WrongFieldCount
	case s.seen[key]:
		return "", source.DuplicateKey
	}
	s.seen[key] = true
	return key, kept
}

func (s *sheet) where() string {
	return fmt.Sprintf("%s %s: %s", s.file.Base(), s.place(), s.areas.text(s.grid))
}

// figure is the value of a line for an area.
type figure struct {
	margin.Figure
	why  reason.Reason // why there is no estimate
	text string        // that is not one
	open bool          // the estimate is the limit of an open bin
}

// estimates reads the estimates of the row; margins of error are NaN.
func (s *sheet) estimates(list []mappedEntry, into []figure) {
	n := 0
	for _, t := range list {
		for i, column := range t.estimates {
			f := &into[n]
			f.Estimate, f.open, f.why = estimateOf(s.at(column), demographics.Cells[t.cell].Jams)
			if f.MOE, f.text = math.NaN(), ""; f.why == source.InvalidNumber || f.why == source.NegativeCount {
				f.text = fmt.Sprintf("%s: %.40q", line{t.table, t.lines[i]}, s.at(column))
			}
			n++
		}
	}
}

// margins reads the margins of error of the row.
func (s *sheet) margins(list []mappedEntry, into []figure, out source.Sink) {
	n, odd := 0, ""
	for _, t := range list {
		for i, column := range t.margins {
			moe, ok := marginOf(s.at(column))
			if into[n].MOE = moe; !ok && odd == "" {
				odd = fmt.Sprintf("%s: %.40q", line{t.table, t.lines[i]}, s.at(column))
			}
			n++
		}
	}
	if odd != "" {
		out.Issue(source.MarginRemoved, s.where()+", "+odd)
	}
}
