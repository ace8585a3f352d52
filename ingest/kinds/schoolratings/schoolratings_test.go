package schoolratings

import (
	"testing"

	"quartier/ingest/sourcetest"
	"quartier/internal/testenv"
)

const lines = "any line of text may be the last one"

const list = `NCESSCH,SCHOOL,DISTRICT,MET,GRADE
410000100001,Alder,District 1,87.5,A-
410000100002,Birch,District 1,*,b
410000100003,Cedar,District 2,101,G
410000100004,Date,,45 %,F
,,District 2,50,C+
`

func TestConformance(t *testing.T) {
	path := sourcetest.File(t, "ratings.csv", list)
	sourcetest.Run(t, Kind,
		sourcetest.Case{
			Name: "percent", Path: path, AnyLength: lines, Read: 5, State: "OR",
			Options: "{school_id: 'nces:{NCESSCH}', school_name: SCHOOL, board: DISTRICT, boards: {District 1: Alpha}, mark: MET, scale: percent}",
			Issues:  map[string]int64{"missing_mark": 1, "invalid_mark": 1, "no_school_named": 1},
			Rows: map[string]string{
				"SELECT source_key, school_id, school_name, board_name, state_code, share, letter FROM school_rating ORDER BY 1": "" +
					"under-test:2|nces:410000100001|Alder|Alpha|OR|0.875|∅\nunder-test:5|nces:410000100004|Date|∅|OR|0.45|∅",
			},
		},
		sourcetest.Case{
			Name: "letters", Path: path, AnyLength: lines, Read: 5, Options: "{school_name: SCHOOL, mark: GRADE, scale: letter}",
			Issues: map[string]int64{"invalid_mark": 1, "no_school_named": 1},
			Rows:   map[string]string{"SELECT school_name, share, letter FROM school_rating ORDER BY 1": "Alder|∅|A-\nBirch|∅|B\nDate|∅|F"},
		},
		sourcetest.Case{
			Name: "EQAO", Path: testenv.Data("ca-ottawa/open-data/eqao_scores.csv"), AnyLength: lines, Read: 244, State: "ON",
			Options: "{school_name: schoolName, board: boardName, boards: {Ottawa CSB: Ottawa Catholic School Board}, mark: avgScore, scale: " +
				"percent}",
			Rows: map[string]string{
				"SELECT count(*), min(share), max(share), count(DISTINCT board_name), count(*) FILTER (board_name = 'Ottawa Catholic School Board') " +
					"FROM school_rating": "244|0.1|0.95|4|84",
			},
		},
	)
}

func FuzzMark(f *testing.F) {
	f.Add("87 %", "percent")
	f.Add("a+", "letter")
	f.Fuzz(func(t *testing.T, text, scale string) {
		share, letter, why := mark(text, scale)
		if why.OK() == (share == nil && letter == "") || share != nil && !(*share >= 0 && *share <= 1) {
			t.Errorf("%q of %q is %v, %q, %v", text, scale, share, letter, why)
		}
	})
}
