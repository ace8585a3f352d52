package serve_test

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/paulmach/orb"

	"quartier/internal/geo"
	"quartier/schemas"
	"quartier/serve/servetest"
)

func (a *api) schools(who, query string) schemas.SchoolsData {
	a.t.Helper()
	body := answerOf[schemas.SchoolsAnswer](a.t, a, who, "/v3/schools?"+query)
	if body.Meta != schemas.NewMeta("schools", 200) || body.Data.PrimarySchools == nil || body.Data.HighSchools == nil {
		a.t.Errorf("%s: %+v", query, body)
	}
	return body.Data
}

func namesOf(list []schemas.School) []string {
	names := []string{}
	for _, s := range list {
		names = append(names, s.Name)
	}
	return names
}

// TestSchoolsOfBothLists checks which schools are in which list, in order, for each kind of place.
func TestSchoolsOfBothLists(t *testing.T) {
	a := newAPI(t)
	square := polygon("POLYGON((-72.9 45.197,-72.7 45.197,-72.7 45.3,-72.9 45.3,-72.9 45.197))") // its centroid is 5.4 km north of NorthLat
	for _, c := range []struct {
		who, query    string
		primary, high []string
	}{
		{"full", north, []string{servetest.NorthSchool}, []string{servetest.NorthSchool, "Collège Privé"}}, // a middle school is in both
		{"full", north + "&radius=299", []string{}, []string{}},
		{"full", north + "&radius=302", []string{servetest.NorthSchool}, []string{servetest.NorthSchool}},
		{"full", north + "&radius=0.2&radius_unit=mile", []string{servetest.NorthSchool}, []string{servetest.NorthSchool}},
		{"full", north + "&radius=25000&limit=1", []string{servetest.NorthSchool}, []string{servetest.NorthSchool}}, // of each list
		{"full", north + "&radius=25000", []string{servetest.NorthSchool},
			[]string{servetest.NorthSchool, "Collège Privé", servetest.BorderSchool}},
		{"quebec", north + "&radius=25000", []string{servetest.NorthSchool}, []string{servetest.NorthSchool, "Collège Privé"}},
		{"full", south, []string{servetest.SouthSchool, "South Middle"}, []string{"South Middle"}},
		{"us", south, []string{servetest.SouthSchool, "South Middle"}, []string{"South Middle"}},
		{"full", square, []string{servetest.NorthSchool}, []string{servetest.NorthSchool}},
		{"full", "lat=45.9&lng=-72", []string{}, []string{}},
	} {
		got := a.schools(c.who, c.query)
		if !slices.Equal(namesOf(got.PrimarySchools), c.primary) || !slices.Equal(namesOf(got.HighSchools), c.high) {
			t.Errorf("%s as %s: %q and %q, want %q and %q", c.query, c.who, namesOf(got.PrimarySchools), namesOf(got.HighSchools), c.primary, c.high)
		}
	}
	inside := a.schools("full", square).PrimarySchools[0]
	if d := geo.Distance(orb.Point{-72.8, 45.2485}, orb.Point{inside.Lng, inside.Lat}); inside.Proximity.LinearDistance < d-6 ||
		inside.Proximity.LinearDistance > d+6 {
		t.Errorf("%v m from the centroid of the polygon, want %v", inside.Proximity.LinearDistance, d)
	}
}

