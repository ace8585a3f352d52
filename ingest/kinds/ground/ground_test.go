package ground

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/paulmach/orb"

	"quartier/ingest/source"
	"quartier/ingest/sourcetest"
	"quartier/internal/duck"
	"quartier/internal/geo"
	"quartier/internal/testenv"
	layers "quartier/schemas/ground"
	"quartier/schemas/tsv"
)

const (
	byKind = "SELECT layer, kind, count(*), count(name), min(min_zoom), max(min_zoom) FROM ground GROUP BY 1, 2 ORDER BY 1, 2"
	all    = "SELECT layer, kind, source_key, name, name_fr, ref, min_zoom, rank, population, link, bridge, tunnel, maritime, service FROM " +
		"ground ORDER BY layer, source_key"
)

func published(name, rows string, read int64, issues map[string]int64) sourcetest.Case {
	return sourcetest.Case{
		Name: "Natural Earth's " + name, Path: testenv.Data("formats/basemap/natural-earth/" + name + ".geojson"),
		Options: "layout: natural-earth", Read: read, Rows: map[string]string{byKind: rows}, Issues: issues,
	}
}

// collection is a file of features: properties, then a geometry as type and coordinates.
func collection(t *testing.T, features ...[3]string) string {
	t.Helper()
	var texts []string
	for i, f := range features {
		texts = append(texts, fmt.Sprintf(`{"type":"Feature","id":"f%d","properties":{%s},"geometry":{"type":%q,"coordinates":%s}}`,
			i+1, f[0], f[1], f[2]))
	}
	return sourcetest.File(t, "features.geojson", `{"type":"FeatureCollection","features":[`+strings.Join(texts, ",\n")+`]}`)
}

const (
	square = "[[[-72,46],[-71.9,46],[-71.9,46.1],[-72,46.1],[-72,46]]]"
	line   = "[[-72,46],[-71.9,46]]"
)

