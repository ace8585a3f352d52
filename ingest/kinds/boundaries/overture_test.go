package boundaries

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/paulmach/orb"
	"github.com/paulmach/orb/encoding/wkb"

	"quartier/ingest/formats/geoparquet"
	"quartier/ingest/source"
	"quartier/ingest/sourcetest"
	"quartier/internal/duck"
)

// divisionAreas are areas as Overture publishes them: a coastal city with its sea, a county, a neighbourhood, a province with
// a French primary name, a place abroad and one of a kind without a level.
var divisionAreas = []struct {
	id, division, subtype, class, country, region string
	names                                         string // JSON
	west                                          float64
}{
	{"a1", "d1", "locality", "land", "US", "US-OR",
		`{"primary":"Portland","common":{"es":"Pórtland","ja":"ポートランド"},"rules":[{"variant":"alternate","language":null,"value":"Rose ` +
			`City"},{"variant":"short","language":"en","value":"PDX"}]}`, -122.7},
	{"a2", "d1", "locality", "maritime", "US", "US-OR", `{"primary":"Portland","common":null,"rules":null}`, -122.9},
	{"a3", "d2", "county", "land", "US", "US-OR", `{"primary":"Multnomah County","common":null,"rules":null}`, -122.5},
	{"a4", "d3", "neighborhood", "land", "CA", "CA-QC",
		`{"primary":"Centre-Sud","common":{"en":"Centre South","fr":"Centre-Sud"},"rules":null}`, -73.5},
	{"a5", "d4", "region", "land", "CA", "CA-QC",
		`{"primary":"Québec","common":{"en":"Quebec","fr":"Québec"},"rules":[{"variant":"official","language":"fr","value":"Province de ` +
			`Québec"}]}`, -73},
	{"a6", "d5", "locality", "land", "MX", "MX-BCN", `{"primary":"Tijuana","common":null,"rules":null}`, -117},
	{"a7", "d6", "macroregion", "land", "US", "", `{"primary":"New England","common":null,"rules":null}`, -71},
}

func areaOf(west float64) orb.Polygon {
	return orb.Polygon{orb.Ring{{west, 45.5}, {west + 0.1, 45.5}, {west + 0.1, 45.6}, {west, 45.6}, {west, 45.5}}}
}

// areasParquet writes the areas as a release has them, two files in a folder.
func areasParquet(t *testing.T) string {
	t.Helper()
	db, err := duck.Memory()
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	folder := t.TempDir()
	const names = `'{"primary":"VARCHAR","common":"MAP(VARCHAR, ` +
		`VARCHAR)","rules":[{"variant":"VARCHAR","language":"VARCHAR","value":"VARCHAR"}]}'`
	var rows [2][]string
	for i, a := range divisionAreas {
		blob, err := wkb.Marshal(areaOf(a.west))
		if err != nil {
			t.Fatal(err)
		}
		rows[i/4] = append(rows[i/4],
			fmt.Sprintf("SELECT %s AS id, from_hex('%X') AS geometry, {'xmin': %v::FLOAT, 'xmax': 0::FLOAT} AS bbox, %s AS country, 1 AS version, "+
				"[{'dataset': 'OpenStreetMap'}] AS sources, %s AS subtype, %s AS class, from_json(%s, %s) AS names, %s = 'land' AS is_land, "+
				"nullif(%s, '') AS region, %s AS division_id",
				quoted(a.id), blob, a.west, quoted(a.country), quoted(a.subtype), quoted(a.class), quoted(a.names), names, quoted(a.class),
				quoted(a.region), quoted(a.division)))
	}
	for i, r := range rows {
		path := filepath.Join(folder, fmt.Sprintf("part-%05d.zstd.parquet", i))
		if _, err := db.Exec("COPY (" + strings.Join(r, " UNION ALL ") + ") TO " + quoted(path) +
			" (FORMAT parquet, COMPRESSION zstd)"); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

func quoted(s string) string { return geoparquet.Quote(s) }

// areasGeoJSON writes the areas as the overturemaps program does, a feature a line; flat as ogr2ogr does.
func areasGeoJSON(t *testing.T, flat bool) string {
	t.Helper()
	var out strings.Builder
	for _, a := range divisionAreas {
		properties := map[string]any{"division_id": a.division, "subtype": a.subtype, "class": a.class, "country": a.country, "region": nil}
		if a.region != "" {
			properties["region"] = a.region
		}
		properties["names"] = json.RawMessage(a.names)
		if flat {
			var names map[string]json.RawMessage
			if err := json.Unmarshal([]byte(a.names), &names); err != nil {
				t.Fatal(err)
			}
			delete(properties, "names")
			properties["names.primary"] = names["primary"]
			properties["names.common"], properties["names.rules"] = string(names["common"]), string(names["rules"])
		}
		ring, err := json.Marshal(areaOf(a.west))
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(map[string]any{"type": "Feature", "id": a.id, "properties": properties,
			"geometry": map[string]any{"type": "Polygon", "coordinates": json.RawMessage(ring)}})
		if err != nil {
			t.Fatal(err)
		}
		out.Write(append(text, '\n'))
	}
	path := filepath.Join(t.TempDir(), "areas.geojsonseq")
	if err := os.WriteFile(path, []byte(out.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestDivisionAreasOfOverture(t *testing.T) {
	const rows = `SELECT concat_ws('|', source_key, level, name_en, name_fr, country_code, state_code,
		(SELECT string_agg(concat_ws(' ', name, kind, nullif(language, '')), ', ' ORDER BY name) FROM further_name AS f WHERE f.source_key = b.source_key)) FROM boundary AS b ORDER BY 1`
	want := []string{
		"overture:d1|30|Portland|US|OR|PDX short en, Pórtland translation es, Rose City alternate, ポートランド translation ja",
		"overture:d2|37|Multnomah County|US|OR",
		"overture:d3|10|Centre South|Centre-Sud|CA|QC",
		"overture:d4|60|Quebec|Québec|CA|QC|Province de Québec official fr",
	}
	issues := map[string]int64{"other_country": 1, "other_level: macroregion": 1, "excluded_by_option: unless": 1}
	for name, path := range map[string]string{"GeoParquet": areasParquet(t), "GeoJSON": areasGeoJSON(t, false),
		"flat GeoJSON": areasGeoJSON(t, true)} {
		t.Run(name, func(t *testing.T) {
			in := source.Input{Source: "divisions", Path: path, Country: "US", Options: sourcetest.Options(t, "layout: overture")}
			if err := Kind.Check(t.Context(), in); err != nil {
				t.Error(err)
			}
			summary, db, err := sourcetest.Stage(t, Kind, in)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, strings.Split(sourcetest.Ask(t, db, rows), "\n")); diff != "" {
				t.Error(diff)
			}
			got := map[string]int64{}
			for _, i := range summary.Issues {
				got[strings.TrimSuffix(i.Code+": "+i.Detail, ": ")] += i.Rows
			}
			if diff := cmp.Diff(issues, got); diff != "" || summary.Read != 7 {
				t.Errorf("%d read: %s", summary.Read, diff)
			}
		})
	}
	in := source.Input{Source: "divisions", Path: areasParquet(t), Country: "US",
		Options: sourcetest.Options(t, "layout: overture\nlevel: 37")}
	summary, db, err := sourcetest.Stage(t, Kind, in)
	if err != nil || summary.Staged != 1 || sourcetest.Ask(t, db, "SELECT name_en FROM boundary") != "Multnomah County" {
		t.Errorf("counties only: %+v, %v", summary, err)
	}
}
