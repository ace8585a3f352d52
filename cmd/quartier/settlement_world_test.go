package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/geojson"

	"quartier/build/released"
	"quartier/fixtures/fixturetest"
	"quartier/fixtures/world/population"
	"quartier/internal/areal"
	"quartier/internal/geo"
	"quartier/internal/margin"
	"quartier/internal/pack"
	"quartier/internal/pack/smallareas"
	"quartier/internal/spatialite"
	"quartier/schemas"
)

// TestWorldWithoutBlocks builds the English-speaking town with outlines of its block groups instead of blocks, and compares
// the people around points with the homes there. Homes of the synthetic towns are spread over the ground of their blocks,
// not along streets, so that ground is no worse here.
func TestWorldWithoutBlocks(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	wholes := blockGroupsOfTheWorld(t, filepath.Join(townsDir(t), "first", schemas.DemographicsFile), filepath.Join(dir, "groups.geojson"))
	text, err := os.ReadFile(filepath.Join(townsDir(t), "sources", "regions", "us-port-hollis.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile(`(?s)  - id: blocks-vt\n.*?(  - id: acs-vt\n)`)
	if !blocks.Match(text) {
		t.Fatal("the region has no blocks")
	}
	text = blocks.ReplaceAll(text, []byte(`  - id: groups
    kind: zones
    path: `+filepath.Join(dir, "groups.geojson")+`
    as_of: "2025-03-01"
    licence: Public-Domain
    attribution: invented
    options: {scheme: "census:bg", key: GEOID}
$1`))
	region := filepath.Join(dir, "region.yaml")
	if err := os.WriteFile(region, []byte(strings.ReplaceAll(string(text), "path: ../", "path: "+filepath.Join(townsDir(t), "sources")+"/")),
		0o600); err != nil {
		t.Fatal(err)
	}
	_, messages := mustRun(t, "build", "--region", region, "--out", filepath.Join(dir, "out"))
	t.Log(regexp.MustCompile(`(?m)^.*small areas without blocks.*$`).FindString(messages))
	file := filepath.Join(dir, "out", schemas.DemographicsFile)
	for what, query := range map[string]string{
		"shares of 1": "SELECT count(*) FROM (SELECT sum(persons) AS p, sum(dwellings) AS d FROM small_area_part GROUP BY area " +
			"HAVING abs(p - 1) > 1e-9 OR abs(d - 1) > 1e-9)",
		"an error by its parts": "SELECT count(*) FROM small_area WHERE (sigma_between > 0) <> ((SELECT count(*) FROM small_area_part WHERE " +
			"area = small_area.fid) > 1)",
	} {
		if got := rows(t, file, query)[0][0]; got != "0" {
			t.Errorf("%s small areas do not have %s", got, what)
		}
	}
	if got := rows(t, file, "SELECT count(*) FROM (SELECT 1 FROM small_area_part GROUP BY area HAVING count(*) > 1)")[0][0]; got < "20" ||
		len(got) < 2 {
		t.Errorf("only %s block groups are divided", got)
	}
	compareWithHomes(t, filepath.Join(dir, "out", schemas.SmallAreasPack), wholes)
}

// blockGroupsOfTheWorld writes the outlines of the block groups of a release to a file, and returns them with their people.
func blockGroupsOfTheWorld(t *testing.T, demographics, to string) (wholes []*whole) {
	kernel, err := spatialite.NewKernel()
	if err != nil {
		t.Fatal(err)
	}
	defer kernel.Close()
	outlines := map[string]orb.MultiPolygon{}
	var keys []string
	for _, row := range rows(t, demographics,
		"SELECT a.source_key, hex(p.geometry) FROM small_area_part p JOIN small_area a ON a.fid = p.area WHERE a.source_key LIKE 'census:bg:%' "+
			"ORDER BY p.fid") {
		var blob []byte
		if _, err := fmt.Sscanf(row[1], "%X", &blob); err != nil {
			t.Fatal(err)
		}
		outline, err := released.ReadMultiPolygon(blob)
		if err != nil {
			t.Fatal(err)
		}
		if outlines[row[0]] == nil {
			keys = append(keys, row[0])
		}
		outlines[row[0]] = append(outlines[row[0]], outline...)
	}
	people := map[string]float64{}
	for _, row := range rows(t, demographics,
		"SELECT source_key, estimate FROM small_area JOIN small_area_value ON area = fid WHERE cell = 'population.total'") {
		people[row[0]] = number(t, row[1])
	}
	features := geojson.NewFeatureCollection()
	for _, key := range keys {
		outline, err := kernel.Union(outlines[key])
		if err != nil {
			t.Fatal(err)
		}
		f := geojson.NewFeature(outline)
		f.Properties["GEOID"] = strings.TrimPrefix(key, "census:bg:")
		features.Append(f)
		wholes = append(wholes, &whole{[]piece{{key: key}}, outline, margin.Figure{Estimate: people[key]}, geo.Area(outline) / 1e6, math.NaN()})
	}
	body, err := features.MarshalJSON()
	if err == nil {
		err = os.WriteFile(to, body, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	return wholes
}

// compareWithHomes compares the people within 250 m of points all over the block groups with the homes there, by a table of
// a release and by ground.
func compareWithHomes(t *testing.T, path string, wholes []*whole) {
	f, err := pack.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	areas, err := smallareas.Open(f)
	if err != nil {
		t.Fatal(err)
	}
	homes := slices.DeleteFunc(fixturetest.Homes(1), func(h population.Home) bool { return h.Country() != "US" })
	ground := tableOf(t, wholes, byGround)
	var off, byGround float64
	held, n := 0.0, 0.0
	for _, w := range wholes {
		for _, vertex := range w.outline[0][0] {
			at, truth := vertex, 0.0
			plane := geo.NewPlane(at)
			for _, h := range homes {
				if plane.Distance(h.Point) <= 250 {
					truth += float64(len(h.People))
				}
			}
			disc := areal.Disc(at[0], at[1], 250)
			got := peopleIn(areas, disc)
			off, byGround, n = off+math.Abs(got.Estimate-truth), byGround+math.Abs(peopleIn(ground, disc).Estimate-truth), n+1
			if lower, upper, _ := got.Interval(0, math.Inf(1)); math.Round(lower) <= truth && truth <= math.Round(upper) {
				held++
			}
		}
	}
	t.Logf("%.0f discs: %.1f people off by settlement, %.1f by ground; %.1f %% of the intervals hold the truth", n, off/n, byGround/n,
		100*held/n)
	if n < 100 || off > 2*byGround || held < wantedHeld*n {
		t.Error("people around points are not those of the homes there")
	}
}
