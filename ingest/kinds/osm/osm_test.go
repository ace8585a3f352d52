package osm_test

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"quartier/ingest/kinds/osm"
	"quartier/ingest/sourcetest"
	"quartier/internal/testenv"
)

func TestConformance(t *testing.T) {
	cases := []sourcetest.Case{
		{
			Name: "a rectangle out of Maryland, unordered, with incomplete outlines",
			Path: testenv.Data("us-pikesville/osm/reisterstown-pikesville-md-full.osm.pbf"),
			Read: 38300,
			Rows: map[string]string{
				"SELECT source_key, level, name_en, country_code, state_code FROM boundary": "osm:relation:133416|30|Garrison|US|MD",
				"SELECT country_code, state_code FROM coverage":                             "US|MD",
				"SELECT count(*), count(name), count(area_m2) FROM poi":                     "1042|220|1033",
				streetsByClass: "" +
					"alley|16|16|16|0\ndriveway|1263|1166|1166|2\nfootway|478|470|1|1\nmotorway|86|0|86|0\nmotorway_link|122|0|122|0\n" +
					"parking_aisle|1826|1767|1767|0\npath|79|76|2|0\npedestrian|15|15|0|0\nprimary|45|45|45|0\nprimary_link|16|16|16|0\n" +
					"residential|1589|1589|1587|1\nsecondary|170|170|170|0\nsecondary_link|21|21|21|0\nservice|995|912|910|0\n" +
					"steps|32|32|0|0\ntertiary|92|92|92|0\ntertiary_link|3|3|3|0\ntrack|67|47|47|0\nunclassified|150|141|140|0",
				featuresByClass: "" +
					"building|apartments|82\nbuilding|commercial|334\nbuilding|garage|1262\nbuilding|house|2221\nbuilding|industrial|7\n" +
					"building|other|7715\nbuilding|residential|15885\nbuilding|retail|18\ngate||63\nheritage||1\n" +
					"junction|level_crossing|9\njunction|motorway|24\njunction|signals|143\nland|cemetery|10\nland|commercial|55\n" +
					"land|construction|7\nland|farmland|27\nland|forest|41\nland|grass|9\nland|industrial|12\nland|institution|34\n" +
					"land|park|68\nland|parking|554\nland|railway|6\nland|residential|185\nland|retail|42\nland|sport|204\nland|water|264\n" +
					"park||67\nrail|branch|14\nrail|light_rail|6\nrail|subway|32\nrail|yard|5\ntree_row||2\nwater|shore|112",
			},
			Issues: map[string]int64{
				"private_access: gate":   17,
				"private_access: park":   1,
				"place_as_line":          1,
				"area_as_line":           1,
				"underground":            1,
				"street_furniture":       66,
				"outline_beyond_extract": 30, // of which 9 of the ground
				"outline_cut_to_extract": 1,
				"not_in_use":             31, "line_outside_extract": 3,
			},
		},
		{
			Name: "streets of Portland with negative ids, of which a few are places",
			Path: testenv.Data("us-portland/osm/portland-central-filtered.osm.pbf"), Country: "US", State: "OR",
			Options: "boundaries: false",
			Rows: map[string]string{
				"SELECT count(*) FROM boundary":                 "0",
				"SELECT country_code, state_code FROM coverage": "US|OR",
				"SELECT source_key, json_extract_string(classes, '$.amenity') FROM poi WHERE source_key LIKE '%:-102491'": "osm:way:-102491|parking",
				streetsByClass: "" +
					"alley|30|29|29|0\ncrossing|601|601|0|0\ncycleway|58|27|0|0\ndriveway|348|294|291|2\nfootway|931|910|0|3\n" +
					"living_street|2|2|2|0\nmotorway|106|0|106|2\nmotorway_link|161|3|161|6\nparking_aisle|435|393|393|4\n" +
					"path|226|226|0|0\npedestrian|85|85|0|0\nprimary|227|214|227|0\nprimary_link|80|48|80|0\nresidential|1198|1197|1192|1\n" +
					"secondary|460|429|460|0\nsecondary_link|66|41|66|0\nservice|353|255|242|5\nsidewalk|465|465|0|1\nsteps|253|251|0|0\n" +
					"tertiary|870|868|867|0\ntertiary_link|15|11|15|0\ntrack|15|14|14|0\ntrunk|55|26|55|0\ntrunk_link|41|18|41|2\n" +
					"unclassified|29|29|28|0",
				featuresByClass: "" +
					"building|other|1\ngate||114\njunction|level_crossing|596\njunction|motorway|53\njunction|signals|601\nland|park|2\n" +
					"land|parking|2\npark||2",
			},
			Issues: map[string]int64{
				"private_access: gate": 5,
				"place_as_line":        67,
				"street_furniture":     11,
				"not_in_use":           72,
			},
		},
		{
			Name: "a town in Quebec as XML, with invalid elements",
			Path: "testdata/ville.osm",
			Rows: map[string]string{
				"SELECT source_key, level, name_en, name_fr, country_code, state_code, population FROM boundary ORDER BY level DESC, source_key": "" +
					"osm:relation:1|60|Quebec|Québec|CA|QC|∅\n" +
					"osm:relation:2|30|Saint-Élie|∅|∅|∅|1200\n" +
					"osm:way:30|10|Old Village|Vieux-Village|∅|∅|∅",
				"SELECT country_code, state_code FROM coverage": "CA|QC",
				"SELECT source_key, name, name_fr, phone, url, opening_hours, wheelchair, state_code, round(area_m2)::BIGINT FROM poi " +
					"ORDER BY source_key": "" +
					"osm:node:201|Café Élie|∅|+1 819 555-0101|https://cafe.example|Mo-Fr 08:00-18:00|designated|QC|∅\n" +
					"osm:node:202|∅|∅|∅|∅|∅|∅|∅|∅\n" +
					"osm:relation:4|Park|Grand Parc|∅|∅|∅|∅|∅|1076171\n" +
					"osm:way:31|Mairie|∅|∅|∅|∅|∅|∅|8610",
			},
			Issues: map[string]int64{
				"open_outline":               1,
				"unmapped_admin_level":       1,
				"place_as_line":              1,
				"area_as_line":               1,
				"duplicate_boundary":         1,
				"unnamed_boundary":           1,
				"other_country":              1,
				"street_furniture":           1,
				"outline_beyond_extract":     3,
				"invalid_population_removed": 1,
				"not_in_use":                 2,
			},
		},
	}
	cases = append(cases, streetCases()...)
	cases = append(cases, sourcetest.Case{
		Name: "lines of public transport, and stations by what runs through them", Path: "testdata/lignes.osm",
		Rows: map[string]string{
			"SELECT source_key, name, mode FROM route ORDER BY 1": "osm:relation:1|7|bus\nosm:relation:3|Harbour Tram|tram\nosm:relation:6|1|subway",
			"SELECT route_key, stop_key, direction, trips_week FROM stop_service ORDER BY 1, " +
				"2": "osm:relation:1|osm:node:20|0|∅\nosm:relation:1|osm:node:21|0|∅\nosm:relation:1|osm:node:22|0|∅\n" +
				"osm:relation:6|osm:node:1|0|∅\nosm:relation:6|osm:node:2|0|∅",
			"SELECT source_key, name FROM stop ORDER BY 1": "osm:node:1|Sur la voie\nosm:node:2|Au quai\nosm:node:20|Elm\n" +
				"osm:node:21|osm:node:21\nosm:node:22|osm:node:22",
			"SELECT route_key, part FROM route_shape ORDER BY 1, 2": "osm:relation:3|0\nosm:relation:3|1",
			"SELECT name, coalesce(json_extract_string(classes, '$.station'), '') FROM poi WHERE classes LIKE '%railway%' ORDER BY " +
				"source_key": "Sur la voie|subway\nDeux-Montagnes|\nAu quai|subway\n" +
				"Au loin|subway\nGare|\nDes deux|\nPetit train|miniature\nFuniculaire|funicular\nMarquée|light_rail\nRavinia|",
			"SELECT count(*) FROM line_list": "0",
		},
		Issues: map[string]int64{"line_outside_extract": 1, "not_in_use": 1, "underground": 1},
	})
	if path, ok := delaware(); ok {
		cases = append(cases, delawareCase(path))
	}
	sourcetest.Run(t, osm.Kind, cases...)
}

