package addresses

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quartier/fixtures"
	"quartier/fixtures/registers"
	"quartier/fixtures/world"
	"quartier/fixtures/world/boundary"
	"quartier/ingest/source"
	"quartier/ingest/sourcetest"
	"quartier/internal/duck"
	_ "quartier/internal/duck/driver"
	"quartier/internal/testenv"
)

const all = "SELECT number, street, unit, city, state_code, postal_code, accuracy, lng, lat FROM address ORDER BY ALL"

const adresses = `NUM;SUF;RUE;TYPE;DIR;APP;VILLE;CP;LON;LAT
12;;de l'Église;Rue;;;Gatineau;J8X 1A1;-75,71;45,43
221;B;Bélair;boul;O;4;;j8x1a2;-75,72;45,43
14;1/2;Main;ST;;;Perth;;-75,73;45,43
208.5;;Main;ST;;;Perth;;-75,74;45,43
;;Main;ST;;;Perth;;-75,75;45,43
7;;;;;;Perth;;-75,75;45,43
mille;;Main;ST;;;Perth;;-75,75;45,43
4;;RR 2;;;;Perth;;-75,75;45,43
9;;CP 19;;;;Perth;;-75,75;45,43
8;;Main;ST;;;Perth;;;
8;;Main;ST;;;Perth;;10;50
`

const overtureLines = `{"type":"Feature","id":"a","geometry":{"type":"Point","coordinates":[-71.2,42.33]},"properties":{"country":"US","address_levels":[{"value":"MA"},{"value":"NEWTON CENTRE"}],"postcode":"02459","street":"COMMONWEALTH AVE","number":"1000","postal_city":null}}
{"type":"Feature","id":"b","geometry":{"type":"Point","coordinates":[-71.21,42.33]},"properties":{"country":"US","address_levels":[{"value":"MA"},{}],"postcode":"02459","street":"COMMONWEALTH AVE","number":"1002"}}
{"type":"Feature","id":"c","geometry":{"type":"Point","coordinates":[-71.22,42.33]},"properties":{"country":"US","address_levels":[{},{}],"street":"COMMONWEALTH AVE","number":"1004","unit":"2","postal_city":"Some City"}}
{"type":"Feature","id":"d","geometry":{"type":"Point","coordinates":[-71.22,42.33]},"properties":{"country":"MX","street":"Calle 4","number":"10"}}
{"type":"Feature","id":"e","geometry":{"type":"LineString","coordinates":[[-71.22,42.33],[-71.2,42.33]]},"properties":{"country":"US","street":"Calle 4","number":"10"}}
`

const overtureRows = "1000|COMMONWEALTH AVE|∅|NEWTON CENTRE|MA|02459|parcel|-71.2|42.33\n" +
	"1002|COMMONWEALTH AVE|∅|∅|MA|02459|parcel|-71.21|42.33\n" +
	"1004|COMMONWEALTH AVE|2|Some City|∅|∅|parcel|-71.22|42.33"

const town = `<osm version="0.6"><node id="1" lat="45.42" lon="-75.69"><tag k="addr:housenumber" v="12;14"/><tag k="addr:street" v="Rue Main"/>
<tag k="addr:city" v="Ottawa"/></node><node id="2" lat="45.43" lon="-75.69"/><node id="3" lat="45.43" lon="-75.68"/><node id="4" lat="45.44" lon="-75.68"/>
<node id="5" lat="45.42" lon="-75.6"><tag k="addr:housenumber" v="9"/></node>
<way id="7"><nd ref="2"/><nd ref="3"/><nd ref="4"/><nd ref="2"/><tag k="building" v="yes"/><tag k="addr:housenumber" v="3"/><tag k="addr:street" v="Elm St"/>
<tag k="addr:province" v="ON"/></way>
<way id="9"><nd ref="2"/><nd ref="3"/><nd ref="4"/><nd ref="2"/><tag k="amenity" v="school"/><tag k="addr:housenumber" v="5"/>
<tag k="addr:street" v="Elm St"/><tag k="addr:province" v="ON"/></way>
<way id="8"><nd ref="2"/><nd ref="3"/><tag k="addr:interpolation" v="odd"/><tag k="addr:housenumber" v="3"/></way></osm>`

