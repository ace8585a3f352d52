package schools

import (
	"errors"
	"strings"
	"testing"

	"quartier/ingest/source"
	"quartier/ingest/sourcetest"
	"quartier/internal/testenv"
)

const lines = "any line of text may be the last one"

const list = `ID,SCHOOL,FR,KIND,GRADES,BOARD,ADDR,ZIP,PUPILS,CHARTER,X,Y
1,"Alder
 Elementary ",,Elementary,K-5,District 1,1 Main St,97201-1234,400,Y,-122.6,45.5
2,Birch K-8,,Elementary,,District 1,,97202,,N,-122.61,45.51
3,Cedar Middle (interim at Birch),,Middle,8-Jun,,,97203,,,-122.62,45.52
4,Date High,,High,12-9,,,97204,,,-122.63,45.53
5,Elm Driving,,Driving,,,,97205,,,-122.64,45.54
6,Far Away,,High,9-12,,,97206,,,-100.1,45.5
7,Zero,,High,9-12,,,97207,,,0,0
8,Swapped,,High,9-12,,,97208,,,45.55,-122.65
9,Nowhere,,High,9-12,,,97209,,,,
10,Odd,,High,Vo-Tech,,,97210,,,-122.66,45.56
10,Again,,High,9-12,,,97210,,,-122.67,45.57
11,,,High,9-12,,,97210,,,-122.68,45.57
12,Gap,,Other,"PK, 6-8",Private,,97212,-3,,-122.69,45.58
`

