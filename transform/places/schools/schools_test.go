package schools

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"quartier/internal/geo"
	"quartier/schemas"
	"quartier/schemas/calibration"
	"quartier/schemas/staged"
)

func TestFold(t *testing.T) {
	for _, c := range []struct{ a, b string }{
		{"École élémentaire publique Des Sentiers", "Des Sentiers P.S."},
		{"St. Emily School", "École St.Emily"},
		{"Ste-Anne Catholic School", "École catholique Sainte-Anne"},
		{"Académie de la Capitale", "Capitale Academy"},
		{"Olympic Hills (interim at Cedar Park)", "Olympic Hills"},
		{"Broadview-Thomson K-8", "Broadview Thomson School"},
		{"Chief Sealth Int'l", "Chief Sealth International High School"},
		{"École secondaire publique L'Alternative", "Alternative High School"},
		{"École secondaire catholique Collège catholique Franco-Ouest", "Catholic College Franco-Ouest"},
		{"(Nouvelle École)", "Nouvelle"},
	} {
		if a, b := newName(c.a), newName(c.b); !equalNames([]name{a}, []name{b}) {
			t.Errorf("%q is %q, %q is %q", c.a, a.folded, c.b, b.folded)
		}
	}
	for _, c := range []struct{ a, b string }{{"West Seattle Elem", "East Seattle Elem"}, {"Lincoln School", "Roosevelt School"},
		{"P.S. 12", "P.S. 21"}} {
		if a, b := newName(c.a), newName(c.b); equalNames([]name{a}, []name{b}) {
			t.Errorf("%q and %q are both %q", c.a, c.b, a.folded)
		}
	}
	if got := newName("The Elementary School").folded; got != "the elementary school" {
		t.Errorf("generic words alone are %q", got)
	}
}

func TestLevelsOfGrades(t *testing.T) {
	for grades, want := range map[string]string{
		"PK": "preschool", "EE-K": "preschool,elementary", "K-5": "elementary", "PK-5": "preschool,elementary", "6-8": "middle",
		"9-12": "secondary",
		"7-12": "middle,secondary", "K-8": "elementary,middle", "JK-8": "preschool,elementary,middle", "SK-6": "elementary,middle",
		"5": "elementary", "13": "secondary",
		"": "", "8-6": "", "X": "",
	} {
		if got := spanOfGrades(grades).levels("US"); got != want {
			t.Errorf("%s: %s, want %s", grades, got, want)
		}
	}
	for grades, want := range map[string]string{"JK-6": "preschool,elementary", "K-6": "elementary", "7-8": "middle", "6": "elementary",
		"JK-8": "preschool,elementary,middle", "7-12": "middle,secondary"} {
		if got := spanOfGrades(grades).levels("CA"); got != want {
			t.Errorf("%s in Canada: %s, want %s", grades, got, want)
		}
	}
	for name, want := range map[string]string{"Salmon Bay K-8": "elementary,middle", "Tech 6-12": "middle,secondary",
		"Collège Garneau": "secondary", "Adams": "", "Kumon": ""} {
		levels, _ := LevelsOfName(name, "US")
		if got := orderLevels(levels); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	for _, row := range levelWords() {
		if row.level != "none" && orderLevels([]string{row.level}) == "" || row.kind != "word" && row.kind != "words" && row.kind != "office" {
			t.Errorf("level_words.tsv: %v", row)
		}
	}
}

func TestBoards(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"Ottawa CSB", "Ottawa Catholic School Board", true},
		{"Ottawa-Carleton DSB", "Ottawa-Carleton District School Board", true},
		{"Ottawa CSB", "Ottawa-Carleton District School Board", false},
		{"CSDC du Centre-Est de l'Ontario", "Conseil des écoles catholiques du Centre-Est", true},
		{"CÉP de l'Est de l'Ontario", "Conseil des écoles publiques de l'Est de l'Ontario", true},
		{"CSDC du Centre-Est de l'Ontario", "Conseil des écoles publiques de l'Est de l'Ontario", false},
		{"OCDSB", "Ottawa-Carleton District School Board", true},
		{"CECCE", "Conseil des écoles catholiques du Centre-Est", true},
		{"Toronto DSB", "Toronto CDSB", false},
		{"", "Toronto CDSB", true},
	} {
		if got, back := sameBoard(c.a, c.b), sameBoard(c.b, c.a); got != c.same || back != c.same {
			t.Errorf("%q and %q: %v, %v", c.a, c.b, got, back)
		}
	}
}

