package vector

import (
	"strconv"
	"strings"

	"github.com/paulmach/orb"

	"quartier/ingest/source"
	"quartier/schemas/reason"
)

// wkt is what is left of a well-known text.
type wkt string

// parseWKT reads points, lines and polygons, single and in lists, of two to four dimensions, of which those after the
// second are dropped. For example, "SRID=4326;LINESTRING Z (-75.7 45.4 60, -75.6 45.4 61)" is a line of two points. The
// geometry is nil without a fault where the text is blank or EMPTY.
func parseWKT(text string) (orb.Geometry, reason.Reason) {
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
	rest := wkt(text[at:])
	var g orb.Geometry
	ok := false
	switch kind {
	case "POINT":
		var points []orb.Point
		if points, ok = rest.points(); ok && len(points) == 1 {
			g = points[0]
		}
	case "MULTIPOINT":
		var points []orb.Point
		rest = wkt("(" + strings.NewReplacer("(", "", ")", "").Replace(string(rest)) + ")") // points may have parentheses
		points, ok = rest.points()
		g = orb.MultiPoint(points)
	case "LINESTRING":
		var points []orb.Point
		points, ok = rest.points()
		g = orb.LineString(points)
	case "MULTILINESTRING":
		var lines orb.MultiLineString
		ok = rest.list(func() (good bool) { points, good := rest.points(); lines = append(lines, points); return good })
		g = lines
	case "POLYGON":
		g, ok = rest.polygon()
	case "MULTIPOLYGON":
		var polygons orb.MultiPolygon
		ok = rest.list(func() (good bool) { polygon, good := rest.polygon(); polygons = append(polygons, polygon); return good })
		g = polygons
	default:
		return nil, source.UnsupportedGeometryType
	}
	if !ok || g == nil || strings.TrimSpace(string(rest)) != "" {
		return nil, source.UnreadableGeometry
	}
	return g, reason.Reason{}
}

func (w *wkt) polygon() (polygon orb.Polygon, ok bool) {
	ok = w.list(func() bool { points, good := w.points(); polygon = append(polygon, points); return good })
	return polygon, ok
}

// points reads (x y, x y …).
func (w *wkt) points() (points []orb.Point, ok bool) {
	ok = w.list(func() bool {
		text := string(*w)
		end := strings.IndexAny(text, ",()")
		if end < 0 {
			return false
		}
		numbers := strings.Fields(text[:end])
		*w = wkt(text[end:])
		if len(numbers) < 2 || len(numbers) > 4 {
			return false
		}
		var p orb.Point
		for i := range p {
			number, err := strconv.ParseFloat(numbers[i], 64)
			if err != nil {
				return false
			}
			p[i] = number
		}
		points = append(points, p)
		return true
	})
	return points, ok
}

// list reads a list in parentheses, whose elements each reads.
func (w *wkt) list(each func() bool) bool {
	if !w.skip('(') {
		return false
	}
	for {
		if !each() {
			return false
		}
		if !w.skip(',') {
			return w.skip(')')
		}
	}
}

// skip reads a character and the spaces before it.
func (w *wkt) skip(c byte) bool {
	rest := strings.TrimLeft(string(*w), " \t\n\r")
	if rest == "" || rest[0] != c {
		return false
	}
	*w = wkt(rest[1:])
	return true
}
