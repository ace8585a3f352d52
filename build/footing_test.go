package build

import (
	"slices"
	"strings"
	"testing"

	"github.com/paulmach/orb"
	"pgregory.net/rapid"

	"quartier/internal/geo"
	"quartier/schemas"
)

// paved is a region whose streets lie in a box, without homes.
func paved(name string, west, south, east, north float64) testRegion {
	return testRegion{
		name: name, pois: []testPOI{{key: "osm:node:" + name, name: "Inn", lng: west, lat: south}},
		streets: &testStreets{nodes: cornerNodes(west, south, east, north)},
	}
}

// dover is northBank with homes and streets that reach from its western end, -75.6, to east.
func dover(homes []testHome, east float64) testRegion {
	r := northBank()
	r.streets.nodes = append(r.streets.nodes[:2], cornerNodes(-75.6, 39.1, east, 39.2)...)
	r.streets.edges = r.streets.edges[:1]
	r.streets.destinations, r.streets.services = r.streets.destinations[:1], nil
	r.streets.homes = homes
	return r
}

func TestScoresStandOnGround(t *testing.T) {
	western := homesOfDover[:3]
	eastern := func(n int) []testHome {
		return slices.Repeat([]testHome{{basisStreet, 50, -75.45, 39.15, 0, 50}}, n)
	}
	const beyondNote = "geographies that lie mostly beyond the streets of the release and have no scores: "
	const fewNote = "geographies with fewer than 3 stretches of residential street and no households counted, which have no scores: "
	for _, tt := range []struct {
		name    string
		regions []testRegion
		scored  []string
		note    string
	}{
		// The city is 0.2 degrees wide, the metro area ten times as large.
		{"four tenths of the city", []testRegion{dover(western, -75.52)}, []string{"n:west"}, beyondNote + "1 of level 30, 1 of level 40"},
		{"six tenths of the city", []testRegion{dover(western, -75.48)}, []string{"n:west", "p:dover"}, beyondNote + "1 of level 40"},
		{"four tenths of a neighbourhood", []testRegion{dover(western, -75.559)}, nil, beyondNote + "1 of level 10, 1 of level 30, 1 of level 40"},
		{"two regions together", []testRegion{dover(western, -75.52), paved("us-inner", -75.54, 39.05, -75.45, 39.25)}, []string{"n:west", "p:dover"}, beyondNote + "1 of level 40"},
		{"a region elsewhere", []testRegion{dover(western, -75.52), paved("us-outer", -75.3, 39.3, -75.1, 39.5)}, []string{"n:west"}, beyondNote + "1 of level 30, 1 of level 40"},
		{"a few stretches of street", []testRegion{dover(slices.Concat(western, eastern(2)), -75.4)}, []string{"n:west", "p:dover"}, fewNote + "1 of level 10"},
		{"enough of them", []testRegion{dover(slices.Concat(western, eastern(3)), -75.4)}, []string{"n:east", "n:west", "p:dover"}, beyondNote + "1 of level 40"},
		{"one household", []testRegion{dover(western[:1], -75.4)}, []string{"n:west", "p:dover"}, beyondNote + "1 of level 40"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m, o := built(t, "", tt.regions...)
			var scored []string
			for _, row := range scoreRows(t, o, "pedestrian_friendly") {
				scored = append(scored, strings.Fields(row)[0])
			}
			if !slices.Equal(scored, tt.scored) {
				t.Errorf("scored are %q, want %q", scored, tt.scored)
			}
			if !slices.Contains(m.Notes, tt.note) {
				t.Errorf("notes lack %q:\n%s", tt.note, strings.Join(m.Notes, "\n"))
			}
		})
	}
}

// hulls are those of boxes.
func hulls(boxes ...orb.MultiPolygon) (list []*geo.Prepared) {
	for _, box := range boxes {
		list = append(list, geo.Prepare(box))
	}
	return list
}

func TestKnownGround(t *testing.T) {
	const metre = 1e-5
	square := rectangle(0, 0, 1, 1)
	apart := slices.Concat(rectangle(0, 0, 1, metre), rectangle(0, 1-metre, 1, 1))
	for _, tt := range []struct {
		name     string
		area     orb.MultiPolygon
		hulls    []*geo.Prepared
		from, to float64
	}{
		{"no streets", square, nil, 0, 0},
		{"some", square, hulls(rectangle(0, 0, 0.4, 1)), 0.399, 0.401},
		{"most", square, hulls(rectangle(0, 0.4, 1, 2)), 0.59, 0.61},
		{"two that overlap", square, hulls(rectangle(0, 0, 0.4, 1), rectangle(0.3, 0, 0.6, 1)), 0.599, 0.601},
		{"a place as small as a point", rectangle(0.5, 0.5, 0.5+1e-9, 0.5+1e-9), hulls(square), 1, 1},
		{"slivers that no parallel meets, their middle known", apart, hulls(rectangle(0.4, 0.4, 0.6, 0.6)), 1, 1},
		{"and not known", apart, hulls(rectangle(0.4, 0.6, 0.6, 0.7)), 0, 0},
	} {
		if got := known(&place{Centroid: tt.area.Bound().Center()}, geo.Prepare(tt.area), len(tt.area), tt.hulls); got < tt.from || got > tt.to {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
}

// Another region never takes ground away.
func TestARegionMoreNeverRemovesGround(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		coordinate := rapid.OneOf(rapid.Float64Range(-1, 2), rapid.SampledFrom([]float64{0, 0.25, 0.5, 1}))
		point := rapid.Custom(func(t *rapid.T) orb.Point { return orb.Point{coordinate.Draw(t, "lng"), coordinate.Draw(t, "lat")} })
		area := geo.Prepare(slices.Concat(rectangle(0, 0, 1, 1), rectangle(1.2, 0.3, 1.5, 0.4)))
		s, before := &streets{}, 0.0
		for range rapid.IntRange(1, 5).Draw(t, "regions") {
			s.hull = geo.Hull{}
			for _, p := range rapid.SliceOfN(point, 0, 6).Draw(t, "nodes") {
				s.hull.Add(p)
			}
			s.addHull()
			share := known(&place{Centroid: orb.Point{0.5, 0.5}}, area, 2, s.hulls)
			if share < before-1e-12 || share > 1 {
				t.Fatalf("%v is known after %v", share, before)
			}
			before = share
		}
	})
}

func TestNotesOfFooting(t *testing.T) {
	d := &draft{}
	var footings []footing
	add := func(level schemas.Level, f footing) {
		d.places, footings = append(d.places, place{outline: outline{Level: level}}), append(footings, f)
	}
	add(schemas.County, beyond)
	add(schemas.Metro, firm)
	add(schemas.Neighbourhood, beyond)
	add(schemas.County, beyond)
	add(schemas.County, fewHomes)
	d.noteFooting(footings)
	if len(d.notes) != 2 || !strings.HasSuffix(d.notes[0], "which have no scores: 1 of level 37") || !strings.HasSuffix(d.notes[1], "have no scores: 1 of level 10, 2 of level 37") {
		t.Errorf("%q", d.notes)
	}
}
