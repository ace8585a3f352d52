package osm_test

import (
	"quartier/ingest/sourcetest"
	"quartier/internal/testenv"
)

const (
	streetsByClass = "SELECT class, count(*), count(*) FILTER (foot), count(*) FILTER (car <> 'no'), count(*) FILTER (tunnel) FROM street " +
		"GROUP BY class ORDER BY class"
	groundByLayer   = "SELECT layer, kind, source_key, name FROM ground ORDER BY layer, source_key"
	featuresByClass = "SELECT kind, class, count(*) FROM feature GROUP BY kind, class ORDER BY kind, class"
)

// streetCases are files of streets and features.
func streetCases() []sourcetest.Case {
	return []sourcetest.Case{
		{
			Name: "streets and features as XML, with invalid elements",
			Path: "testdata/rues.osm", Country: "CA", State: "QC",
			Options: "boundaries: false",
			Read:    46,
			Rows: map[string]string{
				"SELECT source_key, class, name, name_fr, foot, car, lanes, speed_kmh, hex(nodes) FROM street ORDER BY 1": "" +
					"osm:way:10|residential|Main Street|rue Principale|true|both|∅|∅|010000000000000002000000000000000300000000000000\n" +
					"osm:way:11|primary|∅|∅|true|both|∅|∅|03000000000000000400000000000000\n" +
					"osm:way:14|pedestrian|Place|∅|true|no|∅|∅|0100000000000000020000000000000005000000000000000100000000000000",
				"SELECT kind, class, source_key, name, year, round(size)::BIGINT, bridge FROM feature ORDER BY 1, 3": "" +
					"aerodrome|international|osm:way:34|Nowhere International Airport|∅|∅|false\n" +
					"building|house|osm:way:26|∅|1893|8609|false\n" +
					"building|other|osm:way:27|St. Mary|∅|8609|false\n" +
					"gate||osm:node:53|∅|∅|∅|false\n" +
					"heritage||osm:way:27|St. Mary|∅|∅|false\n" +
					"junction|signals|osm:node:52|∅|∅|∅|false\n" +
					"land|water|osm:relation:1|Lac|∅|∅|false\n" +
					"land|forest|osm:relation:2|∅|∅|∅|false\n" +
					"land|park|osm:way:28|Parc|∅|∅|false\n" +
					"land|retail|osm:way:31|∅|∅|∅|false\n" +
					"land|water|osm:way:32|∅|∅|∅|false\n" +
					"land|institution|osm:way:33|École|∅|∅|false\n" +
					"land|airport|osm:way:34|Nowhere International Airport|∅|∅|false\n" +
					"mall||osm:way:31|∅|∅|∅|false\n" +
					"park||osm:way:28|Parc|∅|∅|false\n" +
					"rail|main|osm:way:20|Main Line|∅|∅|true\n" +
					"runway||osm:way:25|∅|∅|155|false\n" +
					"tree||osm:node:51|∅|∅|∅|false\n" +
					"tree_row||osm:way:24|∅|∅|∅|false\n" +
					"water|river|osm:way:22|Rivière|∅|∅|false\n" +
					"water|shore|osm:way:32|∅|∅|∅|false\n" +
					"water|shore|osm:way:40|∅|∅|∅|false",
				"SELECT source_key, classes FROM poi ORDER BY 1": "" +
					"osm:node:56|{\"highway\":\"bus_stop\",\"name\":\"Arrêt\"}\n" +
					"osm:node:57|{\"name\":\"Gare\",\"railway\":\"station\",\"station\":\"subway\"}\n" +
					"osm:node:58|{\"amenity\":\"bicycle_rental\"}\n" +
					"osm:node:59|{\"public_transport\":\"platform\"}\n" +
					"osm:way:27|{\"amenity\":\"place_of_worship\",\"building\":\"church\",\"heritage\":\"2\",\"name\":\"St. Mary\"}\n" +
					"osm:way:28|{\"leisure\":\"park\",\"name\":\"Parc\"}\n" +
					"osm:way:31|{\"building\":\"roof\",\"shop\":\"mall\"}\n" +
					"osm:way:33|{\"amenity\":\"school\",\"grades\":\"K-6\",\"isced:level\":\"1\",\"name\":\"École\",\"school:type\":\"public\"}\n" +
					"osm:way:34|{\"aeroway\":\"aerodrome\",\"name\":\"Nowhere International Airport\"}",
				groundByLayer: "" +
					"buildings|building|osm:way:26|∅\nbuildings|building|osm:way:27|St. Mary\nbuildings|building|osm:way:31|∅\n" +
					"ferries|ferry|osm:way:18|∅\n" +
					"land|forest|osm:relation:2|∅\nland|park|osm:way:28|Parc\n" +
					"public_transport|bus_stop|osm:node:56|Arrêt\npublic_transport|station|osm:node:57|Gare\n" +
					"public_transport|aerodrome|osm:way:34|Nowhere International Airport\nsites|school|osm:way:33|École\n" +
					"street_polygons|pedestrian|osm:way:14|Place\nstreet_polygons|runway|osm:way:30|∅\n" +
					"streets|residential|osm:way:10|Main Street\nstreets|primary|osm:way:11|∅\nstreets|rail|osm:way:20|Main Line\n" +
					"streets|subway|osm:way:21|∅\nstreets|runway|osm:way:25|∅\n" +
					"water_lines|river|osm:way:22|Rivière\nwater_lines|canal|osm:way:23|∅\n" +
					"water_polygons|water|osm:relation:1|Lac\nwater_polygons|water|osm:way:32|∅",
				// the school is inside its grounds, with their size
				"SELECT lng > -72 AND lng < -71.999 AND lat > 46.01 AND lat < 46.011, round(area_m2)::BIGINT FROM poi WHERE source_key = " +
					"'osm:way:33'": "true|8609",
			},
			Issues: map[string]int64{
				"too_few_nodes: street":                        1,
				"too_few_nodes: ground":                        1,
				"outside_extract: ground":                      1,
				"duplicate_key":                                2,
				"zero_length":                                  2,
				"line_clipped_to_extract: water":               1,
				"line_clipped_to_extract: street":              1,
				"invalid_lanes_removed":                        1,
				"invalid_geometry_repaired: self-intersection": 2,
				"invalid_speed_limit_removed":                  1,
				"private_access: gate":                         1,
				"runway_as_area":                               1,
				"unknown_street_class_skipped":                 1,
				"outside_extract: street":                      1,
				"area_as_line":                                 1,
				"underground":                                  2,
				"outline_cut_to_extract":                       1,
				"not_in_use":                                   2,
			},
		},
		{
			Name: "only tracks and trees",
			Path: "testdata/rues.osm", Country: "CA", State: "QC",
			Options: "{boundaries: false, pois: false, streets: false, features: [rail, tree]}",
			Read:    4,
			Rows:    map[string]string{featuresByClass: "rail|main|1\ntree||1"},
			Issues: map[string]int64{
				"underground": 1,
				"not_in_use":  1,
			},
		},
		{
			Name: "only the ground",
			Path: "testdata/rues.osm", Country: "CA", State: "QC",
			Options: "{boundaries: false, pois: false, streets: false, features: false, transit: false, ground: true}",
			Rows:    map[string]string{"SELECT count(*) FROM ground": "21"},
			Issues: map[string]int64{
				"too_few_nodes: ground": 1, "outside_extract: ground": 1, "duplicate_key": 1, "zero_length": 1,
				"invalid_geometry_repaired": 1, "outline_cut_to_extract": 1,
			},
		},
		{
			Name: "streets of a suburb of Ottawa, saved by an editor",
			Path: testenv.Data("ca-ottawa/osm/osm_ottawa_barrhaven_roads_2018.osm"), Country: "CA", State: "ON",
			Rows: map[string]string{
				"SELECT class, count(*), count(*) FILTER (foot), count(name), count(name_fr) FROM street GROUP BY class ORDER BY class": "" +
					"alley|3|3|3|3\ndriveway|18|17|1|0\nparking_aisle|11|11|0|0\nresidential|715|715|715|713\nservice|42|40|1|1\ntertiary|22|22|22|22",
				featuresByClass: "gate||1\njunction|level_crossing|1\njunction|signals|3",
			},
		},
		{
			Name: "paths and tunnels of a campus in Montreal, in the XML of Overpass",
			Path: testenv.Data("formats/osm_network_montreal_campus.osm"), Country: "CA", State: "QC",
			Rows: map[string]string{
				streetsByClass: "crossing|1|1|0|0\nfootway|37|37|0|12\nparking_aisle|21|21|21|0\npath|3|3|0|0\nservice|19|16|19|0\nsteps|6|6|0|4",
			},
		},
	}
}
