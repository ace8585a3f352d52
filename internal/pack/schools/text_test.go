package schools

import (
	"math"
	"strings"
	"testing"

	"github.com/paulmach/orb"
	"pgregory.net/rapid"

	"quartier/internal/coord"
	"quartier/internal/pack/strips"
	"quartier/schemas/derived"
	"quartier/schemas/staged"
)

func ptr[T any](v T) *T { return &v }

// all is a school of a state with every field.
func all(country, state string) Record {
	return Record{
		Key: "x:1", Lng: -122.3, Lat: 47.6,
		SchoolDetails: derived.SchoolDetails{
			AuthorityID: "nces:1", Name: `École <"B">`, NameFR: "École B", Levels: "elementary,middle", Grades: "K-8", Types: "public",
			Languages: "en,fr,cr,xx", Programs: `["French Immersion","Robotics"]`, Address: "1 Main St", City: "Here", StateCode: state,
			PostalCode: "98101", CountryCode: country, Phone: "206-252-0000", URL: "https://a.example/?a=1&b=2", BoardName: "Board",
			BoardURL: "https://b.example", Rating: "B-",
			SchoolFigures: staged.SchoolFigures{
				Students: ptr(int64(300)), Female: ptr(int64(0)), Male: ptr(int64(300)), FreeLunch: ptr(int64(12)), ReducedLunch: ptr(int64(3)),
				StudentTeacherRatio: ptr(15.5), Charter: ptr(false), Magnet: ptr(true), TitleI: ptr(true), AdvancedPlacement: ptr(false),
				Library: ptr(true),
			},
		},
		Catchments: []Catchment{
			{Level: "middle", Program: "French immersion", Grade: "6-8", Geometry: square(-122.31, 47.59, 0.01)},
			{Level: "elementary", Grade: "1-5", Geometry: square(-122.31, 47.59, 0.01)},
			{Level: "elementary", Grade: "K", Geometry: square(-122.41, 47.59, 0.01)},
		},
	}
}

// only drops the optional fields of a school.
func only(r Record) Record {
	r.SchoolDetails = derived.SchoolDetails{Name: "Bare", Levels: "secondary", StateCode: r.StateCode, CountryCode: r.CountryCode}
	r.Catchments = nil
	return r
}

const (
	head    = `{"name":"École <\"B\">","address":"1 Main St","city":"Here","province":"`
	middle  = `,"lat":47.6,"lng":-122.3,"url":"https://a.example/?a=1&b=2"`
	board   = `,"school_board_attributes":{"name":"Board","url":"https://b.example"}`
	figures = `,"num_students":300,"num_female":0,"num_male":300,"num_free_lunch":12,"num_reduced_lunch":3,"student_teacher_ratio":15.5,` +
		`"is_advanced_placement":false,"is_charter":false,"is_magnet":true,"is_title_i_eligible":true,"has_library":true`
	proximity = `,"proximity":{"linear_distance":12.3}`
	nearby    = `[[[[47.59,-122.31],[47.59,-122.3],[47.6,-122.3],[47.6,-122.31],[47.59,-122.31]]]]`
	away      = `[[[[47.59,-122.41],[47.59,-122.4],[47.6,-122.4],[47.6,-122.41],[47.59,-122.41]]]]`
)