// TestConformance also reads the registers of the towns, which have every address that has a point and can be gone to.
func TestConformance(t *testing.T) {
	folder, count := towns(t)
	sourcetest.Run(t, Kind,
		sourcetest.Case{
			Name: "a table by its columns", Path: sourcetest.File(t, "adresses.csv", adresses), Read: 11, AnyLength: "rows of text",
			Options: "house_number: '{NUM} {SUF}'\nstreet: RUE\nstreet_type: TYPE\nstreet_direction: DIR\nunit: APP\ncity: VILLE\n" +
				"postal_code: CP\nlng: LON\nlat: LAT\nconstants: {city: Hull, state: QC}\naccuracy: street",
			Rows: map[string]string{all: "12|Rue de l'Église|∅|Gatineau|QC|J8X 1A1|street|-75.71|45.43\n" +
				"14 1/2|Main ST|∅|Perth|QC|∅|street|-75.73|45.43\n" +
				"208 1/2|Main ST|∅|Perth|QC|∅|street|-75.74|45.43\n221B|boul Bélair O|4|Hull|QC|J8X 1A2|street|-75.72|45.43"},
			Issues: map[string]int64{"no_house_number": 1, "no_street": 1, "invalid_house_number": 1, "no_civic_address": 2, "missing_geometry": 1,
				"outside_north_america": 1, "decimal_comma_found": 2, "delimiter_found": 1},
		},
		sourcetest.Case{
			Name: "Overture, GeoJSON lines", Path: sourcetest.File(t, "addresses.geojsonl", overtureLines), Options: "layout: overture", Read: 5,
			AnyLength: "rows of text", Rows: map[string]string{all: overtureRows},
			Issues: map[string]int64{"other_country": 1, "wrong_geometry_type": 1},
		},
		sourcetest.Case{
			Name: "Overture, Parquet", Path: parquet(t), Options: "layout: overture", Read: 3, Rows: map[string]string{all: overtureRows},
		},
		sourcetest.Case{
			Name: "National Address Database, release 4", Path: testenv.Data("formats/addresses/nad/nad_r4_rows.csv"),
			Options: "layout: nad", Read: 5, AnyLength: "rows of text",
			Rows: map[string]string{"SELECT number, street, city, state_code, postal_code, accuracy FROM address ORDER BY ALL": "" +
				"1300|East 10th Street|" +
				"Stuttgart|AR|72160|parcel\n27|Molly Lane|De Witt|AR|72042|parcel\n403|East 10th Street|Stuttgart|AR|72160|parcel\n" +
				"604|East 10th Street|Stuttgart|AR|72160|parcel\n812|East 10th|Stuttgart|AR|72160|parcel"},
		},
		sourcetest.Case{
			Name: "National Address Database, release 23", Path: filepath.Join(folder, "nad", "NAD_towns.txt"), Options: "layout: nad",
			Rows:   map[string]string{"SELECT count(*) FROM address": count["US"]},
			Issues: map[string]int64{"missing_geometry": 1, "no_civic_address": 1}, AnyLength: "rows of text",
		},
		sourcetest.Case{
			Name: "National Address Register", Path: filepath.Join(folder, "nar"), Options: "layout: nar",
			Rows:   map[string]string{"SELECT count(*) FROM address": count["CA"]},
			Issues: map[string]int64{"no_civic_address": 1},
		},
		sourcetest.Case{
			Name: "San Francisco", Path: testenv.Data("formats/addresses/openaddresses/us-ca-san_francisco.csv"), Read: 7284,
			Options: "house_number: '{ADDR_NUM} {ADDR_N_SFX}'\nstreet: '{ST_NAME} {ST_TYPE}'\nunit: UNIT_NUM\npostal_code: ZIPCODE\n" +
				"lng: LONGITUDE\nlat: LATITUDE\nconstants: {city: San Francisco, state: CA}", AnyLength: "rows of text",
			Rows:   map[string]string{"SELECT count(*), count(unit), count(DISTINCT street) FROM address": "7249|2277|69"},
			Issues: map[string]int64{"no_street": 35},
		},
		sourcetest.Case{
			Name: "Virginia", Path: testenv.Data("formats/addresses/openaddresses/us-va_SiteAddress.txt"), Read: 9, AnyLength: "rows of text",
			Options: "house_number: ADDRNUM\nstreet: FULLNAME\ncity: PO_NAME\nstate: STATE\npostal_code: ZIP_5\nlng: LONG\nlat: LAT",
			Rows:    map[string]string{"SELECT count(*), min(postal_code), max(state_code) FROM address": "9|24348|VA"},
		},
		sourcetest.Case{
			Name: "TIGER ranges", Path: testenv.Data("formats/addresses/tiger/tl_2021_30059_addrfeat.zip"), Options: "layout: addrfeat", Read: 677,
			Rows: map[string]string{"SELECT count(*), min(low), max(high), count(DISTINCT street) FROM address_range": "878|1|7699|227",
				"SELECT step, count(*) FROM address_range GROUP BY 1 ORDER BY 1": "even|432\nodd|446"},
		},
		sourcetest.Case{
			Name: "OpenStreetMap", Path: sourcetest.File(t, "town.osm", town), Options: "layout: osm", Read: 6,
			Rows: map[string]string{all: "12|Rue Main|∅|Ottawa|∅|∅|rooftop|-75.69|45.42\n14|Rue Main|∅|Ottawa|∅|∅|rooftop|-75.69|45.42\n" +
				"3|Elm St|∅|∅|ON|∅|rooftop|-75.68333333333334|45.433333333333344\n" +
				"5|Elm St|∅|∅|ON|∅|parcel|-75.68333333333334|45.433333333333344"},
			Issues: map[string]int64{"no_street": 1, "wrong_geometry_type": 1},
		},
	)
}

