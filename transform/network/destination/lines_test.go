package destination

import (
	"fmt"
	"strings"
	"testing"

	"quartier/internal/geo"
)

// stop adds a staged stop of a source with the lines that it lists; trips 0: without a timetable.
func (s *site) stop(source, key string, x, y float64, trips int, routes ...string) {
	p := s.plane.Point(x, y)
	s.exec(s.staged, "INSERT INTO stop VALUES (?, ?, ?, NULL, NULL, ?, ?)", source, key, key, p[0], p[1])
	for _, route := range routes {
		s.exec(s.staged, "INSERT INTO stop_service VALUES (?, ?, ?, 0, NULL, nullif(?, 0))", source, key, route, trips)
	}
}

func (s *site) route(source, key, name, mode string, course ...[2]float64) {
	s.exec(s.staged, "INSERT INTO route (source_id, source_key, name, mode, ends) VALUES (?, ?, ?, ?, 'Depot – Harbour')", source, key,
		name, mode)
	if len(course) > 0 {
		geom, err := geo.WKB(s.line(course...))
		if err != nil {
			s.t.Fatal(err)
		}
		s.exec(s.staged, "INSERT INTO route_shape VALUES (?, ?, 0, NULL, ?)", source, key, geom)
	}
}

func (s *site) list(source string, partial bool) {
	s.exec(s.staged, "INSERT INTO line_list VALUES (?, ?)", source, partial)
}

// served lists the lines at every stop: "key: line (basis, trips); …".
func served(set *Set) string {
	var lines []string
	for _, d := range set.Of("stop") {
		var at []string
		for _, v := range d.Services {
			at = append(at, fmt.Sprintf("%s %s %d", v.Route, v.Basis, v.TripsWeek))
		}
		lines = append(lines, d.Key+": "+strings.Join(at, ", "))
	}
	return strings.Join(lines, "\n")
}

func expect(t *testing.T, what, got string, want ...string) {
	t.Helper()
	if got != strings.Join(want, "\n") {
		t.Errorf("%s\ngot\n%s\nwant\n%s", what, got, strings.Join(want, "\n"))
	}
}

func TestCoursesServeTheStopsBesideThem(t *testing.T) {
	s := newSite(t)
	s.street("residential", [2]float64{0, 0}, [2]float64{3000, 0})
	s.list("city", false)
	s.route("city", "7", "7", "bus", [2]float64{0, 5}, [2]float64{2000, 5})
	s.route("city", "8", "8", "bus", [2]float64{0, 2000}, [2]float64{2000, 2000}) // far from any stop
	s.route("city", "M", "M", "subway", [2]float64{0, 0}, [2]float64{2000, 0})
	s.stop("city", "own", 100, 10, 0)
	s.poi("pole", "bus_stops", "", 600, -10)
	s.poi("opposite", "bus_stops", "", 610, -32) // 37 m from the course
	s.poi("metro", "rapid_transit_stations", "", 900, 12)
	set := s.find()
	expect(t, "stops", served(set), "metro: M line 1800", "own: 7 line 300", "pole: 7 line 300")
	if got := fmt.Sprint(set.AllLines); got != "map[bus_service_access:true rapid_transit_service_access:true transit_friendly:true]" ||
		set.SomeLines {
		t.Errorf("complete %v, partial %v", got, set.SomeLines)
	}
}

// A route relation in two extracts of a map is one line, with the stops and courses of both.
func TestALineOfTwoExtractsIsOne(t *testing.T) {
	s := newSite(t)
	s.exec(s.staged, "INSERT INTO source VALUES ('east', 1, 'osm', 'east.osm', '', 0, '2024-01-01', '', '', NULL, 0, 0, false)")
	s.street("residential", [2]float64{0, 0}, [2]float64{8000, 0})
	s.route("east", "osm:relation:1", "1 East", "bus")
	s.route("town", "osm:relation:1", "1", "bus")
	s.stop("east", "both", 1000, 10, 0, "osm:relation:1")
	s.stop("town", "both", 1000, 10, 0, "osm:relation:1")
	s.stop("town", "west", 0, 10, 0, "osm:relation:1")
	s.stop("east", "far", 2000, 10, 0, "osm:relation:1")
	s.route("town", "osm:relation:2", "2", "bus", [2]float64{4000, 0}, [2]float64{5000, 0})
	s.route("east", "osm:relation:2", "2", "bus", [2]float64{5000, 0}, [2]float64{6000, 0})
	s.stop("town", "x", 4500, 10, 0)
	s.stop("east", "y", 5500, 10, 0)
	s.poi("pole", "bus_stops", "", 5000, 10) // beside both courses
	set := s.find()
	expect(t, "stops", served(set), "both: osm:relation:1 line 300", "far: osm:relation:1 line 300", "pole: osm:relation:2 line 300",
		"west: osm:relation:1 line 300",
		"x: osm:relation:2 line 300", "y: osm:relation:2 line 300")
	if name := set.Of("stop")[0].Services[0].RouteName; name != "1" {
		t.Errorf("the line is called %q, want its name in the first source", name)
	}
}

