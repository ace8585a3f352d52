package zones

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quartier/ingest/source"
	"quartier/ingest/sourcetest"
	"quartier/internal/testenv"
)

func TestConformance(t *testing.T) {
	sourcetest.Run(t, Kind,
		sourcetest.Case{
			Name:    "block groups of six counties in NHGIS's projection",
			Path:    testenv.Data("us-portland/boundaries/pdx-2010-census-blockgroups.shp"),
			Options: "layout: nhgis-bg",
			Read:    1051,
			Rows: map[string]string{
				"SELECT count(*), min(source_key), max(source_key) FROM zone": "1051|census:bg:410050201001|" +
					"census:bg:410710304003",
				"SELECT count(*) FROM zone WHERE source_key LIKE 'census:bg:41051%'":                    "521",
				"SELECT source_key FROM zone WHERE source_key LIKE '%410510056002'":                     "census:bg:410510056002",
				"SELECT count(*) FROM zone WHERE NOT regexp_matches(source_key, '^census:bg:\\d{12}$')": "0",
			},
		},
		sourcetest.Case{
			Name:    "dissemination areas in GeoJSON",
			Path:    testenv.Data("ca-ottawa/statcan-2021/ottawa_da_2021.geojson"),
			Options: "layout: statcan-da",
			Read:    1392,
			Rows:    map[string]string{"SELECT count(*), min(source_key) FROM zone": "1392|statcan:da:35060001"},
		},
		sourcetest.Case{
			Name:    "tidycensus, a row for each variable",
			Path:    collection(t, tidy),
			Options: "layout: tiger-bg",
			Read:    3,
			Rows:    map[string]string{"SELECT source_key FROM zone": "census:bg:110010001001"},
			Issues:  map[string]int64{"repeated_outline": 1, "duplicate_key": 1},
		},
		sourcetest.Case{
			Name:    "bad rows",
			Path:    collection(t, defects),
			Options: "layout: tiger-bg\nunless: {FUNCSTAT: F}\nbbox: [-76, 44, -72, 46]",
			Read:    9,
			Rows:    map[string]string{"SELECT source_key FROM zone ORDER BY 1": "census:bg:500070001001\ncensus:bg:500070001002"},
			Issues: map[string]int64{
				"missing_key": 1, "missing_geometry": 1, "duplicate_key": 1, "zero_area": 1,
				"invalid_coordinate":         1,
				"excluded_by_option: unless": 1, "outside_bbox": 1, "invalid_geometry_repaired: self-intersection": 1,
			},
		},
	)
}

const (
	square   = `[[[-73,44],[-72.99,44],[-72.99,44.01],[-73,44.01],[-73,44]]]`
	crossing = `[[[-73,44],[-72.9,44.1],[-72.9,44],[-73,44.1],[-73,44]]]`
	line     = `[[[-73,44],[-72.9,44.1],[-73,44]]]`
	faraway  = `[[[-73,47],[-72.99,47],[-72.99,47.01],[-73,47]]]`
)

var tidy = []string{
	`"GEOID":"110010001001","variable":"B01003_001"`, square,
	`"GEOID":"110010001001","variable":"B11001_001"`, square,
	`"GEOID":"110010001001","variable":"B11001_001"`, crossing,
}

var defects = []string{
	`"GEOID":"500070001001"`, square,
	`"GEOID":"500070001001"`, crossing,
	`"GEOID":"500070001002"`, crossing,
	`"GEOID":"500070001003"`, line,
	`"GEOID":"500070001004"`, "",
	`"GEOID":" "`, square,
	`"GEOID":"500070001005","FUNCSTAT":"F"`, square,
	`"GEOID":"500070001006"`, faraway,
	`"GEOID":"500070001007","other":1`, `[[[-73,44],[null,44],[-72.9,44.1],[-73,44]]]`,
}

// collection writes a GeoJSON file; each feature is its properties, then the coordinates of a polygon or none.
func collection(t *testing.T, features []string) string {
	t.Helper()
	var texts []string
	for i := 0; i < len(features); i += 2 {
		geometry := "null"
		if features[i+1] != "" {
			geometry = `{"type":"Polygon","coordinates":` + features[i+1] + `}`
		}
		texts = append(texts, `{"type":"Feature","properties":{`+features[i]+`},"geometry":`+geometry+`}`)
	}
	path := filepath.Join(t.TempDir(), "zones.geojson")
	if err := os.WriteFile(path, []byte(`{"type":"FeatureCollection","features":[`+strings.Join(texts, ",")+`]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestOptionsMakeKeys(t *testing.T) {
	nhgis := []string{`"GISJOIN":"G41005100056002","n":"6"`, square, `"GISJOIN":"G4100510005600","n":"06"`, square}
	canada := []string{`"DGUID":"2021S051235060001","n":"6"`, square, `"DAUID":"35060002","DGUID":"x","n":"06"`, square}
	for _, test := range []struct {
		options  string
		features []string
		want     string // keys, or the beginning of the error
		err      error
	}{
		{"layout: nhgis-bg", nhgis, "census:bg:410510056002", nil}, // the second is a tract's
		{"layout: statcan-da", canada, "statcan:da:35060001 statcan:da:35060002", nil},
		{"layout: statcan-da\nwhere: {n: 06}", canada, "statcan:da:35060002", nil},
		{"scheme: census:tract\nkey_text: 'z{n}-{@row}'", canada, "census:tract:z6-1 census:tract:z06-2", nil},
		{"layout: tiger-bg", canada, "no column GEOID or GEOID20 or GEOID10", source.ErrBadFile},
		{"layout: statcan-da\nwhere: {kind: x}", canada, "no column kind", source.ErrBadFile},
		{"layout: statcan-da\nwhere: {n: 7}", canada, "select none of its 2 features", source.ErrBadFile},
		{"layout: statcan-da", nil, "no features", source.ErrBadFile},
		{"", canada, "scheme", source.ErrBadOptions},
		{"scheme: statcan:da", canada, "key", source.ErrBadOptions},
		{"scheme: own\nkey: n", canada, "scheme: \"own\" is none of census:bg, census:tract, statcan:da", source.ErrBadOptions},
		{"layout: own", canada, "nhgis-bg", source.ErrBadOptions},
		{"layout: statcan-da\nkey: n\nkey_text: x", canada, "exclude", source.ErrBadOptions},
		{"layout: statcan-da\nbbox: [1]", canada, "bbox", source.ErrBadOptions},
	} {
		out := &sourcetest.Record{}
		err := Kind.Stage(t.Context(), source.Input{Source: "s", Path: collection(t, test.features),
			Options: sourcetest.Options(t, test.options)}, out)
		if test.err != nil {
			if !errors.Is(err, test.err) || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%q: %v", test.options, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%q: %v", test.options, err)
		}
		var keys []string
		for _, zone := range out.Zones {
			keys = append(keys, zone.Key)
		}
		if diff := cmp.Diff(test.want, strings.Join(keys, " ")); diff != "" {
			t.Errorf("%q: %s", test.options, diff)
		}
	}
}
