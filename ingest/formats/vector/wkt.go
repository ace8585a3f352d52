package vector

import (
	"strings"

	"github.com/paulmach/orb"

	"quartier/ingest/source"
	"quartier/internal/wellknown"
	"quartier/schemas/reason"
)

// parseWKT reads points, lines and polygons, single and in lists, of two to four dimensions, of which those after the
// second are dropped. For example, "SRID=4326;LINESTRING Z (-75.7 45.4 60, -75.6 45.4 61)" is a line of two points. The
// geometry is nil without a fault where the text is blank or EMPTY.
func parseWKT(text string) (g orb.Geometry, why reason.Reason) {
	text = strings.TrimSpace(text)
	if rest, found := strings.CutPrefix(strings.ToUpper(text), "SRID="); found {
		_, text, _ = strings.Cut(rest, ";")
	}
	if text == "" {
		return nil, reason.Reason{}
	}
	at := strings.IndexByte(text, '(')
	if at < 0 {
		at = len(text)
	}
	kind := strings.Join(strings.Fields(strings.ToUpper(text[:at])), " ")
	if at == len(text) && strings.HasSuffix(kind, " EMPTY") {
		return nil, reason.Reason{}
	}
	kind = strings.TrimSpace(strings.TrimSuffix(strings.TrimSuffix(kind, "M"), "Z"))
	rest := wellknown.Text{Text: text, At: at, Reason: source.UnreadableGeometry, Loose: true}
	var points []orb.Point
	var err error
	switch kind {
	case "POINT":
		if points, err = rest.Points(); len(points) == 1 {
			g = points[0]
		}
	case "MULTIPOINT":
		rest.Text, rest.At = "("+strings.NewReplacer("(", "", ")", "").Replace(text[at:])+")", 0 // points may have parentheses
		points, err = rest.Points()
		g = orb.MultiPoint(points)
	case "LINESTRING":
		points, err = rest.Points()
		g = orb.LineString(points)
	case "MULTILINESTRING":
		var lines orb.MultiLineString
		err = rest.List(func() error { points, err := rest.Points(); lines = append(lines, points); return err })
		g = lines
	case "POLYGON":
		g, err = rest.Polygon()
	case "MULTIPOLYGON":
		var polygons orb.MultiPolygon
		err = rest.List(func() error { polygon, err := rest.Polygon(); polygons = append(polygons, polygon); return err })
		g = polygons
	default:
		return nil, source.UnsupportedGeometryType
	}
	if err != nil || g == nil || rest.End() != nil {
		return nil, source.UnreadableGeometry
	}
	return g, reason.Reason{}
}
