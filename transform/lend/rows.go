package lend

import (
	"context"
	"fmt"
	"slices"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/encoding/wkb"

	"quartier/internal/duck"
	"quartier/internal/sqlrow"
	"quartier/transform/network/edges"
)

// table is a staged table of which rows are lent.
type table struct {
	name     string
	position string // columns of a query: an outline, or a point as one
	same     string // condition by which a row of the region, o, is the same as one of the neighbour, n
	keyed    bool   // it has source keys
	join     string // of the query that position is of; "" for most
}

const (
	outlined = "n.geom, 0.0::DOUBLE, 0.0::DOUBLE"
	pointed  = "NULL, n.lng, n.lat"
	sameKey  = "o.source_key = n.source_key"

	// A record of a school without coordinates is where another one with its number is; at 1000, 1000 there is nothing.
	schoolPosition = "NULL, coalesce(n.lng, p.lng, 1000), coalesce(n.lat, p.lat, 1000)"
	schoolPlaces   = `LEFT JOIN (SELECT authority_id, min(lng) AS lng, min(lat) AS lat FROM neighbour_file.school
		WHERE lng IS NOT NULL GROUP BY authority_id) AS p ON p.authority_id = n.authority_id`
)

var tables = []table{
	// negative numbers are local to a file
	{"street", outlined, sameKey + " AND (o.source_key NOT LIKE 'osm:%:-%' OR o.geom = n.geom)", true, ""},
	{"bikeway", outlined, sameKey, true, ""},
	{"traffic_count", outlined, sameKey, true, ""},
	{"feature", outlined, sameKey + " AND o.kind = n.kind", true, ""},
	{"poi", pointed, sameKey, true, ""},
	{"school", schoolPosition, sameKey, true, schoolPlaces},
	{"stop", pointed, sameKey, true, ""},
	{"block", outlined, sameKey, true, ""},
	{"elevation_tile", "NULL, n.west + n.step_lng * n.columns / 2, n.north - n.step_lat * n.rows / 2",
		"o.west = n.west AND o.north = n.north AND o.step_lng = n.step_lng", false, ""},
}

func names() (list []string) {
	for _, t := range tables {
		list = append(list, t.name)
	}
	return list
}

// rowsAtOnce is how many rows of a neighbour's table are compared and copied at once: what the database has of them in memory does
// not grow with the table.
const rowsAtOnce = 500_000

// copy copies the rows of a table that are within the margin.
func (l *lender) copy(ctx context.Context, t table, region string) error {
	own, schemes, err := l.owned(ctx, t)
	if err != nil {
		return err
	}
	var rows int64
	if err := l.db.QueryRowContext(ctx, "SELECT coalesce(max(rowid) + 1, 0) FROM neighbour_file."+t.name).Scan(&rows); err != nil {
		return err
	}
	prefix, some := "'"+region+"/'", false
	for first := int64(0); first < rows; first += l.atOnce {
		part := fmt.Sprintf("rowid BETWEEN %d AND %d", first, first+l.atOnce-1)
		kept, err := l.near(ctx, t, part, own, schemes)
		if err == nil && len(kept) > 0 {
			some = true
			err = l.copyKept(ctx, t, part, prefix, kept)
		}
		if err != nil {
			return err
		}
	}
	if t.name == "stop" && some {
		_, err = l.db.ExecContext(ctx, fmt.Sprintf(`INSERT INTO route SELECT r.* REPLACE (%[1]s || r.source_id AS source_id)
			FROM neighbour_file.route AS r
			WHERE (%[1]s || r.source_id, r.source_key) IN (SELECT (source_id, route_key) FROM stop_service)`, prefix))
	}
	return err
}

// copyKept copies rows of a part of a neighbour's table, without those that the region has too.
func (l *lender) copyKept(ctx context.Context, t table, part, prefix string, kept []int64) error {
	if err := l.keep(ctx, kept); err != nil {
		return err
	}
	const these = "rowid IN (SELECT id FROM kept)"
	statements := []string{
		fmt.Sprintf("DELETE FROM kept WHERE id IN (SELECT n.rowid FROM neighbour_file.%[1]s AS n JOIN own_file.%[1]s AS o ON %[2]s "+
			"WHERE n.%[3]s AND n.%[4]s)", t.name, t.same, part, these),
		fmt.Sprintf("INSERT INTO %[1]s SELECT * REPLACE (%[2]s || source_id AS source_id) FROM neighbour_file.%[1]s WHERE %[3]s AND %[4]s "+
			"ORDER BY rowid", t.name, prefix, part, these)}
	if t.name == "stop" {
		statements = append(statements,
			fmt.Sprintf(`INSERT INTO stop_service SELECT v.* REPLACE (%[1]s || v.source_id AS source_id) FROM neighbour_file.stop_service AS v
				JOIN neighbour_file.stop AS s ON s.source_id = v.source_id AND s.source_key = v.stop_key
				WHERE s.%[2]s`, prefix, these))
	}
	for _, statement := range statements {
		if _, err := l.db.ExecContext(ctx, statement); err != nil {
			return err
		}
	}
	return nil
}

