package build

import (
	"context"
	"database/sql"
	"fmt"
	duckdb "github.com/marcboeker/go-duckdb"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
)

// BenchmarkRelease builds a release of 1,000,000 POIs in 300 towns.
func BenchmarkRelease(b *testing.B) {
	r := delaware()
	r.pois, r.merges = nil, nil
	dir := b.TempDir()
	region := r.write(b, dir)
	large := filepath.Join(dir, "large.duckdb")
	must(b, os.Rename(region.Derived, large))
	region.Derived = large
	fill(b, large, 1_000_000)
	b.ResetTimer()
	for i := range b.N {
		o := Options{
			Name: "bench", Regions: []Region{region}, Out: filepath.Join(dir, fmt.Sprint("out", i)), ToolVersion: "bench",
			Log: slog.New(slog.NewTextHandler(os.Stderr, nil)),
		}
		_, err := Release(context.Background(), o)
		must(b, err)
	}
}

// fill adds POIs to a derived database.
func fill(b *testing.B, path string, pois int) {
	db := reopen(b, path)
	defer db.Close()
	_, err := db.Exec(fmt.Sprintf(`
		INSERT INTO poi
		SELECT 'osm:node:' || i, 'osm', -125 + (hash(i %% 300) %% 5000) / 100.0 + (hash(i, 1) %% 10000) / 100000.0,
			30 + (hash(i %% 300, 7) %% 1800) / 100.0 + (hash(i, 2) %% 10000) / 100000.0,
			'Place number ' || i, (i %% 999) || ' Main Street', NULL, 'Town ' || (i %% 300), 'DE', printf('%%05d', i %% 90000), 'US',
			'+1 302 555 ' || (i %% 10000), 'https://example.org/places/' || i,
			CASE WHEN i %% 3 = 0 THEN 'common_needs,restaurants,shops_and_services' ELSE 'cafes' END,
			CASE WHEN i %% 4 = 0 THEN 'brand_' || (i %% 500) ELSE '' END,
			CASE WHEN i %% 5 = 0 THEN 'chain,' || ['bakery', 'vegan', 'pizza', 'thai', 'tattoo'][i %% 5 + 1] ELSE '' END,
			'cafes'
		FROM range(%d) AS t(i);
		INSERT INTO brand SELECT DISTINCT 'brand_' || i, 'Brand ' || i FROM range(500) AS t(i)`, pois))
	must(b, err)
}

// reopen opens a DuckDB file for writing.
func reopen(b *testing.B, path string) *sql.DB {
	connector, err := duckdb.NewConnector(path, nil)
	must(b, err)
	return sql.OpenDB(connector)
}
