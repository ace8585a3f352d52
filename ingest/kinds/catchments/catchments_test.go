package catchments

import (
	"slices"
	"testing"

	"github.com/paulmach/orb"

	"quartier/ingest/formats/vector"
	"quartier/ingest/source"
	"quartier/ingest/sourcetest"
	"quartier/internal/testenv"
	"quartier/schemas"
)

const areas = `{"type": "FeatureCollection", "features": [
{"type": "Feature", "properties": {"ncessch": "410000100001", "schnam": "Alder Elementary", "leaid": "4100001", "gslo": "PK", "gshi": "05", "level": "1"}, "geometry": {"type": "Polygon", "coordinates": [[[-122.6, 45.5], [-122.5, 45.5], [-122.5, 45.6], [-122.6, 45.6], [-122.6, 45.5]]]}},
{"type": "Feature", "properties": {"ncessch": "410000100002", "schnam": "Birch", "leaid": "4100001", "gslo": "KG", "gshi": "12", "level": "4"}, "geometry": {"type": "Polygon", "coordinates": [[[-122.6, 45.5], [-122.5, 45.6], [-122.5, 45.5], [-122.6, 45.6], [-122.6, 45.5]]]}},
{"type": "Feature", "properties": {"ncessch": "410000100003", "schnam": "Cedar High", "leaid": "4100001", "gslo": "12", "gshi": "09", "level": "3"}, "geometry": {"type": "MultiPolygon", "coordinates": [[[[-122.6, 45.5], [-122.55, 45.5], [-122.55, 45.6], [-122.6, 45.6], [-122.6, 45.5]]], [[[-122.5, 45.5], [-122.45, 45.5], [-122.45, 45.6], [-122.5, 45.6], [-122.5, 45.5]]]]}},
{"type": "Feature", "properties": {"ncessch": "410000100004", "schnam": "Lost", "leaid": "4100001", "gslo": "KG", "gshi": "05", "level": "1"}, "geometry": null},
{"type": "Feature", "properties": {"ncessch": null, "schnam": null, "leaid": "4100001", "gslo": "UG", "gshi": "UG", "level": "9"}, "geometry": {"type": "Polygon", "coordinates": [[[-122.6, 45.5], [-122.5, 45.5], [-122.5, 45.6], [-122.6, 45.6], [-122.6, 45.5]]]}},
{"type": "Feature", "properties": {"ncessch": "410000100005", "schnam": "A point", "leaid": "4100001", "gslo": "KG", "gshi": "05", "level": "1"}, "geometry": {"type": "Point", "coordinates": [-122.6, 45.5]}}
]}`

