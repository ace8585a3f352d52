package explain

import (
	"cmp"
	"database/sql"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/paulmach/orb"

	"quartier/build/released"
	"quartier/internal/geo"
	"quartier/internal/wording"
)

// line is a street or a barrier near a point.
type line struct {
	NearStreet
	distance float64   // straight, in metres
	nearest  orb.Point // of its points
	region   string
}

// streetsWithin are the streets for pedestrians within a straight distance in metres, the nearest first; a street of
// several edges occurs once.
func (l *location) streetsWithin(at orb.Point, metres float64) []line {
	nearest := map[[2]string]line{}
	query := `SELECT e.region, e.class, coalesce(e.name, e.name_fr, ''), e.source_id, e.source_key, coalesce(e.aadt, 0), coalesce(e.count_key, ''), e.geometry
		FROM idx_street_edge_geometry AS i JOIN street_edge AS e ON e.fid = i.pkid WHERE ` + inBox
	l.each("streets", query, box(at, metres), func(rows *sql.Rows) error {
		var s line
		var blob []byte
		if err := rows.Scan(&s.region, &s.Class, &s.Name, &s.SourceID, &s.SourceKey, &s.PerDay, &s.Count, &blob); err != nil {
			return err
		}
		vertices, err := released.ReadLine(blob)
		if err != nil {
			return fmt.Errorf("street %s: %w", s.SourceKey, err)
		}
		s.measure(at, vertices)
		key := [2]string{s.SourceID, s.SourceKey}
		if known, ok := nearest[key]; s.distance <= metres && (!ok || s.distance < known.distance) {
			nearest[key] = s
		}
		return nil
	})
	return slices.SortedFunc(maps.Values(nearest), func(a, b line) int {
		return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(a.SourceKey, b.SourceKey))
	})
}

// measure sets the distance to a point, and the nearest point of the line.
func (s *line) measure(at orb.Point, vertices orb.LineString) {
	plane := geo.NewPlane(at)
	s.distance = math.Inf(1)
	for i := 1; i < len(vertices); i++ {
		a, b := vertices[i-1], vertices[i]
		if d := plane.SegmentDistance(at, a, b); d < s.distance {
			s.distance, s.nearest = d, nearestOn(plane, a, b)
		}
	}
	s.M = round(s.distance, 0)
}

// nearestOn is the point of a segment that is nearest to the origin of the plane.
func nearestOn(plane geo.Plane, a, b orb.Point) orb.Point {
	ax, ay := plane.XY(a)
	bx, by := plane.XY(b)
	dx, dy := bx-ax, by-ay
	share := 0.0
	if length2 := dx*dx + dy*dy; length2 > 0 {
		share = min(max(-(ax*dx+ay*dy)/length2, 0), 1)
	}
	return plane.Point(ax+share*dx, ay+share*dy)
}

// label names a street in a sentence.
func (s *line) label() *wording.Line {
	if s.Name == "" {
		return wording.Say("nameless_street", wording.Class(s.Class), s.SourceKey)
	}
	return wording.Say("named_street", s.Name, wording.Class(s.Class), s.SourceKey)
}

// eachBarrier visits all barriers; they have no R*Tree.
func (l *location) eachBarrier(visit func(kind string, vertices orb.LineString)) {
	l.each("barriers", "SELECT kind, geometry FROM barrier ORDER BY fid", nil, func(rows *sql.Rows) error {
		var kind string
		var blob []byte
		if err := rows.Scan(&kind, &blob); err != nil {
			return err
		}
		vertices, err := released.ReadLine(blob)
		if err != nil {
			return err
		}
		visit(kind, vertices)
		return nil
	})
}

// barrierBetween is the kind of a barrier between two points, "" if there is none.
func (l *location) barrierBetween(p, q orb.Point) (kind string) {
	leg := orb.LineString{p, q}.Bound()
	l.eachBarrier(func(k string, vertices orb.LineString) {
		for i := 1; i < len(vertices) && kind == ""; i++ {
			if leg.Intersects(orb.LineString(vertices[i-1:i+1]).Bound()) && cross(p, q, vertices[i-1], vertices[i]) {
				kind = k
			}
		}
	})
	return kind
}

func cross(p, q, a, b orb.Point) bool {
	turn := func(a, b, c orb.Point) float64 { return (b[0]-a[0])*(c[1]-a[1]) - (b[1]-a[1])*(c[0]-a[0]) }
	return turn(p, q, a)*turn(p, q, b) <= 0 && turn(a, b, p)*turn(a, b, q) <= 0
}
