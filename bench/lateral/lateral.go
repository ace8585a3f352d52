// Package lateral adds the nearest café and counts of categories to points by PostGIS, as quartier enrich does. In: a database
// with the table place of the bench. Out: the time that takes, and whether both have the same.
package lateral

import (
	"context"
	"math"
	"runtime"
	"slices"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/paulmach/orb"
	"golang.org/x/sync/errgroup"

	"quartier/bench/fail"
)

// Points are the points that PostGIS enriches, in which it takes a few seconds.
const Points = 2000

// Categories are counted, and the nearest of the first is found.
var Categories = []string{"cafes", "groceries", "parks", "restaurants"}

// enrichSQL adds to a share of the points what is compared, in the plane.
const enrichSQL = `SELECT p.id, n.name, n.metres, c.* FROM enriched_point p
	LEFT JOIN LATERAL (SELECT name, ST_Distance(plane, p.plane_point) * p.k AS metres FROM place
		WHERE 'cafes' = ANY(categories) AND ST_DWithin(plane, p.plane_point, 5000 / p.k) ORDER BY plane <-> p.plane_point LIMIT 1) n ON true,
	LATERAL (SELECT count(*) FILTER (WHERE 'cafes' = ANY(categories)), count(*) FILTER (WHERE 'groceries' = ANY(categories)),
		count(*) FILTER (WHERE 'parks' = ANY(categories)), count(*) FILTER (WHERE 'restaurants' = ANY(categories))
		FROM place WHERE ST_DWithin(plane, p.plane_point, 5000 / p.k)) c
	WHERE p.id % $1 = $2`

// exactSQL is the least distance to a café within 5 km on the ellipsoid, the names of those at most 20 cm farther, and
// counts within radii a little smaller and a little larger.
const exactSQL = `WITH near AS MATERIALIZED (
		SELECT name, categories, ST_Distance(place.geometry::geography, p.geometry::geography) AS metres
		FROM place, enriched_point p WHERE p.id = $1 AND ST_DWithin(plane, p.plane_point, 5100 / p.k)),
	first AS (SELECT min(metres) AS metres FROM near WHERE 'cafes' = ANY(categories) AND metres <= 5000)
	SELECT (SELECT metres FROM first), (SELECT array_agg(coalesce(name, '')) FROM near, first WHERE 'cafes' = ANY(categories) AND near.metres < first.metres + 0.2),
		ARRAY(SELECT count(*) FILTER (WHERE metres < 4999 AND c = ANY(categories)) FROM near, unnest($2::text[]) WITH ORDINALITY AS t(c, n) GROUP BY n ORDER BY n),
		ARRAY(SELECT count(*) FILTER (WHERE metres < 5001 AND c = ANY(categories)) FROM near, unnest($2::text[]) WITH ORDINALITY AS t(c, n) GROUP BY n ORDER BY n)`

// Load makes the table of points.
func Load(ctx context.Context, conn *pgx.Conn, points []orb.Point) {
	execute := func(statements ...string) {
		for _, statement := range statements {
			fail.Must(conn.Exec(ctx, statement))
		}
	}
	execute("DROP TABLE IF EXISTS enriched_point", "CREATE TABLE enriched_point (id int PRIMARY KEY, lng float8, lat float8)")
	rows := make([][]any, len(points))
	for i, p := range points {
		rows[i] = []any{i, p[0], p[1]}
	}
	fail.Must(conn.CopyFrom(ctx, pgx.Identifier{"enriched_point"}, []string{"id", "lng", "lat"}, pgx.CopyFromRows(rows)))
	execute("ALTER TABLE enriched_point ADD COLUMN geometry geometry, ADD COLUMN plane_point geometry, ADD COLUMN k float8",
		"UPDATE enriched_point SET geometry = ST_SetSRID(ST_MakePoint(lng, lat), 4326), k = cos(radians(lat))",
		"UPDATE enriched_point SET plane_point = ST_Transform(geometry, 3857)", "ANALYZE enriched_point")
}

// Enrich enriches the points with a connection for each processor, and returns how long that takes.
func Enrich(ctx context.Context, dsn string) time.Duration {
	connections := make([]*pgx.Conn, runtime.GOMAXPROCS(0))
	for i := range connections {
		connections[i] = fail.Must(pgx.Connect(ctx, dsn))
		defer connections[i].Close(ctx)
	}
	begun := time.Now()
	var running errgroup.Group
	for i, c := range connections {
		running.Go(func() error {
			rows, err := c.Query(ctx, enrichSQL, len(connections), i)
			if err != nil {
				return err
			}
			for rows.Next() {
			}
			return rows.Err()
		})
	}
	fail.Check(running.Wait())
	return time.Since(begun)
}

// Same compares a table as quartier enrich writes it, after a line of names, for every tenth point: the nearest café, and counts, which
// are between those of two radii.
func Same(ctx context.Context, conn *pgx.Conn, points []orb.Point, table [][]string) {
	column := func(name string) int { return slices.Index(table[0], name) }
	for i := 0; i < len(points); i += 10 {
		row, exact := table[i+1], answer(ctx, conn, i)
		metres, name := row[column("nearest_cafes_1_m")], row[column("nearest_cafes_1_name")]
		if least, found := exact[0].(float64); found != (metres != "") {
			fail.Errorf("answers differ: at %v PostGIS finds a café at %v m, we at %q", points[i], exact[0], metres)
		} else if found {
			if ours := fail.Must(strconv.ParseFloat(metres, 64)); math.Abs(ours-least) > 0.1+1e-4*least ||
				!slices.Contains(exact[1].([]any), any(name)) {
				fail.Errorf("answers differ: at %v the nearest café is at %.2f m for PostGIS, %v, at %s m for us, %s", points[i], least, exact[1],
					metres, name)
			}
		}
		for k, category := range Categories {
			ours := fail.Must(strconv.ParseInt(row[column("pois_"+category+"_5000m")], 10, 64))
			if fewest, most := exact[2].([]any)[k].(int64), exact[3].([]any)[k].(int64); ours < fewest || ours > most {
				fail.Errorf("answers differ: within 5 km of %v PostGIS counts %d to %d of %s, we %d", points[i], fewest, most, category, ours)
			}
		}
	}
}

// answer is the row of exactSQL of a point.
func answer(ctx context.Context, conn *pgx.Conn, point int) []any {
	rows := fail.Must(conn.Query(ctx, exactSQL, point, Categories))
	return fail.Must(pgx.CollectExactlyOneRow(rows, func(row pgx.CollectableRow) ([]any, error) { return row.Values() }))
}
