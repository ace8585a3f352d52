package vector

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"quartier/ingest/formats/geojson"
	"quartier/ingest/source"
	"quartier/internal/spatialite"
)

// geoJSON reads a FeatureCollection.
type geoJSON struct {
	file    *os.File
	reader  *geojson.Reader
	layer   *Layer
	pending *Feature // read by openGeoJSON to find the reference system
	ended   error
}

// openGeoJSON reads up to the first feature, because the crs member is before it. Without a crs member the coordinates are
// WGS 84, as RFC 7946 specifies.
func (l *Layer) openGeoJSON(limits source.Limits) error {
	file, err := os.Open(l.path)
	if err != nil {
		return err
	}
	g := &geoJSON{file: file, reader: geojson.NewReader(file, limits), layer: l}
	l.reader, l.seen = g, map[string]bool{}
	first, err := g.read()
	if err != nil && err != io.EOF {
		file.Close()
		return l.named(err)
	}
	if err == nil {
		g.pending = &first
	}
	g.ended = err
	l.CRS = geoJSONCRS(g.reader.CRS)
	return nil
}

// geoJSONCRS returns the code of a crs member: "urn:ogc:def:crs:EPSG::3347", "EPSG:3347" or OGC's CRS84.
func geoJSONCRS(name string) string {
	rest, isURN := strings.CutPrefix(name, "urn:ogc:def:crs:")
	parts := strings.Split(rest, ":")
	code := parts[len(parts)-1]
	switch {
	case name == "" || code == "CRS84":
		return spatialite.WGS84
	case code == "CRS83":
		return "EPSG:4269"
	case isURN && len(parts) >= 2:
		return strings.ToUpper(parts[0]) + ":" + code
	}
	return name
}

func (g *geoJSON) next() (Feature, error) {
	if g.pending != nil {
		first := *g.pending
		g.pending = nil
		return first, nil
	}
	if g.ended != nil {
		return Feature{}, g.ended
	}
	return g.read()
}

func (g *geoJSON) read() (Feature, error) {
	raw, err := g.reader.Next()
	var single *geojson.FeatureError
	if errors.As(err, &single) {
		return Feature{Row: single.Number, Fault: single.Reason}, nil
	}
	if err != nil {
		return Feature{}, err
	}
	feature := Feature{Row: raw.Number, ID: raw.ID, Geometry: raw.Geometry, Attributes: map[string]string{}}
	var properties map[string]json.RawMessage
	if raw.Properties != nil {
		if err := json.Unmarshal(raw.Properties, &properties); err != nil {
			return Feature{}, bad("properties of feature %d: %w", raw.Number, err)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		setText(feature.Attributes, name, jsonText(properties[name]))
		if !g.layer.seen[name] {
			g.layer.seen[name] = true
			g.layer.Fields = append(g.layer.Fields, name)
		}
	}
	return feature, nil
}

// jsonText converts a value to an attribute: a string without quotes, a number as a plain decimal, null as "".
func jsonText(raw json.RawMessage) string {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || string(raw) == "null" {
		return ""
	}
	switch c := raw[0]; {
	case c == '"':
		var text string
		if json.Unmarshal(raw, &text) != nil {
			return string(raw)
		}
		return text
	case c == '-' || c >= '0' && c <= '9':
		return plainDecimal(string(raw))
	}
	return string(raw)
}

func (g *geoJSON) close() error { return g.file.Close() }
