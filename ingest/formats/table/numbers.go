package table

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"quartier/ingest/source"
)

// Meaning says what the numbers of a column can be, for columns in which every number has one mark and three digits
// behind it, as 1,234 has.
type Meaning int

const (
	// AnyNumber may be 1234 or 1.234: the option decimal has to say which.
	AnyNumber Meaning = iota
	// WholeNumber is a count, 1234.
	WholeNumber
	// Degrees is a longitude or latitude, 1.234.
	Degrees
)

// IsDecimal reports whether an option is a decimal mark, or "" for one that is found.
func IsDecimal(option string) bool { return option == "" || option == "." || option == "," }

// FindNumbers reads the whole file of Open to find how the numbers of columns are written, for Number: with a decimal point
// or comma, with or without separators between thousands (1 017 449, 1,017,449 or 1.017.449). option is "." or "," where
// a region file says it, else "". The error of a column that cannot be read for certain names a line.
func (t *Table) FindNumbers(ctx context.Context, columns map[int]Meaning, option string) error {
	if t.decimals == nil {
		t.decimals = map[int]byte{}
	}
	if len(columns) == 0 {
		return nil
	}
	if option == "" && strings.EqualFold(filepath.Ext(t.path), ".xlsx") {
		option = "." // as the cells of a workbook are read
	}
	if option != "" {
		for column := range columns {
			t.decimals[column] = option[0]
		}
		return nil
	}
	found := map[int]*marks{}
	for column := range columns {
		found[column] = &marks{}
	}
	again, err := Open(t.path, t.dialect)
	if err != nil {
		return err
	}
	defer again.Close()
	for err == nil {
		if err = ctx.Err(); err == nil {
			err = again.Next()
		}
		for column, m := range found {
			if text := again.At(column); err == nil && len(text) > 0 {
				m.observe(text, again.Line)
			}
		}
	}
	if err == io.EOF {
		err = nil
	} else if ctx.Err() != nil {
		return err
	} else if err != nil {
		return source.BadFile(t.path, "%v", err)
	}
	for _, column := range slices.Sorted(maps.Keys(columns)) {
		if t.decimals[column], err = found[column].decimal(columns[column]); err != nil {
			return source.BadFile(t.path, "column %s: %v", t.Columns[column], err)
		}
		t.noteMarks(column, found[column])
	}
	return nil
}

// noteMarks reports a decimal comma, or separators between thousands.
func (t *Table) noteMarks(column int, m *marks) {
	if comma := m.comma; t.decimals[column] == ',' && comma.line > 0 {
		t.note(decimalComma.With(t.Columns[column]), "line %d: %s", comma.line, comma.text)
	}
	if m.grouped.line > 0 {
		t.note(groupedThousands.With(t.Columns[column]), "line %d: %s", m.grouped.line, m.grouped.text)
	}
}

// Number returns a number of the row, written as FindNumbers has found for its column; false where the field is missing or
// is not a finite number.
func (t *Table) Number(column int) (float64, bool) {
	return ParseNumber(t.At(column), t.Decimal(column))
}

// Decimal returns the decimal mark that FindNumbers has found for a column; the point where it has not read it.
func (t *Table) Decimal(column int) byte {
	if decimal, known := t.decimals[column]; known {
		return decimal
	}
	return '.'
}

// seen is the first value of its kind in a column; line is 0 where there is none.
type seen struct {
	line int
	text string
}

func (s *seen) note(text []byte, line int) {
	if s.line == 0 {
		*s = seen{line, Shorten(string(text))}
	}
}

// marks are the marks in the numbers of a column.
type marks struct {
	point, comma   seen // numbers that are valid with one decimal mark only: 1.5 and 1,234.5, or 1,5 and 1.234.567
	either, dotted seen // 1,234 and 1.234
	fraction       seen // of dotted, one that with a decimal point is not whole
	grouped        seen // numbers with separators between thousands, whatever the decimal mark
}

// observe takes a value of the column. What is no number either way says nothing.
func (m *marks) observe(text []byte, line int) {
	if plain(text) && (m.point.line > 0 || bytes.IndexByte(text, '.') < 0) {
		return
	}
	withPoint, point := ParseNumber(text, '.')
	withComma, comma := ParseNumber(text, ',')
	hasPoint, hasComma := bytes.IndexByte(text, '.') >= 0, bytes.IndexByte(text, ',') >= 0
	spaced := bytes.ContainsFunc(bytes.TrimLeft(text, "+-$ "), isSpacer)
	switch {
	case !point && !comma:
		return
	case point && !comma:
		m.point.note(text, line)
		spaced = spaced || hasComma
	case comma && !point:
		m.comma.note(text, line)
		spaced = spaced || hasPoint
	case withPoint == withComma:
	case hasComma:
		m.either.note(text, line)
	default:
		m.dotted.note(text, line)
		if withPoint != math.Trunc(withPoint) {
			m.fraction.note(text, line)
		}
	}
	if spaced {
		m.grouped.note(text, line)
	}
}

