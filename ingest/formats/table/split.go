package table

import (
	"bytes"

	"quartier/ingest/source"
)

// plainFields splits a record without quotes.
func plainFields(fields [][]byte, record []byte, separator byte) [][]byte {
	for {
		comma := bytes.IndexByte(record, separator)
		if comma < 0 || len(fields) > source.MaxColumns {
			return append(fields, record)
		}
		fields, record = append(fields, record[:comma]), record[comma+1:]
	}
}

// quotedFields splits a record with quotes in its own memory, because fields only become shorter. A quote has a meaning
// only at the beginning of a field; two quotes inside it are one, and text after the closing quote is kept:
//
//	"a ""b"" c"d,e"f is the fields a "b" cd and e"f
func quotedFields(fields [][]byte, record []byte, separator byte) [][]byte {
	out := record[:0]
	start, quotes := 0, quoteState{blank: true}
	for i := 0; i < len(record); i++ {
		c := record[i]
		switch was := quotes; quotes.step(c, separator) {
		case opening:
			out = out[:start]
		case closing:
			if i+1 < len(record) && record[i+1] == '"' {
				quotes, i = was, i+1
				out = append(out, '"')
			}
		case between:
			if len(fields) <= source.MaxColumns {
				fields = append(fields, out[start:])
			}
			start = len(out)
		default:
			out = append(out, c)
		}
	}
	return append(fields, out[start:])
}

// quoteState is the state of a reader of characters: within quotes, or at the beginning of a field.
type quoteState struct{ open, blank bool }

// What a character is.
type part int

const (
	text    part = iota
	opening      // quote
	closing      // quote, or the first of two
	between      // separator of fields
)

// step takes the next character. Of two quotes within quotes the first closes and the second one, in the middle of a
// field, would be text: scan and quotedFields look at both.
func (q *quoteState) step(c, separator byte) part {
	switch {
	case q.open && c == '"':
		q.open = false
		return closing
	case q.open:
		return text
	case q.blank && c == '"':
		q.open, q.blank = true, false
		return opening
	case c == separator:
		q.blank = true
		return between
	}
	q.blank = q.blank && (c == ' ' || c == '\t')
	return text
}

// scan takes the characters of a line.
func (q *quoteState) scan(line []byte, separator byte) {
	if !q.open && bytes.IndexByte(line, '"') < 0 {
		q.blank = false
		return
	}
	for i := 0; i < len(line); i++ {
		if q.step(line[i], separator) == closing && i+1 < len(line) && line[i+1] == '"' {
			q.open = true
			i++
		}
	}
}
