package places

import (
	"testing"

	"quartier/ingest/sourcetest"
	"quartier/internal/duck"
	"quartier/internal/testenv"
)

const lines = "any line of text may be the last one"

var ottawa = testenv.Data("ca-ottawa/open-data") + "/"

func TestConformance(t *testing.T) {
	sourcetest.Run(t, Kind,
		sourcetest.Case{
			Name: "parks of Ottawa", Path: ottawa + "parks_raw.csv", AnyLength: lines, Read: 1365,
			Options: `
key: "ottawa:park:{PARK_ID}"
name: NAME
name_fr: NAME_FR
address: ADDRESS
lng: LONGITUDE
lat: LATITUDE
category: parks
constants: {city: Ottawa, state: Ontario, country: Canada}`,
			Issues: map[string]int64{"missing_geometry": 29},
			Rows: map[string]string{
				"SELECT count(*), count(name_fr) FROM poi": "1336|1336",
				"SELECT name, name_fr, lng, lat, classes, scheme, address, city, state_code, country_code FROM poi WHERE source_key = " +
					"'ottawa:park:674'": "Whiterock Park|Parc Whiterock|-75.62777862|45.43216449|[\"parks\"]|quartier|1245 Matheson Road, " +
					"Gloucester|Ottawa|ON|CA",
			},
		},
		sourcetest.Case{
			Name: "libraries of Ottawa", Path: ottawa + "libraries_raw.csv", AnyLength: lines,
			Options: "key: ACRONYM\nname: NAME\naddress: ADDRESS\npostal_code: POSTAL_CODE\nlng: LONGITUDE\nlat: LATITUDE\ncategory: libraries",
			Rows: map[string]string{
				"SELECT count(*) FROM poi": "34",
				"SELECT name, lng, lat, postal_code, name_fr FROM poi WHERE source_key = 'under-test:AL'": "Alta Vista|-75.661077|45.378183|K1V 7T1|∅",
			},
		},
		sourcetest.Case{
			Name: "hospitals of Ottawa, no key", Path: ottawa + "hospitals_raw.csv", AnyLength: lines,
			Options: "name: NAME\naddress: ADDRESS\nphone: PHONE\nurl: LINK\nlng: LONGITUDE\nlat: LATITUDE\ncategory: [hospitals, health_care]",
			Rows: map[string]string{
				"SELECT count(*), count(DISTINCT source_key) FROM poi": "10|10",
				"SELECT classes, phone, url FROM poi WHERE name = 'Royal Ottawa Hospital'": "[\"hospitals\",\"health_care\"]|722-6521|http://" +
					"www.theroyal.ca/",
			},
		},
		sourcetest.Case{
			Name: "recreation facilities of Ottawa, category by type", Path: ottawa + "recreation_facilities_raw.csv", AnyLength: lines,
			Options: `
name: NAME
address: ADDRESS
url: LINK
lng: LONGITUDE
lat: LATITUDE
category_of: FACILITY_TYPE
categories:
  arena: sport_facilities
  Pool - Indoor: sport_facilities
  Recreation Complex: [sport_facilities, fitness]
  Fitness Centre: fitness
  Community Center: skip`,
			Issues: map[string]int64{"excluded_by_option: categories": 161},
			Rows: map[string]string{
				"SELECT classes, count(*) FROM poi GROUP BY classes ORDER BY classes": "[\"fitness\"]|7\n[\"sport_facilities\",\"fitness\"]|21\n" +
					"[\"sport_facilities\"]|74",
			},
		},
		sourcetest.Case{
			Name: "stations of Ottawa", Path: ottawa + "transit_stations.csv", AnyLength: lines,
			Options: `
name: NAME
lng: LONGITUDE
lat: LATITUDE
category_of: TYPE
categories: {O-Train: [rapid_transit_stations, subway_or_separated_rail_stations], Transitway: bus_stops}`,
			Rows: map[string]string{
				"SELECT classes, count(*) FROM poi GROUP BY classes ORDER BY classes": "[\"bus_stops\"]|30\n[\"rapid_transit_stations\"," +
					"\"subway_or_separated_rail_stations\"]|13",
			},
		},
		sourcetest.Case{
			Name: "stops of Ottawa, projected", Path: ottawa + "OC_Transpo_Stops.csv", AnyLength: lines,
			Options: "key: FID\nname: Location\nx: X\ny: Y\ncrs: EPSG:3857\ncategory: bus_stops\nbbox: [-76.4, 44.9, -75.2, 45.6]",
			Check: func(t *testing.T, db *duck.DB) {
				// the file has longitude and latitude too, which the projection must give
				var off float64
				err := db.QueryRow("SELECT max(greatest(abs(p.lng - f.Longitude), abs(p.lat - f.Latitude))) FROM poi p JOIN read_csv('" +
					ottawa + "OC_Transpo_Stops.csv') f ON p.source_key = 'under-test:' || f.FID").Scan(&off)
				if err != nil || off > 1e-5 {
					t.Errorf("projected stops are up to %v degrees off, %v", off, err)
				}
			},
		},
		sourcetest.Case{
			Name: "groceries of Ottawa, from OpenStreetMap", Path: ottawa + "grocery_stores_raw.csv", AnyLength: lines,
			Options: "key: osm:{OSM_TYPE}:{OSM_ID}\nname: NAME\nbrand: BRAND\naddress: ADDRESS\nlng: LONGITUDE\nlat: LATITUDE\ncategory: " +
				"[groceries, supermarkets]",
		},
		sourcetest.Case{
			Name: "gyms of Ottawa", Path: ottawa + "gyms_raw.csv", AnyLength: lines,
			Options: "key: osm:{OSM_TYPE}:{OSM_ID}\nname: NAME\nphone: PHONE\nurl: WEBSITE\nlng: LONGITUDE\nlat: LATITUDE\ncategory: fitness\n" +
				"only: {LEISURE_TYPE: [fitness_centre]}",
			Issues: map[string]int64{"excluded_by_option: only": 164},
		},
		sourcetest.Case{
			Name: "restaurants of Ottawa, clipped", Path: ottawa + "restaurants_cafes_raw.csv", AnyLength: lines,
			Options: "key: osm:{OSM_TYPE}:{OSM_ID}\nname: NAME\nlng: LONGITUDE\nlat: LATITUDE\ncategory_of: TYPE\ncategories: {restaurant: " +
				"restaurants, cafe: cafes}\nbbox: [-75.72, 45.40, -75.67, 45.44]",
			Issues: map[string]int64{"outside_bbox": 1366},
			Rows:   map[string]string{"SELECT count(*), min(lng) >= -75.72, max(lat) <= 45.44 FROM poi": "543|true|true"},
		},
		sourcetest.Case{
			Name: "schools of Ottawa, two languages", Path: ottawa + "schools_raw.csv", AnyLength: lines,
			Options: `
key: GlobalID
name: NAME
name_fr: NAME_FR
house_number: NUM
street: STREET
phone: PHONE
lng: LONGITUDE
lat: LATITUDE
category_of: CATEGORY
categories: {Music School: art_culture_science, Dance School: [art_culture_science, sport_facilities]}`,
			Issues: map[string]int64{"excluded_by_option: categories": 437},
		},
		sourcetest.Case{
			Name: "schools of Alberta, Latin-1", Path: testenv.Data("ca-ottawa/odef/odef_v2_subset_13cols.csv"), AnyLength: lines,
			Options: "name: Facility_Name\naddress: Full_Addr\ncity: City\nstate: Prov_Terr\npostal_code: Postal_Code\nlng: Longitude\nlat: " +
				"Latitude\ncategory: common_needs\nencoding: latin-1\nnulls: ['..']",
			Issues: map[string]int64{"duplicate_key": 5},
			Rows: map[string]string{
				"SELECT name, state_code, lng FROM poi WHERE address LIKE '9750 - 74 Avenue%'": "École Joseph-Moreau|AB|-113.4812942"},
		},
		sourcetest.Case{
			Name: "schools of Ottawa, GeoJSON", Path: testenv.Data("ca-ottawa/osm/ottawa_schools_2015.json"),
			Options: "key: GLOBALID\nname: NAME\naddress: '{NUM} {STREET}'\nphone: PHONE\ncategory: common_needs",
			Rows: map[string]string{"SELECT count(*) FROM poi": "366",
				"SELECT address, phone FROM poi WHERE name = 'Saint Elizabeth Ann Seton School'": "41 prom. Weybridge Dr|613-825-3596"},
		},
		sourcetest.Case{
			Name: "child care of Washington, lines that end in CR", Path: testenv.Data("us-dc/open-data/Child_Development_Centers.csv"),
			AnyLength: lines, Read: 346,
			Options: "key: LIC_NUM\nname: NAME\naddress: ADDRESS\npostal_code: ZIPCODE\nlng: X\nlat: Y\ncategory: daycares",
			Issues:  map[string]int64{"carriage_returns_found": 1},
			Rows: map[string]string{
				"SELECT name, address, postal_code, lng FROM poi WHERE source_key = 'under-test:CDC-909852'": "Emergent Preparatory Academy|2801 " +
					"STANTON RD, SE|20020|-76.98734907",
			},
		},
		sourcetest.Case{
			Name: "child care of Washington, state plane", Path: testenv.Data("us-dc/open-data/Child_Development_Centers.csv"), AnyLength: lines,
			Read:    346,
			Options: "key: OBJECTID\nname: NAME\nx: XCOORD\ny: YCOORD\ncrs: EPSG:26985\ncategory: daycares",
			Issues:  map[string]int64{"carriage_returns_found": 1},
			Rows: map[string]string{
				"SELECT name, round(lng, 4), round(lat, 4) FROM poi WHERE source_key = 'under-test:3'": "Emergent Preparatory Academy|-76.9873|38.8569",
			},
		},
		sourcetest.Case{
			Name: "outlines as areas", Path: testenv.Data("us-seattle/boundaries/zip-codes.geojson"),
			Options: "key: ZCTA5CE10\nname: ZCTA5CE10\ncategory: parks",
			Rows: map[string]string{"SELECT count(*), count(area_m2) FROM poi": "32|32",
				"SELECT round(area_m2 / 1e6, 1) FROM poi WHERE name = '98112'": "12"},
		},
	)
}
