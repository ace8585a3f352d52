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

// Geometry reads well-known binary of any byte order, that the program has written.
func Geometry(data []byte) (orb.Geometry, error) {
	g, err := wkb.Unmarshal(data)
	if err != nil {
		return nil, fmt.Errorf("read wkb of %d bytes: %w", len(data), err)
	}
	return g, nil
}

// MultiPolygon is Geometry of a polygon or a multipolygon. Rings are not checked.
func MultiPolygon(data []byte) (orb.MultiPolygon, error) {
	g, err := Geometry(data)
	switch g := g.(type) {
	case orb.MultiPolygon:
		return g, nil
	case orb.Polygon:
		return orb.MultiPolygon{g}, nil
	}
	if err == nil {
		err = fmt.Errorf("read wkb of %d bytes: %s is not a polygon", len(data), g.GeoJSONType())
	}
	return nil, err
}

// LineString is Geometry of a line.
func LineString(data []byte) (orb.LineString, error) {
	g, err := Geometry(data)
	line, ok := g.(orb.LineString)
	if err == nil && !ok {
		err = fmt.Errorf("read wkb of %d bytes: %s is not a line", len(data), g.GeoJSONType())
	}
	return line, err
}
