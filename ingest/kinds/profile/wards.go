package profile

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"quartier/ingest/source"
)

func wardFiles(path string) ([]string, error) {
	files, err := source.Files(path, ".csv")
	if len(files) > 2 {
		err = source.BadFile(path, "it has %d files, not one in English and one in French", len(files))
	}
	return files, err
}

func checkWards(in source.Input) error {
	files, err := wardFiles(in.Path)
	if err != nil {
		return err
	}
	var faults source.Faults
	for _, file := range files {
		_, t, err := openSheet(file, source.Discard{})
		if err == nil {
			err = t.Close()
		}
		faults.Add(err)
	}
	return faults.Err()
}

// stageWards reads the long form by ward of the City of Ottawa from a file in English or French, or from a folder with
// both, which are compared.
func stageWards(ctx context.Context, in source.Input, o Options, out source.Sink) error {
	files, err := wardFiles(in.Path)
	if err != nil {
		return err
	}
	var sheets []*sheet
	for _, file := range files {
		s, err := readSheet(ctx, file, out)
		if err != nil {
			return err
		}
		sheets = append(sheets, s)
	}
	differing := map[spot]bool{}
	if len(sheets) == 2 {
		if differing, err = align(sheets[0], sheets[1], out); err != nil {
			return err
		}
	}
	if err := sheets[0].checkComplete(); err != nil {
		return err
	}
	if err := out.Row(source.Survey{Vintage: censusYear, Title: "Census of Population, long form by ward"}); err != nil {
		return err
	}
	return sheets[0].stage(ctx, o, differing, out)
}

// notInLongForm are the sections of 100 % data, which the long form does not have.
var notInLongForm = []string{"Population, 2021", "Total private dwellings", "Private dwellings occupied by usual residents"}

// checkComplete returns an error for a sheet without one of the sections.
func (s *sheet) checkComplete() error {
	there := make([]bool, len(headings))
	for _, row := range s.rows {
		if row.line >= 0 {
			there[lines[row.line].section] = true
		}
	}
	if !slices.Contains(there, true) {
		return source.BadFile(s.path, "it has no line that is read")
	}
	for section, heading := range headings[1:] {
		if !there[section+1] && !slices.Contains(notInLongForm, heading) {
			return source.BadFile(s.path, "it has no section %q: is it truncated?", heading)
		}
	}
	return nil
}

// spot is a cell of a sheet.
type spot struct{ row, column int }

// align compares two sheets row by row and returns where they differ.
func align(a, b *sheet, out source.Sink) (map[spot]bool, error) {
	switch {
	case a.french == b.french:
		return nil, source.BadFile(a.path, "it is in the same language as %s", b.path)
	case !slices.Equal(a.wards, b.wards):
		return nil, source.BadFile(a.path, "its columns are of other wards than those of %s", b.path)
	case len(a.rows) != len(b.rows):
		return nil, source.BadFile(a.path, "it has %d rows, and %s %d", len(a.rows), b.path, len(b.rows))
	}
	differing := map[spot]bool{}
	for i := range a.rows {
		x, y := &a.rows[i], &b.rows[i]
		if x.line != y.line {
			return nil, source.BadFile(a.path, "line %d is %q, and line %d of %s is %q: they do not align", x.at, x.name, y.at, b.path, y.name)
		}
		for column := range x.figures {
			if p, q := x.figures[column], y.figures[column]; !same(p, q) {
				differing[spot{i, column}] = true
				out.Issue(differs, a.where("line %d, %q, ward %d: %s and %s", x.at, x.name, a.wards[column], p, q))
			}
		}
	}
	return differing, nil
}

// same reports whether two values are equal, each in the notation of its language.
func same(a, b string) bool {
	if a == b {
		return true
	}
	n, ok := number(a)
	m, ok2 := number(b)
	return ok && ok2 && n == m
}

// stage stages the areas, column by column.
func (s *sheet) stage(ctx context.Context, o Options, differing map[spot]bool, out source.Sink) error {
	all := newAreas(out)
	for column, ward := range s.wards {
		if err := ctx.Err(); err != nil {
			return err
		}
		key := fmt.Sprintf("%s:%d", o.Scheme, ward)
		if ward == 0 {
			if key = o.Whole; key == "" {
				out.Issue(cityWithoutKey, s.where("column 2"))
				continue
			}
		}
		if !all.begin(key, key) {
			continue
		}
		for i, row := range s.rows {
			if row.line < 0 || lines[row.line].cell < 0 {
				continue
			}
			f := parse(strings.TrimSpace(row.figures[column]), "")
			if differing[spot{i, column}] {
				f = figure{missing: differs}
			}
			all.take(row.line, f)
		}
		if err := all.finish(); err != nil {
			return err
		}
	}
	return nil
}
