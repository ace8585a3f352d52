package poi

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/paulmach/orb"
	"pgregory.net/rapid"

	"quartier/internal/geo"
	"quartier/schemas/staged"
)

// feedStop is a stop of a feed some metres east of a point in Dover.
func feedStop(source, key, name string, metres float64, classes ...string) Record {
	return Record{Source: source, Key: key, Priority: 1, Point: orb.Point{-75.52 + metres/86500, 39.15}, Scheme: "quartier", Classes: classes,
		Stop: true, Details: staged.Details{Name: name}}
}

func mapped(key string, metres float64, tags ...string) Record {
	r := Record{Source: "osm", Key: key, Point: orb.Point{-75.52 + metres/86500, 39.15}, Scheme: "osm", Tags: map[string]string{}}
	for _, tag := range tags {
		k, v, _ := strings.Cut(tag, "=")
		if r.Tags[k] = v; k == "name" {
			r.Name = v
		}
	}
	return r
}

func TestStopsThatNoOtherSourceHas(t *testing.T) {
	for _, c := range []struct {
		what    string
		records []Record
		want    string // key: categories; …
	}{
		{"no other source", []Record{feedStop("f", "f1", "Main & 1st", 0, "bus_stops")}, "f1 Main & 1st: bus_stops"},
		{"a pole of a map without a name", []Record{mapped("o1", 30, "highway=bus_stop", "ref=4711"),
			feedStop("f", "f1", "Main & 1st", 0, "bus_stops")},
			"o1 Main & 1st: bus_stops"},
		{"a pole with a name", []Record{mapped("o1", 30, "highway=bus_stop"), feedStop("f", "f1", "Main & 1st", 45, "bus_stops"),
			feedStop("f", "f2", "Main & 2nd", 20, "bus_stops")},
			"o1 Main & 2nd: bus_stops"},
		{"a pole farther away", []Record{mapped("o1", 60, "highway=bus_stop"), feedStop("f", "f1", "Main & 1st", 0, "bus_stops")},
			"f1 Main & 1st: bus_stops; o1 Bus stop: bus_stops"},
		{"another kind", []Record{mapped("o1", 10, "railway=station", "name=Union"), feedStop("f", "f1", "Union", 0, "bus_stops")},
			"f1 Union: bus_stops; o1 Union: train_stations"},
		{"one kind of two", []Record{mapped("o1", 10, "highway=bus_stop"),
			feedStop("f", "f1", "Square", 0, "bus_stops", "subway_or_separated_rail_stations", "subway")},
			"f1 Square: rapid_transit_stations,subway_or_separated_rail_stations subway; o1 Bus stop: bus_stops"},
		{"the rails of two", []Record{mapped("o1", 10, "railway=tram_stop", "name=Place"),
			feedStop("f", "f1", "Square", 0, "bus_stops", "subway_or_separated_rail_stations", "light_rail")},
			"f1 Square: bus_stops; o1 Place: tram_stops"},
		{"two poles of a feed", []Record{feedStop("f", "f1", "Main & 1st", 0, "bus_stops"), feedStop("f", "f2", "Main & 1st", 15, "bus_stops")},
			"f1 Main & 1st: bus_stops; f2 Main & 1st: bus_stops"},
		{"two feeds", []Record{feedStop("g", "g1", "1st & Main", 0, "bus_stops"), feedStop("f", "f1", "Main & 1st", 15, "bus_stops")},
			"f1 Main & 1st: bus_stops"},
		{"a station on its ground", []Record{mapped("o1", 250, "railway=station", "name=Central"),
			feedStop("f", "f1", "Central Station", 0, "train_stations")},
			"o1 Central: train_stations"},
	} {
		slices.Reverse(c.records) // the order makes no difference
		result, err := deriveAll(c.records)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, p := range result.POIs {
			got = append(got, strings.TrimSpace(fmt.Sprintf("%s %s: %s %s", p.Key, p.Name, p.categories.ids(), strings.Join(p.Tags, ","))))
		}
		if text := strings.Join(got, "; "); text != c.want {
			t.Errorf("%s: %s, want %s", c.what, text, c.want)
		}
		if len(result.POIs)+len(result.Merges) != len(c.records) {
			t.Errorf("%s: %d places and %d merges of %d records", c.what, len(result.POIs), len(result.Merges), len(c.records))
		}
	}
}

// Every stop of a feed has a place of each of its kinds near, and of other sources' places none is lost.
func TestNoStopIsLost(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var records, stops []Record
		for i := range rapid.IntRange(1, 20).Draw(t, "n") {
			metres := rapid.Float64Range(0, 2000).Draw(t, "metres")
			if rapid.Bool().Draw(t, "mapped") {
				records = append(records, mapped(fmt.Sprint("o", i), metres,
					rapid.SampledFrom([]string{"highway=bus_stop", "railway=tram_stop", "amenity=ferry_terminal"}).Draw(t, "tag")))
				continue
			}
			classes := rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"bus_stops", "tram_stops", "ferry_terminals"}), 1, 2, rapid.ID).Draw(t,
				"classes")
			stops = append(stops, feedStop(rapid.SampledFrom([]string{"f", "g"}).Draw(t, "feed"), fmt.Sprint("f", i), "Stop", metres, classes...))
		}
		result, err := deriveAll(append(slices.Clone(records), stops...))
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range records {
			if !slices.ContainsFunc(result.POIs, func(p *POI) bool { return p.Key == r.Key }) {
				t.Errorf("%s is lost", r.Key)
			}
		}
		for _, s := range stops {
			for _, class := range s.Classes {
				i := slices.IndexFunc(stopKinds, func(k stopKind) bool { return k.categories.has(mustSet(class)) })
				if !slices.ContainsFunc(result.POIs, func(p *POI) bool {
					return p.categories.has(mustSet(class)) && geo.Distance(p.Point, s.Point) <= stopKinds[i].metres
				}) {
					t.Errorf("no %s near %s", class, s.Key)
				}
			}
		}
	})
}
