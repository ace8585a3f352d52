package pois

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"quartier/internal/pack/names"
)

// TestNamesAreFound looks for POIs by name: the nearest of a chain, those within reach before a better known name beyond, and those
// of the regions of an agreement alone.
func TestNamesAreFound(t *testing.T) {
	var records []Record
	add := func(name, region string, lng, lat float64) {
		records = append(records, Record{Key: fmt.Sprint(len(records)), Name: name, Country: "C", RegionCode: region,
			Categories: []string{"cafes"}, Lng: lng, Lat: lat})
	}
	for i := range 900 { // a chain
		add("Café Arrow", "US_OR", -120+float64(i)*0.01, 45)
	}
	add("Arrowhead Pool", "US_WA", -122, 47)
	add("Café Arrow", "CA_QC", -73, 45)
	table := open(t, records)
	ask := func(q NameQuery) (got []string) {
		var r NameResult
		q.Limit = 3
		table.SearchNames(&q, &r)
		for _, h := range r.Hits {
			var poi struct{ Name string }
			if err := json.Unmarshal(table.AppendPOI(nil, Hit{Index: h.Index}), &poi); err != nil {
				t.Fatal(err)
			}
			lng, _ := table.Position(h.Index)
			got = append(got, fmt.Sprintf("%s %.2f", poi.Name, lng))
		}
		return got
	}
	for _, c := range []struct {
		q    NameQuery
		want []string
	}{
		{NameQuery{Name: "cafe arrow", Lng: -115.003, Lat: 45}, []string{"Café Arrow -115.00", "Café Arrow -115.01", "Café Arrow -114.99"}},
		{NameQuery{Name: "arrow cafe", Lng: -73, Lat: 45, Regions: []string{"CA"}}, []string{"Café Arrow -73.00"}},
		{NameQuery{Name: "arrow", Lng: -122, Lat: 47, ReachM: 20_000},
			[]string{"Arrowhead Pool -122.00", "Café Arrow -120.00", "Café Arrow -119.99"}},
		{NameQuery{Name: "arrow", Regions: []string{}}, nil},
		{NameQuery{Name: "\xff"}, nil},
	} {
		if got := ask(c.q); !slices.Equal(got, c.want) {
			t.Errorf("%+v: %q, want %q", c.q, got, c.want)
		}
	}
}

// TestEveryPOIFindsItself asks for each POI by its name at its place.
func TestEveryPOIFindsItself(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		records := world(rt, centres[0])
		table := open(t, records)
		var r NameResult
		for i := range min(table.Len(), 40) {
			lng, lat := table.Position(uint32(i))
			var poi struct{ Name string }
			if err := json.Unmarshal(table.AppendPOI(nil, Hit{Index: uint32(i)}), &poi); err != nil {
				rt.Fatal(err)
			}
			table.SearchNames(&NameQuery{Name: poi.Name, Lng: lng, Lat: lat, Limit: 1}, &r)
			if len(r.Hits) != 1 || r.Hits[0].Match.Class != names.Exact || r.Hits[0].Metres > 0.01 {
				rt.Fatalf("%q at %v, %v: %+v", poi.Name, lng, lat, r.Hits)
			}
		}
	})
}

// BenchmarkSearchNames asks for beginnings of names, in a view.
func BenchmarkSearchNames(b *testing.B) {
	table, err := Open(packOfTowns(b))
	if err != nil {
		b.Fatal(err)
	}
	var r NameResult
	for _, name := range []string{"r", "rest", "restaurant number 77", "restarant nmber 100"} {
		b.Run(name, func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				lng, lat := table.Position(uint32(i * 7919 % table.Len()))
				table.SearchNames(&NameQuery{Name: name, Lng: lng, Lat: lat, ReachM: 50_000, Limit: 8}, &r)
			}
		})
	}
}
