package build

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/paulmach/orb"

	"quartier/internal/duck"
	"quartier/internal/geo"
)

//go:embed sql/*.sql
var queries embed.FS

// query is the text of sql/<name>.sql.
func query(name string) string {
	text, err := queries.ReadFile("sql/" + name + ".sql")
	if err != nil {
		panic(err) // the name is a constant of this package
	}
	return string(text)
}

// Region is a region of the release: its name and the DuckDB files that ingest and transform left.
type Region struct {
	Name    string
	Staged  string // path; read for its sources and issues
	Derived string // path
}

// assembly holds the rows of all regions side by side, in a database that lives as long as the build.
type assembly struct {
	*duck.DB
	conn     *sql.Conn // session variables and attached files belong to one connection
	regions  []Region
	scratch  string    // folder for databases of the build's own
	outlines *outlines // nil before places are read
}

// ErrBarren marks a region that gave nothing to release.
var ErrBarren = errors.New("nothing to release")

// assemble loads the regions and picks one row a geography and a POI.
func assemble(ctx context.Context, dir string, regions []Region) (*assembly, error) {
	db, err := duck.Create(filepath.Join(dir, "assembly.duckdb"), query("assembly"))
	if err != nil {
		return nil, err
	}
	conn, err := db.Conn(ctx)
	if err != nil {
		db.Close()
		return nil, err
	}
	a := &assembly{DB: db, conn: conn, regions: regions, scratch: dir}
	if err := a.fill(ctx); err != nil {
		a.Close()
		return nil, err
	}
	return a, nil
}

// Close lets go of the database.
func (a *assembly) Close() error {
	if a.outlines != nil {
		a.outlines.Close()
	}
	a.conn.Close()
	return a.DB.Close()
}

func (a *assembly) fill(ctx context.Context) error {
	for i, r := range a.regions {
		if err := a.load(ctx, i, r); err != nil {
			return fmt.Errorf("load region %s: %w", r.Name, err)
		}
	}
	var region int
	var kind, key, source string
	switch err := a.conn.QueryRowContext(ctx, query("undeclared")).Scan(&region, &kind, &key, &source); err {
	case sql.ErrNoRows:
	case nil:
		return fmt.Errorf("region %s: %s %s is of source %q, which the region does not declare",
			a.regions[region].Name, kind, key, source)
	default:
		return fmt.Errorf("check sources: %w", err)
	}
	switch err := a.conn.QueryRowContext(ctx, query("barren")).Scan(&region); err {
	case sql.ErrNoRows:
	case nil:
		return fmt.Errorf("%w: region %s: none of its outlines and places lies in a known state or province, and it has no streets and no figures about people", ErrBarren, a.regions[region].Name)
	default:
		return fmt.Errorf("check regions: %w", err)
	}
	if err := a.pickGeographies(ctx); err != nil {
		return fmt.Errorf("assemble geographies: %w", err)
	}
	if err := a.pickPOIs(ctx); err != nil {
		return fmt.Errorf("assemble pois: %w", err)
	}
	return nil
}

// load copies the rows of one region. Its files are opened for reading only.
func (a *assembly) load(ctx context.Context, number int, r Region) error {
	quote := func(path string) string { return "'" + strings.ReplaceAll(path, "'", "''") + "'" }
	for _, path := range []string{r.Staged, r.Derived} {
		db, err := duck.Open(path) // says what is wrong with the file better than ATTACH, which makes a new one
		if err != nil {
			return err
		}
		if err := db.Close(); err != nil {
			return err
		}
	}
	return a.exec(ctx,
		"ATTACH "+quote(r.Staged)+" AS staged (READ_ONLY)",
		"ATTACH "+quote(r.Derived)+" AS derived (READ_ONLY)",
		fmt.Sprintf("SET VARIABLE region = %d", number),
		query("load"),
		"DETACH staged",
		"DETACH derived")
}

func (a *assembly) exec(ctx context.Context, statements ...string) error {
	for _, statement := range statements {
		if _, err := a.conn.ExecContext(ctx, statement); err != nil {
			return err
		}
	}
	return nil
}

// pickGeographies takes one row a source key: of the newest source, and where two are of the same day they must tell
// the same.
func (a *assembly) pickGeographies(ctx context.Context) error {
	if err := a.exec(ctx, query("pick_geographies")); err != nil {
		return err
	}
	var key, what string
	var region, other int
	switch err := a.conn.QueryRowContext(ctx, query("contradictions")).Scan(&key, &region, &other, &what); err {
	case sql.ErrNoRows:
		return nil
	case nil:
		return fmt.Errorf("%s has one %s in region %s and another in region %s, both from sources of the same day",
			key, what, a.regions[region].Name, a.regions[other].Name)
	default:
		return err
	}
}

// pickPOIs takes one row a POI, drops those that another region found to be the same place as one that stays, and
// puts the rest in the order of a Hilbert curve.
func (a *assembly) pickPOIs(ctx context.Context) error {
	if err := a.exec(ctx, query("pick_pois")); err != nil {
		return err
	}
	if err := a.dropMerged(ctx); err != nil {
		return err
	}
	rows, err := a.conn.QueryContext(ctx, "SELECT poi_key, lng, lat FROM poi_pick")
	if err != nil {
		return err
	}
	defer rows.Close()
	curve, err := a.Append(ctx, "poi_curve")
	if err != nil {
		return err
	}
	for rows.Next() {
		var key string
		var p orb.Point
		if err := rows.Scan(&key, &p[0], &p[1]); err != nil {
			return err
		}
		if !geo.Valid(p) {
			return fmt.Errorf("poi %s lies at %v, %v", key, p[0], p[1])
		}
		if err := curve.Row(key, geo.Hilbert(p)); err != nil {
			return err
		}
	}
	if err := rows.Err(); err != nil {
		return err
	}
	if err := curve.Close(); err != nil {
		return err
	}
	return a.exec(ctx, query("order_pois"))
}

// dropMerged leaves out POIs that one region kept and another joined into a POI that is kept. What has taken in
// another POI is never itself dropped, so that one of every pair stays.
func (a *assembly) dropMerged(ctx context.Context) error {
	rows, err := a.conn.QueryContext(ctx, query("merged_elsewhere"))
	if err != nil {
		return err
	}
	defer rows.Close()
	stays, dropped := map[string]bool{}, map[string]bool{}
	var order []string
	for rows.Next() {
		var merged, kept string
		if err := rows.Scan(&merged, &kept); err != nil {
			return err
		}
		if dropped[merged] || dropped[kept] || stays[merged] {
			continue
		}
		stays[kept], dropped[merged] = true, true
		order = append(order, merged)
	}
	if err := rows.Err(); err != nil {
		return err
	}
	rows.Close()
	drop, err := a.Append(ctx, "poi_drop")
	if err != nil {
		return err
	}
	for _, key := range order {
		if err := drop.Row(key); err != nil {
			return err
		}
	}
	if err := drop.Close(); err != nil {
		return err
	}
	return a.exec(ctx, "DELETE FROM poi_pick WHERE poi_key IN (SELECT poi_key FROM poi_drop)")
}

// count is the answer of a query for one number.
func (a *assembly) count(ctx context.Context, statement string) (n int64, err error) {
	err = a.conn.QueryRowContext(ctx, statement).Scan(&n)
	return n, err
}
