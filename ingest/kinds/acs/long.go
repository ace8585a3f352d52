package acs

import (
	"context"
	"fmt"
	"io"
	"strings"

	"quartier/ingest/formats/folder"
	"quartier/ingest/source"
)

// long is a table with a row for each variable of an area, as tidycensus has by default, turned into one with a row for
// each area: the columns of the area's first row, then those of estimates and margins of error.
//
//	GEOID        variable    estimate  moe        GEOID        B01003_001E  B01003_001M
//	110010001001 B01003_001  1604      366   →    110010001001 1604         366
type long struct {
	names []string
	areas []*longArea
	row   *longArea
	read  int // areas
}

// longArea is a row of the table, of an area.
type longArea struct {
	texts   []string
	place   string // of its first row
	rows    int
	foreign bool
	cut     bool // one of its rows is short
	wide    bool // one of its rows is long
}

// maxFigures is the number of figures that a long table may have for the lines that are read; they are kept in memory.
const maxFigures = 40_000_000

// longColumns returns the columns of a long table; false where the table is not one.
func longColumns(columns []string) (variable, estimate, moe int, ok bool) {
	variable, estimate, moe = column(columns, "variable"), column(columns, "estimate"), column(columns, "moe")
	return variable, estimate, moe, variable >= 0 && estimate >= 0
}

// newLong reads a long table and closes it. named are the user's own names for variables.
func newLong(ctx context.Context, g grid, f folder.File, named map[string]string) (*long, error) {
	defer g.Close()
	name, estimate, moe, _ := longColumns(g.columns())
	t := &long{}
	kept := len(g.columns())
	for _, c := range g.columns() {
		t.names = append(t.names, strings.ToLower(c)) // so that none is taken for a figure
	}
	find := areasOf(g.columns(), nil)
	if find == nil {
		return nil, nil
	}
	byArea, at := map[string]*longArea{}, map[line]int{}
	for figures := 0; ; {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		switch err := g.next(); {
		case err == io.EOF:
			return t, nil
		case err != nil:
			return nil, source.BadFile(f.Path, "%v", err)
		}
		key := find.text(g)
		a := byArea[key]
		if a == nil {
			a = &longArea{place: g.place()}
			for i := range kept {
				a.texts = append(a.texts, string(g.at(i)))
			}
			byArea[key], t.areas = a, append(t.areas, a)
		}
		a.rows++
		a.foreign, a.cut, a.wide = a.foreign || g.foreign(), a.cut || g.short(), a.wide || g.long()
		l, known := t.line(string(g.at(name)), named)
		if !known {
			continue
		}
		first, seen := at[l]
		if !seen {
			first = len(t.names)
			at[l] = first
			t.names = append(t.names, l.String()+"E")
			if moe >= 0 {
				t.names = append(t.names, l.String()+"M")
			}
		}
		if figures++; figures > maxFigures {
			return nil, source.BadFile(f.Path, "it has more than %d figures of lines that are read; split it by state", maxFigures)
		}
		if err := a.set(first, string(g.at(estimate)), string(g.at(moe)), moe >= 0); err != nil {
			return nil, source.BadFile(f.Path, "%s: %s has %s twice: %v", g.place(), key, l, err)
		}
	}
}

// line returns the line of a variable, which tidycensus writes without a letter.
func (t *long) line(name string, named map[string]string) (line, bool) {
	if own := named[name]; own != "" {
		name = own
	}
	l, letter, ok := variable(strings.ToUpper(name))
	return l, ok && letter != 'M' && neededLines[l]
}

// set sets the figures of a line. A figure that is there already must be the same.
func (a *longArea) set(first int, estimate, moe string, margins bool) error {
	values := []string{estimate}
	if margins {
		values = append(values, moe)
	}
	for len(a.texts) < first+len(values) {
		a.texts = append(a.texts, "")
	}
	for i, value := range values {
		into := &a.texts[first+i]
		if *into != "" && *into != value {
			return fmt.Errorf("%s and %s", *into, value)
		}
		*into = value
	}
	return nil
}

func (t *long) columns() []string { return t.names }
func (t *long) place() string     { return t.row.place }
func (t *long) rows() int         { return t.row.rows }
func (t *long) short() bool       { return t.row.cut }
func (t *long) long() bool        { return t.row.wide }
func (t *long) foreign() bool     { return t.row.foreign }
func (t *long) Close() error      { return nil }

func (t *long) next() error {
	if t.read == len(t.areas) {
		return io.EOF
	}
	t.row = t.areas[t.read]
	t.read++
	return nil
}

func (t *long) at(i int) []byte {
	if i < 0 || i >= len(t.row.texts) {
		return nil
	}
	return []byte(t.row.texts[i])
}