// A list of all railways and one of some of the buses and ferries are distinguished.
func TestListsByChannel(t *testing.T) {
	s := newSite(t)
	s.street("residential", [2]float64{0, 0}, [2]float64{3000, 0})
	s.list("railway", false)
	s.list("city", true)
	s.route("railway", "R", "R", "rail")
	s.route("city", "7", "7", "bus")
	s.route("city", "F", "F", "ferry")
	s.route("town", "T", "T", "tram") // of a map
	s.stop("railway", "station", 0, 10, 100, "R")
	s.stop("city", "pole", 1000, 10, 500, "7")
	s.stop("city", "pier", 2500, 10, 50, "F")
	s.stop("town", "halt", 2000, 10, 0, "T")
	set := s.find()
	if got := fmt.Sprint(set.AllLines, set.PartialLines); got !=
		"map[train_service_access:true transit_friendly:true] map[bus_service_access:true ferry:true transit_friendly:true]" {
		t.Error(got)
	}
}

// Where a source says where a line stops, its course makes no difference.
func TestListsOfLinesAtStopsDecide(t *testing.T) {
	s := newSite(t)
	s.street("residential", [2]float64{0, 0}, [2]float64{3000, 0})
	s.list("city", true)
	s.route("city", "7", "7", "bus", [2]float64{0, 5}, [2]float64{2000, 5})
	s.stop("city", "a", 100, 10, 0, "7")
	s.stop("city", "b", 1500, 10, 0)
	set := s.find()
	expect(t, "stops", served(set), "a: 7 line 300")
	if len(set.AllLines) > 0 || !set.SomeLines {
		t.Errorf("complete %v, partial %v", set.AllLines, set.SomeLines)
	}
}

func TestALineInATimetableDoesNotCountTwice(t *testing.T) {
	for _, test := range []struct {
		what    string
		partial bool
		name    string
		from    float64 // of the course of the line without times
		want    string
	}{
		{"the same line", true, "Line 7", 0, "stop: G timetable 500"},
		{"another line beside a complete timetable", false, "9", 0, "stop: G timetable 500"},
		{"another line beside a partial timetable", true, "9", 0, "pole: L line 300\nstop: G timetable 500"},
		{"the same name far away", false, "Line 7", 5000, "far: L line 300\nstop: G timetable 500"},
	} {
		s := newSite(t)
		s.street("residential", [2]float64{0, 0}, [2]float64{8000, 0})
		s.list("feed", test.partial)
		s.route("feed", "G", "line 7", "bus")
		s.stop("feed", "stop", 100, 10, 500, "G")
		s.route("town", "L", test.name, "trolleybus", [2]float64{test.from, 5}, [2]float64{test.from + 1000, 5})
		s.poi("pole", "bus_stops", "", 120, -10)
		s.poi("far", "bus_stops", "", 5500, -10)
		want := strings.ReplaceAll(test.want, "L line 300", "L line 500")
		if test.from == 0 && test.partial {
			want = strings.Replace("far: stops:bus:far stops 300\n"+want, "\n\n", "\n", 1)
		}
		expect(t, test.what, served(s.find()), want)
	}
}

