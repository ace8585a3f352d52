package main

import (
	"crypto/sha256"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/paulmach/orb"

	"quartier/build/export"
	"quartier/build/released"
	"quartier/internal/arrowfile"
	"quartier/internal/duck"
	"quartier/internal/geo"
	"quartier/internal/testenv"
	"quartier/schemas"
)

// exported has the folders last and export: exports of both releases of the towns with their market statistics.
var exported = sync.OnceValues(func() (string, error) {
	root, err := published()
	if err != nil {
		return "", err
	}
	dir, _ := towns()
	next, out := filepath.Join(dir, "next"), filepath.Join(dir, "exports")
	for _, args := range [][]string{
		{"market", "--release", next, "--listings", filepath.Join(dir, "sources", "listings.yaml"), "--work",
			filepath.Join(dir, "work-market-next"), "--out", filepath.Join(dir, "market-next")},
		{"export", "--release", root, "--out", filepath.Join(out, "last")},
		{"export", "--release", next, "--market", filepath.Join(dir, "market-next"), "--out", filepath.Join(out, "export")},
	} {
		if code, _, errs := quartier(args...); code != exitOK {
			return "", fmt.Errorf("quartier %v: exit code %d\n%s", args, code, errs)
		}
	}
	return out, nil
})

func exportsDir(t testing.TB) string {
	t.Helper()
	townsDir(t)
	dir, err := exported()
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// catalog is what tests look at in a catalog.
type catalog struct {
	Assets map[string]struct {
		Href     string
		Size     int64  `json:"file:size"`
		Checksum string `json:"file:checksum"`
		Rows     int64  `json:"table:row_count"`
		Columns  []struct{ Name, Type string }
	}
}

func readCatalog(t testing.TB, dir string) (c catalog) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, export.CatalogFile))
	if err == nil {
		err = json.Unmarshal(text, &c)
	}
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func duckMemory(t testing.TB) *duck.DB {
	t.Helper()
	db, err := duck.Memory()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// one is the value of a query with one.
func one[T any](t testing.TB, db *duck.DB, query string) (value T) {
	t.Helper()
	if err := db.QueryRow(query).Scan(&value); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return value
}

// Files are as the catalog describes them, and DuckDB reads them.
func TestExportIsAsItsCatalog(t *testing.T) {
	dir, db := filepath.Join(exportsDir(t), "export"), duckMemory(t)
	c := readCatalog(t, dir)
	if want := len(export.Tables) - 1; len(c.Assets) != want { // the towns have no addresses
		t.Errorf("%d files, want %d", len(c.Assets), want)
	}
	for name, a := range c.Assets {
		path := filepath.Join(dir, filepath.FromSlash(a.Href))
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if sum := fmt.Sprintf("1220%x", sha256.Sum256(text)); sum != a.Checksum || int64(len(text)) != a.Size {
			t.Errorf("%s has %d bytes with sum %s, catalog %d and %s", name, len(text), sum, a.Size, a.Checksum)
		}
		if n := one[int64](t, db, "SELECT count(*) FROM '"+path+"'"); n != a.Rows ||
			n == 0 && name != "geographies_old" && name != "geography_bridge" && name != "jobs" {
			t.Errorf("%s: DuckDB reads %d rows, catalog %d", name, n, a.Rows)
		}
		digest := one[string](t, db, "SELECT decode(value) FROM parquet_kv_metadata('"+path+"') WHERE decode(key) = 'quartier:digest'")
		m, err := schemas.ReadManifest(filepath.Join(townsDir(t), "next"))
		if err != nil || digest != m.Digest {
			t.Errorf("%s: digest %s, %v", name, digest, err)
		}
	}
}

// The rows are those of the files of the release.
func TestExportHasTheRowsOfTheRelease(t *testing.T) {
	dir, release, db := filepath.Join(exportsDir(t), "export"), filepath.Join(townsDir(t), "next"), duckMemory(t)
	for _, test := range []struct{ file, theirs, ours string }{
		{schemas.GeographiesFile, "SELECT count(*), sum(population) FROM geography",
			"SELECT count(*), sum(population) FROM '%s/geographies.parquet'"},
		{schemas.GeographiesFile, "SELECT count(*), count(replaced_by) FROM geography_superseded",
			"SELECT count(*), count(replaced_by) FROM '%s/geographies_old.parquet'"},
		{schemas.GeographiesFile, "SELECT count(*), sum(area_share) FROM geog_bridge",
			"SELECT count(*), sum(area_share) FROM '%s/geography_bridge.parquet'"},
		{schemas.AccessFile, "SELECT count(*), sum(value) / 10000.0 FROM geography_score",
			"SELECT count(*), sum(value)::DOUBLE FROM '%s/geography_scores.parquet'"},
		{schemas.AccessFile, "SELECT count(DISTINCT geog_id), sum(value) FILTER (WHERE score = 'quiet') / 10000.0 FROM geography_score",
			"SELECT count(*), sum(quiet)::DOUBLE FROM '%s/geography_scores_wide.parquet'"},
		{schemas.AccessFile, "SELECT count(park_access), sum(quiet) / 10000.0 FROM street_node",
			"SELECT count(park_access), sum(quiet)::DOUBLE FROM '%s/street_nodes.parquet'"},
		{schemas.AccessFile, "SELECT count(name), sum(length_m) FROM street_edge", "SELECT count(name), sum(length_m) FROM '%s/streets.parquet'"},
		{schemas.AccessFile, "SELECT count(DISTINCT typology), sum(population_km2) FROM typology",
			"SELECT count(DISTINCT typology), sum(population_km2) FROM '%s/typologies.parquet'"},
		{schemas.POIsFile, "SELECT count(*), (SELECT count(*) FROM poi_category) FROM poi",
			"SELECT count(*), sum(len(string_split(categories, ','))) FROM '%s/pois.parquet'"},
		{schemas.DemographicsFile, "SELECT count(lower), sum(value) FROM geography_variable",
			"SELECT count(lower), sum(value) FROM '%s/demographics.parquet'"},
		{schemas.DemographicsFile,
			"SELECT count(DISTINCT geog_id), sum(value) FILTER (WHERE variable = 'total_individuals') FROM geography_variable",
			"SELECT count(*), sum(total_individuals) FROM '%s/demographics_wide.parquet'"},
		{schemas.DemographicsFile, "SELECT count(moe), sum(estimate) FROM small_area_value WHERE cell = 'age.00_04'",
			"SELECT count(age_00_04_moe), sum(age_00_04) FROM '%s/small_areas.parquet'"},
		{schemas.DemographicsFile, "SELECT count(*), sum(persons) FROM small_area_part",
			"SELECT count(*), sum(persons) FROM '%s/small_area_parts.parquet'"},
		{schemas.SchoolsFile, "SELECT count(rating), sum(students) FROM school", "SELECT count(rating), sum(students) FROM '%s/schools.parquet'"},
		{schemas.SchoolsFile, "SELECT count(*), count(DISTINCT school_fid) FROM school_catchment",
			"SELECT count(*), count(DISTINCT school_id) FROM '%s/school_catchments.parquet'"},
		{schemas.ProfilesFile, "SELECT count(*), sum(value) FROM profile_fact", "SELECT count(*), sum(value) FROM '%s/profile_facts.parquet'"},
		{schemas.ProfilesFile, "SELECT count(DISTINCT geog_id || locale || section), sum(length(text)) + count(*) FROM profile_text",
			"SELECT count(*), sum(len(text)) + count(*) FROM '%s/profiles.parquet'"},
		{schemas.TravelFile, "SELECT count(*), sum(jobs) / 1000.0 FROM job_place", "SELECT count(*), sum(jobs) FROM '%s/jobs.parquet'"},
		{schemas.TravelFile, "SELECT count(*), sum(value) FROM travel_measure",
			"SELECT count(*), sum(reached) FROM '%s/travel_measures.parquet'"},
		{schemas.TravelFile, "SELECT count(*), sum(value) FROM geography_travel",
			"SELECT count(*), sum(median_reached) FROM '%s/geography_travel.parquet'"},
		{schemas.MarketFile, "SELECT count(*), sum(homes_sold) FROM market_stat", "SELECT count(*), sum(homes_sold) FROM '%s/market.parquet'"},
	} {
		var want []string
		if test.file == schemas.MarketFile { // with the files of its years
			market, err := released.OpenMarket(filepath.Join(release, "..", "market-next"))
			if err != nil {
				t.Fatal(err)
			}
			defer market.Close()
			want = make([]string, 2)
			if err := market.QueryRow(test.theirs).Scan(&want[0], &want[1]); err != nil {
				t.Fatal(err)
			}
		} else {
			want = rows(t, filepath.Join(release, test.file), test.theirs)[0]
		}
		var count int64
		var sum sql.NullFloat64
		if err := db.QueryRow(strings.ReplaceAll(test.ours, "%s", dir)).Scan(&count, &sum); err != nil {
			t.Fatalf("%s: %v", test.ours, err)
		}
		var wantSum float64
		fmt.Sscan(want[1], &wantSum)
		if fmt.Sprint(count) != want[0] || math.Abs(sum.Float64-wantSum) > 1e-9*max(1, math.Abs(wantSum)) {
			t.Errorf("%s: %d and %f, the release has %v", test.ours, count, sum.Float64, want)
		}
	}
}

// A filter on bbox finds the nodes whose coordinates are in the box, and row groups have the statistics to be skipped by.
func TestExportIsFilteredByExtents(t *testing.T) {
	dir, db := filepath.Join(exportsDir(t), "export"), duckMemory(t)
	file := filepath.Join(dir, "street_nodes.parquet")
	box := rows(t, filepath.Join(townsDir(t), "next", schemas.AccessFile), "SELECT count(*) FROM street_node")[0][0]
	if n := one[int64](t, db, "SELECT count(*) FROM '"+file+"' WHERE bbox.xmin >= -180 AND bbox.ymax <= 90"); fmt.Sprint(n) != box {
		t.Errorf("%d nodes in the world, of %s", n, box)
	}
	if n := one[int64](t, db, "SELECT count(*) FROM parquet_metadata('"+file+
		"') WHERE path_in_schema LIKE 'bbox%' AND stats_min IS NOT NULL AND stats_max IS NOT NULL"); n != 4 {
		t.Errorf("%d columns of extents have statistics, want 4", n)
	}
}

// Nodes of all regions are along one curve, so that no row group reaches from one region to another and back.
func TestExportedNodesAreAlongACurve(t *testing.T) {
	r, err := arrowfile.Open(filepath.Join(exportsDir(t), "export", "street_nodes.parquet"), arrowfile.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	last, n, regions := uint64(0), 0, map[string]bool{}
	for {
		rows, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		geometries := rows.Column(rows.Schema().FieldIndices(export.GeometryColumn)[0]).(*array.Binary)
		for i := range geometries.Len() {
			g, err := geo.Geometry(geometries.Value(i))
			if err != nil {
				t.Fatal(err)
			}
			key := geo.Hilbert(g.(orb.Point)) >> 1 // SQLite's integers have a sign
			if key < last {
				t.Fatalf("node %d is before the one that precedes it", n)
			}
			last = key
			n++
		}
		region := rows.Column(rows.Schema().FieldIndices("region")[0])
		for i := range region.Len() {
			regions[region.ValueStr(i)] = true
		}
		rows.Release()
	}
	if n < 1000 || len(regions) < 2 {
		t.Errorf("%d nodes of the regions %v", n, regions)
	}
}

// Another run, with another number of processors, writes the same bytes.
func TestExportIsTheSameEverywhere(t *testing.T) {
	first := readCatalog(t, filepath.Join(exportsDir(t), "last"))
	root := publishedTowns(t)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	out := t.TempDir()
	for _, processors := range []int{1, 2} {
		runtime.GOMAXPROCS(processors)
		mustRun(t, "export", "--release", root, "--out", out, "--force")
		for name, a := range readCatalog(t, out).Assets {
			if a.Checksum != first.Assets[name].Checksum {
				t.Errorf("%s is another with %d processors", name, processors)
			}
		}
	}
}

var firstCommands = regexp.MustCompile("(?s)```console\n(.*?)```")

// The first commands of docs/export.md work one after the other: none writes to where an earlier one wrote.
func TestExportPageCommands(t *testing.T) {
	page, err := os.ReadFile(filepath.Join(testenv.ModuleRoot(), "docs", "export.md"))
	if err != nil {
		t.Fatal(err)
	}
	block := firstCommands.FindStringSubmatch(string(page))
	if block == nil {
		t.Fatal("docs/export.md has no commands")
	}
	out := t.TempDir()
	for line := range strings.Lines(block[1]) {
		args, ok := strings.CutPrefix(strings.TrimSpace(line), "$ quartier ")
		if !ok {
			t.Fatalf("%q is no command", line)
		}
		words := strings.Fields(args)
		for i, word := range words {
			switch words[max(i-1, 0)] {
			case "--release":
				words[i] = publishedTowns(t)
			case "--out":
				words[i] = filepath.Join(out, word)
			}
		}
		mustRun(t, words...)
	}
}

var recipeText = regexp.MustCompile("(?s)### ([0-9]+\\. [^\n]*)\n.*?```sql\n(.*?);\n```")

// The ten questions of docs/export.md have answers.
func TestExportRecipes(t *testing.T) {
	dir, db := exportsDir(t), duckMemory(t)
	page, err := os.ReadFile(filepath.Join(testenv.ModuleRoot(), "docs", "export.md"))
	if err != nil {
		t.Fatal(err)
	}
	recipes := recipeText.FindAllStringSubmatch(string(page), -1)
	if len(recipes) != 10 {
		t.Fatalf("docs/export.md has %d recipes, want 10", len(recipes))
	}
	for _, r := range recipes {
		t.Run(r[1], func(t *testing.T) {
			query := strings.NewReplacer("'export/", "'"+dir+"/export/", "'last/", "'"+dir+"/last/").Replace(r[2])
			found, err := db.Query(query)
			if err != nil {
				t.Fatal(err)
			}
			defer found.Close()
			n := 0
			for found.Next() {
				n++
			}
			if found.Err() != nil || n == 0 {
				t.Errorf("%d rows, %v", n, found.Err())
			}
		})
	}
}

// The statistics that docs/export.md looks at are those of the nodes: a box around all of them reads every row group, and one
// elsewhere none.
func TestRowGroupsAreSkipped(t *testing.T) {
	dir, db := exportsDir(t), duckMemory(t)
	page, err := os.ReadFile(filepath.Join(testenv.ModuleRoot(), "docs", "export.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(page), "How many row groups such a filter reads")
	_, rest, _ = strings.Cut(rest, "```sql\n")
	query, _, found := strings.Cut(rest, ";\n```")
	if !found {
		t.Fatal("docs/export.md has no query of row groups")
	}
	query = strings.ReplaceAll(query, "'export/", "'"+dir+"/export/")
	for box, all := range map[string]bool{"": true, "west <= -169.5 AND east >= -176": false} {
		of := query
		if box != "" {
			of = strings.Replace(query, "west <= -69.5 AND east >= -76", box, 1)
		}
		var groups, read int64
		if err := db.QueryRow(of).Scan(&groups, &read); err != nil {
			t.Fatal(err)
		}
		if groups == 0 || all != (read == groups) || !all && read != 0 {
			t.Errorf("%q: %d of %d row groups are read", box, read, groups)
		}
	}
}

// Partitions have the rows of the undivided table, each in the folder of its level or state.
func TestExportPartitions(t *testing.T) {
	dir, db, out := exportsDir(t), duckMemory(t), t.TempDir()
	next := filepath.Join(townsDir(t), "next")
	for by, column := range map[string]string{"level": "level", "state": "country_code || '_' || state_code"} {
		table := map[string]string{"level": "demographics", "state": "pois"}[by]
		mustRun(t, "export", "--release", next, "--out", filepath.Join(out, by), "--tables", table, "--partition", by)
		files := filepath.Join(out, by, table, by+"=*", table+".parquet")
		var n, other, folders int64
		query := fmt.Sprintf("SELECT count(*), count(*) FILTER (coalesce(CAST(%s AS VARCHAR), '__HIVE_DEFAULT_PARTITION__') <> "+
			"regexp_extract(filename, '%s=([^/]*)', 1)), count(DISTINCT filename) FROM read_parquet('%s', hive_partitioning = false, filename = "+
			"true)", column, by, files)
		if err := db.QueryRow(query).Scan(&n, &other, &folders); err != nil {
			t.Fatal(err)
		}
		if want := one[int64](t, db, "SELECT count(*) FROM '"+filepath.Join(dir, "export", table+".parquet")+"'"); n != want || other != 0 ||
			folders < 2 {
			t.Errorf("%s by %s: %d rows, %d in the folder of another, %d files; want %d rows", table, by, n, other, folders, want)
		}
		if c := readCatalog(t, filepath.Join(out, by)); int64(len(c.Assets)) != folders {
			t.Errorf("the catalog has %d of %d files", len(c.Assets), folders)
		}
	}
}

func TestExportFormats(t *testing.T) {
	dir, db, out := exportsDir(t), duckMemory(t), t.TempDir()
	next := filepath.Join(townsDir(t), "next")
	mustRun(t, "export", "--release", next, "--out", out, "--tables", "schools,profiles", "--format", "csv")
	for _, table := range []string{"schools", "profiles"} {
		n := one[int64](t, db, "SELECT count(*) FROM read_csv('"+filepath.Join(out, table+".csv")+"', header = true)")
		if want := one[int64](t, db, "SELECT count(*) FROM '"+filepath.Join(dir, "export", table+".parquet")+"'"); n != want {
			t.Errorf("%s.csv has %d rows, want %d", table, n, want)
		}
		if _, err := os.Stat(filepath.Join(out, table+".csv.json")); err != nil {
			t.Error(err)
		}
	}
	testenv.NeedProgram(t, "ogr2ogr")
	testenv.NeedProgram(t, "ogrinfo")
	mustRun(t, "export", "--release", next, "--out", out, "--force", "--format", "flatgeobuf")
	for name, a := range readCatalog(t, out).Assets {
		text, err := exec.Command("ogrinfo", "-ro", "-so", "-al", filepath.Join(out, filepath.FromSlash(a.Href))).CombinedOutput()
		if want := fmt.Sprintf("Feature Count: %d\n", a.Rows); err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s: %v, want %s\n%s", name, err, want, text)
		}
	}
	if _, err := os.Stat(filepath.Join(out, "schools.csv")); err == nil {
		t.Error("--force leaves files of the export before")
	}
}

func TestExportRefusals(t *testing.T) {
	dir, next := exportsDir(t), filepath.Join(townsDir(t), "next")
	last := filepath.Join(dir, "last")
	for _, test := range []struct {
		code int
		want string
		args []string
	}{
		{exitFailure, "the export is there already: " + filepath.Join(last, export.CatalogFile), []string{"--release", next, "--out", last}},
		{exitUsage, `no such table: "pets"; there are addresses, demographics,`,
			[]string{"--release", next, "--out", "x", "--tables", "pois,pets"}},
		{exitUsage, `format "xlsx" is none of parquet, csv and flatgeobuf`, []string{"--release", next, "--out", "x", "--format", "xlsx"}},
		{exitUsage, `tables are divided by level or state, not by "city"`, []string{"--release", next, "--out", "x", "--partition", "city"}},
		{exitUsage, "market: there are no market statistics", []string{"--release", next, "--out", "x", "--tables", "market"}},
		{exitUsage, "give --out DIR", []string{"--release", next}},
		{exitUsage, "--private is for --customer", []string{"--release", next, "--out", "x", "--private", "y"}},
		{exitUsage, "are of other places", []string{"--release", next, "--out", "x", "--market", filepath.Join(publishedTowns(t), "market")}},
		{exitBadInput, "not a release of places", []string{"--release", t.TempDir(), "--out", "x"}},
	} {
		code, _, errs := quartier(append([]string{"export"}, test.args...)...)
		if code != test.code || !strings.Contains(errs, test.want) {
			t.Errorf("%v: exit code %d, %s; want %d, %s", test.args, code, errs, test.code, test.want)
		}
	}
	if _, err := os.Stat("x"); err == nil {
		t.Error("a refused export wrote something")
		os.RemoveAll("x")
	}
}

// Custom geographies are exported for their customer alone.
func TestExportOfACustomer(t *testing.T) {
	w := newCustomTowns(t)
	w.build("first")
	db, out := duckMemory(t), t.TempDir()
	dsn := stateWith(t, "acme")
	args := []string{"export", "--release", filepath.Join(w.dir, "first"), "--state", dsn, "--tables",
		"geographies,geography_scores,demographics_wide"}
	mustRun(t, append(args, "--out", filepath.Join(out, "public"))...)
	mustRun(t, append(args, "--out", filepath.Join(out, "acme"), "--private", w.last, "--customer", "acme")...)
	hidden := func(folder, table string) (n int64) {
		return one[int64](t, db, "SELECT count(DISTINCT geog_id) FROM '"+filepath.Join(out, folder, table+".parquet")+
			"' WHERE name_en LIKE 'Hidden %'")
	}
	for _, table := range []string{"geographies", "geography_scores", "demographics_wide"} {
		if n := hidden("public", table); n != 0 {
			t.Errorf("%d custom geographies are in the table %s without --customer", n, table)
		}
	}
	want := rows(t, filepath.Join(w.last, schemas.PrivateFile),
		"SELECT count(*) FROM custom_geography WHERE owner = 'acme' AND status = 'current'")[0][0]
	if n := hidden("acme", "geographies"); fmt.Sprint(n) != want || n == 0 {
		t.Errorf("acme has %d geographies, want %s", n, want)
	}
	foreign := one[int64](t, db, "SELECT count(*) FROM '"+filepath.Join(out, "acme", "geographies.parquet")+
		"' WHERE name_en IN ('Hidden old town', 'Hidden both banks', 'Hidden mountains')")
	if foreign != 0 || hidden("acme", "geography_scores") == 0 || hidden("acme", "demographics_wide") == 0 {
		t.Errorf("%d geographies of another customer, or acme's have no scores or people", foreign)
	}
	code, _, errs := quartier(append(args, "--out", filepath.Join(out, "nobody"), "--private", w.last, "--customer", "nobody")...)
	if code != exitBadInput || !strings.Contains(errs, "the state has no account of customer nobody") {
		t.Errorf("exit code %d, %s", code, errs)
	}
}

// stateWith is a state with an account of each customer, which may have everything.
func stateWith(t *testing.T, customers ...string) string {
	t.Helper()
	dsn := "sqlite:" + filepath.Join(t.TempDir(), "state.db")
	for _, name := range customers {
		mustRun(t, "account", "create", "--state", dsn, "--customer", name)
	}
	return dsn
}