func TestTexts(t *testing.T) {
	long := strings.Repeat("École ", 50)
	if got := cutText(long); got != strings.TrimSpace(strings.Repeat("École ", 42)) {
		t.Errorf("%d characters: %q", len([]rune(got)), got)
	}
	if got := cutText(strings.Repeat("é", 300)); got != strings.Repeat("é", 256) {
		t.Errorf("one word: %d", len([]rune(got)))
	}
	if got := cutText("two\nlines "); got != "two lines" {
		t.Errorf("%q", got)
	}
	for _, c := range []struct{ got, want string }{
		{phoneText("(206)252-0000", "US"), "206-252-0000"}, {phoneText("206-252-0000", "CA"), ""}, {phoneText("252-0000", "US"), ""},
		{postalText("19119 - 3405", "US"), ""}, {postalText("19119-3405", "US"), "19119"}, {postalText("k1a0b1", "CA"), "K1A 0B1"},
		{postalText("98101", "CA"), ""},
		{programsText([]string{`["French immersion"]`, `["IB","French immersion"]`}), `["French immersion","IB"]`},
		{programsText([]string{"no list"}), ""},
		{languageOf("Conseil scolaire Viamonde", "Ronald-Marion"), "fr"}, {languageOf("Cree School Board", "École Voyageur Memorial"), "cr"},
		{languageOf("Ottawa Catholic School Board", "École St. Luke"), "en"}, {languageOf("", "École Notre-Dame"), "fr"},
		{languageOf("", "École Glenbrook Middle School"), ""}, {languageOf("", "Maryvale"), ""},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}

func TestLetters(t *testing.T) {
	c := &calibration.Standard().Schools
	for share, want := range map[float64]string{1: "A+", 0.9: "A+", 0.8999: "A", 0.85: "A", 0.8: "A-", 0.77: "B+", 0.5: "D-",
		0.499: "F", 0: "F"} {
		if got := c.Letter(share); got != want {
			t.Errorf("%v: %s, want %s", share, got, want)
		}
	}
	for i := 1; i < len(c.Ladder); i++ {
		if c.Ladder[i].Percent >= c.Ladder[i-1].Percent {
			t.Errorf("rung %v is not below %v", c.Ladder[i], c.Ladder[i-1])
		}
	}
}

// drawRecords draws records of a few sources, names, grades and places, so that many are one school.
func drawRecords(t *rapid.T) (rows []staged.School, priorities []int32) {
	names := []string{"Lincoln School", "École Lincoln", "Lincoln High School", "St. Luke School", "Roosevelt Elementary",
		"Rosevelt Elementary", ""}
	for i := range rapid.IntRange(0, 14).Draw(t, "records") {
		source := rapid.IntRange(0, 3).Draw(t, "source")
		s := staged.School{SourceID: fmt.Sprint("s", source), SourceKey: fmt.Sprint("s", source, ":", i),
			Name:     rapid.SampledFrom(names).Draw(t, "name"),
			Grades:   rapid.SampledFrom([]string{"", "K-5", "6-8", "9-12"}).Draw(t, "grades"),
			Levels:   rapid.SampledFrom([]string{"", "elementary", "middle"}).Draw(t, "levels"),
			Geocoded: rapid.Bool().Draw(t, "geocoded"), CountryCode: "US", PostalCode: rapid.SampledFrom([]string{"", "98101"}).Draw(t, "code")}
		if id := rapid.IntRange(0, 6).Draw(t, "id"); id > 3 {
			s.AuthorityID = fmt.Sprint("nces:", id)
		}
		if rapid.IntRange(0, 5).Draw(t, "placed") > 0 {
			p := geo.NewPlane(origin).Point(float64(rapid.IntRange(0, 10).Draw(t, "x"))*60, float64(rapid.IntRange(0, 2).Draw(t, "y"))*3000)
			s.Lng, s.Lat = &p[0], &p[1]
		}
		rows, priorities = append(rows, s), append(priorities, int32(source))
	}
	return rows, priorities
}

func deriveRows(rows []staged.School, priorities []int32, order []int) *Result {
	var records []*record
	for _, i := range order {
		records = append(records, newRecord(rows[i], priorities[i]))
	}
	return deriveRecords(records, placeOf("US"))
}

func TestOrderDoesNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows, priorities := drawRecords(t)
		order := make([]int, len(rows))
		for i := range order {
			order[i] = i
		}
		first := deriveRows(rows, priorities, order)
		second := deriveRows(rows, priorities, rapid.Permutation(order).Draw(t, "order"))
		if !reflect.DeepEqual(first, second) {
			t.Fatalf("%s\nand\n%s", showSchools(first), showSchools(second))
		}
	})
}

// Every record is in one school at most and counted if in none, a source has a school once, and merged schools merge no
// further.
func TestMergeProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows, priorities := drawRecords(t)
		order := make([]int, len(rows))
		for i := range order {
			order[i] = i
		}
		r := deriveRows(rows, priorities, order)
		seen, skipped := map[string]bool{}, int64(0)
		for _, s := range r.Sources {
			if seen[s.SourceKey] {
				t.Fatalf("%s is in two schools", s.SourceKey)
			}
			seen[s.SourceKey] = true
		}
		for _, i := range r.Issues {
			if i.Severity == "skipped" {
				skipped += i.Rows
			}
		}
		if len(seen) < len(rows) && skipped == 0 {
			t.Fatalf("%d of %d records are neither in a school nor counted", len(rows)-len(seen), len(rows))
		}
		var again []staged.School
		for _, s := range r.Schools {
			again = append(again, staged.School{SourceID: "merged", SourceKey: s.Key, AuthorityID: s.AuthorityID, Name: s.Name, Lng: &s.Lng,
				Lat:    &s.Lat,
				Levels: s.Levels, Grades: s.Grades, CountryCode: s.CountryCode, PostalCode: s.PostalCode, SchoolFigures: s.SchoolFigures})
		}
		twice := deriveRows(again, make([]int32, len(again)), order[:len(again)])
		if len(twice.Schools) > len(r.Schools) || len(again)-len(twice.Schools) > sameTwice(r) {
			t.Fatalf("merged once:\n%s\ntwice:\n%s", showSchools(r), showSchools(twice))
		}
	})
}

// sameTwice is the number of schools with the name, grades, levels and spot of another one, which one source would have twice.
func sameTwice(r *Result) (n int) {
	for i, a := range r.Schools {
		for _, b := range r.Schools[:i] {
			if newName(a.Name).plain == newName(b.Name).plain && a.Grades == b.Grades && a.Levels == b.Levels &&
				geo.Distance([2]float64{a.Lng, a.Lat}, [2]float64{b.Lng, b.Lat}) <= sameSpotM {
				n++
				break
			}
		}
	}
	return n
}

func TestReasonsHaveMeanings(t *testing.T) {
	for i, r := range ruleReasons {
		if schemas.SchoolReasonText(r) == "" {
			t.Errorf("rule %d: %s", i, r)
		}
	}
}
