package enrich

import (
	"encoding/binary"
	"math"
	"strconv"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
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
}

// Type is the Arrow type.
func (c *Column) Type() arrow.DataType {
	switch c.Kind {
	case Integer:
		return arrow.PrimitiveTypes.Int64
	case Decimal:
		return &arrow.Decimal128Type{Precision: c.Digits, Scale: c.Decimals}
	}
	return arrow.BinaryTypes.String
}

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

// copyItem sets an item to the value of another.
func (v *vector) copyItem(to, from int) {
	if v.numbers != nil {
		v.numbers[to] = v.numbers[from]
	} else {
		v.texts[to] = v.texts[from]
	}
}

// array is the items at the given positions. As text they are written as the API writes them.
func (c *Column) array(v *vector, positions []uint32, asText bool) arrow.Array {
	switch {
	case c.Kind == Text:
		return textArray(len(positions), func(dst []byte, i int) ([]byte, bool) {
			text := v.texts[positions[i]]
			return append(dst, text...), text != ""
		})
	case asText:
		return textArray(len(positions), func(dst []byte, i int) ([]byte, bool) {
			n := v.numbers[positions[i]]
			if n == absent {
				return dst, false
			}
			return c.appendNumber(dst, n), true
		})
	}
	return c.numberArray(v.numbers, positions)
}

// numberArray is numbers as 64-bit integers or as decimals of 128 bits, the low half first.
func (c *Column) numberArray(numbers []int64, positions []uint32) arrow.Array {
	const half = 8
	width := half
	if c.Kind == Decimal {
		width = 2 * half
	}
	n := len(positions)
	data, valid, nulls := make([]byte, n*width), make([]byte, (n+7)/8), 0
	for i, at := range positions {
		number := numbers[at]
		if number == absent {
			nulls++
			continue
		}
		valid[i/8] |= 1 << (i % 8)
		binary.LittleEndian.PutUint64(data[i*width:], uint64(number))
		if c.Kind == Decimal {
			binary.LittleEndian.PutUint64(data[i*width+half:], uint64(number>>63))
		}
	}
	made := array.NewData(c.Type(), n, []*memory.Buffer{memory.NewBufferBytes(valid), memory.NewBufferBytes(data)}, nil, nulls, 0)
	defer made.Release()
	return array.MakeFromData(made)
}

// textArray is n texts, of which appendText appends one, or reports that there is none.
func textArray(n int, appendText func(dst []byte, i int) ([]byte, bool)) arrow.Array {
	const offset = 4
	ends, valid, nulls := make([]byte, (n+1)*offset), make([]byte, (n+7)/8), 0
	var data []byte
	for i := range n {
		var known bool
		if data, known = appendText(data, i); known {
			valid[i/8] |= 1 << (i % 8)
		} else {
			nulls++
		}
		binary.LittleEndian.PutUint32(ends[(i+1)*offset:], uint32(len(data)))
	}
	made := array.NewData(arrow.BinaryTypes.String, n, []*memory.Buffer{memory.NewBufferBytes(valid), memory.NewBufferBytes(ends), memory.NewBufferBytes(data)}, nil, nulls, 0)
	defer made.Release()
	return array.MakeFromData(made)
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
