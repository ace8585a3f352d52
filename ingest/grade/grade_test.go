package grade

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"quartier/schemas"
)

func TestParse(t *testing.T) {
	for text, want := range map[string]Range{
		"":                      {},
		"K-8":                   {Grades: "K-8"},
		" k – 5 ":               {Grades: "K-5"},
		"09":                    {Grades: "9"},
		"KG-05":                 {Grades: "K-5"},
		"P-12":                  {Grades: "PK-12"},
		"pre K-K":               {Grades: "PK-K"},
		"Pre-K":                 {Grades: "PK"},
		"Preschl":               {Grades: "PK"},
		"JK to 8":               {Grades: "JK-8"},
		"Grades 7 through 12":   {Grades: "7-12"},
		"9th-12th":              {Grades: "9-12"},
		"Maternelle à 6e année": {Grades: "M-6"},
		"Junior Kindergarten-3": {Grades: "JK-3"},
		"K, 1, 2, 3, 4 ,5":      {Grades: "K-5"},
		"PK, 6-8":               {Grades: "PK-8", Levels: []string{"preschool", "middle"}},
		"K-5, 9-12":             {Grades: "K-12", Levels: []string{"elementary", "secondary"}},
		"JK/SK":                 {Grades: "JK-SK"},
		"8-K":                   {Grades: "K-8", Reversed: true},
		"12-Sep":                {Grades: "9-12", Dated: true},
		"8-Jun":                 {Grades: "6-8", Dated: true},
		"5-Jan":                 {Grades: "1-5", Dated: true},
		"Sep-12":                {Grades: "9-12", Dated: true},
		"9-Dec":                 {Grades: "9-12", Dated: true},
		"12-sept.":              {Grades: "9-12", Dated: true},
		"2019-09-12 00:00:00":   {Grades: "9-12", Dated: true},
		"6/8/2019":              {Grades: "6-8", Dated: true},
		"31-Dec":                {Unknown: true},
		"Ungraded":              {},
		"UG-UG":                 {},
		"K-UG":                  {Grades: "K"},
		"PK-AE":                 {Grades: "PK"},
		"Vo-Tech":               {Unknown: true},
		"K4":                    {Unknown: true},
		"K-Vo":                  {Grades: "K", Unknown: true},
		"14":                    {Unknown: true},
		"1-2-3":                 {Unknown: true},
	} {
		got := Parse(text)
		if got.Grades != want.Grades || !slices.Equal(got.Levels, want.Levels) || got.Reversed != want.Reversed || got.Dated != want.Dated ||
			got.Unknown != want.Unknown {
			t.Errorf("%q is %+v, want %+v", text, got, want)
		}
	}
}

func TestBetween(t *testing.T) {
	for pair, want := range map[[2]string]string{
		{"PK", "05"}: "PK-5", {"KG", "KG"}: "K", {"09", "13"}: "9-13", {"", "8"}: "8", {"UG", "UG"}: "", {"01", "UG"}: "1", {"12", "09"}: "9-12",
		{"M", "M"}: "M",
	} {
		if got := Between(pair[0], pair[1]).Grades; got != want {
			t.Errorf("%v is %q, want %q", pair, got, want)
		}
	}
}

func TestSpans(t *testing.T) {
	for text, want := range map[string]string{
		"K-8": "elementary K-5|middle 6-8", "PK-12": "preschool PK|elementary K-5|middle 6-8|secondary 9-12", "9": "secondary 9",
		"7-9":  "middle 7-8|secondary 9",
		"JK-8": "preschool JK|elementary SK-5|middle 6-8", "PK-K": "preschool PK|elementary K", "": "", "x": "", "5-6": "elementary 5|middle 6",
	} {
		var list []string
		for _, s := range Spans(text) {
			list = append(list, s.Level+" "+s.Grades)
		}
		if got := strings.Join(list, "|"); got != want {
			t.Errorf("%q is %s, want %s", text, got, want)
		}
	}
}

func TestWords(t *testing.T) {
	for text, want := range map[string]string{
		"Elem/Middle": "elementary,middle", "Option Elementary": "elementary", "Junior High School": "middle", "Jr. High": "middle",
		"Senior High": "secondary", "Élémentaire/Secondaire": "elementary,secondary",
		"Intermediate": "middle", "Pre-K": "preschool", "K-8": "elementary,middle", "ES": "elementary", "Highland": "", "": "",
		"Driving School": "",
		"Combined (K-8)": "elementary,middle", "K-12": "elementary,middle,secondary", "Combined": "",
	} {
		if got := Join(Levels(text)); got != want {
			t.Errorf("levels of %q are %q, want %q", text, got, want)
		}
	}
	for text, want := range map[string]bool{"Administrative": true, "District Office": true, "Adult Education": true,
		"Office of the Elementary School": false, "Regular": false, "": false} {
		if Other(text) != want {
			t.Errorf("%q is no school: %v", text, !want)
		}
	}
	for text, want := range map[string]string{
		"Private": "private", "Privée": "private", "école privé francophone": "private", "First Nations School": "public",
		"Francophone": "public", "Archdiocese": "private", "Charter": "public", "Other": "", "": "",
	} {
		if got := Type(text); got != want {
			t.Errorf("type of %q is %q, want %q", text, got, want)
		}
	}
	for name, want := range map[string]string{"South Shore K-8": "K-8", "K-8 STEM at Boren": "K-8",
		"Hazel Wolf K-8 (interim at John Marshall)": "K-8", "Lincoln (6-12)": "6-12", "Route 1-9 School": "", "PS 12": ""} {
		if got := OfName(name); got != want {
			t.Errorf("grades in %q are %q, want %q", name, got, want)
		}
	}
	if name, was := Permanent("Olympic Hills (interim at Cedar Park)"); name != "Olympic Hills" || !was {
		t.Errorf("%q, %v", name, was)
	}
	if name, was := Permanent("Center (School)"); name != "Center (School)" || was {
		t.Errorf("%q, %v", name, was)
	}
}

// Ranges of known grades are read as they are, in any order and spelling, and their spans are the range again.
func TestRangesOfGrades(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := rapid.IntRange(3, len(schemas.Grades)-1).Draw(t, "low"), rapid.IntRange(3, len(schemas.Grades)-1).Draw(t, "high")
		low, high := schemas.Grades[a][0], schemas.Grades[b][0]
		r := Parse("0" + low + " - " + high + "th")
		first, last := schemas.Grades[min(a, b)][0], schemas.Grades[max(a, b)][0]
		want := first + "-" + last
		if a == b {
			want = first
		}
		if r.Grades != want || r.Unknown || r.Reversed != (a > b) {
			t.Fatalf("%s-%s is %+v", low, high, r)
		}
		spans := Spans(r.Grades)
		from, _, _ := strings.Cut(spans[0].Grades, "-")
		parts := strings.Split(spans[len(spans)-1].Grades, "-")
		if from != first || parts[len(parts)-1] != last {
			t.Fatalf("%s has the spans %v", r.Grades, spans)
		}
	})
}

func FuzzParse(f *testing.F) {
	for _, text := range []string{"K-8", "12-Sep", "PK, 6-8", "à", "-", ",,", "2019-09-12"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r := Parse(text)
		for _, code := range strings.Split(r.Grades, "-") {
			if r.Grades != "" && rank(code) < 0 {
				t.Errorf("%q gives the grades %q", text, r.Grades)
			}
		}
		if again := Parse(r.Grades); again.Grades != r.Grades || again.Unknown || again.Reversed {
			t.Errorf("%q is %q, which is %+v", text, r.Grades, again)
		}
	})
}
