package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// inSeattle are the schools in whose catchments places of Seattle are: elementary, middle and secondary, read off the
// outlines that the school district publishes.
var inSeattle = []struct {
	place    string
	lat, lng float64
	schools  string
}{
	{"Bryant", 47.6718, -122.2922, "Bryant, Eckstein, Roosevelt"},
	{"Ballard Commons", 47.6700, -122.3849, "Adams, Whitman, Ballard"},
	{"Green Lake library", 47.6810, -122.3273, "Green Lake, Eckstein, Roosevelt"},
	{"Northgate library", 47.7068, -122.3254, "Olympic View, Jane Addams, Nathan Hale"},
	{"Lake City", 47.7190, -122.2950, "John Rogers, Jane Addams, Nathan Hale"},
	{"Alki Beach", 47.5786, -122.4103, "Alki, Madison, West Seattle High"},
	{"Cal Anderson Park, Capitol Hill", 47.6170, -122.3190, "Lowell, Washington, Garfield"},
	{"Beacon Hill station", 47.5793, -122.3117, "Kimball, Mercer Int'l, Franklin"},
	{"Columbia City station", 47.5598, -122.2926, "Hawthorne, Mercer Int'l, Franklin"},
	{"West Seattle Junction", 47.5612, -122.3868, "Schmitz Park, Madison, West Seattle High"},
	{"Arbor Heights, whose school was away in these years", 47.5090, -122.3780, "Arbor Heights, Denny Int'l, Chief Sealth Int'l"},
	{"Olympic Hills, whose school was away too", 47.7270, -122.3070, "Olympic Hills, Jane Addams, Nathan Hale"},
}

// checkSchools checks answers about schools of Seattle and Ottawa.
func checkSchools(t *testing.T, release string) {
	s := startServer(t, release)
	_, token := s.account(t)
	for _, at := range inSeattle {
		answer := s.schools(t, token, fmt.Sprintf("lat=%v&lng=%v&radius=8000&include_catchments=true", at.lat, at.lng))
		if got := strings.Join(answer.inside(), ", "); got != at.schools {
			t.Errorf("%s is in the catchments of %s, not %s", at.place, got, at.schools)
		}
	}
	english, french := s.schools(t, token, "lat=45.4215&lng=-75.6972"), s.schools(t, token, "lat=45.4215&lng=-75.6972&language=fr")
	if len(english.Primary) < 20 || len(english.High) < 8 || len(french.Primary) != len(english.Primary) {
		t.Errorf("downtown of Ottawa has %d and %d schools, in French %d", len(english.Primary), len(english.High), len(french.Primary))
	}
	for i, school := range french.Primary {
		if other := english.Primary[i].Attributes; slices.Contains(other.Types, "public") &&
			!slices.Contains(school.Attributes.Types, "publique") {
			t.Errorf("%s is %v, in English %v", school.Name, school.Attributes.Types, other.Types)
		}
	}
	for _, no := range []string{"driving", "tutor", "beauty", "flight"} {
		if got := rows(t, release+"/schools.sqlite", `SELECT count(*) FROM school WHERE state_code = 'ON' AND lower(name) LIKE '%' || ? || '%'`,
			no); got[0][0] != "0" {
			t.Errorf("%s schools of %q", got[0][0], no)
		}
	}
}

// schoolList is the data of an answer about schools.
type schoolList struct {
	Primary []listedSchool `json:"primary_schools"`
	High    []listedSchool `json:"high_schools"`
}

type listedSchool struct {
	Name       string `json:"name"`
	Attributes struct {
		Types []string `json:"types"`
	} `json:"school_attributes"`
	Catchments []struct {
		Level  string `json:"level"`
		Inside bool   `json:"inside"`
	} `json:"catchments"`
}

func (s *server) schools(t *testing.T, token, query string) (list schoolList) {
	t.Helper()
	status, body := s.get(t, token, "/v3/schools?"+query)
	answer := struct{ Data *schoolList }{&list}
	if err := json.Unmarshal(body, &answer); err != nil || status != http.StatusOK {
		t.Fatalf("%s: %d %.200s %v", query, status, body, err)
	}
	return list
}

// inside are the names of the schools in whose catchments the point is, by level.
func (l schoolList) inside() (names []string) {
	for _, level := range []string{"elementary", "middle", "secondary"} {
		var of []string
		for _, school := range slices.Concat(l.Primary, l.High) {
			for _, c := range school.Catchments {
				if c.Inside && c.Level == level && !slices.Contains(of, school.Name) {
					of = append(of, school.Name)
				}
			}
		}
		names = append(names, of...)
	}
	return names
}
