package blocks

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"

	"quartier/ingest/source"
	"quartier/ingest/sourcetest"
	"quartier/internal/testenv"
)

var ottawa = testenv.Data("ca-ottawa/statcan-2021")

func TestConformance(t *testing.T) {
	tiger := filepath.Join(t.TempDir(), "tabblock20.geojson")
	if err := os.WriteFile(tiger, []byte(tabblock), 0o600); err != nil {
		t.Fatal(err)
	}
	sourcetest.Run(t, Kind,
		sourcetest.Case{
			Name: "dissemination blocks with a table of counts", Path: ottawa, Read: 2 * 8559,
			Options: "layout: statcan-db\noutlines: ottawa_db_2021.geojson\ncounts: ottawa_db_pop_2021.csv\nwhole: [\"statcan:csd:3506008\", " +
				"\"statcan:cd:3506\"]\nvintage: 2021",
			Rows: map[string]string{
				"SELECT area_key, cell, estimate, moe FROM statistic ORDER BY 1": "st" +
					"atcan:cd:3506|population.total|1.017449e+06|∅\nstatcan:csd:3506008|population.total|1.017449e+06|∅",
				"SELECT count(*), sum(population), sum(dwellings), sum(households), count(DISTINCT area_key) FROM " +
					"block": "8559|1017449|427113|407252|1392",
				"SELECT source_key, area_key, population, dwellings, households, land_m2 FROM block WHERE source_key = " +
					"'statcan:db:35060001001'": "statcan:db:35060001001|statcan:da:35060001|94|40|35|3.4777e+06",
			},
			Issues: map[string]int64{"invalid_geometry_repaired: ring self-intersection": 10},
		},
		sourcetest.Case{
			Name: "points where people live", Path: ottawa + "/ottawa_pseudohouseholds.geojson", Options: "layout: statcan-phh", Read: 38_461,
			Rows: map[string]string{
				"SELECT count(*), round(sum(weight)) FROM home":                                 "37477|1.017449e+06",
				"SELECT block_key, round(weight, 3), lng FROM home ORDER BY source_key LIMIT 1": "statcan:db:35060001001|6.714|-75.3536644",
			},
			Issues: map[string]int64{"zero_weight": 984},
		},
		sourcetest.Case{
			Name: "TIGER's attributes", Path: tiger, Options: "layout: tiger-tabblock20", Read: 2,
			Rows: map[string]string{
				"SELECT source_key, area_key, population, dwellings, households, land_m2 FROM block ORDER BY " +
					"1": "census:block:500070001001000|census:bg:500070001001|12|7|∅|34500\ncensus:block:500070001001001|census:bg:500070001001|0|0|∅|0",
			},
		},
	)
}

const tabblock = `{"type":"FeatureCollection","features":[
{"type":"Feature","properties":{"GEOID20":"500070001001000","POP20":12,"HOUSING20":7,"ALAND20":34500},"geometry":{"type":"Polygon","coordinates":[[[-73,44],[-72.998,44],[-72.998,44.002],[-73,44.002],[-73,44]]]}},
{"type":"Feature","properties":{"GEOID20":"500070001001001","POP20":0,"HOUSING20":0,"ALAND20":0},"geometry":{"type":"Polygon","coordinates":[[[-73,44],[-73.002,44],[-73.002,44.002],[-73,44.002],[-73,44]]]}}]}`

