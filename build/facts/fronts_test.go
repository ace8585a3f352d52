package facts

import (
	"testing"

	"github.com/paulmach/orb"

	"quartier/internal/coord"
	"quartier/internal/geo"
)

// town is streets from west to east, each 1,000 m long and 200 m north of the one before.
func town(names ...string) (*fronts, geo.Plane) {
	plane := geo.NewPlane(orb.Point{-75.7, 45.4})
	f := &fronts{reach: 30, streets: map[string]uint32{}, typed: map[string]map[string]string{}}
	var boxes []orb.Bound
	for i, name := range names {
		line := orb.LineString{plane.Point(0, float64(200*i)), plane.Point(1000, float64(200*i))}
		e := frontEdge{line: line, name: parseStreet(name), key: "osm:way:1"}
		if !e.name.typed {
			e.typeless, e.key = true, "statcan:rnf:1"
		}
		f.edges, boxes = append(f.edges, e), append(boxes, line.Bound())
	}
	f.index = coord.NewBoxIndex(boxes)
	return f, plane
}

// resolve sets the streets of places with these addresses.
func resolve(f *fronts, places []poi, addresses ...string) {
	for i := range places {
		f.resolveAddress(&places[i], addresses[i])
	}
	f.resolveRest(places)
}

func TestStreetsOfPlaces(t *testing.T) {
	f, plane := town("Bank", "Elm Street", "Carling", "Main")
	for _, c := range []struct {
		x, y          float64
		address, want string
	}{
		{100, 10, "12 Bank Street", "Bank Street"},
		{200, 80, "14 bank st", ""},            // not written as a name, and too far from any
		{200, 80, "14 Bank St", "Bank Street"}, // behind its parking
		{300, 20, "", "Bank Street"},           // by the type that addresses on the street have
		{300, 180, "", "Elm Street"},           // by a name with its type
		{400, 390, "1 Carling Avenue", "Carling Avenue"},
		{500, 410, "2 Carling Road", "Carling Road"},
		{600, 400, "", ""},                       // two types
		{100, 610, "5 Main", ""},                 // no type anywhere
		{700, 10, "3 Highway 7", ""},             // on a road with a number, whatever is near
		{800, 10, "9 Elm Street", "Bank Street"}, // its street is too far to be the one
		{900, 100, "", ""},                       // between two
	} {
		places := []poi{{at: plane.Point(150, 5)}, {at: plane.Point(400, 390)}, {at: plane.Point(400, 390)}, {at: plane.Point(c.x, c.y)}}
		resolve(f, places, "8 Bank Street", "1 Carling Avenue", "3 Carling Road", c.address)
		f.name()
		got := ""
		if n := places[3].street; n != 0 {
			got = f.list[n-1].name
		}
		if got != c.want {
			t.Errorf("%q at %v, %v is on %q, want %q", c.address, c.x, c.y, got, c.want)
		}
	}
}

// Spellings of a name are one street, written as most places write it.
func TestSpellingsOfAStreet(t *testing.T) {
	f, plane := town("St. Laurent")
	places := make([]poi, 3)
	for i := range places {
		places[i].at = plane.Point(100*float64(i), 0)
	}
	resolve(f, places, "1 St-Laurent Boulevard", "2 St. Laurent Blvd", "3 St-Laurent Boulevard")
	f.name()
	if len(f.list) != 1 || f.list[0].name != "St-Laurent Boulevard" {
		t.Errorf("%+v", f.list)
	}
}
