package main

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/paulmach/orb"

	"quartier/build/assembly"
	"quartier/build/released"
	"quartier/internal/duck"
	"quartier/internal/geo"
	"quartier/internal/sqlrow"
	"quartier/schemas"
	"quartier/schemas/derived"
)

// ground is the outlines by which a coverage is counted at points.
type ground struct{ states, areas, water []area }

// area is an outline with the country that it is in.
type area struct {
	country string
	bound   orb.Bound
	outline orb.MultiPolygon
}

func readAreas(t *testing.T, file, query string) (list []area) {
	t.Helper()
	for _, row := range rows(t, file, query) {
		blob, err := hex.DecodeString(row[1])
		if err != nil {
			t.Fatal(err)
		}
		outline, err := released.ReadMultiPolygon(blob)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, area{row[0][:2], outline.Bound(), outline})
	}
	return list
}

// readWater reads the water of the regions from a copy of their derived tables.
func readWater(t *testing.T, work string) (list []area) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(work, "*.derived.duckdb"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no derived tables in %s: %v", work, err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		file = filepath.Join(t.TempDir(), filepath.Base(file))
		if err := os.WriteFile(file, data, 0o600); err != nil {
			t.Fatal(err)
		}
		db, err := duck.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		for w, err := range sqlrow.Select[derived.Water](t.Context(), db, "SELECT * FROM water") {
			if err != nil {
				t.Fatal(err)
			}
			outline, err := assembly.DecodeOutline(w.Geom)
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, area{"", outline.Bound(), outline})
		}
		db.Close()
	}
	return list
}

// in are those of a list whose boxes meet a box.
func in(list []area, box orb.Bound) (near []area) {
	for _, a := range list {
		if a.bound.Intersects(box) {
			near = append(near, a)
		}
	}
	return near
}

func anyAt(list []area, country string, at orb.Point) bool {
	for _, a := range list {
		if (country == "" || a.country == country) && a.bound.Contains(at) && geo.Contains(a.outline, at) {
			return true
		}
	}
	return false
}

// share is the share of the ground in a shape that areas of a country cover, at points 1/side of its box apart.
func (g *ground) share(box orb.Bound, country string, inside func(orb.Point) bool) (share float64) {
	const side = 150
	states, areas, water := in(g.states, box), in(g.areas, box), in(g.water, box)
	land, covered := 0, 0
	for x := range side {
		for y := range side {
			at := orb.Point{box.Min[0] + (float64(x)+0.5)/side*(box.Max[0]-box.Min[0]), box.Min[1] + (float64(y)+0.5)/side*(box.Max[1]-box.Min[1])}
			if inside(at) && anyAt(states, "", at) && !anyAt(water, "", at) {
				land++
				if anyAt(areas, country, at) {
					covered++
				}
			}
		}
	}
	return float64(covered) / float64(land)
}

// coverageOf queries demographics; the coverage is 1 where the answer has none.
func (s *server) coverageOf(t *testing.T, token, path string) (coverage float64, answered bool) {
	t.Helper()
	status, body := s.get(t, token, path)
	if status == http.StatusNoContent || status == http.StatusNotFound {
		return 0, false
	}
	var answer struct {
		Data struct {
			Meta struct{ Coverage *float64 }
		}
	}
	if err := json.Unmarshal(body, &answer); err != nil || status != http.StatusOK {
		t.Fatalf("%s: %d %s: %v", path, status, body, err)
	}
	if c := answer.Data.Meta.Coverage; c != nil {
		return *c, true
	}
	return 1, true
}

// TestCoverageOfAnswers compares data.meta.coverage with counts of points in the outlines of states, water and small areas:
// of geographies, and of discs and squares around random points, many of them at the edge of the regions.
func TestCoverageOfAnswers(t *testing.T) {
	t.Parallel()
	dir := townsDir(t)
	release := filepath.Join(dir, "first")
	file := filepath.Join(release, schemas.GeographiesFile)
	g := ground{
		states: readAreas(t, file, `SELECT region_code, hex(geometry) FROM coverage AS c WHERE source_key NOT LIKE 'extent:%'
			OR region_code NOT IN (SELECT region_code FROM coverage WHERE source_key NOT LIKE 'extent:%')`),
		areas: readAreas(t, filepath.Join(release, schemas.DemographicsFile),
			"SELECT a.region_code, hex(p.geometry) FROM small_area_part AS p JOIN small_area AS a ON a.fid = p.area"),
		water: readWater(t, filepath.Join(dir, "work")),
	}
	s := startServer(t, release)
	_, token := s.account(t, "--rate", "1000000")
	partial, all := 0, 0
	check := func(path string, got, want float64) {
		t.Helper()
		all++
		if want < 0.97 {
			partial++
		}
		if math.Abs(got-want) > 0.02 {
			t.Errorf("%s: coverage %.4f, by points %.4f", path, got, want)
		}
	}

	for _, row := range rows(t, file,
		"SELECT g.geog_id, g.country_code, hex(g.geometry) FROM geography AS g WHERE g.level <= 40 ORDER BY g.geog_id") {
		path := "/v3/demographics/" + row[0]
		got, answered := s.coverageOf(t, token, path)
		if !answered {
			continue
		}
		blob, err := hex.DecodeString(row[2])
		if err != nil {
			t.Fatal(err)
		}
		outline, err := released.ReadMultiPolygon(blob)
		if err != nil {
			t.Fatal(err)
		}
		// Of one that is covered to less than half there is only what is published for it.
		if share := g.share(outline.Bound(), row[1], func(p orb.Point) bool { return geo.Contains(outline, p) }); share > 0.52 || got < 1 {
			check(path, got, share)
		}
	}
	byID := all

	random := rand.New(rand.NewPCG(8, 8))
	for range 150 {
		box := g.areas[random.IntN(len(g.areas))].bound.Pad(0.01)
		at := orb.Point{box.Min[0] + random.Float64()*(box.Max[0]-box.Min[0]), box.Min[1] + random.Float64()*(box.Max[1]-box.Min[1])}
		country := ""
		for _, c := range []string{"CA", "US"} {
			if anyAt(g.states, c, at) {
				country = c
			}
		}
		if country == "" {
			continue
		}
		radius := 300 + 2000*random.Float64()
		plane := geo.NewPlane(at)
		square := orb.Bound{Min: plane.Point(-radius, -radius), Max: plane.Point(radius, radius)}
		path := fmt.Sprintf("/v3/demographics?lat=%.7f&lng=%.7f&radius=%.1f", at[1], at[0], radius)
		if got, answered := s.coverageOf(t, token, path); answered {
			check(path, got, g.share(square, country, func(p orb.Point) bool { return geo.Distance(p, at) < radius }))
		}
		path = "/v3/demographics?" + within(square.ToRing())
		if got, answered := s.coverageOf(t, token, path); answered {
			check(strings.ReplaceAll(path, "%2C", ","), got, g.share(square, country, func(orb.Point) bool { return true }))
		}
	}
	t.Logf("%d coverages, %d of geographies, %d of them partial", all, byID, partial)
	if byID < 20 || partial < 20 || all < 100 {
		t.Errorf("only %d coverages are compared, %d of geographies, %d partial", all, byID, partial)
	}
}
