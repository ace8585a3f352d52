package facts

import (
	"testing"

	"quartier/build/homes"
	"quartier/internal/coord"
	"quartier/internal/network"
	"quartier/schemas/derived"
	"quartier/schemas/profile"
)

func TestSuffixOfAllLines(t *testing.T) {
	for _, c := range []struct{ names, want []string }{
		{[]string{"6-349", "7-349", "95-349", "E1"}, []string{"6-349", "7-349", "95-349", "E1"}}, // a quarter has none
		{[]string{"6-349", "7-349", "95X-349"}, []string{"6", "7", "95X"}},
		{[]string{"6-349", "7-350"}, []string{"6-349", "7-350"}},
		{[]string{"Red", "Blue"}, []string{"Red", "Blue"}},
	} {
		var lines []line
		for _, name := range c.names {
			lines = append(lines, line{name: name})
		}
		trimSuffix(lines)
		for i := range lines {
			if lines[i].name != c.want[i] {
				t.Errorf("%v: %v, want %v", c.names, lines, c.want)
			}
		}
	}
}

// A home on a street of 1,000 m, 300 m from its start: places around its ends, on its own street, and a mode that does not
// stop there.
func TestNearestOnFoot(t *testing.T) {
	nodes := []coord.Point{{}, {Lng: 1}, {Lng: 2}}
	edges := []network.Edge{{A: 0, B: 1, Length: network.Metres(1000)}, {A: 1, B: 2, Length: network.Metres(500)}}
	stations := []derived.Destination{
		{Destination: 4, PlaceKey: "union 2", Station: "union", Edge: 1, AlongM: 200, LegM: 10},
		{Destination: 5, PlaceKey: "elm", Station: "elm", Edge: 0, AlongM: 900, LegM: 20},
	}
	k := &walker{graph: network.GraphFromEdges(nodes, edges), platforms: map[string][]int32{"union": {1, 2}, "elm": {3}},
		trips: map[int32]map[string]float64{1: {"subway": 400}, 2: {"subway": 410, "bus": 3}, 3: {"rapid_transit": 0}}}
	h := &homes.Home{Edge: 0, AlongM: 300}
	for _, c := range []struct {
		subject, key string
		metres       float64
		trips        float64
	}{{"subway", "union 2", 700 + 200 + 10, 810}, {"rapid_transit", "elm", 600 + 20, 0}} {
		var list []derived.Destination
		var places []network.Place
		for _, d := range stations {
			if k.has(&target{code: profile.StationFact, subject: c.subject, class: "rapid_station"}, &d) {
				list = append(list, d)
				places = append(places, network.Place{Edge: uint32(d.Edge), Along: network.Metres(d.AlongM), Leg: network.Metres(d.LegM)})
			}
		}
		way, place := k.nearest(h, k.graph.Nearest(places, nil, 1, network.Metres(3000)), places, orderByEdge(places))
		if len(list) != 1 || list[place].PlaceKey != c.key || way.Metres() != c.metres || k.weekly(&list[place], c.subject) != c.trips {
			t.Errorf("%s: %v, %d at %v", c.subject, list, place, way.Metres())
		}
	}
}