func TestFieldsOfSchools(t *testing.T) {
	english := `,"school_attributes":{"levels":["elementary","middle"],"grades":"K-8"`
	programs := `,"programs":["French Immersion","Robotics"],"types":["public"]}`
	for _, tt := range []struct {
		name   string
		record Record
		form   Form
		want   string
	}{
		{"United States", all("US", "WA"), Form{}, head + `WA","postalcode":"98101","country":"United States"` + middle +
			`,"phone_number":"206-252-0000"` + english + programs + board + `,"rating":"B-"` + figures + proximity + `}`},
		{"United States in French", all("US", "WA"), Form{French: true}, head + `WA","postalcode":"98101","country":"United States"` + middle +
			`,"phone_number":"206-252-0000"` + english + programs + board + `,"rating":"B-"` + figures + proximity + `}`},
		{"Ontario", all("CA", "ON"), Form{}, head + `ON","postalcode":"98101","country":"Canada"` + middle + english +
			`,"languages":["en","fr","cr","xx"]` + programs + board + `,"rating":"B-"` + proximity + `}`},
		{"Quebec, without ratings", all("CA", "QC"), Form{}, head + `QC","postalcode":"98101","country":"Canada"` + middle + english +
			`,"languages":["en","fr","cr","xx"]` + programs + board + proximity + `}`},
		{"British Columbia in French, with catchments", all("CA", "BC"), Form{French: true, Catchments: true, Lng: -122.305, Lat: 47.6},
			head + `BC","postalcode":"98101","country":"Canada"` + middle +
				`,"school_attributes":{"levels":["primaire","intermédiaire"],"grades":"K-8","languages":["anglais","français","cri","xx"],` +
				`"programs":["immersion française","Robotics"],"types":["publique"]}` + board + `,"rating":"B-"` + proximity + `,"catchments":[` +
				`{"geometry":` + away + `,"inside":false,"level":"primaire","grade":"K"},` +
				`{"geometry":` + nearby + `,"inside":true,"level":"primaire","grade":"1-5"},` +
				`{"geometry":` + nearby + `,"inside":true,"level":"intermédiaire","program":"immersion française","grade":"6-8"}]}`},
		{"nothing known, with catchments", only(all("US", "WA")), Form{Catchments: true},
			`{"name":"Bare","province":"WA","country":"United States","lat":47.6,"lng":-122.3,"school_attributes":{"levels":["secondary"]}` +
				proximity + `,"catchments":[]}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			table := open(t, []Record{tt.record})
			if got := string(table.AppendSchool(nil, strips.Hit{Index: 0, Decimetres: 123}, &tt.form)); got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}

func TestCatchmentsOfOneOutlineAreStoredOnce(t *testing.T) {
	table := open(t, []Record{all("CA", "BC")})
	if table.Catchments() != 3 || table.geometry.Len() != 2 {
		t.Errorf("%d catchments, %d outlines; want 3 and 2", table.Catchments(), table.geometry.Len())
	}
}

func TestBordersAreInside(t *testing.T) {
	ring := func(w, s, e, n float64) orb.Ring { return orb.Ring{{w, s}, {e, s}, {e, n}, {w, n}, {w, s}} }
	a, err := coord.NewArea(orb.MultiPolygon{{ring(0, 0, 4, 4), ring(1, 1, 2, 2)}, {{{10, 0}, {13, 1.1}, {10, 2}, {10, 0}}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		lng, lat float64
		want     bool
	}{
		{3, 3, true}, {0, 0, true}, {4, 4, true}, {4, 2, true}, {0, 2, true}, {2, 0, true}, {2, 4, true}, {4.0000001, 2, false},
		{-0.0000001, 2, false},
		{1.5, 1.5, false}, {1, 1.5, true}, {2, 1.5, true}, {1.5, 1, true}, {1.0000001, 1.5, false}, // the hole and its border
		{11, 1, true}, {13, 1.1, true}, {10 + 1.0/3, 1.1 / 9, true}, {10 + 2.0/3, 2.2 / 9, true}, {11, 0.36, false}, {9, 1, false},
	} {
		p, _ := coord.NewPoint(tt.lng, tt.lat)
		if got := within(a, p); got != tt.want {
			t.Errorf("%v %v: %v", tt.lng, tt.lat, got)
		}
	}
}

// A point of an edge, rounded as all points are, is on it; one three units away is inside only if the even-odd rule says so.
func TestRoundedPointsOfAnEdgeAreOnIt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		side := rapid.Int32Range(-900_000_000, 900_000_000)
		a, b := coord.Point{Lng: side.Draw(t, "ax"), Lat: side.Draw(t, "ay")}, coord.Point{Lng: side.Draw(t, "bx"), Lat: side.Draw(t, "by")}
		share := rapid.Float64Range(0, 1).Draw(t, "share")
		between := func(a, b int32) int32 { return int32(math.Round(float64(a) + share*(float64(b)-float64(a)))) }
		if p := (coord.Point{Lng: between(a.Lng, b.Lng), Lat: between(a.Lat, b.Lat)}); !onEdge(a, b, p) {
			t.Fatalf("%v is not on %v–%v", p, a, b)
		} else if flat := a.Lat == b.Lat || math.Abs(float64(a.Lng)-float64(b.Lng)) >= math.Abs(float64(a.Lat)-float64(b.Lat)); flat {
			if p.Lat += 3; onEdge(a, b, p) {
				t.Fatalf("%v is on %v–%v", p, a, b)
			}
		}
	})
}

func TestAddRefuses(t *testing.T) {
	for name, spoil := range map[string]func(*Record){
		"no name":            func(r *Record) { r.Name = "" },
		"no country":         func(r *Record) { r.CountryCode = "MX" },
		"no state":           func(r *Record) { r.StateCode = "" },
		"unknown level":      func(r *Record) { r.Levels = "elementary,high" },
		"place":              func(r *Record) { r.Lat = math.NaN() },
		"programs":           func(r *Record) { r.Programs = "French" },
		"level of catchment": func(r *Record) { r.Catchments[0].Level = "" },
		"empty catchment":    func(r *Record) { r.Catchments[0].Geometry = nil },
		"wild catchment":     func(r *Record) { r.Catchments[0].Geometry = square(200, 0, 1) },
	} {
		w, err := NewWriter(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		defer w.Close()
		r := all("US", "WA")
		spoil(&r)
		if err := w.Add(&r); err == nil || !strings.Contains(err.Error(), r.Key) {
			t.Errorf("%s: %v", name, err)
		}
	}
	w, err := NewWriter(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	r := all("US", "WA")
	for range 2 {
		if err := w.Add(&r); err != nil {
			t.Fatal(err)
		}
		r.Lat++
	}
	if err := w.Finish(nil); err == nil || !strings.Contains(err.Error(), "duplicate") {
		t.Errorf("a key twice: %v", err)
	}
}
