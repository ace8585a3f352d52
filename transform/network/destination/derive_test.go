package destination

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/paulmach/orb"

	"quartier/internal/duck"
	_ "quartier/internal/duck/driver"
	"quartier/internal/geo"
	"quartier/internal/network"
	"quartier/schemas"
	"quartier/schemas/calibration"
	"quartier/transform/issue"
	"quartier/transform/network/street"
)

// site is a synthetic region on a plane of metres.
type site struct {
	t               *testing.T
	plane           geo.Plane
	staged, derived *duck.DB
	net             *street.Network
	issues          []issue.Issue // of find
}

func newSite(t *testing.T) *site {
	s := &site{t: t, plane: geo.NewPlane(orb.Point{-75.5, 39.5}), net: &street.Network{}}
	for _, db := range []struct {
		to  **duck.DB
		ddl string
	}{{&s.staged, schemas.Staged}, {&s.derived, schemas.Derived}} {
		opened, err := duck.Memory()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { opened.Close() })
		if _, err := opened.Exec(db.ddl); err != nil {
			t.Fatal(err)
		}
		*db.to = opened
	}
	s.exec(s.staged, "INSERT INTO source VALUES ('town', 0, 'osm', 'town.osm', '', 0, '2024-01-01', '', '', NULL, 0, 0, false)")
	return s
}

func (s *site) exec(db *duck.DB, query string, args ...any) {
	s.t.Helper()
	if _, err := db.Exec(query, args...); err != nil {
		s.t.Fatal(err)
	}
}

func (s *site) line(metres ...[2]float64) (line orb.LineString) {
	for _, p := range metres {
		line = append(line, s.plane.Point(p[0], p[1]))
	}
	return line
}

func (s *site) street(class string, metres ...[2]float64) {
	s.net.Streets = append(s.net.Streets, street.Street{Source: "town", Key: fmt.Sprint("way ", len(s.net.Streets)), Class: class,
		Foot: !strings.HasPrefix(class, "motorway"), Car: "both", Line: s.line(metres...)})
}

// poi adds a row of derived.poi.
func (s *site) poi(key, categories, tags string, x, y float64) {
	p := s.plane.Point(x, y)
	s.exec(s.derived,
		"INSERT INTO poi (number, curve, poi_key, source_id, lng, lat, name, country_code, categories, brands, tags, base_categories) "+
			"VALUES ((SELECT count(*) FROM poi), 0, ?, 'town', ?, ?, ?, 'US', ?, '', ?, '')",
		key, p[0], p[1], key, categories, tags)
}

func (s *site) feature(kind, key string, g orb.Geometry) {
	geom, err := geo.WKB(g)
	if err != nil {
		s.t.Fatal(err)
	}
	s.exec(s.staged, "INSERT INTO feature VALUES ('town', ?, ?, '', NULL, NULL, NULL, false, ?)", key, kind, geom)
}

// square is a square outline in metres.
func (s *site) square(west, south, east, north float64) orb.MultiPolygon {
	return orb.MultiPolygon{{orb.Ring(s.line([2]float64{west, south}, [2]float64{east, south}, [2]float64{east, north},
		[2]float64{west, north}, [2]float64{west, south}))}}
}

func (s *site) find() *Set {
	s.t.Helper()
	builder := network.NewBuilder(network.Options{MaxEdgeM: 100, MinNodes: 2})
	for i, v := range s.net.Streets {
		if v.Foot {
			points, _ := street.Points(nil, v.Line)
			builder.Add(network.Line{Points: points})
			s.net.WalkLine = append(s.net.WalkLine, uint32(i))
		}
	}
	s.net.Walk, _ = builder.Finish()
	s.net.Snapper = network.NewSnapper(s.net.Walk, nil)
	set, issues, err := Derive(context.Background(), s.staged, s.derived, s.net, calibration.Standard())
	if err != nil {
		s.t.Fatal(err)
	}
	for _, i := range issues {
		s.t.Logf("issue %+v", i)
	}
	s.issues = issues
	if err := set.Write(context.Background(), s.derived, s.net, 2414); err != nil {
		s.t.Fatal(err)
	}
	return set
}

// at are the points of a class's destinations in whole metres, and their snapped points.
func (s *site) at(set *Set, class string) string {
	var all []string
	for _, d := range set.Of(class) {
		x, y := s.plane.XY(d.Point)
		lng, lat := s.net.Snapper.Point(d.Place).Degrees()
		u, v := s.plane.XY(orb.Point{lng, lat})
		all = append(all, fmt.Sprintf("%s %.0f,%.0f from %.0f,%.0f", d.Key, x, y, u, v))
	}
	return strings.Join(all, "; ")
}

