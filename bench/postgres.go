package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"

	"github.com/jackc/pgx/v5"
)

// postgres is PostgreSQL 15 with PostGIS, loaded from the same release.
type postgres struct {
	server *process
	dsn    string
}

const postgresBin = "/usr/lib/postgresql/15/bin"

// startPostgres creates a cluster in the bench folder once and loads the places of the world.
func (b *bench) startPostgres(ctx context.Context) (*postgres, error) {
	if b.postgres != nil {
		return b.postgres, nil
	}
	pg, err := startLoaded(ctx, filepath.Join(b.dir, "postgres"), func(pg *postgres) error { return pg.load(ctx, b.world.release) })
	b.postgres = pg
	return pg, err
}

// startLoaded starts PostgreSQL with the cluster in a folder, which it creates and loads if missing.
func startLoaded(ctx context.Context, dir string, load func(*postgres) error) (*postgres, error) {
	owner, err := clusterOwner()
	if err != nil {
		return nil, err
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return nil, err
	}
	cluster := filepath.Join(dir, "cluster")
	loaded := filepath.Join(dir, "loaded")
	_, missing := os.Stat(loaded)
	if missing != nil {
		if err := makeCluster(ctx, owner, dir, cluster); err != nil {
			return nil, err
		}
	}
	pg, err := launch(ctx, owner, dir, cluster)
	if err != nil {
		return nil, err
	}
	if missing == nil {
		return pg, nil
	}
	if err := load(pg); err != nil {
		pg.close()
		return nil, err
	}
	return pg, os.WriteFile(loaded, nil, 0o644)
}

// clusterOwner returns the user that the server runs as: PostgreSQL refuses to run as root.
func clusterOwner() (*syscall.Credential, error) {
	if os.Getuid() != 0 {
		return nil, nil
	}
	u, err := user.Lookup("postgres")
	if err != nil {
		return nil, err
	}
	uid, err := strconv.ParseUint(u.Uid, 10, 32)
	if err != nil {
		return nil, err
	}
	gid, err := strconv.ParseUint(u.Gid, 10, 32)
	if err != nil {
		return nil, err
	}
	return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}, nil
}

func makeCluster(ctx context.Context, owner *syscall.Credential, dir, cluster string) error {
	if err := errors.Join(os.RemoveAll(dir), os.MkdirAll(dir, 0o755)); err != nil {
		return err
	}
	if owner != nil {
		if err := os.Chown(dir, int(owner.Uid), int(owner.Gid)); err != nil {
			return err
		}
	}
	p, err := startAs(ctx, owner, filepath.Join(postgresBin, "initdb"), "-D", cluster, "-A", "trust", "-U", "bench", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync")
	if err != nil {
		return err
	}
	if err := <-p.ended; err != nil {
		return fmt.Errorf("initdb: %w\n%s", err, p.output.String())
	}
	return nil
}

// launch starts the server with favourable settings: everything in memory, no JIT for short queries.
func launch(ctx context.Context, owner *syscall.Credential, dir, cluster string) (*postgres, error) {
	addr, err := freeAddress()
	if err != nil {
		return nil, err
	}
	_, port, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, err
	}
	args := []string{"-D", cluster, "-p", port, "-k", dir, "-c", "listen_addresses=127.0.0.1"}
	for _, setting := range []string{"shared_buffers=3GB", "effective_cache_size=8GB", "work_mem=64MB", "maintenance_work_mem=1GB", "jit=off",
		"fsync=off", "synchronous_commit=off", "autovacuum=off", "random_page_cost=1.0", "max_parallel_workers_per_gather=0", "max_wal_size=8GB"} {
		args = append(args, "-c", setting)
	}
	server, err := startAs(ctx, owner, filepath.Join(postgresBin, "postgres"), args...)
	if err != nil {
		return nil, err
	}
	pg := &postgres{server: server, dsn: fmt.Sprintf("host=127.0.0.1 port=%s user=bench dbname=postgres", port)}
	err = server.await(ctx, func() bool {
		conn, err := pgx.Connect(ctx, pg.dsn)
		if err != nil {
			return false
		}
		conn.Close(ctx)
		return true
	})
	if err != nil {
		server.stop()
		return nil, err
	}
	return pg, nil
}

func (pg *postgres) close() { pg.server.stop() }

// load imports the SpatiaLite files of the release with ogr2ogr and adds the indexes that a PostGIS user would create:
// projected points for nearest neighbours, categories and tags as arrays, trigrams of normalized names.
func (pg *postgres) load(ctx context.Context, release string) error {
	conn, err := pgx.Connect(ctx, pg.dsn)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	for _, extension := range []string{"postgis", "pg_trgm", "unaccent"} {
		if _, err := conn.Exec(ctx, "CREATE EXTENSION IF NOT EXISTS "+extension); err != nil {
			return fmt.Errorf("extension %s: %w", extension, err)
		}
	}
	for _, layer := range []struct{ file, table, as, rowID string }{
		{"pois.sqlite", "poi", "poi", "fid"}, {"pois.sqlite", "poi_category", "poi_category", "row"}, {"pois.sqlite", "poi_brand", "poi_brand", "row"}, {"pois.sqlite", "poi_tag", "poi_tag", "row"},
		{"geographies.sqlite", "geography", "outline", "fid"}, // PostGIS has a type called geography
	} {
		out, err := exec.CommandContext(ctx, "ogr2ogr", "-q", "-f", "PostgreSQL", "PG:"+pg.dsn, filepath.Join(release, layer.file), layer.table, "-nln", layer.as, "--config", "PG_USE_COPY", "YES",
			"-lco", "GEOMETRY_NAME=geometry", "-lco", "SPATIAL_INDEX=NONE", "-lco", "FID="+layer.rowID, "-lco", "LAUNDER=NO", "-gt", "200000").CombinedOutput()
		if err != nil {
			return fmt.Errorf("ogr2ogr %s %s: %w\n%s", layer.file, layer.table, err, out)
		}
	}
	for _, statement := range loadSQL {
		if _, err := conn.Exec(ctx, statement); err != nil {
			return fmt.Errorf("%.60s: %w", statement, err)
		}
	}
	return nil
}

// loadSQL creates one row per place, projected to Web Mercator. The queries correct radii by the secant of the latitude;
// the order of nearest neighbours is the same.
var loadSQL = []string{
	`CREATE TABLE place AS
		WITH c AS (SELECT fid, array_agg(category_id ORDER BY category_id) AS ids FROM poi_category GROUP BY fid),
			b AS (SELECT fid, array_agg(brand_id ORDER BY brand_id) AS ids FROM poi_brand GROUP BY fid),
			t AS (SELECT fid, array_agg(tag_id ORDER BY tag_id) AS ids FROM poi_tag GROUP BY fid)
		SELECT p.*, ST_Transform(p.geometry, 3857) AS plane, c.ids AS categories, coalesce(b.ids, '{}') AS brands, coalesce(t.ids, '{}') AS tags
		FROM poi p JOIN c USING (fid) LEFT JOIN b USING (fid) LEFT JOIN t USING (fid) ORDER BY p.fid`,
	`CREATE INDEX place_plane ON place USING gist (plane)`,
	`CREATE INDEX outline_geometry ON outline USING gist (geometry)`,
	`ALTER TABLE outline ADD COLUMN folded text`,
	`UPDATE outline SET folded = lower(unaccent(name_en))`,
	`CREATE INDEX outline_folded ON outline USING gin (folded gin_trgm_ops)`,
	`ANALYZE`,
}