func TestConformance(t *testing.T) {
	philadelphia, chicago, seattle := testenv.Data("us-philadelphia/schools")+"/", testenv.Data("us-chicago/schools")+"/",
		testenv.Data("us-seattle/schools")+"/"
	sourcetest.Run(t, Kind,
		sourcetest.Case{
			Name: "SABS", Path: sourcetest.File(t, "sabs.geojson", areas), Options: "layout: sabs", Read: 6, Country: "US", State: "OR",
			Issues: map[string]int64{"missing_geometry": 1, "wrong_geometry_type": 1, "reversed_grades": 1, "no_school_named": 1,
				"unknown_school_level": 1, "invalid_geometry_repaired: self-intersection": 3},
			Rows: map[string]string{
				"SELECT source_key, school_id, school_name, level, grade FROM catchment ORDER BY 1": "" +
					"under-test:1|nces:410000100001|Alder Elementary|elementary|PK-5\n" +
					"under-test:2:6-8|nces:410000100002|Birch|middle|6-8\n" +
					"under-test:2:9-12|nces:410000100002|Birch|secondary|9-12\n" +
					"under-test:2:K-5|nces:410000100002|Birch|elementary|K-5\n" +
					"under-test:3|nces:410000100003|Cedar High|secondary|9-12",
			},
		},
		sourcetest.Case{
			Name: "Seattle, by name", Path: seattle + "sps_attendance_area_ES.geojson",
			Options: "{key: ES_ZONE, school_name: ES_ZONE, level: elementary}", Read: 57,
			Rows: map[string]string{"SELECT count(*), count(DISTINCT school_name), min(level), max(level), count(school_id) FROM " +
				"catchment": "57|57|elementary|elementary|0"},
		},
		sourcetest.Case{
			Name: "Philadelphia, a school for each grade", Path: philadelphia + "catchments_es_2015.geojson", Read: 160,
			Options: `{key: ES_ID, grade_schools: {"phl:{GR_ID_K}": K, "phl:{GR_ID_01}": 1, "phl:{GR_ID_02}": 2, "phl:{GR_ID_03}": 3, "phl:{GR_ID_04}": 4, "phl:{GR_ID_05}": 5, "phl:{GR_ID_06}": 6,
  "phl:{GR_ID_07}": 7, "phl:{GR_ID_08}": 8, "phl:{GR_ID_09}": 9, "phl:{GR_ID_10}": 10, "phl:{GR_ID_11}": 11, "phl:{GR_ID_12}": 12}}`,
			Rows: map[string]string{
				"SELECT source_key, school_id, level, grade FROM catchment WHERE source_key LIKE 'under-test:2630:%' ORDER BY " +
					"1": "under-test:2630:6-8|phl:2630|middle|6-8\nunder-test:2630:9-12|phl:2160|secondary|9-12\n" +
					"under-test:2630:K-5|phl:2630|elementary|K-5",
				"SELECT count(*) FROM (SELECT split_part(source_key, ':', 2) k FROM catchment WHERE level = 'elementary' GROUP BY k HAVING count(*) " +
					"> 1)": "10",
			},
		},
		sourcetest.Case{
			Name: "Chicago, a file for each grade", Path: chicago + "BoundaryGrades7.zip",
			Options: "{school_id: 'cps:{SCHOOLID}', school_name: Label, grade: 7}", Read: 386,
			Rows: map[string]string{"SELECT level, grade, count(*) FROM catchment GROUP BY 1, 2": "middle|7|386"},
		},
		sourcetest.Case{
			Name: "Chicago, lists of grades", Path: chicago + "BoundaryGradesK.zip",
			Options: "{school_id: 'cps:{SCHOOLID}', school_name: Label, grades: GRADES}", Read: 393,
			Rows: map[string]string{"SELECT level, grade, count(*) FROM catchment GROUP BY 1, 2 ORDER BY 3 DESC, 2 LIMIT 3": "elementary|K-5|382\n" +
				"middle|6-8|356\nmiddle|6|15"},
		},
	)
}

// Whatever a feature has, its outlines have a school, keys of their own and known levels.
func FuzzFeature(f *testing.F) {
	f.Add("KG", "05", "1", "410000100001")
	f.Add("PK", "12", "4", "")
	f.Fuzz(func(t *testing.T, low, high, level, id string) {
		in := source.Input{Source: "s", Options: sourcetest.Options(t, "layout: sabs")}
		o, err := Kind.Settings(in)
		if err != nil {
			t.Fatal(err)
		}
		feature := vector.Feature{Row: 1, Attributes: map[string]string{"gslo": low, "gshi": high, "level": level, "ncessch": id},
			Geometry: orb.Polygon{{{0, 0}, {1, 0}, {1, 1}, {0, 0}}}}
		staged := &sourcetest.Record{}
		row, why := o.catchments(vector.Record{Feature: feature, In: in, Out: staged})
		if err := source.Put(staged, row); err != nil {
			t.Fatal(err)
		}
		rows := staged.Catchments
		keys := map[string]bool{}
		for _, r := range rows {
			if keys[r.Key] || r.Level != "" && !slices.Contains(schemas.SchoolLevels, r.Level) {
				t.Errorf("row %+v", r)
			}
			keys[r.Key] = true
		}
		if (len(rows) == 0) == why.OK() {
			t.Errorf("%d rows, %v", len(rows), why)
		}
	})
}
