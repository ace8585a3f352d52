package main

import (
	"context"
	"crypto/sha256"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"syscall"

	"github.com/jackc/pgx/v5"

	"quartier/bench/placesql"
	"quartier/bench/programs"
	"quartier/schemas"
)

// postgres is PostgreSQL 15 with PostGIS, loaded from a release.
type postgres struct {
	server *process
	dsn    string
	conn   *pgx.Conn
	spent  atomic.Int64 // processor time of the connections of sides that have ended, in ns
}

// startPostgres loads the places of the world into PostgreSQL, once for each release and way of loading.
func (b *bench) startPostgres(ctx context.Context) *postgres {
	if b.postgres == nil {
		load := func(pg *postgres) { pg.load(ctx, b.world.release) }
		content := must(os.ReadFile(filepath.Join(b.world.release, schemas.ManifestFile)))
		content = fmt.Append(content, placesql.Load)
		b.postgres = b.startLoaded(ctx, filepath.Join(b.dir, "world", fmt.Sprintf("postgres-%.6x", sha256.Sum256(content))), load)
	}
	return b.postgres
}

// startLoaded starts PostgreSQL with the cluster in a folder, which it creates and loads if missing.
func (b *bench) startLoaded(ctx context.Context, dir string, load func(*postgres)) *postgres {
	owner := programs.ClusterOwner()
	dir = programs.PlaceOf(owner, must(filepath.Abs(dir)))
	cluster, loaded := filepath.Join(dir, "cluster"), filepath.Join(dir, "loaded")
	_, missing := os.Stat(loaded)
	if missing != nil {
		programs.MakeCluster(ctx, owner, dir, cluster)
	}
	pg := launch(ctx, owner, dir, cluster)
	b.stops = append(b.stops, pg.close)
	if missing != nil {
		load(pg)
		check(os.WriteFile(loaded, nil, 0o644))
	}
	return pg
}

// launch starts the server with favourable settings: everything in memory, no JIT for short queries.
func launch(ctx context.Context, owner *syscall.Credential, dir, cluster string) *postgres {
	_, port, err := net.SplitHostPort(freeAddress())
	check(err)
	args := []string{"-D", cluster, "-p", port, "-k", dir, "-c", "listen_addresses=127.0.0.1"}
	for _, setting := range []string{"shared_buffers=3GB", "effective_cache_size=8GB", "work_mem=64MB", "maintenance_work_mem=1GB", "jit=off",
		"fsync=off", "synchronous_commit=off", "autovacuum=off", "random_page_cost=1.0", "max_parallel_workers_per_gather=0",
		"max_wal_size=8GB"} {
		args = append(args, "-c", setting)
	}
	pg := &postgres{dsn: "host=127.0.0.1 port=" + port + " user=bench dbname=postgres"}
	pg.server = start(ctx, owner, filepath.Join(programs.PostgresBin, "postgres"), args...)
	pg.server.Await(ctx, func() bool {
		pg.conn, err = pgx.Connect(ctx, pg.dsn)
		return err == nil
	})
	return pg
}

func (pg *postgres) close() {
	pg.conn.Close(context.Background())
	pg.server.Stop()
}

// rows runs a query and returns the values of all rows.
func (pg *postgres) rows(ctx context.Context, query string, args ...any) [][]any {
	rows := must(pg.conn.Query(ctx, query, args...))
	return must(pgx.CollectRows(rows, func(row pgx.CollectableRow) ([]any, error) { return row.Values() }))
}

// ids runs a query and returns the first column of all rows, sorted.
func (pg *postgres) ids(ctx context.Context, query string, args []any) []string {
	var ids []string
	for _, row := range pg.rows(ctx, query, args...) {
		ids = append(ids, row[0].(string))
	}
	slices.Sort(ids)
	return ids
}

// count returns the number of POIs within 5 km.
func (pg *postgres) count(ctx context.Context, p point) int {
	return int(pg.rows(ctx, placesql.Count, p.lng, p.lat)[0][0].(int64))
}

// side runs a prepared query with one connection per worker, and reads every row. before are statements that each connection
// begins with.
func (pg *postgres) side(name, query string, columns int, args func(i int) []any, before ...string) side {
	return side{name, func(ctx context.Context) (func(int), func()) {
		conn := must(pgx.Connect(ctx, pg.dsn))
		for _, statement := range before {
			must(conn.Exec(ctx, statement))
		}
		must(conn.Prepare(ctx, "q", query))
		backend := int(conn.PgConn().PID())
		begun := programs.SecondsOf(backend)
		ask := func(i int) {
			rows := must(conn.Query(ctx, "q", args(i)...))
			for rows.Next() {
				if len(rows.RawValues()) != columns {
					failf("%d columns", len(rows.RawValues()))
				}
			}
			check(rows.Err())
		}
		return ask, func() {
			pg.spent.Add(int64((programs.SecondsOf(backend) - begun) * 1e9))
			conn.Close(context.Background())
		}
	}}
}

// seconds is the processor time that sides have spent so far, in s.
func (pg *postgres) seconds() float64 { return float64(pg.spent.Load()) / 1e9 }

// importTable imports a table of a SpatiaLite file with ogr2ogr.
func (pg *postgres) importTable(ctx context.Context, file, table string, options ...string) {
	runToEnd(ctx, "ogr2ogr", append(options, "-q", "-f", "PostgreSQL", "PG:"+pg.dsn, file, table, "--config", "PG_USE_COPY", "YES",
		"-lco", "GEOMETRY_NAME=geometry", "-lco", "SPATIAL_INDEX=NONE", "-lco", "LAUNDER=NO", "-gt", "200000")...)
}

func (pg *postgres) execute(ctx context.Context, statements ...string) {
	for _, statement := range statements {
		if _, err := pg.conn.Exec(ctx, statement); err != nil {
			failf("%.60s: %w", statement, err)
		}
	}
}

// load imports the SpatiaLite files of the release and adds the indexes that a PostGIS user would create: projected points
// for nearest neighbours, categories and tags as arrays, trigrams of normalized names.
func (pg *postgres) load(ctx context.Context, release string) {
	for _, extension := range []string{"postgis", "pg_trgm", "unaccent"} {
		pg.execute(ctx, "CREATE EXTENSION IF NOT EXISTS "+extension)
	}
	for _, layer := range []struct{ file, table, as, rowID string }{
		{"pois.sqlite", "poi", "poi", "fid"}, {"pois.sqlite", "poi_category", "poi_category", "row"},
		{"pois.sqlite", "poi_brand", "poi_brand", "row"}, {"pois.sqlite", "poi_tag", "poi_tag", "row"},
		{"geographies.sqlite", "geography", "outline", "fid"}, // PostGIS has a type called geography
	} {
		pg.importTable(ctx, filepath.Join(release, layer.file), layer.table, "-nln", layer.as, "-lco", "FID="+layer.rowID)
	}
	pg.execute(ctx, placesql.Load...)
}