// The poles of an unknown line on a street, each near another, are one line; so are those beyond a gap another one.
func TestPolesOfAStreetAreOneLine(t *testing.T) {
	s := newSite(t)
	s.street("residential", [2]float64{0, 0}, [2]float64{4000, 0})
	s.street("residential", [2]float64{0, 300}, [2]float64{4000, 300})
	s.street("footway", [2]float64{0, 8}, [2]float64{4000, 8})
	s.net.Streets[0].Name, s.net.Streets[1].Name = "Elm Street", "Oak Street"
	for i, x := range []float64{0, 300, 600, 2000} {
		s.poi(fmt.Sprint("elm", i), "bus_stops", "", x, 10)
	}
	s.poi("oak", "bus_stops", "", 300, 310)
	s.poi("far station", "rapid_transit_stations", "", 3900, 10)
	s.poi("station", "rapid_transit_stations", "", 1200, 10)
	set := s.find()
	expect(t, "stops", served(set),
		"elm0: stops:bus:elm0 stops 300", "elm1: stops:bus:elm0 stops 300", "elm2: stops:bus:elm0 stops 300", "elm3: stops:bus:elm3 stops 300",
		"far station: stops:light_rail:far station stops 1100", "oak: stops:bus:oak stops 300",
		"station: stops:light_rail:far station stops 1100")
	if name := set.Of("stop")[0].Services[0].RouteName; name != "Elm Street" {
		t.Errorf("the line is called %q", name)
	}
	if len(set.AllLines) > 0 {
		t.Errorf("complete %v", set.AllLines)
	}
}

// A pole whose lines nobody lists has those of the nearest pole of its street that lists some.
func TestPolesShareTheLinesOfTheirStreet(t *testing.T) {
	s := newSite(t)
	s.street("residential", [2]float64{0, 0}, [2]float64{4000, 0})
	s.net.Streets[0].Name = "Elm Street"
	s.route("town", "7", "7", "bus")
	s.route("town", "9", "9", "bus")
	s.stop("town", "elm0", 0, 10, 0, "7")
	s.stop("town", "elm4", 1200, 10, 0, "9")
	for i, x := range []float64{0, 300, 500, 900, 1200} {
		s.poi(fmt.Sprint("elm", i), "bus_stops", "", x, 10)
	}
	s.poi("beside", "bus_stops", "", 1210, -10)
	expect(t, "stops", served(s.find()), "elm0: 7 line 300", "elm1: 7 line 300", "elm2: 7 line 300", "elm3: 9 line 300", "elm4: 9 line 300")
}

// A place made of a stop is no second copy of it: the timetable's stops count by themselves, those of a list of lines by the
// place, and neither is a pole of unknown lines or evidence of a survey.
func TestPlacesMadeOfStopsCountOnce(t *testing.T) {
	s := newSite(t)
	s.street("residential", [2]float64{0, 0}, [2]float64{3000, 0})
	s.list("feed", false)
	s.list("city", true)
	s.route("feed", "G", "7", "bus")
	s.route("city", "F", "F", "ferry")
	s.route("city", "8", "8", "bus")
	s.stop("feed", "pole", 100, 10, 500, "G")
	s.stop("city", "listed", 1500, 10, 0, "8")
	s.poi("mapped", "bus_stops", "", 2500, 10)
	s.poi("pole", "bus_stops", "", 100, 10)
	s.poi("listed", "bus_stops", "", 1500, 10)
	s.exec(s.derived, "UPDATE poi SET source_id = 'feed' WHERE poi_key = 'pole'")
	s.exec(s.derived, "UPDATE poi SET source_id = 'city' WHERE poi_key = 'listed'")
	set := s.find()
	expect(t, "bus stops", s.at(set, "bus_stop"), "listed 1500,10 from 1500,0; mapped 2500,10 from 2500,0; pole 100,10 from 100,0")
	expect(t, "lines", served(set), "listed: 8 line 300", "pole: G timetable 500")
	if c := set.Content("bus_stop"); c.Places != 3 || c.Some != 1 {
		t.Errorf("%d bus stops, %d of them of a list of some lines", c.Places, c.Some)
	}
	if len(set.Contents) != 1 || set.Contents[0] != (Content{"town", 1, 1}) {
		t.Errorf("contents %+v", set.Contents)
	}
}

// A railway on tracks of light rail is light rail.
func TestModesByTracks(t *testing.T) {
	s := newSite(t)
	s.street("residential", [2]float64{0, 0}, [2]float64{3000, 0})
	s.list("feed", false)
	s.feature("rail", "track", s.line([2]float64{0, 50}, [2]float64{3000, 50}))
	s.exec(s.staged, "UPDATE feature SET class = 'light_rail'")
	s.route("feed", "MLR", "MetroLink Red", "rail")
	s.stop("feed", "Central West End", 100, 40, 900, "MLR")
	s.stop("feed", "Grand", 2500, 40, 900, "MLR")
	set := s.find()
	for _, d := range set.Of("stop") {
		if v := d.Services[0]; v.Mode != "light_rail" || !v.Rapid {
			t.Errorf("%+v", v)
		}
	}
	if rapid, trains := len(set.Of("rapid_station")), len(set.Of("train_station")); rapid != 2 || trains != 0 {
		t.Errorf("%d rapid stations and %d of trains", rapid, trains)
	}
}

