package build

import (
	"slices"
	"strings"
	"testing"

	"quartier/build/homes"
)

// paved is a region with street nodes at the corners of a box, without homes.
func paved(name string, west, south, east, north float64) testRegion {
	return testRegion{
		name: name, pois: []testPOI{{key: "osm:node:" + name, name: "Inn", lng: west, lat: south}},
		streets: &testStreets{nodes: cornerNodes(west, south, east, north)},
	}
}

// dover is northBank with homes, and streets from its western end, -75.6, to east.
func dover(homes []testHome, east float64) testRegion {
	r := northBank()
	r.streets.nodes = append(r.streets.nodes[:2], cornerNodes(-75.6, 39.1, east, 39.2)...)
	r.streets.edges = r.streets.edges[:1]
	r.streets.destinations, r.streets.services = r.streets.destinations[:1], nil
	r.streets.homes = homes
	return r
}

func TestScoresNeedCoverage(t *testing.T) {
	western := homesOfDover[:3]
	eastern := func(n int) []testHome {
		return slices.Repeat([]testHome{{homes.Streets, 50, -75.45, 39.15, 0, 50}}, n)
	}
	const outsideNote = "geographies without scores because most of their area is outside of the street networks of the release: "
	const fewStreetsNote = "geographies without scores because household counts are not available and they have fewer than 3 residential " +
		"street segments: "
	for _, tt := range []struct {
		name    string
		regions []testRegion
		scored  []string
		note    string
	}{
		// The city is 0.2 degrees wide, the metro area ten times as large.
		{"four tenths of the city", []testRegion{dover(western, -75.52)}, []string{"n:west"}, outsideNote + "1 of level 30, 1 of level 40"},
		{"six tenths of the city", []testRegion{dover(western, -75.48)}, []string{"n:west", "p:dover"}, outsideNote + "1 of level 40"},
		{"four tenths of a neighbourhood", []testRegion{dover(western, -75.559)}, nil,
			outsideNote + "1 of level 10, 1 of level 30, 1 of level 40"},
		{"two regions together", []testRegion{dover(western, -75.52), paved("us-inner", -75.54, 39.05, -75.45, 39.25)},
			[]string{"n:west", "p:dover"}, outsideNote + "1 of level 40"},
		{"a region elsewhere", []testRegion{dover(western, -75.52), paved("us-outer", -75.3, 39.3, -75.1, 39.5)}, []string{"n:west"},
			outsideNote + "1 of level 30, 1 of level 40"},
		{"too few streets", []testRegion{dover(slices.Concat(western, eastern(2)), -75.4)}, []string{"n:west", "p:dover"},
			fewStreetsNote + "1 of level 10"},
		{"enough streets", []testRegion{dover(slices.Concat(western, eastern(3)), -75.4)}, []string{"n:east", "n:west", "p:dover"},
			outsideNote + "1 of level 40"},
		{"one household", []testRegion{dover(western[:1], -75.4)}, []string{"n:west", "p:dover"}, outsideNote + "1 of level 40"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m, o := built(t, "", tt.regions...)
			var scored []string
			for _, row := range scoreRows(t, o, "pedestrian_friendly") {
				scored = append(scored, strings.Fields(row)[0])
			}
			if !slices.Equal(scored, tt.scored) {
				t.Errorf("scored geographies %q, want %q", scored, tt.scored)
			}
			if !slices.Contains(m.Notes, tt.note) {
				t.Errorf("no note %q:\n%s", tt.note, strings.Join(m.Notes, "\n"))
			}
		})
	}
}
