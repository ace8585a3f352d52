package acs

import (
	"context"
	"fmt"
	"io"
	"math"
	"strings"

	"quartier/ingest/formats/table"
	"quartier/ingest/source"
	"quartier/internal/margin"
	"quartier/schemas/reason"
)

// sheet is a file that is being read.
type sheet struct {
	*table.Table
	path, name string
	id         int // column of areas
	area       func(text []byte) (*level, []byte, reason.Reason)
	seen       map[string]bool // keys of areas
	rows       int
}

// describes reports whether a text is in the column GISJOIN of NHGIS's second header, of descriptions: "GIS Join Match
// Code".
func describes(text []byte) bool {
	const head = "GIS Join"
	return len(text) >= len(head) && strings.EqualFold(string(text[:len(head)]), head)
}

// next advances to the next row that is kept and returns the key of its area; "" at the end of the file.
func (s *sheet) next(ctx context.Context, run *stage) (string, error) {
	short := false
	for {
		if err := ctx.Err(); err != nil {
			return "", err
		}
		switch err := s.Next(); {
		case err == io.EOF && s.rows == 0:
			return "", source.BadFile(s.path, "it has no rows")
		case err == io.EOF && short:
			return "", source.BadFile(s.path, "it ends within a row")
		case err == io.EOF:
			return "", nil
		case err != nil:
			return "", source.BadFile(s.path, "%v", err)
		}
		if s.rows == 0 && describes(s.At(s.id)) {
			continue
		}
		s.rows++
		run.out.Read(1)
		short = s.TooShort()
		key, why := s.checkRow(run.options)
		if why != kept {
			run.skip(why, s.where())
			continue
		}
		if s.Foreign {
			run.out.Issue(source.AssumedWindows1252, s.where())
		}
		return key, nil
	}
}

// checkRow returns the key of the row's area, or why the row is not kept.
func (s *sheet) checkRow(o *Options) (string, reason.Reason) {
	l, id, why := s.area(s.At(s.id))
	if s.TooShort() {
		return "", source.WrongFieldCount
	}
	if why != kept {
		return "", why
	}
	key := l.key(id)
	switch why = o.keep(l, key); {
	case why != kept:
		return "", why
	case s.TooLong():
		return "", source.WrongFieldCount
	case s.seen[key]:
		return "", source.DuplicateKey
	}
	s.seen[key] = true
	return key, kept
}

func (s *sheet) where() string { return fmt.Sprintf("%s line %d: %s", s.name, s.Line, s.At(s.id)) }

// figure is the value of a line for an area.
type figure struct {
	margin.Figure
	why reason.Reason
}

// estimates reads the estimates of the row; margins of error are NaN.
func (s *sheet) estimates(list []mappedEntry, into []figure) {
	n := 0
	for _, t := range list {
		for _, column := range t.estimates {
			estimate, why := estimateOf(s.At(column))
			into[n] = figure{margin.Figure{Estimate: estimate, MOE: math.NaN()}, why}
			n++
		}
	}
}

// margins reads the margins of error of the row.
func (s *sheet) margins(list []mappedEntry, into []figure, out source.Sink) {
	n, odd := 0, false
	for _, t := range list {
		for _, column := range t.margins {
			moe, ok := marginOf(s.At(column))
			into[n].MOE = moe
			odd = odd || !ok
			n++
		}
	}
	if odd {
		out.Issue(source.MarginRemoved, s.where())
	}
}