// Lists of lines at the stops of a map count where no other source has a line of their kind.
func TestListsAtStopsOfAMap(t *testing.T) {
	s := newSite(t)
	s.street("residential", [2]float64{0, 0}, [2]float64{9000, 0})
	const ref = "osm:route_ref:bus:"
	s.route("town", "osm:relation:1", "7", "bus")
	s.route("town", ref+"7", "7", "bus")
	s.route("town", ref+"12", "12", "bus")
	s.route("town", ref+"90", "90", "bus")
	s.stop("town", "related", 100, 10, 0, "osm:relation:1", ref+"7")
	s.stop("town", "opposite", 110, -10, 0, ref+"7", ref+"12") // beside a stop of a relation
	s.stop("town", "along", 400, 10, 0, ref+"7", ref+"12")
	s.stop("town", "related too", 7000, 10, 0, "osm:relation:1")
	for i := range 3 {
		key := fmt.Sprint("village ", i)
		s.stop("town", key, float64(3000+300*i), 10, 0, ref+"90", ref+"7")
		s.poi(key, "bus_stops", "", float64(3000+300*i), 10)
	}
	s.stop("town", "timed too", 8500, 10, 0, ref+"12")
	s.list("feed", true)
	s.route("feed", "G", "G", "bus")
	s.stop("feed", "timed", 8510, 10, 500, "G")
	set := s.find()
	expect(t, "stops", served(set), "along: osm:relation:1 line 300, osm:route_ref:bus:12 line 300", "related: osm:relation:1 line 300",
		"related too: osm:relation:1 line 300",
		"timed: G timetable 500", "village 0: osm:route_ref:bus:7 line 300, osm:route_ref:bus:90 line 300",
		"village 1: osm:route_ref:bus:7 line 300, osm:route_ref:bus:90 line 300",
		"village 2: osm:route_ref:bus:7 line 300, osm:route_ref:bus:90 line 300")
}

// The kind of a line is that of its source, else it is shown by its directions and its stops, in the file or not; departures follow.
func TestDeparturesFollowTheKindOfALine(t *testing.T) {
	s := newSite(t)
	s.street("residential", [2]float64{0, 0}, [2]float64{8000, 0})
	s.list("city", false)
	line := func(key, mode string, kind, directions, stops any, x float64) {
		s.exec(s.staged, "INSERT INTO route (source_id, source_key, name, mode, kind, directions, stops) VALUES ('city', ?, ?, ?, ?, ?, ?)",
			key, key, mode, kind, directions, stops)
		s.stop("city", "at "+key, x, 10, 0, key)
	}
	line("a published", "bus", "frequent", 1, nil, 0)
	line("b short", "bus", nil, 2, nil, 500)
	line("c long", "bus", nil, 2, 45, 1000)
	line("d one way", "bus", nil, 1, 45, 1500)
	line("e not known", "bus", nil, nil, 45, 2000)
	line("f tram", "tram", nil, 1, nil, 2500)
	s.route("city", "g course", "g", "bus")
	geom, err := geo.WKB(s.line([2]float64{3000, 5}, [2]float64{3400, 5}))
	if err != nil {
		t.Fatal(err)
	}
	for i, direction := range []string{"0", "1"} { // one stop beside both
		s.exec(s.staged, "INSERT INTO route_shape VALUES ('city', 'g course', ?, ?, ?)", i, direction, geom)
	}
	s.stop("city", "beside g", 3200, 10, 0)
	var got []string
	for _, d := range s.find().Of("stop") {
		for _, v := range d.Services {
			got = append(got, fmt.Sprintf("%s: %s %d", v.Route, v.Kind, v.TripsWeek))
		}
	}
	expect(t, "kinds", strings.Join(got, "\n"), "a published: frequent 650", "b short: school 7", "c long: all_day 300",
		"d one way: school 7", "e not known:  300", "f tram:  1000", "g course: school 7")
}
