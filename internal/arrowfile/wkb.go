package arrowfile

import (
	"encoding/binary"
	"fmt"
	"math"
)

// box is an extent: least and largest longitude and latitude, as minX, minY, maxX, maxY.
type box [4]float64

func noBox() box { return box{math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)} }

func (b *box) empty() bool { return b[0] > b[2] }

// extend makes a box contain a point. A point without coordinates, which is how empty points are written, has NaN.
func (b *box) extend(x, y float64) {
	if math.IsNaN(x) || math.IsNaN(y) {
		return
	}
	b[0], b[1], b[2], b[3] = min(b[0], x), min(b[1], y), max(b[2], x), max(b[3], y)
}

// geometryNames are the names of GeoParquet by the type of well-known binary.
var geometryNames = [...]string{1: "Point", "LineString", "Polygon", "MultiPoint", "MultiLineString", "MultiPolygon", "GeometryCollection"}

// dimensions of the types of ISO well-known binary, by thousands: XY, Z, M, ZM.
var dimensions = [...]struct {
	numbers int
	suffix  string
}{{2, ""}, {3, " Z"}, {3, " M"}, {4, " ZM"}}

// maxNesting is the depth of collections in collections.
const maxNesting = 8

// boundsOf is the extent of a geometry in ISO well-known binary and the name of its type, such as "MultiPolygon".
func boundsOf(data []byte) (box, string, error) {
	s := wkbScanner{data: data, box: noBox()}
	name, err := s.geometry(maxNesting)
	if err == nil && len(s.data) > 0 {
		err = fmt.Errorf("well-known binary of a %s has %d more bytes", name, len(s.data))
	}
	return s.box, name, err
}

// wkbScanner reads well-known binary.
type wkbScanner struct {
	data  []byte
	order binary.ByteOrder
	box   box
}

func (s *wkbScanner) geometry(depth int) (string, error) {
	if len(s.data) < 5 || s.data[0] > 1 || depth == 0 {
		return "", s.broken()
	}
	s.order = binary.ByteOrder(binary.BigEndian)
	if s.data[0] == 1 {
		s.order = binary.LittleEndian
	}
	code := s.order.Uint32(s.data[1:])
	s.data = s.data[5:]
	kind, dimension := code%1000, code/1000
	if kind == 0 || int(kind) >= len(geometryNames) || int(dimension) >= len(dimensions) {
		return "", fmt.Errorf("well-known binary of type %d, which is no ISO type of points, lines, polygons and their collections", code)
	}
	of := dimensions[dimension]
	name := geometryNames[kind] + of.suffix
	switch kind {
	case 1:
		return name, s.points(1, of.numbers)
	case 2:
		return name, s.line(of.numbers)
	case 3:
		return name, s.each(4, func() error { return s.line(of.numbers) })
	}
	return name, s.each(5, func() error {
		_, err := s.geometry(depth - 1)
		return err
	})
}

func (s *wkbScanner) broken() error {
	return fmt.Errorf("well-known binary is cut short or not valid (%d bytes left)", len(s.data))
}

// each reads a count of items, of at least some bytes each, and the items.
func (s *wkbScanner) each(atLeast int, item func() error) error {
	n, err := s.count(atLeast)
	for ; n > 0 && err == nil; n-- {
		err = item()
	}
	return err
}

func (s *wkbScanner) count(atLeast int) (int, error) {
	if len(s.data) < 4 {
		return 0, s.broken()
	}
	n := int(s.order.Uint32(s.data))
	s.data = s.data[4:]
	if n > len(s.data)/atLeast {
		return 0, s.broken()
	}
	return n, nil
}

func (s *wkbScanner) line(numbers int) error {
	n, err := s.count(8 * numbers)
	if err != nil {
		return err
	}
	return s.points(n, numbers)
}

func (s *wkbScanner) points(n, numbers int) error {
	if len(s.data) < 8*n*numbers {
		return s.broken()
	}
	for range n {
		s.box.extend(math.Float64frombits(s.order.Uint64(s.data)), math.Float64frombits(s.order.Uint64(s.data[8:])))
		s.data = s.data[8*numbers:]
	}
	return nil
}
