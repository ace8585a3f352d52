package profile

import (
	"context"
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"quartier/ingest/formats/table"
	"quartier/ingest/source"
)

// sheet is a file in which every row is a line and every column an area: the city first, then its wards. It is kept in
// memory.
type sheet struct {
	path   string
	french bool
	wards  []int // numbers by column; 0 is the entire city
	rows   []sheetRow
}

type sheetRow struct {
	name    string
	line    int // index of lines; −1: not read
	at      int // line number in the file
	figures []string
}

// wardHead matches the header of a ward's column, with or without spaces around the dash: "River -Ward 16".
var wardHead = regexp.MustCompile(`-\s*(Ward|Quartier)\s*(\d{1,3})$`)

// openSheet opens a file and reads its header.
func openSheet(path string, out source.Sink) (*sheet, *table.Table, error) {
	t, err := table.Open(path, table.Dialect{})
	if err != nil {
		return nil, nil, err
	}
	s := &sheet{path: path}
	if err := s.head(t.Columns, out); err != nil {
		t.Close()
		return nil, nil, err
	}
	return s, t, nil
}

func readSheet(ctx context.Context, path string, out source.Sink) (*sheet, error) {
	s, t, err := openSheet(path, out)
	if err != nil {
		return nil, err
	}
	defer t.Close()
	w := itemPath{}
	err = t.Each(ctx, out, func() error {
		if t.TooShort() || t.TooLong() {
			return source.BadFile(path, "line %d does not have one value for each column: %s", t.Line, t.Sample())
		}
		row := sheetRow{name: t.Text(0), line: w.to(t.Text(0), t.Indent(0)), at: t.Line}
		for column := range s.wards {
			row.figures = append(row.figures, t.Text(column+1))
		}
		s.rows = append(s.rows, row)
		return nil
	})
	return s, err
}

// head reads the numbers of the wards. A column without number between wards n and n+2 is ward n+1.
func (s *sheet) head(columns []string, out source.Sink) error {
	s.wards = make([]int, len(columns)-1)
	for i, column := range columns[1:] {
		if m := wardHead.FindStringSubmatch(column); m != nil {
			s.wards[i], _ = strconv.Atoi(m[2])
			s.french = s.french || m[1] == "Quartier"
		}
	}
	seen := map[int]string{}
	for i, ward := range s.wards {
		if i > 1 && i+1 < len(s.wards) && ward == 0 && s.wards[i-1] > 0 && s.wards[i+1] == s.wards[i-1]+2 {
			ward = s.wards[i-1] + 1
			s.wards[i] = ward
			out.Issue(numberInferred, s.where("%s", columns[i+1]))
		}
		if i > 0 && ward == 0 {
			return source.BadFile(s.path, "column %q has no ward number", columns[i+1])
		}
		if other, twice := seen[ward]; twice {
			return source.BadFile(s.path, "columns %q and %q are of the same ward", other, columns[i+1])
		}
		seen[ward] = columns[i+1]
	}
	if len(s.wards) < 2 || s.wards[0] != 0 {
		return source.BadFile(s.path, "no columns of a city and its wards; there are: %s", strings.Join(columns, ", "))
	}
	return nil
}

// where describes a place in the sheet.
func (s *sheet) where(format string, args ...any) string {
	return filepath.Base(s.path) + ": " + fmt.Sprintf(format, args...)
}
