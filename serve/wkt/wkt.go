// Package wkt reads the polygons that requests carry. In: the text of a parameter or a body field. Out: one closed
// ring of longitude and latitude, or an error that says what is wrong and where.
//
// Only `POLYGON ((lng lat, …))` is taken, in any case of letters: one ring, closed, at least four points, plain
// decimals without exponent, nothing before and nothing after. The reader is one pass over the text and bounded by
// its length; the test for self-intersection is bounded by the square of the number of points.
package wkt

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/paulmach/orb"
)

// The kinds of refusal. Every error of Parse wraps one of them.
var (
	ErrMalformed = errors.New("malformed polygon")    // not a POLYGON of one closed simple ring
	ErrRange     = errors.New("vertex out of bounds") // a longitude beyond ±180 or a latitude beyond ±90
)

// minPoints is the smallest closed ring, a triangle with its first point repeated.
const minPoints = 4

// Parse reads a polygon of at most maxChars characters. The ring that it returns is closed, finite, in range and
// simple: it has an area and neither crosses nor touches itself. What is malformed comes before what is out of range; with
// an ErrRange the ring is returned too, unless it is so far out that it was not tested for simplicity.
func Parse(text string, maxChars int) (orb.Ring, error) {
	if len(text) > maxChars {
		return nil, fmt.Errorf("%w: %d characters, at most %d are taken", ErrMalformed, len(text), maxChars)
	}
	s := scanner{text: text}
	ring, err := s.polygon()
	if err != nil {
		return nil, err
	}
	if len(ring) < minPoints {
		return nil, fmt.Errorf("%w: a ring of %d points, it takes at least %d", ErrMalformed, len(ring), minPoints)
	}
	if ring[0] != ring[len(ring)-1] {
		return nil, fmt.Errorf("%w: the ring is not closed, its last point differs from its first", ErrMalformed)
	}
	outside := outOfRange(ring)
	if outside >= 0 && !drawable(ring) {
		return nil, rangeError(ring[outside], outside)
	}
	if problem := selfContact(ring); problem != "" {
		return nil, fmt.Errorf("%w: %s", ErrMalformed, problem)
	}
	if outside >= 0 {
		return ring, rangeError(ring[outside], outside)
	}
	return ring, nil
}

// outOfRange is the place of the first point that is none on earth; -1 where there is none such.
func outOfRange(ring orb.Ring) int {
	return slices.IndexFunc(ring, func(p orb.Point) bool { return math.Abs(p[0]) > 180 || math.Abs(p[1]) > 90 })
}

func rangeError(p orb.Point, i int) error {
	if math.IsInf(p[0], 0) || math.IsInf(p[1], 0) {
		return fmt.Errorf("%w: point %d has more digits than any place on earth", ErrRange, i+1)
	}
	return fmt.Errorf("%w: point %d, longitude %v latitude %v, lies outside ±180 ±90", ErrRange, i+1, p[0], p[1])
}

// most is the largest coordinate, in degrees, that has a place on the grid of the test for self-intersection.
const most = 1e9

func drawable(ring orb.Ring) bool {
	return !slices.ContainsFunc(ring, func(p orb.Point) bool { return math.Abs(p[0]) > most || math.Abs(p[1]) > most })
}

// scanner walks over the text of one polygon.
type scanner struct {
	text string
	at   int
}

func (s *scanner) polygon() (orb.Ring, error) {
	if !s.keyword("POLYGON") {
		return nil, s.wrong("POLYGON")
	}
	if err := s.expect('('); err != nil {
		return nil, err
	}
	if err := s.expect('('); err != nil {
		return nil, err
	}
	ring := make(orb.Ring, 0, 1+strings.Count(s.text, ","))
	for {
		point, err := s.point()
		if err != nil {
			return nil, err
		}
		ring = append(ring, point)
		s.space()
		if s.peek() != ',' {
			break
		}
		s.at++
	}
	if err := s.expect(')'); err != nil {
		return nil, err
	}
	s.space()
	if s.peek() == ',' {
		return nil, fmt.Errorf("%w: a second ring at character %d; holes are not supported", ErrMalformed, s.at+1)
	}
	if err := s.expect(')'); err != nil {
		return nil, err
	}
	if s.at != len(s.text) {
		return nil, s.wrong("the end")
	}
	return ring, nil
}

func (s *scanner) point() (orb.Point, error) {
	lng, err := s.decimal()
	if err != nil {
		return orb.Point{}, err
	}
	if !isSpace(s.peek()) {
		return orb.Point{}, s.wrong("a space between longitude and latitude")
	}
	lat, err := s.decimal()
	return orb.Point{lng, lat}, err
}

// decimal reads -?digits(.digits)? after any space. A number too large for a float64 comes back infinite, so that it
// is out of range rather than malformed.
func (s *scanner) decimal() (float64, error) {
	s.space()
	start := s.at
	if s.peek() == '-' {
		s.at++
	}
	if !s.digits() {
		return 0, s.wrong("a plain decimal number")
	}
	if s.peek() == '.' {
		s.at++
		if !s.digits() {
			return 0, s.wrong("a digit after the decimal point")
		}
	}
	v, err := strconv.ParseFloat(s.text[start:s.at], 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		return 0, s.wrong("a plain decimal number")
	}
	return v, nil
}

func (s *scanner) digits() bool {
	start := s.at
	for c := s.peek(); c >= '0' && c <= '9'; c = s.peek() {
		s.at++
	}
	return s.at > start
}

func (s *scanner) keyword(word string) bool {
	if len(s.text) < len(word) || !strings.EqualFold(s.text[:len(word)], word) {
		return false
	}
	s.at = len(word)
	return true
}

func (s *scanner) expect(c byte) error {
	s.space()
	if s.peek() != c {
		return s.wrong("'" + string(c) + "'")
	}
	s.at++
	return nil
}

func (s *scanner) space() {
	for isSpace(s.peek()) {
		s.at++
	}
}

// peek is the next byte, 0 at the end. A NUL in the text reads the same and is expected nowhere.
func (s *scanner) peek() byte {
	if s.at < len(s.text) {
		return s.text[s.at]
	}
	return 0
}

func (s *scanner) wrong(expected string) error {
	found := "the end"
	if s.at < len(s.text) {
		found = strconv.QuoteToASCII(s.text[s.at:min(len(s.text), s.at+12)])
	}
	return fmt.Errorf("%w: expected %s at character %d, found %s", ErrMalformed, expected, s.at+1, found)
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }
