package batch

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
)

// errForeign is what is wrong with a row that has a cell in another encoding.
var errForeign = errors.New("a cell that is not UTF-8, whose other bytes are written as U+FFFD; --encoding says that a CSV is in another " +
	"encoding")

// inUTF8 is the rows of a block, which the caller releases, with U+FFFD in texts that are not UTF-8. It counts rows with such cells.
func (b *block) inUTF8(s *Summary) arrow.Record {
	lost := map[int][2]string{} // column and text of the first such cell of a row
	columns := slices.Clone(b.rows.Columns())
	for i, column := range columns {
		if t, ok := column.(texts); ok && !valid(t) {
			columns[i] = validated(t, func(row int, text string) {
				if _, found := lost[row]; !found {
					lost[row] = [2]string{b.rows.ColumnName(i), text}
				}
			})
			defer columns[i].Release()
		}
	}
	if len(lost) == 0 {
		b.rows.Retain()
		return b.rows
	}
	for _, row := range slices.Sorted(maps.Keys(lost)) {
		s.bad(b.first+int64(row)+1, errForeign, "column "+lost[row][0], func() string { return lost[row][1] })
	}
	return array.NewRecord(b.rows.Schema(), columns, b.rows.NumRows())
}

// texts is a column of texts, of either size.
type texts interface {
	arrow.Array
	Value(row int) string
}

func valid(t texts) bool {
	for row := range t.Len() {
		if !t.IsNull(row) && !utf8.ValidString(t.Value(row)) {
			return false
		}
	}
	return true
}

// validated is a column with U+FFFD in the cells that are not UTF-8, for each of which visit is called.
func validated(t texts, visit func(row int, text string)) arrow.Array {
	b := array.NewBuilder(memory.DefaultAllocator, t.DataType()).(interface {
		array.Builder
		Append(string)
	})
	defer b.Release()
	for row := range t.Len() {
		switch {
		case t.IsNull(row):
			b.AppendNull()
		case utf8.ValidString(t.Value(row)):
			b.Append(t.Value(row))
		default:
			text := strings.ToValidUTF8(t.Value(row), string(utf8.RuneError))
			visit(row, text)
			b.Append(text)
		}
	}
	return b.NewArray()
}
