package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"github.com/jackc/pgx/v5"

	"quartier/internal/duck"
	"quartier/schemas"
)

// measureScores compares the 18 scores at a point with the ceiling.
func (b *bench) measureScores(ctx context.Context) error {
	d, err := b.prepareStreetComparison(ctx, "/v3/scores?lat=%.6f&lng=%.6f")
	if err != nil {
		return err
	}
	defer d.stop()
	return b.runAgainstBare(ctx, d, "18 scores at a point", 0.8)
}

// measureSnapshot compares a snapshot of four parts (demographics within 500 m, scores, measures and counts of POIs within
// 5 km) with the ceiling, and with DuckDB and PostGIS, which only count the POIs.
func (b *bench) measureSnapshot(ctx context.Context) error {
	d, err := b.prepareStreetComparison(ctx, "/v3/data?include=demographics,scores_all,measures_all,pois_count&lat=%.6f&lng=%.6f")
	if err != nil {
		return err
	}
	defer d.stop()
	if d.pg, err = b.startPostgres(ctx); err != nil {
		return err
	}
	db, err := d.world.loadDuck(ctx)
	if err != nil {
		return err
	}
	defer db.Close()
	if err := d.pg.compareCounts(ctx, d.points, d.bodies); err != nil {
		return err
	}
	if err := compareDuckCounts(ctx, db, d.points, d.bodies); err != nil {
		return err
	}
	for _, peer := range []side{d.postgis(countsSQL, 2), duckSide(db, d.points)} {
		if err := b.runAgainstPeer(ctx, d, "snapshot of four parts", peer, 20); err != nil {
			return err
		}
	}
	return b.runAgainstBare(ctx, d, "snapshot of four parts", 0.5)
}

// prepareStreetComparison is prepareComparison without PostGIS, for points near streets.
func (b *bench) prepareStreetComparison(ctx context.Context, target string) (*comparison, error) {
	w, err := b.serve(ctx)
	if err != nil {
		return nil, err
	}
	points, err := w.sample(schemas.AccessFile, "street_edge", sampleSize)
	if err != nil {
		return nil, err
	}
	return b.comparisonAt(ctx, w, points, func(p point) string { return fmt.Sprintf(target, p.lat, p.lng) })
}

// countsSQL counts all POIs within 5 km, and those of each category, in PostGIS.
const countsSQL = `WITH near AS MATERIALIZED (
		SELECT categories FROM place, (SELECT ST_Transform(ST_SetSRID(ST_MakePoint($1, $2), 4326), 3857) AS c, cos(radians($2)) AS k) q
		WHERE ST_DWithin(plane, q.c, 5000 / q.k))
	SELECT '' AS category, count(*) FROM near UNION ALL SELECT unnest(categories), count(*) FROM near GROUP BY 1`

// compareCounts compares our totals with those of PostGIS, within the error of its projection.
func (pg *postgres) compareCounts(ctx context.Context, points []point, bodies [][]byte) error {
	conn, err := pgx.Connect(ctx, pg.dsn)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	for i := 0; i < len(points); i += 20 {
		var theirs int
		if err := conn.QueryRow(ctx, countSQL, points[i].lng, points[i].lat).Scan(&theirs); err != nil {
			return err
		}
		if err := sameCount("PostGIS", points[i], theirs, bodies[i], 0.02); err != nil {
			return err
		}
	}
	return nil
}

func sameCount(peer string, p point, theirs int, body []byte, slack float64) error {
	var ours schemas.SnapshotAnswer
	if err := json.Unmarshal(body, &ours); err != nil {
		return err
	}
	if ours.Data.POIs == nil {
		return fmt.Errorf("%w: no counts at %v", errDifferent, p)
	}
	if got := ours.Data.POIs.Counts.TotalCount; math.Abs(float64(theirs-got)) > slack*float64(theirs)+3 {
		return fmt.Errorf("%w: within 5 km of %v %s counts %d, we %d", errDifferent, p, peer, theirs, got)
	}
	return nil
}

// loadDuck loads the POIs into DuckDB in its best layout: sorted, coordinates as columns, categories as bits.
func (w *world) loadDuck(ctx context.Context) (*duck.DB, error) {
	db, err := duck.Memory()
	if err != nil {
		return nil, err
	}
	if _, err := db.ExecContext(ctx, "CREATE TABLE place (lng DOUBLE, lat DOUBLE, categories BIGINT)"); err != nil {
		return nil, err
	}
	rows, err := db.Append(ctx, "place")
	if err != nil {
		return nil, err
	}
	bit := map[string]int64{}
	for i, c := range schemas.Categories {
		bit[c.ID] = 1 << i
	}
	err = w.query(schemas.POIsFile, `SELECT b.xmin, b.ymin, group_concat(c.category_id) FROM idx_poi_geometry b
		JOIN poi_category c ON c.fid = b.pkid GROUP BY b.pkid ORDER BY b.pkid`, nil, func(r *sql.Rows) error {
		var lng, lat float64
		var list string
		if err := r.Scan(&lng, &lat, &list); err != nil {
			return err
		}
		var bits int64
		for id := range strings.SplitSeq(list, ",") {
			bits |= bit[id]
		}
		return rows.Row(lng, lat, bits)
	})
	if err != nil {
		return nil, err
	}
	return db, rows.Close()
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

func askDuck(ctx context.Context, stmt *sql.Stmt, p point) (int, error) {
	counts := make([]int, 1+len(schemas.Categories))
	into := make([]any, len(counts))
	for i := range counts {
		into[i] = &counts[i]
	}
	err := stmt.QueryRowContext(ctx, p.lng, p.lat).Scan(into...)
	return counts[0], err
}

func compareDuckCounts(ctx context.Context, db *duck.DB, points []point, bodies [][]byte) error {
	stmt, err := db.PrepareContext(ctx, duckCounts)
	if err != nil {
		return err
	}
	defer stmt.Close()
	for i := 0; i < len(points); i += 20 {
		theirs, err := askDuck(ctx, stmt, points[i])
		if err != nil {
			return err
		}
		if err := sameCount("DuckDB", points[i], theirs, bodies[i], 0.01); err != nil {
			return err
		}
	}
	return nil
}

// duckSide queries DuckDB with one connection per worker.
func duckSide(db *duck.DB, points []point) side {
	return side{name: "DuckDB", worker: func(ctx context.Context) (func(context.Context, int) error, func(), error) {
		conn, err := db.Conn(ctx)
		if err != nil {
			return nil, nil, err
		}
		stmt, err := conn.PrepareContext(ctx, duckCounts)
		if err != nil {
			return nil, nil, err
		}
		ask := func(ctx context.Context, i int) error {
			_, err := askDuck(ctx, stmt, points[i])
			return err
		}
		return ask, func() { stmt.Close(); conn.Close() }, nil
	}}
}
