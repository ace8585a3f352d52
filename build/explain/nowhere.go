package explain

import (
	"cmp"
	"database/sql"
	"fmt"
	"math"
	"slices"

	"github.com/paulmach/orb"

	"quartier/build/released"
	"quartier/internal/geo"
)

// line is a street or a barrier near a point.
type line struct {
	NearStreet
	distance float64   // straight, metres
	nearest  orb.Point // of it
	region   string
}

// streetsWithin are the streets that one walks within so many metres, the nearest first, each way of the source once.
func (o *origin) streetsWithin(at orb.Point, metres float64) ([]line, error) {
	nearest := map[[2]string]line{}
	query := `SELECT e.region, e.class, coalesce(e.name, e.name_fr, ''), e.source_id, e.source_key, e.geometry
		FROM idx_street_edge_geometry AS i JOIN street_edge AS e ON e.fid = i.pkid WHERE ` + inBox
	err := released.Each(o.ctx, o.r.db, query, box(at, metres), func(rows *sql.Rows) error {
		var l line
		var blob []byte
		if err := rows.Scan(&l.region, &l.Class, &l.Name, &l.SourceID, &l.SourceKey, &blob); err != nil {
			return err
		}
		vertices, err := released.ReadLine(blob)
		if err != nil {
			return fmt.Errorf("street %s: %w", l.SourceKey, err)
		}
		l.measure(at, vertices)
		key := [2]string{l.SourceID, l.SourceKey}
		if known, ok := nearest[key]; l.distance <= metres && (!ok || l.distance < known.distance) {
			nearest[key] = l
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read streets: %w", err)
	}
	list := make([]line, 0, len(nearest))
	for _, l := range nearest {
		list = append(list, l)
	}
	slices.SortFunc(list, func(a, b line) int {
		return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(a.SourceKey, b.SourceKey))
	})
	return list, nil
}

// measure finds how near a line comes.
func (l *line) measure(at orb.Point, vertices orb.LineString) {
	plane := geo.NewPlane(at)
	l.distance = math.Inf(1)
	for i := 1; i < len(vertices); i++ {
		a, b := vertices[i-1], vertices[i]
		if d := plane.SegmentDistance(at, a, b); d < l.distance {
			l.distance, l.nearest = d, nearestOn(plane, a, b)
		}
	}
	l.M = round(l.distance, 0)
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

// eachBarrier visits the barriers around a point; they have no R*Tree.
func (o *origin) eachBarrier(visit func(kind string, vertices orb.LineString)) error {
	err := released.Each(o.ctx, o.r.db, "SELECT kind, geometry FROM barrier ORDER BY fid", nil, func(rows *sql.Rows) error {
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
	if err != nil {
		return fmt.Errorf("read barriers: %w", err)
	}
	return nil
}

// between is the kind of a barrier between two points, "" where none is.
func (o *origin) between(p, q orb.Point) (kind string, err error) {
	way := orb.LineString{p, q}.Bound()
	err = o.eachBarrier(func(k string, vertices orb.LineString) {
		for i := 1; i < len(vertices) && kind == ""; i++ {
			if way.Intersects(orb.LineString(vertices[i-1:i+1]).Bound()) && cross(p, q, vertices[i-1], vertices[i]) {
				kind = k
			}
		}
	})
	return kind, err
}

func cross(p, q, a, b orb.Point) bool {
	turn := func(a, b, c orb.Point) float64 { return (b[0]-a[0])*(c[1]-a[1]) - (b[1]-a[1])*(c[0]-a[0]) }
	return turn(p, q, a)*turn(p, q, b) <= 0 && turn(a, b, p)*turn(a, b, q) <= 0
}

// nearerStreet says which street is nearer but cut off, "" where none is.
func (o *origin) nearerStreet() (string, error) {
	near, err := o.streetsWithin(o.point, o.spot.LegM)
	if err != nil || len(near) == 0 || near[0].distance > o.spot.LegM-1 {
		return "", err
	}
	kind, err := o.between(o.point, near[0].nearest)
	if err != nil || kind == "" {
		return "", err
	}
	return fmt.Sprintf("%s is nearer (%.0f m), but cut off by %s", near[0].called(), near[0].distance, barriers[kind]), nil
}

var barriers = map[string]string{"": "a barrier", "water": "water", "motorway": "a motorway", "railway": "a railway"}

// called is a street in a sentence.
func (l *line) called() string {
	if l.Name == "" {
		return fmt.Sprintf("a nameless %s (%s)", words(l.Class), l.SourceKey)
	}
	return fmt.Sprintf("%s (%s, %s)", l.Name, words(l.Class), l.SourceKey)
}

// nowhere says why one comes from the point to no street.
func (o *origin) nowhere() error {
	const farthest = 20000 // metres
	limit := o.r.c.Walking.SnapM
	for radius := limit; ; radius = min(4*radius, farthest) {
		near, err := o.streetsWithin(o.point, radius)
		if err != nil {
			return err
		}
		if len(near) > 0 {
			return o.tooFar(&near[0], limit)
		}
		if radius == farthest {
			return fmt.Errorf("%w: the point lies outside the release, which has no street within %d km of it", ErrNoStreet, farthest/1000)
		}
	}
}

func (o *origin) tooFar(l *line, limit float64) error {
	if l.distance > limit {
		return fmt.Errorf("%w: the nearest one, %s, is %.0f m away, and farther than %.0f m nothing is told", ErrNoStreet, l.called(), l.distance, limit)
	}
	kind, err := o.between(o.point, l.nearest)
	if err != nil {
		return err
	}
	return fmt.Errorf("%w: %s is %.0f m away, but %s lies between, and so it is with every street within %.0f m", ErrNoStreet, l.called(),
		l.distance, barriers[kind], limit)
}