// delaware returns the path of the extract of Delaware in the module paulmach/osm.
func delaware() (path string, ok bool) {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/paulmach/osm").Output()
	return filepath.Join(strings.TrimSpace(string(out)), "testdata", "delaware-latest.osm.pbf"), err == nil
}

func delawareCase(path string) sourcetest.Case {
	return sourcetest.Case{
		Name: "all of Delaware",
		Path: path,
		Read: 78984,
		Rows: map[string]string{
			"SELECT level, count(*) FROM boundary GROUP BY level ORDER BY level":         "10|22\n20|2\n30|76\n35|1\n37|3\n60|1",
			"SELECT country_code, state_code, population FROM boundary WHERE level = 60": "US|DE|935614",
			"SELECT name_en, population FROM boundary WHERE name_en IN ('Dover', 'Wilmington', 'Bear') ORDER BY name_en": "" +
				"Bear|∅\nDover|34735\nWilmington|72826",
			"SELECT state_code FROM coverage ORDER BY 1":            "DE\nMD\nNJ\nPA",
			"SELECT count(*), count(name), count(area_m2) FROM poi": "4736|2071|3582",
			"SELECT house_number, street, city, postal_code, phone, url FROM poi WHERE name = 'Hotel Du Pont'": "" +
				"42|West 11th Street|Wilmington|19801|+1 302 5943100|http://www.hoteldupont.com/",
			"SELECT layer, count(*) FROM ground GROUP BY layer ORDER BY layer": "" +
				"boundaries|52\nbuildings|8262\ndam_lines|5\ndam_polygons|1\nferries|5\nland|1922\nocean|1\npier_lines|57\npier_polygons|43\n" +
				"place_labels|1627\npublic_transport|104\nsites|1804\nstreet_polygons|39\nstreets|53779\nwater_lines|2144\n" +
				"water_polygons|898",
			streetsByClass: "" +
				"alley|278|278|278|0\nbridleway|1|1|0|0\ncrossing|457|432|0|0\ncycleway|147|147|0|3\ndriveway|2164|1837|1837|1\n" +
				"footway|2882|2801|0|1\nliving_street|1|1|1|0\nmotorway|529|2|529|0\nmotorway_link|485|0|481|0\n" +
				"parking_aisle|2416|2357|2357|0\npath|577|556|0|0\npedestrian|142|137|0|0\nprimary|1446|1446|1446|1\n" +
				"primary_link|324|324|324|0\nresidential|24289|24278|24285|12\nsecondary|1392|1392|1392|1\n" +
				"secondary_link|177|177|177|0\nservice|7421|5788|5786|3\nsidewalk|711|690|0|1\nsteps|14|14|0|0\n" +
				"tertiary|2571|2569|2569|7\ntertiary_link|246|245|245|0\ntrack|978|871|864|2\ntrunk|914|914|914|3\n" +
				"trunk_link|459|455|455|0\nunclassified|1390|1380|1379|0",
			featuresByClass: "" +
				"aerodrome|general|38\naerodrome|heliport|3\naerodrome|regional|4\nbuilding|apartments|108\nbuilding|commercial|38\n" +
				"building|detached|5\nbuilding|garage|39\nbuilding|house|1269\nbuilding|industrial|41\nbuilding|other|6397\n" +
				"building|residential|224\nbuilding|retail|79\ngate||258\nheritage||470\njunction|level_crossing|573\n" +
				"junction|motorway|126\njunction|signals|1614\nland|airport|31\nland|cemetery|108\nland|commercial|20\n" +
				"land|construction|19\nland|farmland|258\nland|forest|411\nland|grass|354\nland|industrial|68\nland|institution|72\n" +
				"land|park|259\nland|parking|1722\nland|railway|3\nland|residential|223\nland|retail|56\nland|sand|35\nland|sport|470\n" +
				"land|water|897\nland|wetland|191\nmall||10\npark||245\nrail|branch|158\nrail|industrial|348\nrail|main|302\n" +
				"rail|yard|396\nrunway||23\ntree||1337\ntree_row||67\nwater|canal|84\nwater|river|269\nwater|shore|1054",
		},
		Issues: map[string]int64{
			"too_few_nodes: street": 9,
			"too_few_nodes: ground": 9,
			"zero_length":           34, // of which half of the ground
			"invalid_lanes_removed": 1,
			"invalid_geometry_repaired: ring self-intersection": 4,
			"invalid_geometry_repaired: self-intersection":      26, // of which half of the ground, and 4 straight lines that cross what they close
			"private_access: gate":                              7,
			"private_access: park":                              1,
			"place_as_line":                                     39,
			"runway_as_area":                                    3,
			"unknown_street_class_skipped":                      1,
			"area_as_line":                                      42,
			"underground":                                       32,
			"duplicate_boundary":                                6,
			"street_furniture":                                  468,
			"outline_beyond_extract":                            46,
			"outline_cut_to_extract":                            5,
			"not_in_use":                                        143, "line_outside_extract": 12,
		},
	}
}
