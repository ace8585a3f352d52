package main

import (
	"context"
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"
)

// postgisPoints are the points that PostGIS enriches, in which it takes a few seconds.
const postgisPoints = 2000

// postgisCategories are counted, and the nearest of the first is found.
var postgisCategories = []string{"cafes", "groceries", "parks", "restaurants"}

// enrichSQL adds to a share of the points what enrichAgainstPostGIS compares, in the plane.
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

// enrichAgainstPostGIS compares the nearest café and counts within 5 km with PostGIS, which adds them to fewer points by
// LATERAL, with a connection for each processor.
func (b *bench) enrichAgainstPostGIS(ctx context.Context, w *world, in string, points []point) {
	pg := b.startPostgres(ctx)
	pg.loadPoints(ctx, points[:postgisPoints])
	b.sameAsPostGIS(ctx, w, pg, points[:postgisPoints])
	rates := b.repeat(func() []float64 {
		return []float64{float64(len(points)) / b.enrich(ctx, w, in, enrichedByPostGIS...).Seconds, postgisPoints / pg.enrich(ctx).Seconds()}
	})
	b.record(result{"enrich: nearest café, counts within 5 km", "PostGIS LATERAL", runtime.GOMAXPROCS(0), "rows/s", ratios(rates[0], rates[1]), 100, false},
		against(rates[0], rates[1]))
}

// enrichedByPostGIS are the options by which quartier enrich adds the same.
var enrichedByPostGIS = []string{"--add", "nearest,pois", "--nearest", "cafes:1", "--radius", "pois:5km", "--categories", strings.Join(postgisCategories, ",")}

func (pg *postgres) loadPoints(ctx context.Context, points []point) {
	pg.execute(ctx, "DROP TABLE IF EXISTS enriched_point", "CREATE TABLE enriched_point (id int PRIMARY KEY, lng float8, lat float8)")
	rows := make([][]any, len(points))
	for i, p := range points {
		rows[i] = []any{i, p.lng, p.lat}
	}
	must(pg.conn.CopyFrom(ctx, pgx.Identifier{"enriched_point"}, []string{"id", "lng", "lat"}, pgx.CopyFromRows(rows)))
	pg.execute(ctx, "ALTER TABLE enriched_point ADD COLUMN geometry geometry, ADD COLUMN plane_point geometry, ADD COLUMN k float8",
		"UPDATE enriched_point SET geometry = ST_SetSRID(ST_MakePoint(lng, lat), 4326), k = cos(radians(lat))",
		"UPDATE enriched_point SET plane_point = ST_Transform(geometry, 3857)", "ANALYZE enriched_point")
}

// enrich is how long PostGIS takes.
func (pg *postgres) enrich(ctx context.Context) time.Duration {
	connections := make([]*pgx.Conn, runtime.GOMAXPROCS(0))
	for i := range connections {
		connections[i] = must(pgx.Connect(ctx, pg.dsn))
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
	check(running.Wait())
	return time.Since(begun)
}

// sameAsPostGIS compares every tenth point: the nearest café, and counts, which are between those of two radii.
func (b *bench) sameAsPostGIS(ctx context.Context, w *world, pg *postgres, points []point) {
	table := b.enrichedTable(ctx, w, points)
	column := func(name string) int { return slices.Index(table[0], name) }
	for i := 0; i < len(points); i += 10 {
		row, exact := table[i+1], pg.rows(ctx, exactSQL, i, postgisCategories)[0]
		metres, name := row[column("nearest_cafes_1_m")], row[column("nearest_cafes_1_name")]
		if least, found := exact[0].(float64); found != (metres != "") {
			failf("%w: at %v PostGIS finds a café at %v m, we at %q", errDifferent, points[i], exact[0], metres)
		} else if found {
			if ours := must(strconv.ParseFloat(metres, 64)); math.Abs(ours-least) > 0.1+1e-4*least || !slices.Contains(exact[1].([]any), any(name)) {
				failf("%w: at %v the nearest café is at %.2f m for PostGIS, %v, at %s m for us, %s", errDifferent, points[i], least, exact[1], metres, name)
			}
		}
		for k, category := range postgisCategories {
			ours := must(strconv.ParseInt(row[column("pois_"+category+"_5000m")], 10, 64))
			if fewest, most := exact[2].([]any)[k].(int64), exact[3].([]any)[k].(int64); ours < fewest || ours > most {
				failf("%w: within 5 km of %v PostGIS counts %d to %d of %s, we %d", errDifferent, points[i], fewest, most, category, ours)
			}
		}
	}
}

// enrichedTable are points as quartier enrich writes them as CSV, after a line of names.
func (b *bench) enrichedTable(ctx context.Context, w *world, points []point) [][]string {
	in, out := filepath.Join(b.dir, "points.csv"), filepath.Join(b.dir, "enriched.csv")
	text := []byte("lat,lng\n")
	for _, p := range points {
		text = fmt.Appendf(text, "%v,%v\n", p.lat, p.lng)
	}
	check(os.WriteFile(in, text, 0o644))
	runToEnd(ctx, b.program("quartier"), append([]string{"enrich", "--release", w.release, "--in", in, "--out", out, "--force"}, enrichedByPostGIS...)...)
	file := must(os.Open(out))
	defer file.Close()
	return must(csv.NewReader(file).ReadAll())
}
