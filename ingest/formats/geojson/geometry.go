package geojson

import (
	"encoding/json"

	"github.com/paulmach/orb"

	"quartier/ingest/source"
)

// maxDepth is the limit of nested geometry collections.
const maxDepth = 8

// Geometry reads a geometry object; null and a missing one are nil. Coordinates are as in the file: the caller checks
// that they are in range and that rings are closed. A third coordinate is ignored.
func Geometry(raw json.RawMessage) (orb.Geometry, error) { return geometry(raw, maxDepth) }

func geometry(raw json.RawMessage, depth int) (orb.Geometry, error) {
	if len(raw) == 0 || string(raw) == "null" {
		return nil, nil
	}
	var g struct {
		Type        string            `json:"type"`
		Coordinates json.RawMessage   `json:"coordinates"`
		Geometries  []json.RawMessage `json:"geometries"`
	}
	if json.Unmarshal(raw, &g) != nil || depth == 0 {
		return nil, source.UnreadableGeometry
	}
	switch g.Type {
	case "Point":
		var p position
		err := decode(g.Coordinates, &p)
		return orb.Point(p), err
	case "MultiPoint":
		line, err := positions(g.Coordinates)
		return orb.MultiPoint(line), err
	case "LineString":
		line, err := positions(g.Coordinates)
		return orb.LineString(line), err
	case "MultiLineString":
		var lines [][]position
		err := decode(g.Coordinates, &lines)
		m := make(orb.MultiLineString, len(lines))
		for i, line := range lines {
			m[i] = orb.LineString(points(line))
		}
		return m, err
	case "Polygon":
		var rings [][]position
		err := decode(g.Coordinates, &rings)
		return polygon(rings), err
	case "MultiPolygon":
		var polygons [][][]position
		err := decode(g.Coordinates, &polygons)
		m := make(orb.MultiPolygon, len(polygons))
		for i, rings := range polygons {
			m[i] = polygon(rings)
		}
		return m, err
	case "GeometryCollection":
		var c orb.Collection
		for _, raw := range g.Geometries {
			member, err := geometry(raw, depth-1)
			if err != nil {
				return nil, err
			}
			if member != nil {
				c = append(c, member)
			}
		}
		return c, nil
	}
	return nil, source.UnsupportedGeometryType
}

// position is a coordinate pair; null and missing numbers are errors.
type position orb.Point

func (p *position) UnmarshalJSON(data []byte) error {
	var numbers []*float64
	if json.Unmarshal(data, &numbers) != nil || len(numbers) < 2 || numbers[0] == nil || numbers[1] == nil {
		return source.InvalidCoordinate
	}
	p[0], p[1] = *numbers[0], *numbers[1]
	return nil
}

// decode reads coordinates; null instead of an array is an error too.
func decode(raw json.RawMessage, into any) error {
	if len(raw) == 0 || string(raw) == "null" || json.Unmarshal(raw, into) != nil {
		return source.InvalidCoordinate
	}
	return nil
}

func positions(raw json.RawMessage) ([]orb.Point, error) {
	var line []position
	err := decode(raw, &line)
	return points(line), err
}

func points(line []position) []orb.Point {
	list := make([]orb.Point, len(line))
	for i, p := range line {
		list[i] = orb.Point(p)
	}
	return list
}

func polygon(rings [][]position) orb.Polygon {
	p := make(orb.Polygon, len(rings))
	for i, ring := range rings {
		p[i] = orb.Ring(points(ring))
	}
	return p
}