func TestConformance(t *testing.T) {
	seattle, ottawa := testenv.Data("us-seattle/schools")+"/", testenv.Data("ca-ottawa/open-data/schools_raw.csv")
	sourcetest.Run(t, Kind,
		sourcetest.Case{
			Name: "defects", Path: sourcetest.File(t, "list.csv", list), AnyLength: lines, Read: 13, Country: "US", State: "OR",
			Options: `
id: "test:{ID}"
name: SCHOOL
grades: GRADES
level_of: KIND
levels: {Elementary: elementary, Middle: middle, High: secondary, Other: [elementary, middle], Driving: null}
type: public
type_of: BOARD
types: {District 1: public}
board: BOARD
address: ADDR
postal_code: ZIP
figures: {students: PUPILS, charter: CHARTER}
lng: X
lat: Y`,
			Issues: map[string]int64{"date_for_grades": 1, "reversed_grades": 1, "interim_site": 1, "unknown_grade": 1,
				"excluded_by_option: levels": 1, "outside_state": 1, "zero_coordinates": 1,
				"swapped_coordinates": 1, "duplicate_key": 1, "missing_name": 1},
			Rows: map[string]string{
				"SELECT source_key, name, lng, geocoded, levels, grades, types, postal_code, students, charter FROM school ORDER BY " +
					"CAST(split_part(source_key, ':', 2) AS INT)": "" +
					"test:1|Alder Elementary|-122.6|false|∅|K-5|public|97201|400|true\n" +
					"test:2|Birch K-8|-122.61|false|∅|K-8|public|97202|∅|false\n" +
					"test:3|Cedar Middle|-122.62|true|∅|6-8|public|97203|∅|∅\n" +
					"test:4|Date High|-122.63|false|∅|9-12|public|97204|∅|∅\n" +
					"test:8|Swapped|-122.65|false|∅|9-12|public|97208|∅|∅\n" +
					"test:9|Nowhere|∅|false|∅|9-12|public|97209|∅|∅\n" +
					"test:10|Odd|-122.66|false|secondary|∅|public|97210|∅|∅\n" +
					"test:12|Gap|-122.69|false|preschool,middle|PK-8|private|97212|∅|∅",
			},
		},
		sourcetest.Case{
			Name: "public schools of Seattle, dates for grades", Path: seattle + "city_Public_Schools.csv", AnyLength: lines, Read: 102,
			Country: "US", State: "WA",
			Options: "{key: OBJECTID, name: NAME, grades: GRADE, level_of: TYPE, type: public, address: ADDRESS, city: CITY, postal_code: ZIP, " +
				"phone: PHONE, url: WEBSITE, lng: X, lat: Y}",
			Issues: map[string]int64{"date_for_grades": 29, "unknown_school_level": 7, "interim_site": 1},
			Rows: map[string]string{
				"SELECT grades, count(*) FROM school GROUP BY 1 ORDER BY 2 DESC, 1": "K-5|61\n9-12|15\n6-8|12\nK-8|10\n1-5|1\n6-12|1\nK-12|1\nPK|1",
			},
		},
		sourcetest.Case{
			Name: "public schools of Seattle, GeoJSON", Path: seattle + "city_Public_Schools.geojson", Read: 102, Country: "US", State: "WA",
			Options: "{key: OBJECTID, name: NAME, grades: GRADE, type: public, address: ADDRESS, city: CITY, postal_code: ZIP, phone: PHONE, url: " +
				"WEBSITE}",
			Issues: map[string]int64{"interim_site": 1},
			Rows: map[string]string{
				"SELECT grades, count(*) FROM school GROUP BY 1 ORDER BY 2 DESC, 1": "K-5|61\n9-12|15\n" +
					"6-8|12\nK-8|10\n1-5|1\n6-12|1\nK-12|1\nPK|1",
				"SELECT round(lng, 6), round(lat, 6), address, state_code, country_code, types FROM school WHERE name = " +
					"'Adams'": "-122.39152|47.673632|6110 28th Ave. NW|WA|US|public",
			},
		},
		sourcetest.Case{
			Name: "private schools of Seattle", Path: seattle + "city_Private_Schools.csv", AnyLength: lines, Read: 89, Country: "US", State: "WA",
			Options: "{key: OBJECTID, name: NAME, grades: GRADE, type: private, address: ADDRESS, city: CITY, postal_code: ZIP, phone: PHONE, " +
				"url: WEBSITE, nulls: [N/A], lng: X, lat: Y}",
			Issues: map[string]int64{"date_for_grades": 28},
			Rows: map[string]string{
				"SELECT count(*), count(url), count(DISTINCT length(postal_code)) FROM school":                        "89|87|1",
				"SELECT grades, count(*) FROM school WHERE grades IN ('9-12', '3-12', '11-12') GROUP BY 1 ORDER BY 1": "11-12|1\n3-12|2\n9-12|9",
			},
		},
		sourcetest.Case{
			Name: "sites of Seattle's public schools, without ids", Path: seattle + "sps_school_site_2015_2016.geojson", Read: 97, Country: "US",
			State:   "WA",
			Options: "{key: '@id', name: PROPERTY_L, level_of: Status, type: public}",
			Issues:  map[string]int64{"interim_site": 4, "unknown_school_level": 5},
			Rows: map[string]string{
				"SELECT name, levels, grades, geocoded FROM school WHERE name IN ('Olympic Hills', 'Madrona K-8', 'Eckstein', 'Center School') ORDER " +
					"BY 1": "Center School|secondary|∅|false\nEckstein|middle|∅|false\nMadrona K-8|∅|K-8|false\nOlympic Hills|elementary|∅|true",
			},
		},
		sourcetest.Case{
			Name: "schools of Ottawa in two languages, by category", Path: ottawa, AnyLength: lines, Read: 451, Country: "CA", State: "ON",
			Options: `
key: "ottawa:school:{GlobalID}"
name: NAME
name_fr: NAME_FR
level_of: CATEGORY
levels: {Elementary: elementary, Secondary: secondary, Elementary/Secondary: [elementary, secondary], Intermediate: middle, Preschool: preschool, Waldorf School: elementary}
type_of: BOARD
types: {OCDSB: public, OCSB: public, CECCE: public, CÉPEO: public, Private: private}
language_of: BOARD
languages: {OCDSB: en, OCSB: en, CECCE: fr, CÉPEO: fr}
board: FULL_BOARD
address: "{NUM} {STREET}"
phone: PHONE
lng: LONGITUDE
lat: LATITUDE
constants: {city: Ottawa}`,
			Issues: map[string]int64{"excluded_by_option: levels": 87},
			Rows: map[string]string{
				"SELECT levels, types, count(*) FROM school GROUP BY 1, 2 ORDER BY 3 DESC LIMIT 3": "elementary|public|233\n" +
					"secondary|public|52\nelementary|private|34",
				"SELECT name, name_fr, address, city, languages, board_name FROM school WHERE name = 'St. Andrew School'": "St. Andrew School|École " +
					"St. Andrew|201 prom. Crestway Dr|Ottawa|en|Ottawa Catholic School Board",
			},
		},
		sourcetest.Case{
			Name: "schools of Philadelphia", Path: testenv.Data("us-philadelphia/schools/schools.geojson"), Read: 551, Country: "US", State: "PA",
			Options: `
key: OBJECTID
id: "phl:{LOCATION_ID}"
name: FACIL_NAME
grades: GRADE_ORG
level_of: GRADE_LEVEL
type_of: TYPE_SPECIFIC
address: FACIL_ADDRESS
postal_code: ZIPCODE
phone: FACIL_TELEPHONE
figures: {students: ENROLLMENT}
where: {ACTIVE: [O]}`,
			Issues: map[string]int64{"excluded_by_option: where": 11, "repeated_school_id": 5, "unknown_grade": 2, "unknown_school_level": 18,
				"not_a_school": 4},
			Rows: map[string]string{
				"SELECT source_key, name, grades, types, postal_code, students FROM school WHERE authority_id = 'phl:6250'": "under-test:1|Henry, " +
					"Charles W.|K-8|public|19119|478",
				"SELECT types, count(*) FROM school GROUP BY 1 ORDER BY 1": "private|227\npublic|" +
					"308\n∅|1",
			},
		},
	)
}