func overtureCases(t *testing.T) []sourcetest.Case {
	return []sourcetest.Case{
		{
			Name: "segments", Options: "layout: overture-segment", Read: 8,
			Path: collection(t,
				[3]string{`"subtype":"road","class":"motorway","routes":[{"network":"CA:QC","ref":null},{"ref":"A-55"}],` +
					`"road_flags":[{"values":["is_link","is_bridge"]},{"values":["is_tunnel"],"between":[0,0.5]}]`, "LineString", line},
				[3]string{`"subtype":"road","class":"service","subclass":"driveway","names":{"primary":"Allée","common":{"fr":"Allée"}}`,
					"LineString", line},
				[3]string{`"subtype":"road","class":"unknown","names":{"primary":"Elm","common":{"fr":"rue de l'Orme"}}`, "LineString", line},
				[3]string{`"subtype":"rail","class":"standard_gauge","road_flags":"none"`, "LineString", line},
				[3]string{`"subtype":"water"`, "MultiLineString", "[" + line + "," + line + "]"},
				[3]string{`"subtype":"road","class":"primary"`, "Point", "[-72,46]"},
				[3]string{`"subtype":"road","class":"primary"`, "LineString", "[[2,48],[2.1,48]]"},
				[3]string{`"subtype":"hyperloop","class":"tube"`, "LineString", line},
			),
			Rows: map[string]string{all: "" +
				"ferries|ferry|f5|∅|∅|∅|∅|∅|∅|false|false|false|false|∅\n" +
				"ferries|ferry|f5/1|∅|∅|∅|∅|∅|∅|false|false|false|false|∅\n" +
				"streets|motorway|f1|∅|∅|A-55|∅|∅|∅|true|true|false|false|∅\n" +
				"streets|service|f2|Allée|∅|∅|∅|∅|∅|false|false|false|false|driveway\n" +
				"streets|unclassified|f3|Elm|rue de l'Orme|∅|∅|∅|∅|false|false|false|false|∅\n" +
				"streets|rail|f4|∅|∅|∅|∅|∅|∅|false|false|false|false|∅"},
			Issues: map[string]int64{"not_on_the_map": 2, "outside_north_america": 1},
		},
		{
			Name: "divisions", Options: "layout: overture-division", Read: 4,
			Path: collection(t,
				[3]string{`"subtype":"locality","class":"city","names":{"primary":"Ottawa"},"population":1017449,` +
					`"cartography":{"min_zoom":5,"prominence":70},` +
					`"capital_of_divisions":[{"subtype":"county"},{"subtype":"country"}]`, "Point", "[-75.7,45.4]"},
				[3]string{`"subtype":"locality","class":"city","names":{"primary":"Toronto"},"capital_of_divisions":[{"subtype":"region"}]`,
					"Point", "[-79.4,43.7]"},
				[3]string{`"subtype":"macrohood","names":{"primary":"Centretown"}`, "Point", "[-75.7,45.41]"},
				[3]string{`"subtype":"county","names":{"primary":"Carleton"}`, "Point", "[-75.7,45.4]"},
			),
			Rows: map[string]string{all: "place_labels|capital|f1|Ottawa|∅|∅|5|∅|1017449|false|false|false|false|∅\n" +
				"place_labels|state_capital|f2|Toronto|∅|∅|∅|∅|∅|false|false|false|false|∅\n" +
				"place_labels|suburb|f3|Centretown|∅|∅|∅|∅|∅|false|false|false|false|∅"},
			Issues: map[string]int64{"not_on_the_map": 1},
		},
		{
			Name: "water, of which a polygon crosses itself", Options: "layout: overture-water", Read: 5,
			Path: collection(t,
				[3]string{`"subtype":"river","class":"river","names":{"primary":"Chaudière"}`, "LineString", line},
				[3]string{`"subtype":"river","class":"river"`, "Polygon", "[[[-72,46],[-71.9,46.1],[-71.9,46],[-72,46.1],[-72,46]]]"},
				[3]string{`"subtype":"ocean","class":"ocean"`, "Polygon", square},
				[3]string{`"subtype":"human_made","class":"swimming_pool"`, "Polygon", square},
				[3]string{`"subtype":"physical","class":"bay"`, "Polygon", square},
			),
			Rows: map[string]string{byKind: "ocean|ocean|1|0|∅|∅\nwater_lines|river|1|1|∅|∅\nwater_polygons|river|1|0|∅|∅\n" +
				"water_polygons|water|1|0|∅|∅"},
			Issues: map[string]int64{"not_on_the_map": 1, "invalid_geometry_repaired: self-intersection": 1},
		},
		{
			Name: "buildings", Options: "layout: overture-building", Read: 2,
			Path:   collection(t, [3]string{`"class":null`, "Polygon", square}, [3]string{`"is_underground":true`, "Polygon", square}),
			Rows:   map[string]string{byKind: "buildings|building|1|0|∅|∅"},
			Issues: map[string]int64{"not_on_the_map": 1},
		},
		{
			Name: "land cover at its zoom", Options: "layout: overture-land-cover", Read: 2,
			Path: collection(t, [3]string{`"subtype":"crop","cartography":{"min_zoom":8.9}`, "Polygon", square},
				[3]string{`"subtype":"snow","cartography":{"min_zoom":99}`, "Polygon", square}),
			Rows: map[string]string{byKind: "land|farmland|1|0|8|8\nwater_polygons|glacier|1|0|∅|∅"},
		},
		{
			Name: "borders", Options: "layout: overture-division-boundary", Read: 3,
			Path: collection(t, [3]string{`"subtype":"country","class":"maritime"`, "LineString", line},
				[3]string{`"subtype":"region","class":"land"`, "LineString", line}, [3]string{`"subtype":"county","class":"land"`, "LineString", line}),
			Rows: map[string]string{all: "boundaries|country|f1|∅|∅|∅|∅|2|∅|false|false|false|true|∅\n" +
				"boundaries|state|f2|∅|∅|∅|∅|4|∅|false|false|false|false|∅"},
			Issues: map[string]int64{"not_on_the_map": 1},
		},
	}
}