// TestSchoolsOfAnAddress checks that schools whose catchment holds the point are there whatever radius and limit, in the order of
// distance, in the regions of the agreement alone and only with catchments.
func TestSchoolsOfAnAddress(t *testing.T) {
	a := newAPI(t)
	both := []string{servetest.NorthSchool}
	for _, c := range []struct {
		who, query    string
		primary, high []string
	}{
		{"full", north + "&radius=10&include_catchments=true", both, both},
		{"full", north + "&radius=10", []string{}, []string{}},
		{"full", "lat=45.219&lng=-72.8&radius=5000&include_catchments=true", both, []string{servetest.NorthSchool, "Collège Privé"}},
		{"full", "lat=45.185&lng=-72.8&include_catchments=true&limit=1", both, both}, // the private school is nearer
		{"full", "lat=45.185&lng=-72.8&limit=1", both, []string{"Collège Privé"}},
		{"full", "lat=45.185&lng=-72.8&include_catchments=true&limit=2", both, []string{"Collège Privé", servetest.NorthSchool}},
		{"full", polygon("POLYGON((-72.81 45.19,-72.79 45.19,-72.79 45.192,-72.81 45.192,-72.81 45.19))") + "&include_catchments=true",
			[]string{}, []string{}},
	} {
		got := a.schools(c.who, c.query)
		if !slices.Equal(namesOf(got.PrimarySchools), c.primary) || !slices.Equal(namesOf(got.HighSchools), c.high) {
			t.Errorf("%s: %q and %q, want %q and %q", c.query, namesOf(got.PrimarySchools), namesOf(got.HighSchools), c.primary, c.high)
		}
	}
}

// TestSchoolsAreLimitedEach checks the default and maximum of 30, that names order equal distances, and that regions are
// dropped before schools are counted.
func TestSchoolsAreLimitedEach(t *testing.T) {
	a := newAPI(t)
	var want []string
	for i := range servetest.CrowdedCount {
		want = append(want, fmt.Sprintf("École %02d", i+1))
	}
	at := fmt.Sprintf("lat=%v&lng=%v", servetest.CrowdedLat, servetest.Lng)
	for query, n := range map[string]int{at: 30, at + "&limit=30": 30, at + "&limit=4": 4} {
		got := a.schools("full", query)
		if !slices.Equal(namesOf(got.PrimarySchools), want[:n]) || len(got.HighSchools) != 0 {
			t.Errorf("%s: %q", query, namesOf(got.PrimarySchools))
		}
	}
	last := a.schools("quebec", "lat=45.001&lng=-72.8&radius=25000&limit=1").HighSchools
	if len(last) != 1 || last[0].Name != "Collège Privé" { // Line High is nearer, but in Vermont
		t.Errorf("%q in Quebec", namesOf(last))
	}
}

func TestSchoolsInFrench(t *testing.T) {
	a := newAPI(t)
	en, fr := a.schools("full", north+"&language=en").PrimarySchools[0],
		a.schools("full", north+"&language=fr&include_catchments=true").PrimarySchools[0]
	for _, c := range []struct{ en, fr, wantEN, wantFR []string }{
		{en.Attributes.Levels, fr.Attributes.Levels, []string{"elementary", "middle"}, []string{"primaire", "intermédiaire"}},
		{en.Attributes.Languages, fr.Attributes.Languages, []string{"fr", "cr"}, []string{"français", "cri"}},
		{en.Attributes.Types, fr.Attributes.Types, []string{"public"}, []string{"publique"}},
		{en.Attributes.Programs, fr.Attributes.Programs, []string{"French immersion", "Robotique"}, []string{"immersion française", "Robotique"}},
	} {
		if !slices.Equal(c.en, c.wantEN) || !slices.Equal(c.fr, c.wantFR) {
			t.Errorf("%q and %q, want %q and %q", c.en, c.fr, c.wantEN, c.wantFR)
		}
	}
	if en.Rating != "" || en.Phone != "" || en.PostalCode != "J0J 1J0" || en.Country != "Canada" || en.Province != "QC" {
		t.Errorf("%+v", en)
	}
	if english, french := a.get("full", "/v3/schools?"+south), a.get("full", "/v3/schools?language=fr&"+south); english.body != french.body {
		t.Errorf("schools of the United States differ in French:\n%s\n%s", english.body, french.body)
	}
}

