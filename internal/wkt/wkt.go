// Package wkt parses the polygons of requests to the API and of custom geographies. Input: a text. Output: one closed ring of
// longitude and latitude, or an error with the position of the problem.
//
// Only `POLYGON ((lng lat, …))` is accepted, in upper or lower case: one closed ring of at least four points, decimals
// without exponent, nothing before or after. Parsing takes time linear in the length of the text, the check for
// self-intersection n log n of the number of points.
package wkt

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/paulmach/orb"

	"quartier/internal/wellknown"
)

// The kinds of errors. Every error of Parse wraps one of them.
var (
	ErrMalformed = errors.New("malformed polygon")    // not a POLYGON with one closed simple ring
	ErrRange     = errors.New("vertex out of bounds") // a longitude beyond ±180 or a latitude beyond ±90
)

// minPoints is the number of points of the smallest closed ring, a triangle.
const minPoints = 4

// Parse parses a polygon of at most maxChars characters. The ring that it returns is closed, finite, in range and
// simple: it has an area and neither crosses nor touches itself. A polygon that is malformed and out of range is
// ErrMalformed. With ErrRange the ring is also returned, unless it is too far out to be checked for simplicity.
func Parse(text string, maxChars int) (orb.Ring, error) {
	ring, late := ParseRing(text, maxChars)
	if ring == nil || late != nil && !fitsGrid(ring) {
		return nil, late
	}
	if problem := SelfContact(ring); problem != "" {
		return nil, fmt.Errorf("%w: %s", ErrMalformed, problem)
	}
	return ring, late
}

// ParseRing parses a polygon like Parse, and does not check whether the ring is simple. With ErrRange the ring is also
// returned.
func ParseRing(text string, maxChars int) (orb.Ring, error) {
	if len(text) > maxChars {
		return nil, fmt.Errorf("%w: %d characters, at most %d are allowed", ErrMalformed, len(text), maxChars)
	}
	s := scanner{wellknown.Text{Text: text, Reason: ErrMalformed}}
	ring, err := s.polygon()
	if err != nil {
		return nil, err
	}
	if len(ring) < minPoints {
		return nil, fmt.Errorf("%w: a ring of %d points, at least %d are needed", ErrMalformed, len(ring), minPoints)
	}
	if ring[0] != ring[len(ring)-1] {
		return nil, fmt.Errorf("%w: the ring is not closed, its last point differs from its first", ErrMalformed)
	}
	if outside := outOfRange(ring); outside >= 0 {
		return ring, rangeError(ring[outside], outside)
	}
	return ring, nil
}

// outOfRange is the index of the first point out of range; -1 if there is none.
func outOfRange(ring orb.Ring) int {
	return slices.IndexFunc(ring, func(p orb.Point) bool { return math.Abs(p[0]) > 180 || math.Abs(p[1]) > 90 })
}

func rangeError(p orb.Point, i int) error {
	if math.IsInf(p[0], 0) || math.IsInf(p[1], 0) {
		return fmt.Errorf("%w: point %d has too many digits", ErrRange, i+1)
	}
	return fmt.Errorf("%w: point %d, longitude %v latitude %v, is outside ±180 ±90", ErrRange, i+1, p[0], p[1])
}

// maxOnGrid is the maximum coordinate, in degrees, on the grid of the check for self-intersection.
const maxOnGrid = 1e9

func fitsGrid(ring orb.Ring) bool {
	return !slices.ContainsFunc(ring, func(p orb.Point) bool { return math.Abs(p[0]) > maxOnGrid || math.Abs(p[1]) > maxOnGrid })
}

// scanner parses the text of one polygon.
type scanner struct{ wellknown.Text }

func (s *scanner) polygon() (orb.Ring, error) {
	if !s.keyword("POLYGON") {
		return nil, s.Unexpected("POLYGON")
	}
	if err := s.expect('('); err != nil {
		return nil, err
	}
	if err := s.expect('('); err != nil {
		return nil, err
	}
	ring := make(orb.Ring, 0, 1+strings.Count(s.Text.Text, ","))
	for {
		point, err := s.point()
		if err != nil {
			return nil, err
		}
		ring = append(ring, point)
		if s.Next() != ',' {
			break
		}
		s.At++
	}
	if err := s.expect(')'); err != nil {
		return nil, err
	}
	if s.Next() == ',' {
		return nil, fmt.Errorf("%w: a second ring at character %d; holes are not supported", ErrMalformed, s.At+1)
	}
	if err := s.expect(')'); err != nil {
		return nil, err
	}
	if s.At != len(s.Text.Text) {
		return nil, s.Unexpected("the end")
	}
	return ring, nil
}

func (s *scanner) point() (orb.Point, error) {
	lng, err := s.decimal()
	if err != nil {
		return orb.Point{}, err
	}
	if !wellknown.IsBlank(s.Peek()) {
		return orb.Point{}, s.Unexpected("a space between longitude and latitude")
	}
	lat, err := s.decimal()
	return orb.Point{lng, lat}, err
}

// decimal parses -?digits(.digits)? after any space. A number too large for a float64 is infinite, and so out of range
// rather than malformed.
func (s *scanner) decimal() (float64, error) {
	s.Space()
	start := s.At
	if s.Peek() == '-' {
		s.At++
	}
	if !s.digits() {
		return 0, s.Unexpected("a decimal number without exponent")
	}
	if s.Peek() == '.' {
		s.At++
		if !s.digits() {
			return 0, s.Unexpected("a digit after the decimal point")
		}
	}
	v, err := strconv.ParseFloat(s.Text.Text[start:s.At], 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		return 0, s.Unexpected("a decimal number without exponent")
	}
	return v, nil
}

func (s *scanner) digits() bool {
	start := s.At
	for c := s.Peek(); c >= '0' && c <= '9'; c = s.Peek() {
		s.At++
	}
	return s.At > start
}

func (s *scanner) keyword(word string) bool {
	if len(s.Text.Text) < len(word) || !strings.EqualFold(s.Text.Text[:len(word)], word) {
		return false
	}
	s.At = len(word)
	return true
}

func (s *scanner) expect(c byte) error {
	if s.Next() != c {
		return s.Unexpected("'" + string(c) + "'")
	}
	s.At++
	return nil
}