// Names are data; a file may have all in capitals, as Natural Earth's have.
func hostile(t *testing.T) sourcetest.Case {
	long := strings.Repeat("é", 5000)
	place := func(name, more string) [3]string {
		return [3]string{`"FEATURECLA":"Populated place","NAME":` + name + more, "Point", "[-72,46]"}
	}
	return sourcetest.Case{
		Name: "names and geometries that are no names and geometries", Options: "layout: natural-earth", Read: 11,
		Path: collection(t,
			place(`"<script>alert(1)</script>"`, `,"POP_MAX":60000,"MIN_ZOOM":3.9,"SCALERANK":1,"NAME_FR":"<b>"`),
			place(`"\u202eedis gnorw"`, `,"POP_MAX":-99,"MIN_ZOOM":-4`),
			place(`"`+long+`"`, ""),
			place(`"a\u0000b"`, ""),
			[3]string{`"FEATURECLA":"Lake"`, "Polygon", "[[[-72,46],[-72,46],[-72,46]]]"},
			[3]string{`"FEATURECLA":"River"`, "LineString", "[[-72,46],[-72,46]]"},
			[3]string{`"FEATURECLA":"River"`, "LineString", "[[-72,46],[-7200,46]]"},
			[3]string{`"FEATURECLA":"Lake"`, "Point", "[-72,46]"},
			[3]string{`"FEATURECLA":""`, "Polygon", square},
			[3]string{`"FEATURECLA":"River"`, "MultiLineString", "[]"},
			[3]string{`"FEATURECLA":"Lake"`, "MultiPolygon", "[]"},
		),
		Rows: map[string]string{all: "" +
			"place_labels|city|features.geojson/1|<script>alert(1)</script>|<b>|∅|3|1|60000|false|false|false|false|∅\n" +
			"place_labels|city|features.geojson/2|\u202eedis gnorw|∅|∅|∅|∅|∅|false|false|false|false|∅"},
		Issues: map[string]int64{"text_too_long: name": 1, "invalid_utf8: name": 1, "zero_area": 2, "zero_length": 1, "missing_geometry": 1,
			"coordinate_out_of_range": 1, "not_on_the_map": 2},
	}
}

func TestConformance(t *testing.T) {
	cases := append(overtureCases(t), hostile(t),
		published("ne_50m_land_us_ca", "ocean|ocean|2|0|0|0", 312, nil),
		published("ne_50m_lakes_us_ca", "water_polygons|reservoir|27|25|2|5\nwater_polygons|water|155|101|1|5", 186,
			map[string]int64{"outside_north_america": 4}),
		published("ne_10m_lakes_north_america", "water_polygons|reservoir|48|47|6|7\nwater_polygons|water|1110|901|6|7", 1187,
			map[string]int64{"outside_north_america": 29}),
		published("ne_50m_rivers_us_ca", "water_lines|river|287|255|2|5", 118,
			map[string]int64{"missing_geometry": 1, "outside_north_america": 12}),
		published("ne_10m_populated_places_us_ca", "place_labels|capital|2|2|2|3\nplace_labels|city|412|412|1|7\n"+
			"place_labels|state_capital|64|64|2|7\nplace_labels|town|550|550|3|7", 1028, nil),
		published("ne_50m_admin_1_lines_us_ca", "boundaries|state|143|0|2|2", 143, nil),
		sourcetest.Case{
			Name: "a box in Puget Sound", Path: testenv.Data("formats/basemap/natural-earth/ne_10m_land_puget.geojson"),
			Options: "{layout: natural-earth, bbox: [-124, 47.1, -122.1, 48.2]}", Read: 6,
			Check: func(t *testing.T, db *duck.DB) { checkSea(t, db, false) }, Issues: map[string]int64{"outside_bbox": 2},
		},
		sourcetest.Case{
			Name: "a folder of Natural Earth", Path: testenv.Data("formats/basemap/natural-earth"), Options: "layout: natural-earth", Read: 2980,
			Rows: map[string]string{"SELECT layer, count(*) FROM ground GROUP BY 1 ORDER BY 1": "" +
				"boundaries|143\nocean|7\nplace_labels|1028\nwater_lines|287\nwater_polygons|1340"},
			Check:  func(t *testing.T, db *duck.DB) { checkSea(t, db, true) },
			Issues: map[string]int64{"missing_geometry": 1, "outside_north_america": 45},
		},
		sourcetest.Case{
			Name: "an extract", Path: "../osm/testdata/rues.osm", Options: "{}",
			Rows: map[string]string{"SELECT count(*), count(DISTINCT layer) FROM ground": "21|9"},
			Issues: map[string]int64{"duplicate_key": 1, "invalid_geometry_repaired: self-intersection": 1, "outline_cut_to_extract": 1,
				"outside_extract: ground": 1, "too_few_nodes: ground": 1, "zero_length": 1},
		},
	)
	sourcetest.Run(t, Kind, cases...)
}

