package water

import (
	"os"
	"path/filepath"
	"testing"

	"quartier/ingest/sourcetest"
	"quartier/internal/testenv"
)

const lakes = `{"type": "FeatureCollection", "features": [
{"type": "Feature", "properties": {"HYDROID": "1", "FULLNAME": "Mill Pond"}, "geometry": {"type": "Polygon", "coordinates": [[[-73, 44], [-72.99, 44], [-72.99, 44.01], [-73, 44.01], [-73, 44]]]}},
{"type": "Feature", "properties": {"HYDROID": "", "FULLNAME": ""}, "geometry": {"type": "Polygon", "coordinates": [[[-73.1, 44], [-73.09, 44], [-73.09, 44.01], [-73.1, 44.01], [-73.1, 44]]]}},
{"type": "Feature", "properties": {"HYDROID": "3", "FULLNAME": "Lost"}, "geometry": null}
]}`

func TestConformance(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lakes.geojson")
	if err := os.WriteFile(path, []byte(lakes), 0o600); err != nil {
		t.Fatal(err)
	}
	sourcetest.Run(t, Kind,
		sourcetest.Case{
			Name: "area hydrography", Path: path, Options: "layout: tiger-areawater", Read: 3,
			Rows:   map[string]string{"SELECT source_key, kind, class, name FROM feature": "1|land|water|Mill Pond"},
			Issues: map[string]int64{"missing_key": 1, "missing_geometry": 1},
		},
		sourcetest.Case{
			Name: "without a layout", Path: path, Options: "{}", Read: 3,
			Rows:   map[string]string{"SELECT source_key, name FROM feature ORDER BY 1": "1|∅\n2|∅"},
			Issues: map[string]int64{"missing_geometry": 1},
		},
		sourcetest.Case{
			Name: "blocks of Washington without land", Path: testenv.Data("us-dc/boundaries/tl_2021_11_tabblock20.zip"),
			Options: "layout: tiger-tabblock20", Read: 6012,
			Rows:   map[string]string{"SELECT count(*) FROM feature": "104"},
			Issues: map[string]int64{"excluded_by_option: where": 5908},
		},
	)
}