func TestParkWithAGateIsEnteredThere(t *testing.T) {
	s := newSite(t)
	s.street("residential", [2]float64{-300, -20}, [2]float64{500, -20})
	s.street("residential", [2]float64{220, -20}, [2]float64{220, 300})
	s.poi("fenced", "parks", "", 100, 100)
	s.feature("park", "fenced", s.square(0, 0, 200, 200))
	s.feature("gate", "gate", s.plane.Point(200, 150))
	s.feature("gate", "gate of something else", s.plane.Point(100, 100))
	set := s.find()
	if got := s.at(set, "park"); got != "fenced 200,150 from 220,150" {
		t.Errorf("entered at %s", got)
	}
	if h := set.Of("park")[0].Hectares; h < 3.9 || h > 4.1 {
		t.Errorf("%v hectares", h)
	}
}

func TestParkWithoutAGateIsOpenAllAround(t *testing.T) {
	s := newSite(t)
	s.street("residential", [2]float64{-300, -20}, [2]float64{500, -20}) // next to it
	s.street("path", [2]float64{150, -20}, [2]float64{150, 160})         // into it
	s.street("residential", [2]float64{-300, 260}, [2]float64{500, 260}) // 60 m away
	s.street("residential", [2]float64{-300, -20}, [2]float64{-300, 260})
	s.poi("open", "parks", "", 100, 100)
	s.feature("park", "open", s.square(0, 0, 200, 200))
	set := s.find()
	beside, inside := 0, 0
	for _, d := range set.Of("park") {
		x, y := s.plane.XY(s.net.Snapper.Point(d.Place).Orb())
		switch {
		case y > 250 || x < -40 || x > 240:
			t.Errorf("entered from %.0f,%.0f", x, y)
		case y < 0:
			beside++
			if x > 0 && x < 149 && d.Place.Leg.Metres() < 19 {
				t.Errorf("%.1f m from %.0f,%.0f to the park", d.Place.Leg.Metres(), x, y)
			}
		default:
			inside++
		}
	}
	if beside < 2 || inside < 1 {
		t.Errorf("%d entrances from beside and %d inside: %s", beside, inside, s.at(set, "park"))
	}
	if n := set.Content("park").Places; n != 1 {
		t.Errorf("%d parks", n)
	}
}

func TestParkOfAMergedRecordHasItsOutline(t *testing.T) {
	s := newSite(t)
	s.street("residential", [2]float64{-300, -20}, [2]float64{500, -20})
	s.poi("list:1", "parks", "", 100, 10)
	s.exec(s.derived, "INSERT INTO poi_merge VALUES ('list:1', 'osm:way:1', 5, 1, 'same name')")
	s.feature("park", "osm:way:1", s.square(0, 0, 100, 100))
	s.poi("list:2", "parks", "", 300, 10)
	s.exec(s.staged,
		"INSERT INTO poi (source_id, source_key, lng, lat, scheme, classes, area_m2) VALUES ('town', 'list:2', 0, 0, 'quartier', "+
			"'[\"parks\"]', 20000)")
	s.poi("list:3", "parks", "", 400, 10)
	s.poi("too far", "parks", "", 400, 2000)
	set := s.find()
	sizes := map[string]float64{}
	for _, d := range set.Of("park") {
		sizes[d.Key] = d.Hectares
	}
	if len(sizes) != 3 || sizes["list:1"] < 0.99 || sizes["list:1"] > 1.01 || sizes["list:2"] != 2 || sizes["list:3"] != 0 {
		t.Errorf("sizes %v", sizes)
	}
	var null int
	if err := s.derived.QueryRow("SELECT count(*) FROM destination WHERE place_key = 'list:3' AND size IS NULL AND class = 'park'").
		Scan(&null); err != nil || null != 1 {
		t.Errorf("%d rows without size, %v", null, err)
	}
}

