package build

import (
	"encoding/binary"
	"slices"
	"testing"

	"github.com/paulmach/orb"

	"quartier/internal/duck"
	"quartier/internal/geo"
	"quartier/schemas"
)

// testStreets is the streets in a region's derived database.
type testStreets struct {
	nodes        []testNode
	edges        []testEdge
	barriers     []orb.LineString
	destinations []testDestination
	services     []testService
	homes        []testHome
	cells        []testCell
	notes        []string
}

// testNode has the values value + c for channel c, except for those that are absent.
type testNode struct {
	lng, lat float64
	value    uint16
	absent   []string
	channels []byte // replaces value if it is not nil
}

// testEdge is a straight line between two nodes.
type testEdge struct {
	a, b    int32
	lengthM float64
	source  string // default osm
	class   string // default residential
}

type testDestination struct {
	class  string
	edge   int32
	alongM float64
}

type testService struct {
	destination int32
	route       string
	trips       int32
	mode        string // default bus
	kind        string // of a line without a timetable; "": it has one
}

type testHome struct {
	basis    string
	weight   float64
	lng, lat float64
	edge     int32
	alongM   float64
}

type testCell struct {
	geohash, typology string
	population        float64
}

// encode is the channels of a node as derived tables keep them.
func (n testNode) encode() []byte {
	if n.channels != nil {
		return n.channels
	}
	var out []byte
	for c := range schemas.Channel(schemas.ChannelCount) {
		v := n.value + uint16(c)
		for _, name := range n.absent {
			if name == schemas.ChannelName(c) {
				v = schemas.AbsentValue
			}
		}
		out = binary.LittleEndian.AppendUint16(out, v)
	}
	return out
}

// write fills the derived tables of streets.
func (s *testStreets) write(t testing.TB, derived *duck.DB) {
	t.Helper()
	line := func(points ...orb.Point) []byte {
		data, err := geo.WKB(orb.LineString(points))
		must(t, err)
		return data
	}
	load(t, derived, "street_node", func(row func(...any)) {
		for i, n := range s.nodes {
			row(int32(i), n.lng, n.lat, n.encode())
		}
	})
	load(t, derived, "street_edge", func(row func(...any)) {
		for i, e := range s.edges {
			a, b := s.nodes[min(int(e.a), len(s.nodes)-1)], s.nodes[min(int(e.b), len(s.nodes)-1)]
			source, class := "osm", "residential"
			if e.source != "" {
				source = e.source
			}
			if e.class != "" {
				class = e.class
			}
			row(int32(i), e.a, e.b, e.lengthM, class, "Quay", nil, source, "osm:way:7", 600.0, nil,
				line(orb.Point{a.lng, a.lat}, orb.Point{b.lng, b.lat}))
		}
	})
	load(t, derived, "barrier", func(row func(...any)) {
		for i, b := range s.barriers {
			row(int32(i), "water", line(b...))
		}
	})
	load(t, derived, "destination", func(row func(...any)) {
		for i, d := range s.destinations {
			row(int32(i), d.class, "osm:node:1", "osm:node:1", "osm", "Place", nil, -75.5, 39.15, d.edge, d.alongM, 5.0)
		}
	})
	load(t, derived, "transit_service", func(row func(...any)) {
		for _, v := range s.services {
			if v.mode == "" {
				v.mode = "bus"
			}
			basis, kind := "timetable", any(nil)
			if v.kind != "" {
				basis, kind = "line", v.kind
			}
			row(v.destination, v.route, "Line "+v.route, v.mode, false, int32(0), "Dover", v.trips, basis, kind)
		}
	})
	load(t, derived, "home", func(row func(...any)) {
		for i, h := range s.homes {
			row(int32(i), h.basis, h.weight, h.lng, h.lat, h.edge, h.alongM)
		}
	})
	load(t, derived, "typology", func(row func(...any)) {
		for _, c := range s.cells {
			row(c.geohash, c.typology, c.population, c.population/2)
		}
	})
	load(t, derived, "region_class", func(row func(...any)) {
		for _, class := range schemas.KnownClasses {
			places := 0 // all destinations of a class are one place
			if slices.ContainsFunc(s.destinations, func(d testDestination) bool { return d.class == class }) {
				places = 1
			}
			row(class, places, 5000, 0, 0, true, string(schemas.ClassComplete), nil)
		}
	})
	load(t, derived, "note", func(row func(...any)) {
		for _, note := range s.notes {
			row(note[:1], note)
		}
	})
}

// northBank is Delaware with a street of 100 m on the north bank of a river in West Dover, and one in East Dover.
func northBank() testRegion {
	r := delaware()
	r.streets = &testStreets{
		nodes: []testNode{
			{lng: -75.560, lat: 39.1504, value: 10000, absent: []string{"airport_noise"}},
			{lng: -75.559, lat: 39.1504, value: 20000, absent: []string{"airport_noise", "historic"}},
			{lng: -75.450, lat: 39.1504, value: 30000, absent: []string{"transit_friendly"}},
			{lng: -75.449, lat: 39.1504, value: 30000, absent: []string{"transit_friendly"}},
		},
		edges:    []testEdge{{a: 0, b: 1, lengthM: 100}, {a: 3, b: 2, lengthM: 100, class: "footway"}},
		barriers: []orb.LineString{{{-75.7, 39.15}, {-75.5, 39.15}, {-75.3, 39.15}}},
		destinations: []testDestination{
			{class: "cafe", edge: 0, alongM: 40}, {class: "stop", edge: 1, alongM: 100},
		},
		services: []testService{{destination: 1, route: "r1", trips: 140}, {destination: 1, route: "r2", trips: 7}},
		cells:    []testCell{{"dqcm0zz", "main street hub", 2000}, {"dqcm100", "rural / other", 10}},
		notes:    []string{"the timetable is of 2019", "elevation is of one tile"},
	}
	return r
}

// southBank is another region with a street on the other bank, 9 m from the river.
func southBank() testRegion {
	return testRegion{
		name: "us-south", pois: []testPOI{{key: "osm:node:900", name: "Ferry", lng: -75.56, lat: 39.1499}},
		streets: &testStreets{
			nodes:        []testNode{{lng: -75.560, lat: 39.1499, value: 1000}, {lng: -75.559, lat: 39.1499, value: 2000}},
			edges:        []testEdge{{a: 0, b: 1, lengthM: 100}},
			destinations: []testDestination{{class: "stop", edge: 0, alongM: 1}},
			services:     []testService{{destination: 0, route: "r1", trips: 3, mode: "ferry"}},
			cells:        []testCell{{"dqcm0zz", "car dependent", 7}, {"dqcm200", "transit friendly", 50}},
		},
	}
}
