package boundaries

import (
	"strings"
	"testing"

	"quartier/ingest/sourcetest"
	"quartier/internal/testenv"
)

func TestConformance(t *testing.T) {
	sourcetest.Run(t, Kind,
		sourcetest.Case{
			Name:    "cities in a plain shapefile, some invalid",
			Path:    testenv.Data("us-portland/boundaries/City_Boundaries.shp"),
			Country: "US",
			Options: "level: 30\nkey: CITYNAME\nname: CITYNAME",
			Read:    52,
			Rows: map[string]string{
				"SELECT count(*), min(name_en), max(source_key), count(state_code), min(country_code) FROM " +
					"boundary": "52|Banks|under-test:Yamhill|0|US",
			},
			Issues: map[string]int64{"invalid_geometry_repaired: ring self-intersection": 11},
		},
		sourcetest.Case{
			Name:    "places in a TIGER archive",
			Path:    testenv.Data("us-portland/boundaries/tl_2019_41_place.zip"),
			Options: "layout: tiger-place",
			Read:    378,
			Rows: map[string]string{
				"SELECT source_key, level, name_en, name_fr, country_code, state_code FROM boundary WHERE name_en = " +
					"'Portland'": "census:place:4159000|30|Portland|∅|US|OR",
			},
		},
		sourcetest.Case{
			Name:    "neighbourhoods in GeoJSON with two names",
			Path:    testenv.Data("ca-ottawa/ons/ons_gen2_neighbourhoods_en_fr.geojson"),
			Country: "CA",
			Options: "level: 10\nscheme: ons\nkey: ONS_ID\nname: Name\nname_fr: Name_FR\npopulation: POPEST\nstate: 'ON'",
			Read:    111,
			Rows: map[string]string{
				"SELECT count(*), count(name_fr), count(population), min(state_code) FROM boundary": "111|49|111|ON",
				"SELECT name_en, name_fr, population FROM boundary WHERE source_key = 'ons:3'": "Beacon Hill South - Cardinal Heights|Beacon " +
					"Hill Sud - Cardinal Heights|7195",
			},
			Issues: map[string]int64{
				"invalid_geometry_repaired: ring self-intersection":               2,
				"invalid_geometry_repaired: self-intersection":                    1,
				"invalid_geometry_repaired: too few points in geometry component": 1,
			},
		},
		sourcetest.Case{
			Name:    "clusters with lists of further names",
			Path:    testenv.Data("us-dc/boundaries/neighborhood_cluster.geojson"),
			Country: "US",
			Options: "level: 10\nscheme: dc:cluster\nkey: NAME\nname: NAME\nnames: NBH_NAMES\nstate: DC",
			Rows: map[string]string{
				"SELECT name FROM further_name WHERE source_key = 'dc:cluster:Cluster 1' ORDER BY rowid": "Kalorama Heights\nAdams Morgan\nLanier " +
					"Heights",
			},
		},
		sourcetest.Case{
			Name:    "a city in a GeoPackage in Lambert's projection",
			Path:    testenv.Data("formats/statcan_2021_toronto_csd.gpkg"),
			Options: "layout: statcan-csd",
			Read:    1,
			Rows: map[string]string{
				"SELECT source_key, level, name_en, country_code, state_code FROM boundary": "statcan:csd:3520005|30|Toronto|CA|ON",
			},
		},
		sourcetest.Case{
			Name:    "provinces in a projection without a code",
			Path:    testenv.Data("ca-national/province_territory_simplified_sp.shp"),
			Options: "layout: statcan-pr\nwhere: {PRUID: [24, 35]}",
			Read:    13,
			Rows: map[string]string{
				"SELECT source_key, level, name_en, name_fr, state_code FROM boundary ORDER BY 1": "statcan:pr:24|60|Quebec|Québec|QC\n" +
					"statcan:pr:35|60|Ontario|∅|ON",
			},
			Issues: map[string]int64{"excluded_by_option: where": 11},
		},
		sourcetest.Case{
			Name:    "parts without properties, made one",
			Path:    testenv.Data("us-seattle/boundaries/city-limits.geojson"),
			Country: "US",
			Options: "level: 30\nkey_text: seattle\nname_text: Seattle\nstate: WA\ndissolve: true",
			Read:    29,
			Rows: map[string]string{
				"SELECT source_key, name_en, state_code FROM boundary": "under-test:seattle|Seattle|WA",
			},
		},
	)
}

// Alaska is on both sides of the antimeridian, Guam and Samoa are far away: all are in the United States.
func TestEveryStateAndTerritory(t *testing.T) {
	for path, want := range map[string]int64{"us-national/cb_2019_us_state_5m.zip": 56,
		"ca-national/province_territory_simplified_sp.shp": 13} {
		layout := "layout: tiger-state"
		if strings.HasPrefix(path, "ca") {
			layout = "layout: statcan-pr"
		}
		summary, names, err := stageFile(t, testenv.NeedData(t, path), layout)
		if err != nil || summary.Staged != want || summary.Rejected() != 0 || int64(len(names)) != want {
			t.Errorf("%s: %+v, %v", path, summary, err)
		}
	}
}
