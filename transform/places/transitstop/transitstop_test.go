package transitstop

import (
	"fmt"
	"strings"
	"testing"

	"github.com/paulmach/orb"

	"quartier/internal/duck"
	_ "quartier/internal/duck/driver"
	"quartier/internal/geo"
	"quartier/schemas"
	"quartier/schemas/calibration"
	"quartier/transform/places/poi"
)

// town is staged rows on a plane of metres.
type town struct {
	t     *testing.T
	db    *duck.DB
	plane geo.Plane
}

func newTown(t *testing.T) *town {
	db, err := duck.Memory()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	s := &town{t, db, geo.NewPlane(orb.Point{-90.2, 38.6})}
	s.exec(schemas.Staged)
	return s
}

func (s *town) exec(query string, args ...any) {
	s.t.Helper()
	if _, err := s.db.Exec(query, args...); err != nil {
		s.t.Fatal(err)
	}
}

// list adds a timetable or list of lines.
func (s *town) list(source string) {
	s.exec("INSERT INTO source VALUES (?, 0, 'gtfs', '', '', 0, '2024-01-01', '', '', NULL, 0, 0, false)", source)
	s.exec("INSERT INTO line_list VALUES (?, false)", source)
}

func (s *town) route(source, key, mode string, spacing float64, course ...[2]float64) {
	s.exec("INSERT INTO route (source_id, source_key, name, mode, spacing_m) VALUES (?, ?, ?, ?, nullif(?, 0))",
		source, key, key, mode, spacing)
	if len(course) > 0 {
		s.exec("INSERT INTO route_shape VALUES (?, ?, 0, NULL, ?)", source, key, s.line(course...))
	}
}

// stop adds a stop with lines and 70 trips a week of each.
func (s *town) stop(source, key, parent string, x, y float64, routes ...string) {
	p := s.plane.Point(x, y)
	s.exec("INSERT INTO stop VALUES (?, ?, ?, NULL, nullif(?, ''), ?, ?)", source, key, "at "+key, parent, p[0], p[1])
	for _, route := range routes {
		s.exec("INSERT INTO stop_service VALUES (?, ?, ?, 0, 'Depot', 70)", source, key, route)
	}
}

func (s *town) track(class string, course ...[2]float64) {
	s.exec("INSERT INTO feature SELECT 'map', count(*)::VARCHAR, 'rail', ?, NULL, NULL, NULL, false, ? FROM feature", class, s.line(course...))
}

func (s *town) line(course ...[2]float64) []byte {
	var line orb.LineString
	for _, p := range course {
		line = append(line, s.plane.Point(p[0], p[1]))
	}
	geom, err := geo.WKB(line)
	if err != nil {
		s.t.Fatal(err)
	}
	return geom
}

// records lists the places: "key: classes; …".
func (s *town) records() string {
	var all []string
	err := Records(s.t.Context(), s.db, &calibration.Standard().Transit, func(r poi.Record) error {
		if !r.Stop || r.Name != "at "+r.Key {
			s.t.Errorf("record %+v", r)
		}
		all = append(all, fmt.Sprintf("%s: %s", r.Key, strings.Join(r.Classes, ",")))
		return nil
	})
	if err != nil {
		s.t.Fatal(err)
	}
	return strings.Join(all, "; ")
}

