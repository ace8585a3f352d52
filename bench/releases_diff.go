package main

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/paulmach/orb"

	"quartier/build/released"
	"quartier/schemas"
	"quartier/schemas/bundle"
	"quartier/serve/servetest"
)

// The releases whose differences are measured: squares of a grid, with rows of every table that is compared.
const (
	diffGeographies = 100_000
	diffVariables   = 40 // of each geography
	diffSentences   = 12
	diffPOIs        = 300_000
	diffNodes       = 200_000
	diffLimit       = time.Minute
)

// measureDiff measures the page of differences of two releases, of which the newer one has other scores, one place in
// twenty less, and a geography in a hundred with another outline.
func (b *bench) measureDiff(ctx context.Context) {
	dir := filepath.Join(b.dir, "diff")
	check(os.RemoveAll(dir))
	older, newer := filepath.Join(dir, "older"), filepath.Join(dir, "newer")
	digest := writeDiffRelease(ctx, older, "", 0)
	writeDiffRelease(ctx, newer, digest, 1)
	start := time.Now()
	runToEnd(ctx, b.program("quartier"), "diff", "--html", filepath.Join(dir, "page.html"), "--json", filepath.Join(dir, "figures.json"),
		older, newer)
	took := time.Since(start)
	b.Record("diff of 100,000 geographies", "a minute", 1, "releases", inverse(diffLimit.Seconds(), []float64{took.Seconds()}), 1,
		fmt.Sprintf("%.1f s", took.Seconds()))
}

// writeDiffRelease writes a release and returns its digest. changed is 1 for the newer one of two.
func writeDiffRelease(ctx context.Context, dir, previous string, changed int) string {
	check(os.MkdirAll(dir, 0o755))
	write := func(name, ddl string, statements ...string) {
		db := must(sql.Open("sqlite3", filepath.Join(dir, name)))
		defer db.Close()
		db.SetMaxOpenConns(1)
		for _, s := range append([]string{"PRAGMA journal_mode = off", "PRAGMA synchronous = off", bundle.Provenance, ddl},
			statements...) {
			must(db.ExecContext(ctx, s))
		}
		if name == schemas.GeographiesFile {
			writeSquares(ctx, db, changed)
		}
	}
	numbers := func(n int) string {
		return fmt.Sprintf("WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < %d) ", n-1)
	}
	ids := "WITH RECURSIVE k(j) AS (SELECT 0 UNION ALL SELECT j + 1 FROM k WHERE j < %d), n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n " +
		"WHERE i < %d) "
	each := func(rows int) string { return fmt.Sprintf(ids, rows-1, diffGeographies-1) }
	point := fmt.Sprintf("x'%x'", released.PointBlob(orb.Point{-100.5, 40.5}))
	write(schemas.GeographiesFile, bundle.Geographies)
	write(schemas.POIsFile, bundle.POIs,
		numbers(diffPOIs)+
			fmt.Sprintf(`INSERT INTO poi (fid, poi_key, region, source_id, name, country_code, geometry) SELECT i, 'osm:node:' || i, 'r', 's', `+
				`'n', 'US', %s FROM n WHERE %d = 0 OR i %% 20 <> 3`, point, changed),
		`INSERT INTO poi_category SELECT fid, 'category' || fid % 40 FROM poi`)
	write(schemas.SchoolsFile, bundle.Schools)
	write(schemas.ProfilesFile, bundle.Profiles,
		each(diffSentences)+
			fmt.Sprintf(`INSERT INTO profile_text SELECT printf('g10_%%010d', i), 'en', j, 'intro', 'A sentence of some length about place ' || `+
				`(i + j %% 4 * %d), 'p', '' FROM n, k`, changed))
	write(schemas.AccessFile, bundle.Access+bundle.StreetNodeDDL(),
		fmt.Sprintf(ids, len(schemas.Scores)-1, diffGeographies-1)+
			fmt.Sprintf(`INSERT INTO geography_score SELECT printf('g10_%%010d', i), s.value, (i * 7919 + j * 31) %% 40000 + %d * (i %% 500), `+
				`'households', 9 FROM n, k JOIN json_each('["%s"]') AS s ON s.key = j`,
				changed, strings.Join(schemas.ScoreIDs(), `","`)),
		numbers(diffPOIs)+
			fmt.Sprintf(`INSERT INTO destination SELECT i, 'r', CASE i %% 3 WHEN 0 THEN 'cafe' WHEN 1 THEN 'park' ELSE 'grocery' END, 'osm:node:' `+
				`|| i, '', 's', 'n', NULL, 1, 0, 0, %s FROM n WHERE %d = 0 OR i %% 20 <> 3`, point, changed),
		numbers(diffNodes)+
			fmt.Sprintf(`INSERT INTO street_node (fid, region, coffee_shop_access, geometry) SELECT i, 'r', i %% 50000, CAST(i AS BLOB) FROM n`))
	write(schemas.DemographicsFile, bundle.Demographics,
		each(diffVariables)+
			fmt.Sprintf(`INSERT INTO geography_variable SELECT printf('g10_%%010d', i), 'population_total', 'v' || j, 100 + i %% 1000 + %d * (j `+
				`%% 3), NULL, NULL, NULL FROM n, k`, changed),
		numbers(diffGeographies)+`INSERT INTO geography_vintage SELECT printf('g10_%010d', i), '2023' FROM n`)
	m := &schemas.Manifest{
		Schema: schemas.ManifestSchema, History: schemas.HistorySchema, Component: schemas.Places, Release: "diff",
		AsOf: fmt.Sprintf("2026-1%d-01", changed), ToolVersion: "bench", Previous: previous, Regions: []string{"r"},
		Files: []schemas.ReleaseFile{{Name: schemas.GeographiesFile, SHA256: strings.Repeat("0", 64), Bytes: 1}}, // diff verifies nothing
	}
	check(servetest.WriteManifest(dir, m))
	return m.Digest
}

