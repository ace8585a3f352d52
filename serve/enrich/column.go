package enrich

import (
	"fmt"
	"math"
	"strconv"

	"github.com/apache/arrow/go/v17/arrow"

	"quartier/schemas"
	"quartier/schemas/column"
)

// Kind is what the values of a column are.
type Kind uint8

// The kinds.
const (
	Integer Kind = iota // 64 bits
	Decimal             // with a fixed number of decimals
	Text                // UTF-8
)

// Column is a column that is added. A value that is not known is NULL.
type Column struct {
	Name     string
	Group    string // of --add; "": the status
	Kind     Kind
	Digits   int32  // of a Decimal, all of them
	Decimals int32  // of a Decimal, those after the point
	AtLeast  int    // decimals that the API writes at least; further zeros at the end are left out
	Doc      string // with its unit
	Null     string // when it is NULL
	Of       string // key of its column of the catalogue
}

// column is a column that is added: one of the catalogue, with what its texts are about, in the language of the choice.
func (c *Choice) column(name string, of *column.Column) Column {
	added := Column{Name: name, Kind: Decimal, Digits: of.Type.Digits, Decimals: of.Type.Decimals, Of: of.Key(),
		Doc: of.Text.In(c.Language), Null: of.Absent.In(c.Language)}
	switch of.Type.Name {
	case "int64":
		added.Kind = Integer
	case "string":
		added.Kind = Text
	}
	return added
}

// Where something is, in texts of columns.
var inShape = schemas.Text{EN: "in the shape", FR: "dans la forme"}

func within(radiusM float64) schemas.Text {
	return schemas.Text{EN: fmt.Sprintf("within %g m", radiusM), FR: fmt.Sprintf("à moins de %g m", radiusM)}
}

// same is a text that is the same in both languages.
func same(text string) schemas.Text { return schemas.Text{EN: text, FR: text} }

// Type is the Arrow type: texts are numbers in a dictionary.
func (c *Column) Type() arrow.DataType {
	switch c.Kind {
	case Integer:
		return arrow.PrimitiveTypes.Int64
	case Decimal:
		return &arrow.Decimal128Type{Precision: c.Digits, Scale: c.Decimals}
	}
	return textType
}

var textType = &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int32, ValueType: arrow.BinaryTypes.String}

// absent is a number that is not known.
const absent = math.MinInt64

// vector is the values of a column, of which one slice is used.
type vector struct {
	numbers []int64  // times 10 to the power of the decimals; or absent
	texts   []string // "": not known
}

// grow makes room for n values, none of which is known.
func (v *vector) grow(kind Kind, n int) {
	if kind == Text {
		v.texts = append(v.texts[:0], make([]string, n)...)
		return
	}
	if cap(v.numbers) < n {
		v.numbers = make([]int64, n)
	}
	v.numbers = v.numbers[:n]
	for i := range v.numbers {
		v.numbers[i] = absent
	}
}

// array is cells in memory of m: numbers, or those of texts. As text they are written as the API writes them.
func (c *Column) array(cells []int64, texts []string, asText bool, m *arena) arrow.Array {
	switch {
	case c.Kind == Text && asText:
		return m.texts(len(cells), func(dst []byte, i int) ([]byte, bool) {
			if cells[i] == absent {
				return dst, false
			}
			return append(dst, texts[cells[i]]...), true
		})
	case c.Kind == Text:
		return m.dictionary(cells, texts)
	case asText:
		return m.texts(len(cells), func(dst []byte, i int) ([]byte, bool) {
			if cells[i] == absent {
				return dst, false
			}
			return c.appendNumber(dst, cells[i]), true
		})
	case c.Kind == Decimal:
		return m.decimals(c.Type(), cells)
	}
	return m.integers(cells)
}

// appendNumber appends a number as the API writes it: 45000 of four decimals, at least one, is 4.5.
func (c *Column) appendNumber(dst []byte, n int64) []byte {
	if c.Kind == Integer {
		return strconv.AppendInt(dst, n, 10)
	}
	if n < 0 {
		dst, n = append(dst, '-'), -n
	}
	one := int64(1)
	for range c.Decimals {
		one *= 10
	}
	dst = strconv.AppendInt(dst, n/one, 10)
	rest := n % one
	if rest == 0 && c.AtLeast == 0 {
		return dst
	}
	dst = append(dst, '.')
	for written := 0; rest != 0 || written < c.AtLeast; written++ {
		one /= 10
		dst = append(dst, byte('0'+rest/one))
		rest %= one
	}
	return dst
}
