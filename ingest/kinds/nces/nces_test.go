package nces

import (
	"slices"
	"strings"
	"testing"

	"quartier/ingest/sourcetest"
	"quartier/internal/testenv"
)

const lines = "any line of text may be the last one"

func TestConformance(t *testing.T) {
	national := testenv.Data("us-national") + "/"
	sourcetest.Run(t, Kind,
		sourcetest.Case{
			Name: "a county", Path: "testdata/county", Country: "US", State: "AL", Read: 37,
			Issues: map[string]int64{"permanently_closed": 1, "future_school": 1, "reversed_grades": 1, "geocode_without_school": 1,
				"invalid_nces_id": 1, "excluded_by_option: states": 1, "unused_file": 1},
			Rows: map[string]string{
				"SELECT source_key, authority_id, name, lng, lat, levels, grades, types, board_name, postal_code FROM school ORDER BY 1": "" +
					"nces:school:010000100001|nces:010000100001|Oak Elementary|-86.6|32.4|∅|K-5|public|Elm County|36003\n" +
					"nces:school:010000100002|nces:010000100002|Pine Middle|-86.61|32.41|preschool,middle|PK-8|public|Elm County|36003\n" +
					"nces:school:010000100003|nces:010000100003|Spruce High|-86.62|32.42|∅|9-12|public|Elm County|36003\n" +
					"nces:school:010000100006|nces:010000100006|Ungraded Center|-86.63|32.43|∅|∅|public|Elm County|36003\n" +
					"nces:school:010000100007|nces:010000100007|No Coordinates|∅|∅|∅|9-12|public|Elm County|36003\n" +
					"nces:school:A0100001|nces:A0100001|St. Example School|-86.65|32.45|∅|PK-8|private|∅|36003\n" +
					"nces:school:A0100002|nces:A0100002|Academy of Elm|-86.66|32.46|∅|9-12|private|∅|36003\n" +
					"nces:school:A0100003|nces:A0100003|Ungraded Academy|-86.67|32.47|elementary,middle,secondary|∅|private|∅|36003",
				"SELECT name, students, female, male, free_lunch, reduced_lunch, student_teacher_ratio, charter, magnet, title_i, " +
					"advanced_placement, library FROM school WHERE students IS NOT NULL OR charter ORDER BY source_key": "" +
					"Oak Elementary|220|110|110|120|0|20|false|false|true|∅|∅\n" +
					"Pine Middle|150|∅|∅|∅|∅|∅|∅|true|false|∅|∅\n" +
					"Spruce High|∅|∅|∅|∅|∅|∅|true|∅|∅|∅|∅\n" +
					"St. Example School|160|∅|∅|∅|∅|16|∅|∅|∅|∅|∅\n" +
					"Academy of Elm|45|∅|∅|∅|∅|∅|∅|∅|∅|∅|∅\n" +
					"Ungraded Academy|12|∅|∅|∅|∅|3|∅|∅|∅|∅|∅",
				"SELECT address, phone, city FROM school WHERE source_key = 'nces:school:A0100001'": "10 Church St|3345550201|Elmville",
			},
		},
		sourcetest.Case{
			Name: "one file of older years", Path: "testdata/sc092a_supp.txt", AnyLength: lines, Read: 3,
			Issues: map[string]int64{"permanently_closed": 1, "delimiter_found: \"\\t\"": 1},
			Rows: map[string]string{
				"SELECT authority_id, name, lng, levels, grades, students, female, male, free_lunch, reduced_lunch, student_teacher_ratio, charter, " +
					"magnet, title_i FROM school ORDER BY 1": "" +
					"nces:010000100001|OAK ELEMENTARY|-86.6|∅|K-5|200|100|100|90|10|20|false|false|true\n" +
					"nces:010000100002|PINE MIDDLE|-86.61|middle|∅|∅|∅|∅|∅|∅|∅|∅|∅|∅",
			},
		},
		sourcetest.Case{
			Name: "the public school search", Path: national + "nces_school_search_wa.csv", AnyLength: lines, Read: 2553,
			Rows: map[string]string{
				"SELECT count(*), count(students), count(student_teacher_ratio), count(lng) FROM " +
					"school": "2553|2525|2244|0",
				"SELECT name, grades, board_name, phone, students, student_teacher_ratio, free_lunch, reduced_lunch, charter, postal_code FROM " +
					"school WHERE authority_id = 'nces:530486002475'": "10th Street School|6-8|Marysville School " +
					"District|(360)965-0400|159|24.46|52|15|false|98271",
			},
		},
		sourcetest.Case{
			Name: "geocodes alone", Path: national + "nces_edge_public_201415_subset.csv", AnyLength: lines, Read: 8633, Options: "states: [WA]",
			Country: "US",
			Issues:  map[string]int64{"excluded_by_option: states": 6198},
			Rows: map[string]string{"SELECT count(*), count(name), count(lng), min(length(authority_id)), min(state_code), max(state_code) FROM " +
				"school": "2435|0|2435|17|WA|WA"},
		},
	)
}

// Whatever the header, a table that is recognised has the columns of its layout.
func FuzzRecognise(f *testing.F) {
	f.Add("NCESSCH,SCHNAM09,MEMBER09")
	f.Add("PPIN,PINST,LOGR2018")
	f.Fuzz(func(t *testing.T, header string) {
		columns := plainNames(strings.Split(header, ","))
		for name, column := range columns {
			if name == "" || !slices.Contains(strings.Split(header, ","), column) {
				t.Errorf("column %q is %q of %q", name, column, header)
			}
		}
	})
}

func FuzzID(f *testing.F) {
	f.Add("10000100001")
	f.Add("A0100001")
	f.Fuzz(func(t *testing.T, text string) {
		if id, ok := idOf(text); ok && len(id) != 12 && len(id) != 8 {
			t.Errorf("%q is %q", text, id)
		}
	})
}
