package main

import (
	"context"
	"encoding/binary"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/encoding/wkb"

	"quartier/ingest"
	"quartier/internal/duck"
	"quartier/internal/geo"
	"quartier/internal/sqlrow"
	"quartier/internal/testenv"
	"quartier/schemas"
	"quartier/schemas/derived"
	"quartier/transform"
	"quartier/transform/lend"
)

// TestSeam cuts a region into two extracts, each with all of the ways that cross the cut, and compares the nodes of both
// with those of the uncut region.
func TestSeam(t *testing.T) {
	t.Parallel()
	t.Run("Port Hollis", func(t *testing.T) {
		testSeam(t, filepath.Join(townsDir(t), "sources", "regions", "us-port-hollis.yaml"),
			orb.Bound{Min: orb.Point{-141, 24}, Max: orb.Point{-52, 72}}, -72.58)
	})
	t.Run("Portland", func(t *testing.T) {
		testenv.NeedData(t, "us-portland")
		testSeam(t, "../../regions/us-portland.yaml", orb.Bound{Min: orb.Point{-122.704, 45.493}, Max: orb.Point{-122.627, 45.544}}, -122.665)
	})
}

// testSeam cuts a region, whose sources have all that there is in a box, at a longitude.
func testSeam(t *testing.T, file string, box orb.Bound, cut float64) {
	ctx, dir := context.Background(), t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name+".duckdb") }
	stageRegion(t, file, path("staged"))
	west, east := box, box
	west.Max[0], east.Min[0] = cut, cut
	for name, part := range map[string]orb.Bound{"uncut": box, "west": west, "east": east} {
		cutRegion(t, path("staged"), path(name), part, schoolsAt(cut))
	}
	whole := nodesOf(t, path("uncut"), "", path("whole-derived"))
	for _, half := range []struct{ name, other string }{{"west", "east"}, {"east", "west"}} {
		if err := lend.Region(ctx, path(half.name), []lend.Neighbour{{Name: half.other, Staged: path(half.other)}},
			path(half.name+"-lent")); err != nil {
			t.Fatal(err)
		}
		joined := nodesOf(t, path(half.name), path(half.name+"-lent"), path(half.name+"-derived"))
		if len(joined) < len(whole)/5 || len(joined) > len(whole)*4/5 {
			t.Errorf("%s has %d of %d nodes", half.name, len(joined), len(whole))
		}
		same, different := compareNodes(whole, joined)
		t.Logf("%s: %d values are those of the uncut region", half.name, same)
		if len(different) > 0 {
			t.Errorf("%s: others are not: %v", half.name, different)
		}
	}
	alone := nodesOf(t, path("west"), "", path("alone"))
	if _, different := compareNodes(whole, alone); len(different) == 0 {
		t.Error("the west has the values of the uncut region without its neighbour")
	}
}

// schoolsAt are statements that add a list of schools on both sides of a longitude, of which every other row has a number alone that a
// list without coordinates names.
func schoolsAt(cut float64) []string {
	return []string{
		"INSERT INTO source BY NAME SELECT * REPLACE ('sites' AS source_id, 901 AS priority, 'schools' AS kind) FROM source ORDER BY priority " +
			"LIMIT 1",
		"INSERT INTO source BY NAME SELECT * REPLACE ('directory' AS source_id, 902 AS priority, 'schools' AS kind) FROM source WHERE " +
			"source_id = 'sites'",
		fmt.Sprintf(`INSERT INTO school BY NAME SELECT 'sites' AS source_id, 'sites:' || n AS source_key, if(n %% 2 = 0, 'nces:' || n, NULL) AS authority_id,
			if(n %% 2 = 0, NULL, 'School ' || n) AS name, false AS geocoded, if(n %% 2 = 0, NULL, 'K-8') AS grades, %v + (n - 20) * 0.0007 AS lng,
			(SELECT min(lat) + (max(lat) - min(lat)) * (n %% 7 + 1) / 9 FROM poi) AS lat FROM range(40) AS r(n)`, cut),
		`INSERT INTO school BY NAME SELECT 'directory' AS source_id, 'directory:' || n AS source_key, 'nces:' || n AS authority_id, 'Numbered ' || n AS name,
			false AS geocoded, '9-12' AS grades FROM range(0, 40, 2) AS r(n)`,
	}
}

