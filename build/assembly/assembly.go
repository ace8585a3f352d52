// Package assembly combines the derived tables of all regions: it selects one row for each geography and POI, resolves
// parents across regions, and reads what the other steps of a build need. Rows are kept in a DuckDB database of the build,
// except for places, streets and small areas, which are read from the regions' own databases.
package assembly

import (
	"cmp"
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"quartier/internal/duck"
	"quartier/internal/sqlrow"
)

//go:embed sql/*.sql
var queries embed.FS

// query returns the text of sql/<name>.sql.
func query(name string) string {
	text, err := queries.ReadFile("sql/" + name + ".sql")
	if err != nil {
		panic(err) // the name is a constant of this package
	}
	return string(text)
}

// Region is a region of the release, with the DuckDB files that ingest and transform wrote.
type Region struct {
	Name    string
	Staged  string // path; only its sources and issues are read
	Derived string // path
	// it has sources of addresses, so that the release has addresses
	Addresses bool

	// Why the region file accepts the collapsed scale of a score, by score, and that two channels do not agree, by
	// schemas.Agreement.Pair.
	AcceptCollapsed, AcceptDisagreement map[string]string
}

// Assembly is the rows of all regions.
type Assembly struct {
	Outlines *Outlines // of the geographies; nil before they are read

	regions []Region
	scratch string // folder for temporary files
	db      *duck.DB
	conn    *sql.Conn // session variables and attached files belong to one connection
}

// The database takes most of the machine's memory for what it read, unless it is limited. What does not fit is in files next to it.
const (
	fillMemory = "SET memory_limit = '2GB'"
	readMemory = "SET memory_limit = '512MB'" // which it keeps until the end of the build
)

// ErrNoData is returned for a region without anything to release.
var ErrNoData = errors.New("nothing to release")

// Create writes the rows of the regions to a new file at path and selects those of the release.
func Create(ctx context.Context, path string, regions []Region) (err error) {
	db, err := duck.Create(path, query("assembly"))
	if err != nil {
		return err
	}
	conn, err := db.Conn(ctx)
	if err != nil {
		db.Close()
		return err
	}
	a := &Assembly{db: db, conn: conn, regions: regions}
	if err = a.exec(ctx, fillMemory); err == nil {
		err = a.fill(ctx)
	}
	return cmp.Or(err, a.Close())
}

// Open opens a file that Create made of the regions. Temporary files are created in folder scratch.
func Open(ctx context.Context, path, scratch string, regions []Region) (*Assembly, error) {
	db, err := duck.Create(filepath.Join(scratch, "estimates.duckdb"), query("estimates"))
	if err != nil {
		return nil, err
	}
	if err := db.Attach(ctx, path, "assembly"); err != nil {
		db.Close()
		return nil, err
	}
	conn, err := db.Conn(ctx)
	if err != nil {
		db.Close()
		return nil, err
	}
	a := &Assembly{db: db, conn: conn, regions: regions, scratch: scratch}
	if err := a.exec(ctx, readMemory, "SET search_path = 'estimates,assembly'"); err != nil {
		a.Close()
		return nil, err
	}
	return a, nil
}

// Close closes the temporary files. It may be called on nil.
func (a *Assembly) Close() error {
	if a == nil {
		return nil
	}
	if a.Outlines != nil {
		a.Outlines.close()
	}
	a.conn.Close()
	return a.db.Close()
}

func (a *Assembly) fill(ctx context.Context) error {
	for i, r := range a.regions {
		if err := a.load(ctx, i, r); err != nil {
			return fmt.Errorf("load region %s: %w", r.Name, err)
		}
	}
	var region, kind, key, source string
	if found, err := a.findOne(ctx, "undeclared_sources", &region, &kind, &key, &source); err != nil {
		return fmt.Errorf("check sources: %w", err)
	} else if found {
		return fmt.Errorf("region %s: %s %s has source %q, which the region does not declare", region, kind, key, source)
	}
	if found, err := a.findOne(ctx, "empty_regions", &region); err != nil {
		return fmt.Errorf("check regions: %w", err)
	} else if found {
		return fmt.Errorf("%w: region %s: it has no boundaries and places in Canada and the United States, no streets and no demographic data",
			ErrNoData, region)
	}
	if err := a.selectGeographies(ctx); err != nil {
		return fmt.Errorf("assemble geographies: %w", err)
	}
	if err := a.selectPOIs(ctx); err != nil {
		return fmt.Errorf("assemble pois: %w", err)
	}
	if err := a.selectSchools(ctx); err != nil {
		return fmt.Errorf("assemble schools: %w", err)
	}
	return nil
}

// load copies the rows of one region. Its files are opened read-only.
func (a *Assembly) load(ctx context.Context, number int, r Region) error {
	for _, path := range []string{r.Staged, r.Derived} {
		db, err := duck.Open(path) // reports what is wrong with the file, where ATTACH would create a new one
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
		"INSERT INTO region (region, name) VALUES (getvariable('region'), "+quote(r.Name)+")",
		query("load"),
		"DETACH staged",
		"DETACH derived")
}

// quote is a literal of SQL.
func quote(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }

func (a *Assembly) exec(ctx context.Context, statements ...string) error {
	for _, statement := range statements {
		if _, err := a.conn.ExecContext(ctx, statement); err != nil {
			return err
		}
	}
	return nil
}

// findOne reads the row of a query that has one or none.
func (a *Assembly) findOne(ctx context.Context, name string, targets ...any) (found bool, err error) {
	err = a.conn.QueryRowContext(ctx, query(name)).Scan(targets...)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return err == nil, err
}

// each calls visit for every row of a query.
func (a *Assembly) each(ctx context.Context, text string, visit func(*sql.Rows) error, args ...any) error {
	rows, err := a.conn.QueryContext(ctx, text, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := visit(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// selectGeographies selects one row for each source key, from the newest source. Rows of sources with the same as-of
// date must be equal.
func (a *Assembly) selectGeographies(ctx context.Context) error {
	if err := a.exec(ctx, query("select_geographies")); err != nil {
		return err
	}
	var key, region, other, what string
	found, err := a.findOne(ctx, "conflicting_outlines", &key, &region, &other, &what)
	if found {
		return fmt.Errorf("%s has one %s in region %s and another in region %s, from sources with the same as-of date", key, what, region, other)
	}
	return err
}

// dropMerged writes to a table the places that one region kept and another merged into a place that is kept, with the latter.
// pairs is the query of the merged and kept places. A place into which another one was merged is never removed, so that one of
// each pair is left: if region 1 merged a into b and region 2 merged b into a, a is removed.
func (a *Assembly) dropMerged(ctx context.Context, pairs, table string) error {
	drop, err := a.db.Append(ctx, table)
	if err != nil {
		return err
	}
	kept, dropped := map[string]bool{}, map[string]bool{}
	err = a.each(ctx, pairs, sqlrow.Visit2(func(from, into string) error {
		if dropped[from] || dropped[into] || kept[from] {
			return nil
		}
		kept[into], dropped[from] = true, true
		return drop.Row(from, into)
	}))
	if cerr := drop.Close(); err == nil {
		err = cerr
	}
	return err
}
