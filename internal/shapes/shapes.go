// Package shapes reads the polygons of files. Input: a polygon or multipolygon in well-known text or binary, as PostGIS,
// GeoParquet, DuckDB and GDAL write them. Output: its rings as longitude and latitude in degrees, closed, or the reason for
// which they do not bound an area.
//
// Read only reads; Check looks at what the rings are. Both take any bytes.
package shapes

import (
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/paulmach/orb"

	"quartier/internal/wellknown"
)

// The reasons for which there is no shape. Errors wrap one of them; the rest of their text says where.
var (
	ErrMissing  = errors.New("no geometry")
	ErrFormat   = errors.New("not well-known text or binary")
	ErrKind     = errors.New("not a polygon or multipolygon")
	ErrOpen     = errors.New("a ring that is not closed")
	ErrRange    = errors.New("out of range: latitude ±90, longitude ±180")
	ErrWide     = errors.New("wider than 180 degrees; a shape on both sides of the antimeridian has to be divided there")
	ErrRing     = errors.New("a ring that touches or crosses itself, or has no area")
	ErrCrossing = errors.New("rings that cross each other")
	ErrNesting  = errors.New("polygons that overlap, or a hole that is not in its polygon")
)

// Reason is the one of the reasons that an error wraps.
func Reason(err error) error {
	for _, reason := range []error{ErrMissing, ErrFormat, ErrKind, ErrOpen, ErrRange, ErrWide, ErrRing, ErrCrossing, ErrNesting} {
		if errors.Is(err, reason) {
			return reason
		}
	}
	return err
}

func wrong(reason error, format string, args ...any) error {
	return fmt.Errorf("%w: %s", reason, fmt.Sprintf(format, args...))
}

// Read reads a shape. Binary may also be written in hexadecimal digits, and have the reference system 4326 of PostGIS. Heights
// and measures of vertices are left out. A shape that is EMPTY is ErrMissing.
func Read(data []byte) (orb.MultiPolygon, error) { return ReadIn(data, wgs84) }

// ReadIn is Read of a shape in another reference system, whose number at EPSG the shape may have; 0: it has none.
func ReadIn(data []byte, system uint32) (orb.MultiPolygon, error) {
	if len(data) == 0 {
		return nil, ErrMissing
	}
	if data[0] <= 1 {
		return readBinary(data, system)
	}
	text := strings.TrimSpace(string(data))
	if text == "" {
		return nil, ErrMissing
	}
	if strings.HasPrefix(text, "00") || strings.HasPrefix(text, "01") {
		binary, err := hex.DecodeString(text)
		if err != nil {
			return nil, wrong(ErrFormat, "hexadecimal digits: %v", err)
		}
		return readBinary(binary, system)
	}
	return readText(text, system)
}

// wgs84 is the reference system of PostGIS that binary may have.
const wgs84 = 4326

func readBinary(data []byte, system uint32) (orb.MultiPolygon, error) {
	g, _, err := wellknown.Binary{Areas: true, System: system}.Read(data)
	if err != nil {
		return nil, binaryError(err, system)
	}
	m, several := g.(orb.MultiPolygon)
	if !several {
		m = orb.MultiPolygon{g.(orb.Polygon)}
	}
	m = slices.DeleteFunc(m, func(polygon orb.Polygon) bool { return len(polygon) == 0 })
	if len(m) == 0 {
		return nil, ErrMissing
	}
	return m, nil
}

func binaryError(err error, system uint32) error {
	var fault *wellknown.Error
	switch errors.As(err, &fault); fault.What {
	case wellknown.Type, wellknown.Member, wellknown.Depth:
		return ErrKind
	case wellknown.System:
		return wrong(ErrFormat, "reference system %d, only %d is taken", fault.Number, system)
	case wellknown.More:
		return wrong(ErrFormat, "%d bytes too many", fault.Number)
	}
	return wrong(ErrFormat, "binary that is cut short")
}
