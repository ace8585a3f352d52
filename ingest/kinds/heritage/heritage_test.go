package heritage

import (
	"os"
	"path/filepath"
	"testing"

	"quartier/ingest/sourcetest"
	"quartier/internal/testenv"
)

const register = `{"type": "FeatureCollection", "features": [
{"type": "Feature", "properties": {"ID": "1", "TITLE": "Mill", "STATUS": "Designated"}, "geometry": {"type": "Point", "coordinates": [-73.1, 44.1]}},
{"type": "Feature", "properties": {"ID": "2", "TITLE": "Old Town", "STATUS": "Designated"}, "geometry": {"type": "Polygon", "coordinates": [[[-73, 44], [-72.99, 44], [-72.99, 44.01], [-73, 44.01], [-73, 44]]]}},
{"type": "Feature", "properties": {"ID": "3", "TITLE": "Station", "STATUS": "Pending"}, "geometry": {"type": "Point", "coordinates": [-73.2, 44.1]}},
{"type": "Feature", "properties": {"ID": "4", "TITLE": "Canal", "STATUS": "Designated"}, "geometry": {"type": "LineString", "coordinates": [[-73.1, 44.1], [-73.2, 44.2]]}},
{"type": "Feature", "properties": {"ID": "", "TITLE": "House", "STATUS": "Designated"}, "geometry": {"type": "Point", "coordinates": [-73.3, 44.1]}},
{"type": "Feature", "properties": {"ID": "6", "TITLE": "Two lodges", "STATUS": "Designated"}, "geometry": {"type": "MultiPoint", "coordinates": [[-73.1, 44.1], [-73.1, 44.2]]}},
{"type": "Feature", "properties": {"ID": "7", "TITLE": "Lost", "STATUS": "Designated"}, "geometry": null},
{"type": "Feature", "properties": {"ID": "1", "TITLE": "Mill", "STATUS": "Designated"}, "geometry": {"type": "Point", "coordinates": [-73.1, 44.1]}}
]}`

func TestConformance(t *testing.T) {
	path := filepath.Join(t.TempDir(), "register.geojson")
	if err := os.WriteFile(path, []byte(register), 0o600); err != nil {
		t.Fatal(err)
	}
	listing := filepath.Join(t.TempDir(), "register.csv")
	if err := os.WriteFile(listing,
		[]byte("REF,NAME,X,Y\n79000123,Custom House,-73.1,44.1\n79000124,Mill,-73.2,44.1\n79000125,Address restricted,,\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	sourcetest.Run(t, Kind,
		sourcetest.Case{
			Name: "points and areas", Path: path, Options: "{key: ID, name: TITLE, where: {STATUS: Designated}}", Read: 8,
			Rows: map[string]string{
				"SELECT source_key, kind, name, octet_length(geom) > 21 FROM feature ORDER BY 1": "1|heritage|Mill|false\n2|heritage|Old Town|true\n" +
					"6|heritage|Two lodges|false"},
			Issues: map[string]int64{
				"excluded_by_option: where": 1, "wrong_geometry_type": 1, "missing_key": 1, "missing_geometry": 1, "duplicate_key": 1,
			},
		},
		sourcetest.Case{
			Name: "a table", Path: listing, Options: "{key: REF, name: NAME, lng: X, lat: Y}", Read: 3, AnyLength: "lines of text",
			Rows:   map[string]string{"SELECT source_key, name FROM feature ORDER BY 1": "79000123|Custom House\n79000124|Mill"},
			Issues: map[string]int64{"missing_geometry": 1},
		},
		sourcetest.Case{
			Name: "historic districts of Washington", Path: testenv.Data("us-dc/open-data/Historic_Districts.geojson"),
			Options: "{key: UNIQUEID, name: NAME, where: {STATUS: Designated}}",
			Rows: map[string]string{"SELECT count(*) FROM feature": "73",
				"SELECT name FROM feature WHERE name LIKE 'Georgetown H%'": "Georgetown Historic District"},
		},
	)
}
