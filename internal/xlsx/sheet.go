package xlsx

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"
)

// Sheet is a sheet that is read as text.
type Sheet struct {
	file     io.ReadCloser
	in       *xml.Decoder
	texts    []string
	dates    map[int]bool
	from1904 bool

	out   bytes.Buffer
	line  int      // number of the last row that was written
	width int      // cells of the first row that has any
	cells []string // of the row
	err   error
}

// Close ends reading.
func (s *Sheet) Close() error { return s.file.Close() }

// Read implements io.Reader.
func (s *Sheet) Read(p []byte) (int, error) {
	for s.out.Len() == 0 && s.err == nil {
		s.out.Reset()
		s.err = s.next()
	}
	if s.out.Len() == 0 {
		return 0, s.err
	}
	return s.out.Read(p)
}

// next writes the next row to out; io.EOF behind the end of the sheet.
func (s *Sheet) next() error {
	for {
		token, err := s.in.Token()
		if err == io.EOF {
			return io.EOF
		}
		if err != nil {
			return fmt.Errorf("after row %d: %w", s.line, err)
		}
		if start, ok := token.(xml.StartElement); ok && start.Name.Local == "row" {
			return s.row(start)
		}
	}
}

func attribute(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name && a.Name.Space == "" {
			return a.Value
		}
	}
	return ""
}

// row writes a row, and an empty line for each that was left out before it.
func (s *Sheet) row(start xml.StartElement) error {
	line := s.line + 1
	if text := attribute(start, "r"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < line || n > maxRows {
			return fmt.Errorf("after row %d: a row has the number %q", s.line, text)
		}
		line = n
	}
	s.cells = s.cells[:0]
	for done := false; !done; {
		token, err := s.in.Token()
		if err != nil {
			return fmt.Errorf("row %d: %w", line, err)
		}
		switch t := token.(type) {
		case xml.StartElement:
			if t.Name.Local != "c" {
				err = s.in.Skip()
			} else {
				err = s.cell(t)
			}
		case xml.EndElement:
			done = true
		}
		if err != nil {
			return fmt.Errorf("row %d: %w", line, err)
		}
	}
	for ; s.line < line-1; s.line++ {
		s.out.WriteByte('\n')
	}
	s.line = line
	s.write()
	return nil
}

// write writes the cells of a row, at least as many as the first row has, or an empty line.
func (s *Sheet) write() {
	last := len(s.cells)
	for last > 0 && s.cells[last-1] == "" {
		last--
	}
	if last > 0 && s.width == 0 {
		s.width = last
	}
	for i := 0; last > 0 && i < max(last, s.width); i++ {
		if i > 0 {
			s.out.WriteByte(',')
		}
		if i < last {
			s.out.WriteString(s.cells[i])
		}
	}
	s.out.WriteByte('\n')
}

// cell appends a cell.
func (s *Sheet) cell(start xml.StartElement) error {
	column := len(s.cells)
	if name := attribute(start, "r"); name != "" {
		n, err := columnOf(name)
		if err != nil || n < column {
			return fmt.Errorf("a cell has the name %q", name)
		}
		column = n
	}
	if column >= maxColumns {
		return fmt.Errorf("more than %d columns", maxColumns)
	}
	text, err := s.value(start)
	if err != nil || text == "" {
		return err
	}
	for len(s.cells) < column {
		s.cells = append(s.cells, "")
	}
	s.cells = append(s.cells, text)
	return nil
}

// columnOf is the number of the column of a cell, 0 for A1.
func columnOf(name string) (int, error) {
	n := 0
	letters := strings.TrimRight(name, "0123456789")
	for _, c := range letters {
		if c < 'A' || c > 'Z' || n > maxColumns {
			return 0, strconv.ErrSyntax
		}
		n = n*26 + int(c-'A') + 1
	}
	if n == 0 {
		return 0, strconv.ErrSyntax
	}
	return n - 1, nil
}

// value is the text of a cell in the output.
func (s *Sheet) value(start xml.StartElement) (string, error) {
	kind := attribute(start, "t")
	var value string
	for {
		token, err := s.in.Token()
		if err != nil {
			return "", err
		}
		switch t := token.(type) {
		case xml.EndElement:
			return s.shown(kind, value, attribute(start, "s"))
		case xml.StartElement:
			switch t.Name.Local {
			case "v":
				err = s.in.DecodeElement(&value, &t)
			case "is":
				value, err = textIn(s.in)
			default:
				err = s.in.Skip()
			}
			if err != nil {
				return "", err
			}
		}
	}
}

func (s *Sheet) shown(kind, value, style string) (string, error) {
	switch kind {
	case "s":
		n, err := strconv.Atoi(strings.TrimSpace(value))
		if err != nil || n < 0 || n >= len(s.texts) {
			return "", fmt.Errorf("a cell has the text number %q of %d", value, len(s.texts))
		}
		return quoted(s.texts[n]), nil
	case "b":
		return map[string]string{"0": "FALSE", "1": "TRUE"}[value], nil
	case "e": // #N/A
		return "", nil
	case "", "n":
		number, text, ok := number(strings.TrimSpace(value))
		if !ok || math.IsInf(number, 0) || math.IsNaN(number) {
			return quoted(value), nil
		}
		if n, err := strconv.Atoi(style); err == nil && s.dates[n] {
			return s.date(number, text), nil
		}
		return text, nil
	}
	return quoted(value), nil // inlineStr, str, d
}

// quoted is a text in quotes; "" if it is empty.
func quoted(text string) string {
	if text == "" {
		return ""
	}
	return `"` + strings.ReplaceAll(text, `"`, `""`) + `"`
}

// date is a day, a time of a day, or both. Days are counted from 1899-12-30, as the leap day of 1900 that was not is counted
// in later ones, or from 1904. A number that no day has stays one.
func (s *Sheet) date(days float64, text string) string {
	from := time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)
	if s.from1904 {
		from = time.Date(1904, 1, 1, 0, 0, 0, 0, time.UTC)
	}
	const most = 2_958_465 // 9999-12-31
	if days < 0 || days > most {
		return text
	}
	whole, part := math.Modf(days)
	at := from.AddDate(0, 0, int(whole)).Add(time.Duration(math.Round(part*24*60*60)) * time.Second)
	switch {
	case whole == 0 && part > 0:
		return at.Format(time.TimeOnly)
	case part == 0:
		return at.Format(time.DateOnly)
	}
	return at.Format("2006-01-02T15:04:05")
}