// parquet writes the good rows of overtureLines as Overture's releases have them.
func parquet(t *testing.T) string {
	t.Helper()
	db, err := duck.Memory()
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	path := filepath.Join(t.TempDir(), "addresses.parquet")
	_, err = db.ExecContext(t.Context(), fmt.Sprintf(`COPY (SELECT id, geometry, country, postcode, street, number, unit, postal_city,
		[{'value': state}, {'value': town}] AS address_levels FROM (VALUES
		('a', %[2]s, 'US', '02459', 'COMMONWEALTH AVE', '1000', NULL, NULL, 'MA', 'NEWTON CENTRE'),
		('b', %[3]s, 'US', '02459', 'COMMONWEALTH AVE', '1002', NULL, NULL, 'MA', NULL),
		('c', %[4]s, 'US', NULL, 'COMMONWEALTH AVE', '1004', '2', 'Some City', NULL, NULL)
		) v(id, geometry, country, postcode, street, number, unit, postal_city, state, town))
		TO '%[1]s' (FORMAT parquet, KV_METADATA {geo: '{"version":"1.1.0","primary_column":"geometry","columns":{"geometry":{"encoding":"WKB","geometry_types":["Point"]}}}'})`,
		path, blob(-71.2, 42.33), blob(-71.21, 42.33), blob(-71.22, 42.33)))
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// towns writes the towns and counts the good addresses in them by country.
func towns(t *testing.T) (folder string, count map[string]string) {
	t.Helper()
	folder = t.TempDir()
	if _, err := fixtures.Write(t.Context(), folder, fixtures.Options{}); err != nil {
		t.Fatal(err)
	}
	sum := map[string]int{}
	for _, a := range registers.Addresses(world.New(0, boundary.First)) {
		if !a.NotCivic && !a.NoPoint {
			sum[a.Country]++
		}
	}
	return folder, map[string]string{"US": fmt.Sprint(sum["US"]), "CA": fmt.Sprint(sum["CA"])}
}

// A register without the points of a province, and files that have no addresses, are refused before a build.
// TestUnnamed: words in the place of a name are none, but beside a type.
func TestUnnamed(t *testing.T) {
	for _, street := range []string{"UNKNOWN", "unnamed", "N/A", "None", "TBD", "No name", "Inconnu", "SANS NOM", "", "-"} {
		if named(street) {
			t.Errorf("%q is a name", street)
		}
	}
	for _, street := range []string{"Unknown Rd", "chemin Sans Nom", "No Name Ln", "None Such Ct", "NA ST", "Tbd Ave"} {
		if !named(street) {
			t.Errorf("%q is no name", street)
		}
	}
}

func TestRefused(t *testing.T) {
	folder := t.TempDir()
	if err := os.MkdirAll(filepath.Join(folder, "Addresses"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "Addresses", "Address_24.csv"), []byte("LOC_GUID,CIVIC_NO\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	prices := sourcetest.File(t, "prices.csv", "name,price,lng,lat\nTea,free,-75,45\nCoffee,cheap,-75.1,45\n")
	for _, c := range []struct{ path, options, want string }{
		{folder, "layout: nar", "Address_24.csv is there without Location_24.csv"},
		{t.TempDir(), "layout: nar", "in this folder"},
		{prices, "house_number: price\nstreet: name\nlng: lng\nlat: lat",
			"none of its 2 rows is an address, mostly because: The house number is none"},
		{prices, "house_number: price\nstreet: street\nlng: lng\nlat: lat", "no column street"},
		{prices, "street: name\nlng: lng\nlat: lat", "house_number: is missing"},
		{prices, "layout: nowhere", "addrfeat, nad, nar, openaddresses, osm, overture, rnf"},
		{prices, "layout: nad", "no column"},
		{prices, "layout: osm", "neither OSM PBF nor OSM XML"},
		{prices, "layout: osm\nwhere: {a: b}", "are not read with the layout osm"},
		{prices, "house_number: price\nstreet: name\nlng: lng\nlat: lat\nconstants: {unit: x}", `"unit" is not an option`},
		{prices, "street: name\nleft_from: price", "require each other"},
		{prices, "house_number: price\nstreet: name\naccuracies: {a: near}", `"near" is none of`},
	} {
		in := source.Input{Source: "addresses", Path: c.path, Options: sourcetest.Options(t, c.options)}
		err := Kind.Check(t.Context(), in)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.options, err, c.want)
		}
		if strings.HasPrefix(c.want, "none of") && !errors.Is(err, source.ErrBadFile) {
			t.Errorf("%v is not of the file", err)
		}
	}
}

func TestRangesHaveTheirSides(t *testing.T) {
	for _, c := range []struct{ from, to, parity, want string }{
		{"100", "198", "E", "100-198 even"}, {"199", "101", "O", "101-199 odd"}, {"1", "10", "", "1-10 every"}, {"1", "9", "B", "1-9 every"},
		{"N1", "9", "", ""}, {"0", "9", "", ""}, {"1", "99999999", "", ""}, {"7", "7", "", "7-7 odd"},
	} {
		var side source.AddressRange
		got := ""
		if numbers(&side, c.from, c.to, c.parity) {
			got = fmt.Sprintf("%d-%d %s", side.Low, side.High, side.Step)
		}
		if got != c.want {
			t.Errorf("%v: %q", c, got)
		}
	}
}

// blob is SQL of a point as well-known binary.
func blob(lng, lat float64) string {
	b := binary.LittleEndian.AppendUint32([]byte{1}, 1)
	b = binary.LittleEndian.AppendUint64(b, math.Float64bits(lng))
	return fmt.Sprintf("unhex('%x')", binary.LittleEndian.AppendUint64(b, math.Float64bits(lat)))
}
