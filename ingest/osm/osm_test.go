package osm_test

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"quartier/ingest/osm"
	"quartier/ingest/sourcetest"
)

func TestConformance(t *testing.T) {
	cases := []sourcetest.Case{
		{
			Name: "a rectangle out of Maryland, unordered, its outlines cut",
			Path: "../../../shared/data/us-pikesville/osm/reisterstown-pikesville-md-full.osm.pbf",
			Read: 1122,
			Rows: map[string]string{
				"SELECT source_key, level, name_en, country_code, state_code FROM boundary": "osm:relation:133416|30|Garrison|US|MD",
				"SELECT country_code, state_code FROM coverage":                             "US|MD",
				"SELECT count(*), count(name), count(area_m2) FROM poi":                     "1041|219|1032",
			},
			Issues: map[string]int64{
				"repaired: the extent of the data stands for a state without an outline": 1,
				"skipped: a place drawn as a line":                                       1,
				"skipped: street furniture or the like":                                  66,
				"skipped: the outline leaves the extract":                                13,
			},
		},
		{
			Name: "streets of Portland with negative ids, of which a few are places",
			Path: "../../../shared/data/us-portland/osm/portland-central-filtered.osm.pbf", Country: "US", State: "OR",
			Options: "boundaries: false",
			Rows: map[string]string{
				"SELECT count(*) FROM boundary": "0",
				"SELECT count(*) FROM coverage": "0",
				"SELECT source_key, json_extract_string(classes, '$.amenity') FROM poi WHERE source_key LIKE '%:-102491'": "osm:way:-102491|parking",
			},
			Issues: map[string]int64{
				"skipped: a place drawn as a line":      67,
				"skipped: street furniture or the like": 11,
			},
		},
		{
			Name: "a town in Quebec as XML, with everything that can be wrong",
			Path: "testdata/ville.osm",
			Rows: map[string]string{
				"SELECT source_key, level, name_en, name_fr, country_code, state_code, population FROM boundary ORDER BY level DESC, source_key": "" +
					"osm:relation:1|60|Quebec|Québec|CA|QC|∅\n" +
					"osm:relation:2|30|Saint-Élie|∅|∅|∅|1200\n" +
					"osm:way:30|10|Old Village|Vieux-Village|∅|∅|∅",
				"SELECT count(*) FROM coverage": "0",
				"SELECT source_key, name, name_fr, phone, url, state_code, round(area_m2)::BIGINT FROM poi ORDER BY source_key": "" +
					"osm:node:201|Café Élie|∅|+1 819 555-0101|https://cafe.example|QC|∅\n" +
					"osm:node:202|∅|∅|∅|∅|∅|∅\n" +
					"osm:relation:4|Park|Grand Parc|∅|∅|∅|1076171\n" +
					"osm:way:31|Mairie|∅|∅|∅|∅|8610",
			},
			Issues: map[string]int64{
				"rejected: the outline is open":               1,
				"skipped: a boundary without a level of ours": 1,
				"skipped: a place drawn as a line":            1,
				"skipped: disused or not yet there":           2,
				"skipped: drawn twice":                        1,
				"skipped: an outline without a name":          1,
				"skipped: of another country":                 1,
				"skipped: street furniture or the like":       1,
				"skipped: the outline leaves the extract":     2,
				"repaired: population is not a number":        1,
			},
		},
	}
	if path, ok := delaware(); ok {
		cases = append(cases, delawareCase(path))
	}
	sourcetest.Run(t, osm.Kind{}, cases...)
}

// delaware is the state extract that comes with the paulmach/osm module.
func delaware() (path string, ok bool) {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/paulmach/osm").Output()
	return filepath.Join(strings.TrimSpace(string(out)), "testdata", "delaware-latest.osm.pbf"), err == nil
}

func delawareCase(path string) sourcetest.Case {
	return sourcetest.Case{
		Name: "all of Delaware",
		Path: path,
		Read: 5396,
		Rows: map[string]string{
			"SELECT level, count(*) FROM boundary GROUP BY level ORDER BY level":         "10|22\n20|2\n30|76\n35|1\n37|3\n60|1",
			"SELECT country_code, state_code, population FROM boundary WHERE level = 60": "US|DE|935614",
			"SELECT name_en, population FROM boundary WHERE name_en IN ('Dover', 'Wilmington', 'Bear') ORDER BY name_en": "" +
				"Bear|∅\nDover|34735\nWilmington|72826",
			"SELECT count(*) FROM coverage":                         "0",
			"SELECT count(*), count(name), count(area_m2) FROM poi": "4735|2071|3581",
			"SELECT house_number, street, city, postal_code, phone, url FROM poi WHERE name = 'Hotel Du Pont'": "" +
				"42|West 11th Street|Wilmington|19801|+1 302 5943100|http://www.hoteldupont.com/",
		},
		Issues: map[string]int64{
			"skipped: a place drawn as a line":        39,
			"skipped: disused or not yet there":       4,
			"skipped: drawn twice":                    6,
			"skipped: street furniture or the like":   468,
			"skipped: the outline leaves the extract": 39,
		},
	}
}
