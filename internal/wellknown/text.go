package wellknown

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/paulmach/orb"
)

// Text reads the parts of well-known text, of which each caller takes another selection. A list of 100,000 vertices is read
// in time linear in its length, and takes memory for the vertices that it has.
type Text struct {
	Text    string
	At      int   // index of the next character
	Reason  error // what errors wrap
	Numbers int   // of a vertex, 2 to 4; 0: as many as the first one has
	Loose   bool  // vertices may differ in Numbers, of which the first two may be written as Go reads them: NaN, 0x1p4
}

// Word reads letters after blanks, in upper case.
func (t *Text) Word() string {
	t.Space()
	first := t.At
	for c := t.Peek() | 0x20; c >= 'a' && c <= 'z'; c = t.Peek() | 0x20 {
		t.At++
	}
	return strings.ToUpper(t.Text[first:t.At])
}

// List reads items in parentheses, with commas between them.
func (t *Text) List(item func() error) error {
	if t.Next() != '(' {
		return t.Unexpected("a parenthesis")
	}
	t.At++
	for {
		if err := item(); err != nil {
			return err
		}
		c := t.Next()
		if c != ',' && c != ')' {
			return t.Unexpected("a comma or parenthesis")
		}
		t.At++
		if c == ')' {
			return nil
		}
	}
}

// Polygon reads a list of rings.
func (t *Text) Polygon() (polygon orb.Polygon, err error) {
	err = t.List(func() error {
		points, err := t.Points()
		polygon = append(polygon, points)
		return err
	})
	return polygon, err
}

// Points reads a list of vertices.
func (t *Text) Points() (points []orb.Point, err error) {
	err = t.List(func() error {
		p, err := t.vertex()
		points = append(points, p)
		return err
	})
	return points, err
}

// vertex reads the numbers of a vertex: longitude, latitude, and what follows.
func (t *Text) vertex() (p orb.Point, err error) {
	n := 0
	for ; n < 4; n++ {
		if c := t.Next(); n >= 2 && (c == ',' || c == ')') {
			break
		}
		number := t.number()
		if n >= 2 && t.Loose {
			continue
		}
		value, err := strconv.ParseFloat(number, 64)
		if err != nil && (value == 0 || t.Loose) { // else it is too large: infinite, and out of range
			t.At -= len(number)
			return p, t.Unexpected("a number")
		}
		if n < 2 {
			p[n] = value
		}
	}
	if t.Loose {
		return p, nil
	}
	if t.Numbers == 0 {
		t.Numbers = n
	}
	if n != t.Numbers {
		return p, fmt.Errorf("%w: a vertex of %d numbers at character %d, others have %d", t.Reason, n, t.At+1, t.Numbers)
	}
	return p, nil
}

// number passes over a decimal number, with an exponent or not.
func (t *Text) number() string {
	t.Space()
	first := t.At
	for t.At < len(t.Text) && t.inNumber(t.Text[t.At]) {
		t.At++
	}
	return t.Text[first:t.At]
}

func (t *Text) inNumber(c byte) bool {
	if t.Loose {
		return c != ',' && c != '(' && c != ')' && !IsBlank(c)
	}
	return c >= '0' && c <= '9' || strings.IndexByte("+-.eE", c) >= 0
}

// End checks that only blanks follow.
func (t *Text) End() error {
	if t.Space(); t.At < len(t.Text) {
		return t.Unexpected("the end")
	}
	return nil
}

// Next is the next character that is not blank, 0 at the end.
func (t *Text) Next() byte {
	t.Space()
	return t.Peek()
}

// Space skips blanks.
func (t *Text) Space() {
	for IsBlank(t.Peek()) {
		t.At++
	}
}

// Peek is the next character, 0 at the end. A NUL in the text is the same: it is not valid anywhere.
func (t *Text) Peek() byte {
	if t.At < len(t.Text) {
		return t.Text[t.At]
	}
	return 0
}

// Unexpected is the error that something else was expected here.
func (t *Text) Unexpected(expected string) error {
	found := "the end"
	if t.At < len(t.Text) {
		found = strconv.QuoteToASCII(t.Text[t.At:min(len(t.Text), t.At+12)])
	}
	return fmt.Errorf("%w: expected %s at character %d, found %s", t.Reason, expected, t.At+1, found)
}

// IsBlank reports whether a character is a blank of well-known text.
func IsBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }
