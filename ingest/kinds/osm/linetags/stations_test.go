package linetags

import (
	"slices"
	"testing"

	"quartier/ingest/formats/element"
)

func TestNetworkKind(t *testing.T) {
	for text, want := range map[string]string{
		"Agence métropolitaine de transport":     "", // commuter rail of Montréal, as the next one
		"Réseau de transport métropolitain":      "",
		"Metropolitan Transportation Authority":  "",
		"Metrolinx":                              "",
		"Réseau express métropolitain":           "light_rail",
		"Métro de Montréal":                      "subway",
		"STM;Métro":                              "subway",
		"NYC Subway":                             "subway",
		"Baltimore Metro SubwayLink":             "subway",
		"Metro North Railroad":                   "",
		"Metro-North Railroad MTA":               "",
		"Metrolink Metro":                        "",
		"MetroLink Bi-State Development":         "light_rail",
		"Metra Chicago":                          "",
		"MTA Light Rail":                         "light_rail",
		"Light-Rail":                             "light_rail",
		"Lightrail or a light and rail":          "",
		"Walt Disney World Monorail":             "monorail",
		"Portland Undergrounds":                  "",
		"":                                       "",
		"Metro Transit METRO Light Rail by rail": "subway",
	} {
		if got := networkKind(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	kinds := []string{""}
	for _, kind := range stationKinds {
		kinds = append(kinds, kind)
	}
	for _, row := range networks {
		if !slices.Contains(kinds, row[1]) {
			t.Errorf("%q is a kind that no track has", row)
		}
	}
}

func TestStations(t *testing.T) {
	s := Stations{}
	amt := map[string]string{"railway": "station", "network": "AMT", "operator": "Agence métropolitaine de transport"}
	metro := map[string]string{"railway": "halt", "network": "Metro"}
	for id, tags := range []map[string]string{amt, metro, metro, metro, metro} {
		if !s.Add(int64(id), element.TagsOf(tags)) {
			t.Errorf("%v has no tag of its kind", tags)
		}
	}
	if s.Add(9, element.TagsOf(map[string]string{"railway": "station", "subway": "yes"})) ||
		s.Add(9, element.TagsOf(map[string]string{"railway": "stop"})) {
		t.Error("a station with its kind, or no station, was added")
	}
	s.AddTrack("monorail", []int64{1, 2, 9})
	s.AddTrack("rail", []int64{2})
	s.AddTrack("platform", []int64{3})
	s.AddLine(&Route{Mode: "tram", Members: []element.Member{{Kind: element.Nodes, Ref: 3, Role: "stop"},
		{Kind: element.Ways, Ref: 4, Role: "platform"}, {Kind: element.Nodes, Ref: 4, Role: "guard"}}})
	s.AddLine(&Route{Mode: "bus", Members: []element.Member{{Kind: element.Nodes, Ref: 4, Role: "stop"}}})
	for id, want := range map[int64]string{0: "", 1: "monorail", 2: "", 3: "light_rail", 4: "subway", 9: ""} {
		tags := metro
		if id == 0 {
			tags = amt
		}
		if got := s.Kind(id, tags); got != want {
			t.Errorf("station %d: %q, want %q", id, got, want)
		}
	}
}