// checkSea checks that the sound off Seattle is sea, and the city is not. beyond: so is what is far from it.
func checkSea(t *testing.T, db *duck.DB, beyond bool) {
	var area orb.MultiPolygon
	rows, err := db.Query("SELECT geom FROM ground WHERE layer = 'ocean' ORDER BY source_key")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var wkb []byte
		if err := rows.Scan(&wkb); err != nil {
			t.Fatal(err)
		}
		part, err := geo.MultiPolygon(wkb)
		if err != nil {
			t.Fatal(err)
		}
		area = append(area, part...)
	}
	for _, p := range []struct {
		name string
		at   orb.Point
		sea  bool
	}{
		{"the sound off Seattle", orb.Point{-122.45, 47.6}, true}, {"Seattle", orb.Point{-122.32, 47.6}, false},
		{"the Olympic Mountains", orb.Point{-123.5, 47.8}, false}, {"Haro Strait", orb.Point{-123.2, 48.6}, beyond},
		{"the Pacific", orb.Point{-126, 46}, beyond}, {"Delaware Bay", orb.Point{-75.1, 39}, beyond}, {"Dover", orb.Point{-75.55, 39.15}, false},
	} {
		if is := geo.Contains(area, p.at); is != p.sea {
			t.Errorf("%s is sea: %t", p.name, is)
		}
	}
}

// Real files of Overture Maps, of another continent, are read by the layouts.
func TestOvertureColumns(t *testing.T) {
	for file, want := range map[string]string{
		"buildings":      "100 buildings building, map[]",
		"infrastructure": "3 pier_polygons pier, map[not_on_the_map:97]",
	} {
		in := source.Input{Source: "overture", Path: testenv.NeedData(t, "formats/overture/geoparquet/overture_"+file+"-2024-07.parquet"),
			Options: sourcetest.Options(t, "layout: overture-"+strings.TrimSuffix(file, "s"))}
		var r sourcetest.Record
		if err := errors.Join(Kind.Check(t.Context(), in), Kind.Stage(t.Context(), in, &r)); err != nil || len(r.Ground) == 0 {
			t.Fatal(err)
		}
		if got := fmt.Sprintf("%d %s %s, %v", len(r.Ground), r.Ground[0].Layer, r.Ground[0].Kind, r.Reasons()); got != want {
			t.Errorf("%s: %s, want %s", file, got, want)
		}
	}
}

func TestOptions(t *testing.T) {
	path := collection(t, [3]string{`"featurecla":"Lake"`, "Polygon", square})
	for options, says := range map[string]string{
		"{}":                                    "layout",
		"layout: atlas":                         `"atlas" is none of natural-earth, osm, overture-building`,
		"{layout: osm}":                         "neither OSM PBF nor OSM XML",
		"{layout: natural-earth, bbox: [1, 2]}": "is not [west, south, east, north]",
	} {
		err := Kind.Check(t.Context(), source.Input{Source: "g", Path: path, Options: sourcetest.Options(t, options)})
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, want %q", options, err, says)
		}
	}
}

// Rules are of kinds that there are.
func TestLayouts(t *testing.T) {
	for _, r := range tsv.MustParse("layouts.tsv", table) {
		if _, _, known := layers.Find(r[3], r[4]); !known {
			t.Errorf("%s: %s has no kind %s", r[0], r[3], r[4])
		}
	}
}