// decimal returns the decimal mark of the column.
func (m *marks) decimal(meaning Meaning) (byte, error) {
	thousands := meaning == WholeNumber && m.fraction.line > 0 // 1.234 of a count
	switch {
	case m.point.line > 0 && m.comma.line > 0:
		return 0,
			fmt.Errorf("its decimal mark is the point in line %d (%s) and the comma in line %d (%s); set the option decimal to one of them, and "+
				"numbers with the other are rejected",
				m.point.line, m.point.text, m.comma.line, m.comma.text)
	case m.comma.line > 0:
		return ',', nil
	case m.point.line > 0:
		return '.', nil
	case m.either.line > 0 && m.dotted.line > 0:
		return 0, fmt.Errorf("is the point or the comma its decimal mark, with %s in line %d and %s in line %d? Set the option decimal",
			m.dotted.text, m.dotted.line, m.either.text, m.either.line)
	case m.either.line > 0 && meaning == Degrees, thousands:
		return ',', nil
	case m.either.line > 0 && meaning == AnyNumber:
		return 0,
			fmt.Errorf("%s in line %d is a thousand or a decimal number, and no value of the column shows which; set the option decimal to \".\" "+
				"or \",\"",
				m.either.text, m.either.line)
	case m.dotted.line > 0 && meaning == WholeNumber:
		return 0,
			fmt.Errorf("%s in line %d is a thousand or a whole number with decimals, and no value of the column shows which; set the option "+
				"decimal to \".\" or \",\"",
				m.dotted.text, m.dotted.line)
	}
	return '.', nil
}

// plain reports whether a text has the characters of a number with decimal point and without separators alone.
func plain(text []byte) bool {
	for _, c := range text {
		if (c < '0' || c > '9') && c != '.' && c != '-' && c != '+' && c != 'e' && c != 'E' {
			return false
		}
	}
	return true
}

// isSpacer reports whether a character is one that may stand between thousands, beside point and comma: a space (no-break,
// narrow or thin ones too) or an apostrophe.
func isSpacer(r rune) bool { return strings.ContainsRune(" \u00a0\u202f\u2009'\u2019", r) }

// ParseNumber parses a finite number with a decimal mark, '.' or ','. Between thousands may stand the other mark, a space or
// an apostrophe, and a dollar sign before it:
//
//	with '.': 1017449.5, 1,017,449.5, 1 017 449, -0.5, $7,738,700, 1.5e3; not 1,5, 12,34 or 1,017 449
//	with ',': 1017449,5, 1.017.449,5, 1 017 449,5, 1'017
func ParseNumber(text []byte, decimal byte) (float64, bool) {
	normal := string(text)
	if decimal != '.' || !plain(text) {
		var ok bool
		if normal, ok = normalize(normal, rune(decimal)); !ok {
			return 0, false
		}
	}
	n, err := strconv.ParseFloat(normal, 64)
	return n, err == nil && !math.IsInf(n, 0)
}

// normalize removes separators between thousands and the dollar sign, and writes a decimal point.
func normalize(text string, decimal rune) (string, bool) {
	sign := ""
	for {
		r, size := utf8.DecodeRuneInString(text)
		if (r == '-' || r == '\u2212' || r == '+') && sign == "" {
			sign = "+"
			if r != '+' {
				sign = "-"
			}
		} else if r != '$' && r != ' ' {
			break
		}
		text = text[size:]
	}
	whole, rest, exponent := text, "", ""
	if i := strings.IndexAny(whole, "eE"); i >= 0 {
		whole, exponent = whole[:i], whole[i:]
	}
	whole, rest, _ = strings.Cut(whole, string(decimal))
	groups, ok := splitThousands(whole, decimal)
	if !ok || !allDigits(rest) || whole+rest == "" {
		return "", false
	}
	return sign + strings.Join(groups, "") + "." + rest + exponent, true
}

// splitThousands splits the digits before the decimal mark at their separators, which must all be the same and have three
// digits between them.
func splitThousands(text string, decimal rune) (groups []string, ok bool) {
	var separator rune
	for _, r := range text {
		if isSpacer(r) || r != decimal && (r == '.' || r == ',') {
			separator = r
			break
		}
	}
	if separator == 0 {
		return []string{text}, allDigits(text)
	}
	groups = strings.Split(text, string(separator))
	for i, group := range groups {
		first := i == 0 && len(group) > 0 && len(group) <= 3 && group[0] != '0'
		if !allDigits(group) || !first && (i == 0 || len(group) != 3) {
			return nil, false
		}
	}
	return groups, true
}

func allDigits(text string) bool {
	return strings.IndexFunc(text, func(r rune) bool { return r < '0' || r > '9' }) < 0
}
