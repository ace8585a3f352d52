package geo

import (
	"encoding/binary"
	"fmt"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/encoding/wkb"
)

// WKB is the little-endian well-known binary of a geometry.
func WKB(g orb.Geometry) ([]byte, error) {
	data, err := wkb.Marshal(g, binary.LittleEndian)
	if err != nil {
		return nil, fmt.Errorf("write %s as wkb: %w", g.GeoJSONType(), err)
	}
	return data, nil
}

// MultiPolygon reads well-known binary of a polygon or a multipolygon, of any byte order. Rings are not
// checked.
func MultiPolygon(data []byte) (orb.MultiPolygon, error) {
	g, err := wkb.Unmarshal(data)
	if err != nil {
		return nil, fmt.Errorf("read wkb of %d bytes: %w", len(data), err)
	}
	switch g := g.(type) {
	case orb.MultiPolygon:
		return g, nil
	case orb.Polygon:
		return orb.MultiPolygon{g}, nil
	}
	return nil, fmt.Errorf("read wkb of %d bytes: %s is not a polygon", len(data), g.GeoJSONType())
}

// LineString reads well-known binary of a line.
func LineString(data []byte) (orb.LineString, error) {
	g, err := wkb.Unmarshal(data)
	if err != nil {
		return nil, fmt.Errorf("read wkb of %d bytes: %w", len(data), err)
	}
	line, ok := g.(orb.LineString)
	if !ok {
		return nil, fmt.Errorf("read wkb of %d bytes: %s is not a line", len(data), g.GeoJSONType())
	}
	return line, nil
}

// Geometry decodes WKB of any type.
func Geometry(data []byte) (orb.Geometry, error) {
	g, err := wkb.Unmarshal(data)
	if err != nil {
		return nil, fmt.Errorf("read wkb of %d bytes: %w", len(data), err)
	}
	return g, nil
}