func TestCatchments(t *testing.T) {
	a := newAPI(t)
	without := a.get("full", "/v3/schools?"+north+"&radius=25000")
	if off := a.get("full", "/v3/schools?"+north+"&radius=25000&include_catchments=false"); strings.Contains(without.body, "catchments") ||
		off.body != without.body {
		t.Error("catchments that were not asked for")
	}
	for _, c := range []struct {
		query  string
		inside []bool
	}{ // of the elementary ones of grades 1-5 and 6, and of the middle one
		{north, []bool{false, true, true}}, // on the western border of the second
		{"lat=45.2&lng=-72.8000001", []bool{false, false, true}},
		{"lat=45.2&lng=-72.79", []bool{false, true, true}},
		{"lat=45.22&lng=-72.82", []bool{false, false, true}}, // a corner
		{"lat=45.23&lng=-72.8", []bool{false, false, false}},
		// its centroid is a corner
		{polygon("POLYGON((-72.8 45.19,-72.76 45.19,-72.76 45.21,-72.8 45.21,-72.8 45.19))"), []bool{false, true, true}},
	} {
		got := a.schools("full", c.query+"&include_catchments=true")
		list := got.PrimarySchools[0].Catchments
		if list == nil || len(*list) != 3 {
			t.Fatalf("%s: %+v", c.query, list)
		}
		for i, want := range []schemas.SchoolCatchment{
			{Level: "elementary", Grade: "1-5"}, {Level: "elementary", Grade: "6"}, {Level: "middle", Program: "French immersion"},
		} {
			entry := (*list)[i]
			if entry.Level != want.Level || entry.Grade != want.Grade || entry.Program != want.Program || entry.Inside != c.inside[i] ||
				len(entry.Geometry) != 1 || len(entry.Geometry[0][0]) != 5 || entry.Geometry[0][0][0][0] < 45 {
				t.Errorf("%s: %+v, want %+v and %v", c.query, entry, want, c.inside[i])
			}
		}
	}
	for _, s := range a.schools("full", north+"&include_catchments=true").HighSchools {
		if s.Catchments == nil || (len(*s.Catchments) == 0) != (s.Name == "Collège Privé") {
			t.Errorf("%s has the catchments %+v", s.Name, s.Catchments)
		}
	}
	french := a.get("full", "/v3/schools?language=fr&include_catchments=true&"+north)
	if !strings.Contains(french.body, `"inside":true,"level":"intermédiaire","program":"immersion française"}`) {
		t.Error(french.body)
	}
}

// TestEveryFigureOfASchool checks that the figures of schools in the United States stand, zeros included.
func TestEveryFigureOfASchool(t *testing.T) {
	a := newAPI(t)
	body := a.get("full", "/v3/schools?radius=501&"+south).body
	for _, member := range []string{
		`"phone_number":"802-555-0100"`, `"num_students":300`, `"num_female":0`, `"num_male":300`, `"num_free_lunch":20`, `"num_reduced_lunch":7`,
		`"student_teacher_ratio":14.5`, `"is_advanced_placement":false`, `"is_charter":false`, `"is_magnet":true`, `"is_title_i_eligible":true`,
		`"has_library":true`,
		`"rating":"B+"`, `"school_board_attributes":{"name":"South District","url":"https://district.example"}`, `"postalcode":"05001"`,
		`"country":"United States"`,
	} {
		if !strings.Contains(body, member) {
			t.Errorf("no %s in %s", member, body)
		}
	}
	tag := a.get("full", "/v3/schools?"+north).header.Get("ETag")
	if same := a.get("full", "/v3/schools?"+north, "If-None-Match: "+tag); tag == "" || same.status != 304 {
		t.Errorf("ETag %q: %d", tag, same.status)
	}
	if other := a.get("full", "/v3/schools?include_catchments=true&"+north); other.header.Get("ETag") == tag ||
		other.header.Get("Cache-Control") == "" {
		t.Errorf("headers %v", other.header)
	}
	if escaped := a.get("full", "/v3/schools?"+url.PathEscape("lat")+"=45.2&lng=-72.8"); escaped.header.Get("ETag") != tag {
		t.Error("another spelling of the same request has another ETag")
	}
}