// keep fills the table of rows to copy.
func (l *lender) keep(ctx context.Context, rows []int64) error {
	if _, err := l.db.ExecContext(ctx, "DELETE FROM kept"); err != nil {
		return err
	}
	type id struct {
		ID int64 `col:"id"`
	}
	return duck.WriteEach(ctx, l.db, "kept", rows, func(_ int, row int64) (id, error) { return id{row}, nil })
}

// near are the rows of a part of a neighbour's table that are within the margin of the region's extents. Rows with a key of another
// publisher are so only beyond the extents of what the region has of its own.
func (l *lender) near(ctx context.Context, t table, part string, own []*edges.Extent, schemes map[string]bool) (kept []int64, err error) {
	scheme := "''"
	if t.keyed {
		scheme = "split_part(n.source_key, ':', 1)"
	}
	query := fmt.Sprintf(`SELECT * FROM (SELECT n.rowid, %s, %s FROM neighbour_file.%s AS n %s WHERE n.%s) AS n (id, scheme, geom, lng, lat)
		WHERE geom IS NOT NULL OR lng BETWEEN '%v'::DOUBLE AND '%v'::DOUBLE AND lat BETWEEN '%v'::DOUBLE AND '%v'::DOUBLE ORDER BY id`,
		scheme, t.position, t.name, t.join, part, l.box.Min[0], l.box.Max[0], l.box.Min[1], l.box.Max[1])
	beyond := func(p orb.Point) bool {
		return !slices.ContainsFunc(own, func(e *edges.Extent) bool { return e.Contains(p) })
	}
	err = sqlrow.Each(ctx, l.db, query, sqlrow.Visit5(func(id int64, scheme string, geom []byte, lng, lat float64) (err error) {
		points := []orb.Point{{lng, lat}}
		if geom != nil {
			if points, err = vertices(geom); err != nil {
				return err
			}
		}
		if slices.ContainsFunc(points, l.inMargin) && (!t.keyed || schemes[scheme] || slices.ContainsFunc(points, beyond)) {
			kept = append(kept, id)
		}
		return nil
	}))
	return kept, err
}

// owned are the extents of the region's sources of a table, and the schemes of their keys.
func (l *lender) owned(ctx context.Context, t table) (own []*edges.Extent, schemes map[string]bool, err error) {
	schemes = map[string]bool{}
	if !t.keyed {
		return nil, schemes, nil
	}
	all, query := l.own.All(), "SELECT DISTINCT source_id, split_part(source_key, ':', 1) FROM own_file."+t.name
	err = sqlrow.Each(ctx, l.db, query, sqlrow.Visit2(func(source, scheme string) error {
		schemes[scheme] = true
		if e := all[source]; e != nil {
			own = append(own, e)
		}
		return nil
	}))
	return own, schemes, err
}

// inMargin reports whether a point is in an extent of the region or within the margin around it.
func (l *lender) inMargin(p orb.Point) bool {
	if !l.box.Contains(p) {
		return false
	}
	for _, e := range l.own.All() {
		if e.Within(p, l.marginM) {
			return true
		}
	}
	return false
}

// vertices are the points of a geometry; of areas those of the outer rings.
func vertices(data []byte) ([]orb.Point, error) {
	g, err := wkb.Unmarshal(data)
	if err != nil {
		return nil, err
	}
	switch g := g.(type) {
	case orb.Point:
		return []orb.Point{g}, nil
	case orb.LineString:
		return g, nil
	case orb.MultiPolygon:
		var points []orb.Point
		for _, polygon := range g {
			points = append(points, polygon[0]...)
		}
		return points, nil
	}
	return []orb.Point{g.Bound().Center()}, nil
}