// town writes outlines of so many blocks and a table of counts.
func town(t *testing.T, blocks int, counts string) string {
	t.Helper()
	dir := t.TempDir()
	var features []string
	for i := range blocks {
		x := -75 + float64(i)/1000
		features = append(features,
			fmt.Sprintf(`{"type":"Feature","properties":{"ID":"B%d"},"geometry":{"type":"Polygon","coordinates":[[[%[2]v,45],[%[3]v,45],[%[3]v,`+
				`45.001],[%[2]v,45.001],[%[2]v,45]]]}}`, i, x, x+0.001))
	}
	for name, text := range map[string]string{"outlines.geojson": `{"type":"FeatureCollection","features":[` + strings.Join(features, ",") +
		"]}", "counts.csv": counts} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

const townOptions = "outlines: outlines.geojson\ncounts: counts.csv\nkey: ID\npopulation: people\nhouseholds: homes\nland_km2: km2\n"

func TestJoin(t *testing.T) {
	path := town(t, 3, "km2,homes,people,ID\n0.5,\"1,000\",2000.0,B0\n,x,7,B1\n1,1,1,B1\n1,1,1,\n1,2,3,B7\n")
	run := func(options string) (*sourcetest.Record, error) {
		out := &sourcetest.Record{}
		return out, Kind.Stage(t.Context(), source.Input{Source: "s", Path: path, Options: sourcetest.Options(t, options)}, out)
	}
	if _, err := run(townOptions); !errors.Is(err, source.ErrBadFile) || !strings.Contains(err.Error(), "1 of 3 blocks (33.3 %)") {
		t.Errorf("a third of the blocks has no counts: %v", err)
	}
	out, err := run(townOptions + "most_unjoined: 0.5")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, b := range out.Blocks {
		got = append(got, fmt.Sprint(b.Key, show(b.Population), show(b.Dwellings), show(b.Households), show(b.LandM2)))
	}
	if diff := cmp.Diff([]string{"s:B0 2000 - 1000 500000", "s:B1 7 - - -", "s:B2 - - - -"}, got); diff != "" {
		t.Error(diff)
	}
	want := map[string]int{"block_without_counts": 1, "invalid_count_removed": 1, "duplicate_key": 1,
		"missing_key": 1, "counts_without_outline": 1}
	if diff := cmp.Diff(want, out.Reasons()); diff != "" {
		t.Error(diff)
	}
}

func show[T any](v *T) string {
	if v == nil {
		return " -"
	}
	return fmt.Sprint(" ", *v)
}

func TestBadFilesAndOptions(t *testing.T) {
	for name, counts := range map[string]string{"empty": "", "zip": "PK\x03\x04\x14", "binary": "ID,people\x00,homes\nB0,1,1\n",
		"header alone": "ID,people,homes\n", "no column": "ID,people\nB0,1\n", "cut in a quote": "ID,people,homes\nB0,1,\"2"} {
		err := Kind.Stage(t.Context(), source.Input{Source: "s", Path: town(t, 1, counts), Options: sourcetest.Options(t, townOptions)},
			&sourcetest.Record{})
		if !errors.Is(err, source.ErrBadFile) || !strings.Contains(err.Error(), "counts.csv") ||
			strings.ContainsFunc(err.Error(), unicode.IsControl) {
			t.Errorf("%s: %v", name, err)
		}
	}
	path := town(t, 1, "ID,people,homes\nB0,1,1\n")
	for _, options := range []string{"", "layout: none", "key: ID", "key: ID\npopulation: people", townOptions + "area_digits: 3",
		townOptions + "weight: x",
		strings.Replace(townOptions, "counts.csv", "../counts.csv", 1), townOptions + "most_unjoined: 2", townOptions + "bbox: [1]",
		townOptions + "land_m2: m2"} {
		err := Kind.Stage(t.Context(), source.Input{Source: "s", Path: path, Options: sourcetest.Options(t, options)}, &sourcetest.Record{})
		if !errors.Is(err, source.ErrBadOptions) {
			t.Errorf("%q: %v", options, err)
		}
	}
	err := Kind.Stage(t.Context(), source.Input{Source: "s", Path: filepath.Join(path, "outlines.geojson"),
		Options: sourcetest.Options(t, townOptions)}, &sourcetest.Record{})
	if !errors.Is(err, source.ErrBadOptions) {
		t.Errorf("counts beside a file: %v", err)
	}
}