// writeSquares writes the outlines, of 64 vertices each. Of the newer release, every hundredth is redrawn under another id.
func writeSquares(ctx context.Context, db *sql.DB, changed int) {
	tx := must(db.BeginTx(ctx, nil))
	const columns = `(fid, geog_id, source_key, id_key, boundary_version, region, source_id, level, name_en, name_fr, country_code, state_codes, area_m2, west, south, east, north, centroid_lng, centroid_lat, population, geometry%s)
		VALUES (?1, ?2, ?2, ?2, 1, 'r', 's', 10, 'Place ' || ?1, '', 'US', 'US_OR', 1e6, ?3, ?4, ?5, ?6, ?3, ?4, 1000, ?7%s)`
	insert := must(tx.PrepareContext(ctx, `INSERT INTO geography `+fmt.Sprintf(columns, "", "")))
	superseded := must(tx.PrepareContext(ctx,
		`INSERT INTO geography_superseded `+fmt.Sprintf(columns, ", replaced_by, superseded_in", ", ?8, 'diff'")))
	bridge := must(tx.PrepareContext(ctx, `INSERT INTO geog_bridge VALUES ('diff', ?, ?, 'redrawn', 0.9, 0.95, 'households')`))
	for i := range diffGeographies {
		west, south := -120+float64(i%400)*0.1, 30+float64(i/400)*0.05
		side := 0.04
		id := fmt.Sprintf("g10_%010d", i)
		if changed == 1 && i%100 == 7 {
			old := square(west, south, side)
			must(superseded.ExecContext(ctx, i, id, west, south, west+side, south+side, old, "n"+id))
			must(bridge.ExecContext(ctx, id, "n"+id))
			id, side = "n"+id, 0.038
		}
		must(insert.ExecContext(ctx, i, id, west, south, west+side, south+side, square(west, south, side)))
	}
	check(tx.Commit())
}

// square is an outline with 16 vertices on each side.
func square(west, south, side float64) []byte {
	var ring orb.Ring
	for _, edge := range [][4]float64{{0, 0, 1, 0}, {1, 0, 0, 1}, {1, 1, -1, 0}, {0, 1, 0, -1}} {
		for i := range 16 {
			t := float64(i) / 16
			ring = append(ring, orb.Point{west + side*(edge[0]+t*edge[2]), south + side*(edge[1]+t*edge[3])})
		}
	}
	return released.MultiPolygonBlob(orb.MultiPolygon{{append(ring, ring[0])}})
}
