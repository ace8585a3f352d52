package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/geojson"

	"quartier/internal/geo"
	"quartier/internal/testenv"
	"quartier/schemas"
)

// TestStoryOfIDs is the table "Three months" of docs/releases.md. A program of layout 14 built the first two months; in the second
// the city split, merged and redrew neighbourhoods. The program of today continues them in the third, in which a publisher moved
// every outline by 0.5 m, and one neighbourhood annexed a street of another.
func TestStoryOfIDs(t *testing.T) {
	sources, releases := t.TempDir(), t.TempDir()
	testenv.Unpack(t, "testdata/upgrade/14.tar.zst", releases)
	writePeopleWorld(t, sources, func(regions string, source map[string]any) {
		if source["kind"] == "boundaries" && strings.HasSuffix(filepath.Dir(regions), "next") {
			published := filepath.Join(regions, source["path"].(string))
			source["path"] = published + ".moved.geojson"
			delete(source, "sha256")
			moveOutlines(t, published, published+".moved.geojson")
		}
	})
	september, october := filepath.Join(releases, "2025-09"), filepath.Join(releases, "2025-10")
	mustRun(t, "build", "--release", filepath.Join(sources, "next", "release.yaml"), "--previous", september,
		"--out", october, "--work", t.TempDir())
	table := idTable(t, september, october)
	page, err := os.ReadFile("../../docs/releases.md")
	if err != nil || !strings.Contains(string(page), table) {
		t.Errorf("docs/releases.md does not have this table, %v:\n%s", err, table)
	}
}

// idTable is a table of the ids that are not current in the third month.
func idTable(t *testing.T, september, october string) string {
	t.Helper()
	const superseded = `SELECT s.geog_id, s.name_en, (SELECT min(kind) FROM geog_bridge WHERE old_geog_id = s.geog_id),
			coalesce(g.name_en || ' ' || g.geog_id, '')
		FROM geography_superseded AS s LEFT JOIN geography AS g ON g.geog_id = s.replaced_by ORDER BY s.geog_id`
	before := map[string]bool{}
	for _, row := range rows(t, filepath.Join(september, schemas.GeographiesFile), superseded) {
		before[row[0]] = true
	}
	table := "| id | place | last month | what happened | answers with |\n| --- | --- | --- | --- | --- |\n"
	for _, row := range rows(t, filepath.Join(october, schemas.GeographiesFile), superseded) {
		month := "September"
		if before[row[0]] {
			month = "August"
		}
		table += fmt.Sprintf("| %s | %s | %s | %s | %s |\n", row[0], row[1], month, row[2], row[3])
	}
	const current = "SELECT geog_id FROM geography ORDER BY geog_id"
	kept := 0
	is := fmt.Sprint(rows(t, filepath.Join(october, schemas.GeographiesFile), current))
	was := rows(t, filepath.Join(september, schemas.GeographiesFile), current)
	for _, row := range was {
		if strings.Contains(is, row[0]) {
			kept++
		}
	}
	return table + fmt.Sprintf("\nOf the %d ids of September %d are kept in October.\n", len(was), kept)
}

// moveOutlines writes the features of a file as GeoJSON, their outlines moved by 0.5 m so that neighbours still meet, after
// O'Hara Flats annexed the ground of Belmont along their border.
func moveOutlines(t *testing.T, from, to string) {
	t.Helper()
	if _, err := exec.LookPath("ogr2ogr"); err != nil {
		testenv.NotInstalled(t, "ogr2ogr")
	}
	source := from
	if strings.HasSuffix(from, ".zip") {
		source = "/vsizip/" + from
	}
	convert := exec.Command("ogr2ogr", "-f", "GeoJSON", "-t_srs", "EPSG:4326", "-lco", "COORDINATE_PRECISION=9", to, source)
	if out, err := convert.CombinedOutput(); err != nil {
		t.Fatalf("ogr2ogr %s: %v\n%s", from, err, out)
	}
	data, err := os.ReadFile(to)
	if err != nil {
		t.Fatal(err)
	}
	features, err := geojson.UnmarshalFeatureCollection(data)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range features.Features {
		annexes := f.Properties["OBJECTID"] == "104" || f.Properties["OBJECTID"] == "105"
		move := func(p orb.Point) orb.Point {
			if annexes && p[0] == -72.575 {
				p[0] = -72.58
			}
			lng, lat := geo.MetresPerDegree(p[1])
			angle := 1e6 * (p[0] + 2*p[1])
			return orb.Point{p[0] + 0.5*math.Cos(angle)/lng, p[1] + 0.5*math.Sin(angle)/lat}
		}
		var polygons orb.MultiPolygon
		switch g := f.Geometry.(type) {
		case orb.Polygon:
			polygons = orb.MultiPolygon{g}
		case orb.MultiPolygon:
			polygons = g
		}
		for _, polygon := range polygons {
			for _, ring := range polygon {
				for i := range ring {
					ring[i] = move(ring[i])
				}
			}
		}
		f.Geometry = polygons
	}
	if data, err = json.Marshal(features); err == nil {
		err = os.WriteFile(to, data, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}
