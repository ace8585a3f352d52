package main

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"quartier/internal/duck"
	"quartier/schemas"
)

// measureScores compares the 18 scores at a point with the ceiling.
func (b *bench) measureScores(ctx context.Context) {
	d := b.comparisonAt(ctx, schemas.AccessFile, "street_edge", "/v3/scores?lat=%.6f&lng=%.6f")
	defer d.stop()
	b.timeAgainst(ctx, d, "18 scores at a point", peer{d.bare, 0.8})
}

// measureSnapshot compares a snapshot of four parts (demographics within 500 m, scores, measures and counts of POIs within
// 5 km) with the ceiling, and with DuckDB and PostGIS, which only count the POIs.
func (b *bench) measureSnapshot(ctx context.Context) {
	const format = "/v3/data?include=demographics,scores_all,measures_all,pois_count&lat=%.6f&lng=%.6f"
	d := b.comparisonAt(ctx, schemas.AccessFile, "street_edge", format)
	defer d.stop()
	pg, db := b.startPostgres(ctx), d.world.loadDuck(ctx)
	defer db.Close()
	stmt := must(db.PrepareContext(ctx, duckCounts))
	defer stmt.Close()
	checked(d.bodies, func(i int, ours *schemas.SnapshotAnswer) {
		if ours.Data.POIs == nil {
			failf("%w: no counts at %v", errDifferent, d.points[i])
		}
		total := ours.Data.POIs.Counts.TotalCount
		d.sameCount("PostGIS", i, pg.count(ctx, d.points[i]), total, 0.02)
		d.sameCount("DuckDB", i, askDuck(ctx, stmt, d.points[i]), total, 0.01)
	})
	postgis := pg.side("PostGIS", countsSQL, 2, d.position)
	b.timeAgainst(ctx, d, "snapshot of four parts", peer{postgis, 20}, peer{duckSide(db, d.points), 20}, peer{d.bare, 0.5})
}

// countsSQL counts all POIs within 5 km, and those of each category, in PostGIS.
const countsSQL = `WITH near AS MATERIALIZED (
		SELECT categories FROM place, (SELECT ST_Transform(ST_SetSRID(ST_MakePoint($1, $2), 4326), 3857) AS c, cos(radians($2)) AS k) q
		WHERE ST_DWithin(plane, q.c, 5000 / q.k))
	SELECT '' AS category, count(*) FROM near UNION ALL SELECT unnest(categories), count(*) FROM near GROUP BY 1`

// loadDuck loads the POIs into DuckDB in its best layout: sorted, coordinates as columns, categories as bits.
func (w *world) loadDuck(ctx context.Context) *duck.DB {
	db := must(duck.Memory())
	must(db.ExecContext(ctx, "CREATE TABLE place (lng DOUBLE, lat DOUBLE, categories BIGINT)"))
	rows := must(db.Append(ctx, "place"))
	bit := map[string]int64{}
	for i, c := range schemas.Categories {
		bit[c.ID] = 1 << i
	}
	type place struct {
		point
		categories string
	}
	places := query(w, schemas.POIsFile, `SELECT b.xmin, b.ymin, group_concat(c.category_id) FROM idx_poi_geometry b
		JOIN poi_category c ON c.fid = b.pkid GROUP BY b.pkid ORDER BY b.pkid`,
		func(p *place) []any { return []any{&p.lng, &p.lat, &p.categories} })
	for _, p := range places {
		var bits int64
		for id := range strings.SplitSeq(p.categories, ",") {
			bits |= bit[id]
		}
		check(rows.Row(p.lng, p.lat, bits))
	}
	check(rows.Close())
	return db
}

// duckCounts is countsSQL for DuckDB: a bounding box, for its zone maps, then the haversine distance.
var duckCounts = func() string {
	var sums strings.Builder
	for i := range schemas.Categories {
		fmt.Fprintf(&sums, ", count(*) FILTER (categories & %d <> 0)", int64(1)<<i)
	}
	return `SELECT count(*)` + sums.String() + ` FROM place
		WHERE lat BETWEEN $2 - 0.0451 AND $2 + 0.0451 AND lng BETWEEN $1 - 0.0451 / cos(radians($2)) AND $1 + 0.0451 / cos(radians($2))
		AND 12742017.6 * asin(sqrt(pow(sin(radians(lat - $2) / 2), 2) + cos(radians(lat)) * cos(radians($2)) * pow(sin(radians(lng - $1) / 2), 2))) <= 5000`
}()

func askDuck(ctx context.Context, stmt *sql.Stmt, p point) int {
	counts := make([]int, 1+len(schemas.Categories))
	into := make([]any, len(counts))
	for i := range counts {
		into[i] = &counts[i]
	}
	check(stmt.QueryRowContext(ctx, p.lng, p.lat).Scan(into...))
	return counts[0]
}

// duckSide queries DuckDB with one connection per worker.
func duckSide(db *duck.DB, points []point) side {
	return side{"DuckDB", func(ctx context.Context) (func(int), func()) {
		conn := must(db.Conn(ctx))
		stmt := must(conn.PrepareContext(ctx, duckCounts))
		return func(i int) { askDuck(ctx, stmt, points[i]) }, func() { stmt.Close(); conn.Close() }
	}}
}