func TestStopsAreWhatTheirLinesAre(t *testing.T) {
	s := newSite(t)
	s.street("residential", [2]float64{0, 0}, [2]float64{1000, 0})
	for i, key := range []string{"north", "south", "unused"} {
		p := s.plane.Point(float64(100*i), 10)
		s.exec(s.staged, "INSERT INTO stop VALUES ('town', ?, ?, NULL, ?, ?, ?)", key, key, map[bool]any{true: "station", false: nil}[i < 2],
			p[0], p[1])
	}
	for _, r := range []struct {
		key, mode string
		spacing   any
	}{{"local", "bus", 300.0}, {"express", "bus", 1200.0}, {"metro", "subway", nil}, {"streetcar", "tram", 250.0},
		{"regional", "rail", 9000.0}} {
		s.exec(s.staged, "INSERT INTO route (source_id, source_key, name, mode, spacing_m) VALUES ('town', ?, ?, ?, ?)",
			r.key, r.key, r.mode, r.spacing)
	}
	for _, v := range []struct {
		stop, route      string
		direction, trips int
	}{{"north", "local", 0, 900}, {"north", "express", 0, 800}, {"north", "express", 1, 10}, {"south", "metro", 0, 5},
		{"south", "streetcar", 0, 2000}, {"south", "regional", 1, 20}} {
		s.exec(s.staged, "INSERT INTO stop_service VALUES ('town', ?, ?, ?, 'Depot', ?)", v.stop, v.route, v.direction, v.trips)
	}
	s.stop("town", "far", 0, 3000, 900, "local")
	set := s.find()
	if len(s.issues) != 1 || s.issues[0].Reason != issue.NoStreet || s.issues[0].Example != "far of town" {
		t.Errorf("a stop 3 km from the street: issues %+v", s.issues)
	}
	got := ""
	for _, class := range []string{"bus_stop", "rapid_station", "train_station", "stop"} {
		got += class
		for _, d := range set.Of(class) {
			got += fmt.Sprintf(" %s(%d, %s)", d.Key, len(d.Services), d.Station)
		}
		got += "; "
	}
	want := "bus_stop north(0, station); rapid_station north(0, station) south(0, station); train_station south(0, station); stop north(3, " +
		"station) south(3, station); "
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	var rapid string
	if err := s.derived.QueryRow("SELECT string_agg(DISTINCT route_name, ' ' ORDER BY route_name) FROM transit_service WHERE rapid").
		Scan(&rapid); err != nil || rapid != "express metro" {
		t.Errorf("rapid lines %q, %v", rapid, err)
	}
}

func TestSchoolsBicyclesAndRamps(t *testing.T) {
	s := newSite(t)
	s.street("residential", [2]float64{0, 0}, [2]float64{2000, 0})
	s.street("motorway", [2]float64{0, 100}, [2]float64{500, 100}, [2]float64{2000, 100})
	s.street("motorway_link", [2]float64{400, 0}, [2]float64{500, 100})
	for i, p := range []struct{ key, scheme, classes, name string }{
		{"osm:way:1", "osm", `{"amenity": "school", "name": "Elm High School"}`, "Elm High School"},
		{"city:1", "quartier", `["primary_school"]`, "Oak"},
		{"osm:node:2", "osm", `{"amenity":"bicycle_rental"}`, ""},
		{"osm:node:3", "osm", `{"amenity":"bicycle_rental","shop":"bicycle"}`, "Bike Shop"},
		{"osm:node:4", "osm", `{"office":"school_supplies"}`, "Pens"},
	} {
		at := s.plane.Point(float64(300*i), 20)
		s.exec(s.staged, "INSERT INTO poi (source_id, source_key, lng, lat, name, scheme, classes) VALUES ('town', ?, ?, ?, nullif(?, ''), ?, ?)",
			p.key, at[0], at[1], p.name, p.scheme, p.classes)
	}
	set := s.find()
	for class, want := range map[string]string{
		"primary_school": "city:1 300,20 from 300,0", "high_school": "osm:way:1 0,20 from 0,0", "bike_share": "osm:node:2 600,20 from 600,0",
		"highway_ramp": "way 2 500,100 from 500,0",
	} {
		if got := s.at(set, class); got != want {
			t.Errorf("%s: %s, want %s", class, got, want)
		}
	}
	if len(set.Ramps) != 1 {
		t.Errorf("ramps %v", set.Ramps)
	}
}

// What a source has is counted without the categories that most places have.
func TestContents(t *testing.T) {
	s := newSite(t)
	s.street("residential", [2]float64{0, 0}, [2]float64{2000, 0})
	for i := range 20 {
		s.poi(fmt.Sprint("shop ", i), []string{"restaurants,shops_and_services", "cafes", "retail"}[i%3], "", float64(i), 0)
	}
	if diff := cmp.Diff([]Content{{"town", 20, 2}}, s.find().Contents); diff != "" {
		t.Error(diff)
	}
}

// What the region file declares of classes is of all sources together.
func TestDeclarations(t *testing.T) {
	s := newSite(t)
	s.street("residential", [2]float64{0, 0}, [2]float64{2000, 0})
	s.exec(s.staged,
		"INSERT INTO declared_class VALUES ('town', 'primary_school', true), ('town', 'high_school', true), ('list', 'daycare', false)")
	set := s.find()
	if diff := cmp.Diff([][]string{{"high_school", "primary_school"}, {"daycare"}}, [][]string{set.Complete, set.Lacks}); diff != "" {
		t.Error(diff)
	}
}
