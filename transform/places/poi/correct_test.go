package poi

import (
	"cmp"
	"fmt"
	"strings"
	"testing"

	"github.com/paulmach/orb"

	"quartier/schemas/staged"
)

// islands is Delaware between −76 and −75 degrees, Maryland west of it, and nothing east.
type islands struct{ everywhere }

func (islands) StateAt(p orb.Point) (country, state string, ok bool) {
	if p[0] < -76 {
		return "US", "MD", true
	}
	return "US", "DE", p[0] < -75
}

// cafes are a place of two records, a namesake 100 m away, and a park.
func cafes(t *testing.T) *derivation {
	t.Helper()
	record := func(source, key, name, class string, metres float64) Record {
		r := Record{Source: source, Key: key, Point: orb.Point{-75.52 + metres/86500, 39.15}, Scheme: "quartier", Classes: []string{class}}
		r.Details.Name = name
		if source != "osm" {
			r.Priority = 1
		}
		return r
	}
	result, err := deriveAll([]Record{
		record("osm", "osm:node:1", "Joe's Café", "cafes", 0), record("overture", "overture:1", "Joes Cafe", "cafes", 10),
		record("osm", "osm:node:2", "Blue Moon", "restaurants", 300), record("osm", "osm:node:3", "Blue Moon", "banks", 400),
		record("osm", "osm:way:4", "Green", "parks", 500),
	})
	if err != nil || len(result.POIs) != 4 || len(result.Merges) != 1 {
		t.Fatalf("%d pois, %d merges, %v", len(result.POIs), len(result.Merges), err)
	}
	return result
}

func state(r *derivation) string {
	var texts []string
	for _, p := range r.POIs {
		texts = append(texts, fmt.Sprintf("%s %s %s %.0f", p.Key, p.Name, p.categories.ids(), (p.Point[0]+75.52)*86500))
	}
	return strings.Join(texts, "; ")
}

func number(x float64) *float64 { return &x }

func TestCorrect(t *testing.T) {
	whole := cafes(t)
	for _, c := range []struct {
		name string
		fix  staged.Correction
		want string // what of the state differs: "old -> new", or ""
		code string // the issue
		done string
	}{
		{"drop by key", staged.Correction{Action: "drop", PlaceKey: "osm:way:4"}, "; osm:way:4 Green parks 500 -> ", "correction_applied: drop",
			"osm:way:4 drop Green|"},
		{"drop a place by a merged record", staged.Correction{Action: "drop", PlaceKey: "overture:1"}, "osm:node:1 Joe's Café CAFES 0;  -> ",
			"correction_applied: drop", "osm:node:1 drop Joe's Café|"},
		{"rename", staged.Correction{Action: "rename", PlaceKey: "osm:node:1", NewName: " Joe  & Sons"}, "Joe's Café -> Joe & Sons",
			"correction_applied: rename", "osm:node:1 rename Joe's Café|Joe & Sons"},
		{"move", staged.Correction{Action: "move", PlaceKey: "osm:way:4", NewLng: number(-75.52), NewLat: number(39.16)},
			"Green parks 500 -> Green parks 0", "correction_applied: move", "osm:way:4 move 39.150000 -75.514220|39.160000 -75.520000"},
		{"move into the sea", staged.Correction{Action: "move", PlaceKey: "osm:way:4", NewLng: number(-74), NewLat: number(39.16)}, "",
			"correction_outside_coverage", ""},
		{"move to Maryland", staged.Correction{Action: "move", PlaceKey: "osm:way:4", NewLng: number(-76.1), NewLat: number(39.16)}, "",
			"correction_over_border: DE to MD", ""},
		{"the nearest of a name", staged.Correction{Action: "rename", Name: "BLUE  moon", Lng: number(-75.52 + 390.0/86500), Lat: number(39.15),
			WithinM: number(200), NewName: "Bank"}, "osm:node:3 Blue Moon -> osm:node:3 Bank", "correction_applied: rename",
			"osm:node:3 rename Blue Moon|Bank"},
		{"too far", staged.Correction{Action: "drop", Name: "Blue Moon", Lng: number(-75.52 + 450.0/86500), Lat: number(39.15),
			WithinM: number(49)}, "", "correction_without_place: drop", ""},
		{"another name", staged.Correction{Action: "drop", Name: "Blue Sun", Lng: number(-75.52), Lat: number(39.15), WithinM: number(1000)}, "",
			"correction_without_place: drop", ""},
		{"no such key", staged.Correction{Action: "move", PlaceKey: "osm:node:9", NewLng: number(-75.52), NewLat: number(39.16)}, "",
			"correction_without_place: move", ""},
	} {
		r := cafes(t)
		c.fix.SourceID, c.fix.Line = "fixes", 2
		if err := cmp.Or(r.Correct([]staged.Correction{c.fix}, nil, islands{}), r.look()); err != nil {
			t.Fatal(err)
		}
		want := state(whole)
		if from, to, changes := strings.Cut(c.want, " -> "); changes {
			from = strings.Replace(from, "CAFES", whole.POIs[0].categories.ids(), 1)
			want = strings.Replace(want, from, to, 1)
		}
		if got := state(r); got != want {
			t.Errorf("%s: %s\nwant %s", c.name, got, want)
		}
		if issue := r.Issues[len(r.Issues)-1]; issue.Reason.String() != c.code {
			t.Errorf("%s: %s, want %s", c.name, issue.Reason, c.code)
		}
		done := ""
		for _, d := range r.Corrections {
			done += fmt.Sprintf("%s %s %s|%s", d.POIKey, d.Action, d.Was, d.Became)
		}
		if done != c.done {
			t.Errorf("%s: %s, want %s", c.name, done, c.done)
		}
		if c.fix.PlaceKey == "overture:1" && len(r.Merges) != 0 {
			t.Errorf("%s: merges %v", c.name, r.Merges)
		}
	}
}

// TestCorrectInOrder applies several corrections to one place, the last after it was dropped.
func TestCorrectInOrder(t *testing.T) {
	r := cafes(t)
	err := r.Correct([]staged.Correction{
		{SourceID: "a", Line: 2, Action: "recategorise", PlaceKey: "osm:node:1", Categories: "banks"},
		{SourceID: "a", Line: 3, Action: "rename", PlaceKey: "osm:node:1", NewName: "Joe's Bank"},
		{SourceID: "b", Line: 2, Action: "drop", Name: "joe's bank", Lng: number(-75.52), Lat: number(39.15), WithinM: number(1)},
		{SourceID: "b", Line: 3, Action: "rename", PlaceKey: "overture:1", NewName: "x"},
	}, nil, islands{})
	if err := cmp.Or(err, r.look()); err != nil {
		t.Fatal(err)
	}
	if len(r.Corrections) != 3 || len(r.POIs) != 3 || !strings.Contains(r.Corrections[0].Became, "banks") ||
		strings.Contains(r.Corrections[0].Became, "cafes") {
		t.Errorf("%+v, %s", r.Corrections, state(r))
	}
	if last := r.Issues[len(r.Issues)-1]; last.Reason.String() != "correction_without_place: rename" ||
		last.Example != "b line 3: overture:1" {
		t.Errorf("%+v", last)
	}
}
