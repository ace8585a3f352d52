package shapes

import (
	"strconv"
	"strings"

	"github.com/paulmach/orb"
)

// textReader reads well-known text.
type textReader struct {
	text    string
	at      int
	numbers int // of a vertex; 0: any
}

const system = "SRID=4326;"

func readText(text string) (orb.MultiPolygon, error) {
	r := textReader{text: text}
	if len(text) >= len(system) && strings.EqualFold(text[:len(system)], system) {
		r.at = len(system)
	}
	word := r.word()
	switch dimensions := r.word(); dimensions {
	case "Z", "M":
		r.numbers = 3
	case "ZM":
		r.numbers = 4
	case "EMPTY":
		return nil, r.end(word)
	case "":
	default:
		return nil, r.unexpected("a parenthesis")
	}
	if r.numbers > 0 && r.word() == "EMPTY" {
		return nil, r.end(word)
	}
	var m orb.MultiPolygon
	var err error
	switch word {
	case "POLYGON":
		var polygon orb.Polygon
		if polygon, err = r.polygon(); len(polygon) > 0 {
			m = orb.MultiPolygon{polygon}
		}
	case "MULTIPOLYGON":
		err = r.list(func() error {
			polygon, err := r.polygon()
			if len(polygon) > 0 {
				m = append(m, polygon)
			}
			return err
		})
	default:
		return nil, r.other(word)
	}
	if err != nil {
		return nil, err
	}
	if r.space(); r.at < len(r.text) {
		return nil, r.unexpected("the end")
	}
	if len(m) == 0 {
		return nil, ErrMissing
	}
	return m, nil
}

// other is the error of a text that begins with a word that is not that of a polygon.
func (r *textReader) other(word string) error {
	for _, kind := range []string{"POINT", "LINESTRING", "MULTIPOINT", "MULTILINESTRING", "GEOMETRYCOLLECTION", "CIRCULARSTRING", "CURVEPOLYGON", "MULTISURFACE", "TRIANGLE"} {
		if word == kind {
			return ErrKind
		}
	}
	return wrong(ErrFormat, "it begins with neither POLYGON nor MULTIPOLYGON")
}

// end is the error of an empty geometry of a kind.
func (r *textReader) end(word string) error {
	if r.space(); r.at < len(r.text) {
		return r.unexpected("the end")
	}
	if word != "POLYGON" && word != "MULTIPOLYGON" {
		return r.other(word)
	}
	return ErrMissing
}

// polygon reads a list of rings, or EMPTY.
func (r *textReader) polygon() (polygon orb.Polygon, err error) {
	if at := r.at; r.word() == "EMPTY" {
		return nil, nil
	} else {
		r.at = at
	}
	err = r.list(func() error {
		var ring orb.Ring
		err := r.list(func() error {
			p, err := r.vertex()
			ring = append(ring, p)
			return err
		})
		polygon = append(polygon, ring)
		return err
	})
	return polygon, err
}

// list reads items in parentheses, with commas between them.
func (r *textReader) list(item func() error) error {
	if r.next() != '(' {
		return r.unexpected("a parenthesis")
	}
	r.at++
	for {
		if err := item(); err != nil {
			return err
		}
		switch r.next() {
		case ',':
			r.at++
		case ')':
			r.at++
			return nil
		default:
			return r.unexpected("a comma or parenthesis")
		}
	}
}

// vertex reads the numbers of a vertex: longitude, latitude, and what follows.
func (r *textReader) vertex() (p orb.Point, err error) {
	n := 0
	for ; n < 4; n++ {
		if c := r.next(); n >= 2 && (c == ',' || c == ')') {
			break
		}
		value, err := r.number()
		if err != nil {
			return p, err
		}
		if n < 2 {
			p[n] = value
		}
	}
	if r.numbers == 0 {
		r.numbers = n
	}
	if n != r.numbers {
		return p, wrong(ErrFormat, "a vertex of %d numbers at character %d, others have %d", n, r.at+1, r.numbers)
	}
	return p, nil
}

// number reads a decimal number, with an exponent or not.
func (r *textReader) number() (float64, error) {
	r.space()
	first := r.at
	for r.at < len(r.text) && strings.IndexByte("+-.0123456789eE", r.text[r.at]) >= 0 {
		r.at++
	}
	value, err := strconv.ParseFloat(r.text[first:r.at], 64)
	if err != nil && value == 0 { // one that is too large is infinite, and out of range
		r.at = first
		return 0, r.unexpected("a number")
	}
	return value, nil
}

// word reads letters, in upper case.
func (r *textReader) word() string {
	r.space()
	first := r.at
	for r.at < len(r.text) && (r.text[r.at]|0x20 >= 'a' && r.text[r.at]|0x20 <= 'z') {
		r.at++
	}
	return strings.ToUpper(r.text[first:r.at])
}

// next is the next character that is not a blank, 0 at the end.
func (r *textReader) next() byte {
	if r.space(); r.at < len(r.text) {
		return r.text[r.at]
	}
	return 0
}

func (r *textReader) space() {
	for r.at < len(r.text) && strings.IndexByte(" \t\r\n", r.text[r.at]) >= 0 {
		r.at++
	}
}

func (r *textReader) unexpected(expected string) error {
	found := "the end"
	if r.at < len(r.text) {
		found = strconv.QuoteToASCII(r.text[r.at:min(len(r.text), r.at+12)])
	}
	return wrong(ErrFormat, "expected %s at character %d, found %s", expected, r.at+1, found)
}