// stageRegion writes the staged file of a region.
func stageRegion(t *testing.T, file, out string) {
	t.Helper()
	ctx := context.Background()
	region, err := ingest.ReadRegion(file, func(string) (string, bool) { return testenv.Data(""), true }, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	snapshots, err := ingest.Snapshots(ctx, region)
	if err != nil {
		t.Fatal(err)
	}
	if err := ingest.Stage(ctx, region, snapshots, out, slog.New(slog.DiscardHandler)); err != nil {
		t.Fatal(err)
	}
}

// cutRegion copies what is in a box, as an extract has it: lines that cross its edge as a whole. Statements add rows before.
// Figures of small areas are left out: those of one half have no areas in the other.
func cutRegion(t *testing.T, whole, part string, box orb.Bound, more []string) {
	t.Helper()
	ctx := context.Background()
	db, err := duck.Create(part, schemas.Staged+"CREATE TABLE gone (id BIGINT);")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.Attach(ctx, whole, "staged_file"); err != nil {
		t.Fatal(err)
	}
	exec := func(statement string, args ...any) {
		t.Helper()
		if _, err := db.ExecContext(ctx, statement, args...); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	for _, table := range texts(t, db, "SELECT table_name FROM duckdb_tables() WHERE database_name = 'staged_file' ORDER BY table_name") {
		exec("INSERT INTO " + table + " SELECT * FROM staged_file." + table + " ORDER BY rowid")
	}
	for _, statement := range more {
		exec(statement)
	}
	for _, table := range []string{"street", "feature", "block", "traffic_count"} {
		exec("DELETE FROM gone")
		for ids := range slices.Chunk(outside(t, db, table, box), 1000) {
			exec("INSERT INTO gone VALUES (" + strings.Join(ids, "), (") + ")")
		}
		exec("DELETE FROM " + table + " WHERE rowid IN (SELECT id FROM gone)")
	}
	exec("DROP TABLE gone")
	west, east, south, north := box.Min[0], box.Max[0], box.Min[1], box.Max[1]
	exec(`DELETE FROM poi WHERE (lng NOT BETWEEN ? AND ? OR lat NOT BETWEEN ? AND ?)
		AND NOT EXISTS (FROM feature WHERE feature.kind = 'park' AND feature.source_key = poi.source_key)`, west, east, south, north)
	exec(`DELETE FROM school WHERE coalesce(lng, (SELECT min(lng) FROM school AS s WHERE s.authority_id = school.authority_id), ?)
		NOT BETWEEN ? AND ? OR lat NOT BETWEEN ? AND ?`, west-1, west, east, south, north)
	exec("DELETE FROM stop WHERE lng NOT BETWEEN ? AND ? OR lat NOT BETWEEN ? AND ?", west, east, south, north)
	exec("DELETE FROM stop_service WHERE (source_id, stop_key) NOT IN (SELECT (source_id, source_key) FROM stop)")
	for _, table := range []string{"statistic", "survey", "zone", "extent"} {
		exec("DELETE FROM " + table)
	}
	geom, err := geo.WKB(orb.MultiPolygon{{box.ToRing()}})
	if err != nil {
		t.Fatal(err)
	}
	for _, source := range texts(t, db,
		"SELECT source_id FROM staged_file.street UNION SELECT source_id FROM staged_file.poi UNION SELECT source_id FROM staged_file.stop "+
			"UNION SELECT source_id FROM school ORDER BY 1") {
		exec("INSERT INTO extent VALUES (?, 'declared', NULL, ?)", source, geom)
	}
}

func texts(t *testing.T, db *duck.DB, query string) (list []string) {
	t.Helper()
	rows, err := db.Query(query)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			t.Fatal(err)
		}
		list = append(list, text)
	}
	return list
}

// outside are the row ids of lines and areas beyond a box.
func outside(t *testing.T, db *duck.DB, table string, box orb.Bound) (ids []string) {
	t.Helper()
	rows, err := db.Query("SELECT rowid, geom FROM " + table)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var id int64
		var geom []byte
		if err := rows.Scan(&id, &geom); err != nil {
			t.Fatal(err)
		}
		g, err := wkb.Unmarshal(geom)
		if err != nil {
			t.Fatal(err)
		}
		if !g.Bound().Intersects(box) {
			ids = append(ids, fmt.Sprint(id))
		}
	}
	return ids
}

// nodesOf transforms a region and returns the channels of its nodes by position.
func nodesOf(t *testing.T, staged, lent, out string) map[[2]float64][]byte {
	t.Helper()
	if _, err := transform.Region(context.Background(), staged, lent, out, nil); err != nil {
		t.Fatal(err)
	}
	db, err := duck.Open(out)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	nodes := map[[2]float64][]byte{}
	for row, err := range sqlrow.Select[derived.StreetNode](context.Background(), db, "SELECT * FROM street_node ORDER BY node") {
		if err != nil {
			t.Fatal(err)
		}
		nodes[[2]float64{row.Lng, row.Lat}] = row.Channels
	}
	return nodes
}

// compareNodes counts the values of a part that are those of the whole, up to the rounding of sums, and by channel those that
// are not. Channels that one of them has nowhere are left out: which classes are known is judged by region.
func compareNodes(whole, part map[[2]float64][]byte) (same int, different map[string]int) {
	different = map[string]int{}
	for c := range schemas.ChannelCount {
		if !has(whole, c) || !has(part, c) {
			continue
		}
		for at, channels := range part {
			want, found := whole[at]
			if !found {
				different["node"]++
				continue
			}
			a, b := binary.LittleEndian.Uint16(channels[2*c:]), binary.LittleEndian.Uint16(want[2*c:])
			if d := int(a) - int(b); d >= -5 && d <= 5 {
				same++
			} else {
				different[schemas.ChannelName(schemas.Channel(c))]++
			}
		}
	}
	return same, different
}

func has(nodes map[[2]float64][]byte, c int) bool {
	for _, channels := range nodes {
		if binary.LittleEndian.Uint16(channels[2*c:]) != schemas.AbsentValue {
			return true
		}
	}
	return false
}