// Whatever the fields of a row, it is staged or counted.
func FuzzTable(f *testing.F) {
	f.Add("Alder,K-5,Elementary,12")
	f.Add("\"a\nb\",12-Sep,,x")
	f.Fuzz(func(t *testing.T, row string) {
		in := source.Input{Source: "s", Path: sourcetest.File(t, "list.csv", "NAME,GRADES,KIND,N\nOak,K-5,Elementary,1\n"+row+"\n"),
			Country: "US", State: "OR",
			Options: sourcetest.Options(t, "{name: NAME, grades: GRADES, level_of: KIND, figures: {students: N}}")}
		r := &sourcetest.Record{}
		if err := Kind.Stage(t.Context(), in, r); err != nil {
			if !errors.Is(err, source.ErrBadFile) {
				t.Error(err)
			}
			return
		}
		if counted := len(r.Schools) + len(r.Issues) - r.Repaired; counted != r.Count {
			t.Errorf("%q: %d rows read, %d staged or counted", row, r.Count, counted)
		}
	})
}

// A list without the column of names is an error before the first row; so are options that contradict each other.
func TestFaultsBeforeTheFirstRow(t *testing.T) {
	path := sourcetest.File(t, "list.csv", "ID,SCHOOL\n1,Oak\n")
	for options, says := range map[string]string{
		"{name: NAME}": "no column NAME; there are: ID, SCHOOL",
		"{}":           "name: is missing",
		"{name: SCHOOL, levels: {x: elementary}}":                "levels: requires level_of",
		"{name: SCHOOL, level_of: ID, levels: {x: primary}}":     "\"primary\" of \"x\" is none of unknown, preschool",
		"{name: SCHOOL, grades: ID, grade_low: ID}":              "grade_high",
		"{name: SCHOOL, figures: {pupils: ID}}":                  "\"pupils\" is none of",
		"{name: SCHOOL, constants: {grades: K-5}}":               "\"grades\" is not an option that can have one",
		"{name: SCHOOL, type: catholic}":                         "\"catholic\" is none of public, private",
		"{name: SCHOOL, lng: X}":                                 "lng: and lat: require each other",
		"{name: SCHOOL, type_of: ID, types: {Catholic: parish}}": "parish",
	} {
		in := source.Input{Source: "s", Path: path, Options: sourcetest.Options(t, options)}
		if err := Kind.Check(t.Context(), in); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: error %v does not say %s", options, err, says)
		}
	}
}