func TestPlacesByTheLinesThatStop(t *testing.T) {
	s := newTown(t)
	s.list("feed")
	for _, mode := range schemas.TransitModes {
		s.route("feed", mode, mode, 0)
		s.stop("feed", "stop of "+mode, "", 0, 0, mode)
	}
	s.route("feed", "wide tram", "tram", 700)
	s.stop("feed", "station of trams", "", 0, 0, "wide tram")
	s.stop("feed", "unserved", "", 0, 0)
	s.stop("feed", "terminal", "", 0, 0)
	s.stop("feed", "track 1", "terminal", 10, 0, "rail")
	s.stop("feed", "track 2", "terminal", 20, 0, "rail", "subway")
	s.stop("feed", "orphan", "elsewhere", 20, 0, "bus")
	want := "orphan: bus_stops; station of trams: light_rail,subway_or_separated_rail_stations; stop of bus: bus_stops; stop of cable_car: " +
		"tram_stops; stop of ferry: ferry_terminals; stop of funicular: funicular_stations; stop of gondola: cable_car_stations; " +
		"stop of light_rail: light_rail,subway_or_separated_rail_stations; stop of monorail: subway_or_separated_rail_stations; " +
		"stop of rail: train_stations; stop of subway: subway,subway_or_separated_rail_stations; stop of tram: tram_stops; stop of trolleybus: " +
		"bus_stops; terminal: subway,subway_or_separated_rail_stations,train_stations"
	if got := s.records(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// The stops of a list without stops of its lines are those beside the courses; a map's own stops are places by its tags.
func TestPlacesBesideCourses(t *testing.T) {
	s := newTown(t)
	s.list("city")
	s.list("rail")
	s.route("city", "7", "bus", 0, [2]float64{0, 0}, [2]float64{1000, 0})
	s.route("city", "M", "subway", 0, [2]float64{0, 500}, [2]float64{1000, 500})
	s.stop("city", "pole", "", 300, 20)
	s.stop("city", "far", "", 300, 40)
	s.stop("city", "beside the subway", "", 300, 490)
	s.route("rail", "T", "tram", 0, [2]float64{0, 0}, [2]float64{1000, 0})
	s.stop("rail", "tram", "", 600, 10)
	s.route("map", "osm:relation:1", "bus", 0)
	s.stop("map", "osm:node:1", "", 0, 0, "osm:relation:1")
	if got, want := s.records(), "pole: bus_stops; tram: tram_stops"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// A line that is published as a railway is what its tracks are.
func TestModesByTracks(t *testing.T) {
	s := newTown(t)
	s.list("feed")
	s.track("light_rail", [2]float64{0, 0}, [2]float64{5000, 0})
	s.track("main", [2]float64{0, 60}, [2]float64{9000, 60})
	s.track("subway", [2]float64{0, 900}, [2]float64{5000, 900})
	s.track("industrial", [2]float64{0, 2000}, [2]float64{5000, 2000})
	for _, key := range []string{"metrolink", "commuter", "metro", "elsewhere", "even"} {
		s.route("feed", key, "rail", 0)
	}
	s.route("feed", "tram", "tram", 0)
	for i := range 4 {
		x := float64(1000 * i)
		s.stop("feed", fmt.Sprint("light ", i), "", x, 10, "metrolink", "tram")
		s.stop("feed", fmt.Sprint("main ", i), "", x, 50, "commuter")
		s.stop("feed", fmt.Sprint("sub ", i), "", x, 890, "metro")
		s.stop("feed", fmt.Sprint("far ", i), "", x, 2000, "elsewhere")
	}
	s.stop("feed", "tunnel", "", 20_000, 0, "metrolink")
	s.stop("feed", "beside the main line", "", 4000, 55, "metrolink")
	s.stop("feed", "even 1", "", 4000, 5, "even")
	s.stop("feed", "even 2", "", 4000, 55, "even")
	modes, err := ReadModes(t.Context(), s.db, 100)
	if err != nil {
		t.Fatal(err)
	}
	for line, want := range map[string]string{"metrolink": "light_rail", "commuter": "rail", "metro": "subway", "elsewhere": "rail",
		"even": "rail"} {
		if got := modes.Of("feed", line, "rail"); got != want {
			t.Errorf("%s: %s, want %s", line, got, want)
		}
	}
	if got := modes.Of("feed", "tram", "tram"); got != "tram" {
		t.Errorf("a tram became %s", got)
	}
	if got := s.records(); !strings.Contains(got, "light 0: light_rail,subway_or_separated_rail_stations,tram_stops") ||
		!strings.Contains(got, "main 0: train_stations") {
		t.Error(got)
	}
}
