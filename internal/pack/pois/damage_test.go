package pois

import (
	"testing"

	"github.com/paulmach/orb"

	"quartier/internal/coord"
	"quartier/internal/pack"
	"quartier/internal/pack/packtest"
)

func TestDamageNeverPanics(t *testing.T) {
	records, centres := towns(3000)
	outline, err := coord.NewArea(orb.MultiPolygon{{circle(centres[0], 0.05, 200)}})
	if err != nil {
		t.Fatal(err)
	}
	packtest.Damage(t, fill(t, records), 150, func(f *pack.File) bool {
		table, err := Open(f)
		if err != nil {
			return false
		}
		searchAll(table, centres, &outline)
		return true
	})
}

func searchAll(table *Table, centres []orb.Point, outline *coord.Area) {
	var r Result
	var b BaseResult
	var body []byte
	for i, c := range centres {
		shape := Shape{Lng: c[0], Lat: c[1], RadiusM: 25000}
		if i%3 == 0 {
			shape.Area, shape.BufferM = outline, float64(i%2)*1000
		}
		var f Filter
		if i%4 == 1 {
			f = Filter{Tags: []string{"independent", "cuisine_1"}, Regions: []string{"US"}}
		}
		table.Search(&Query{Shape: shape, Filter: f, Limit: 50}, &r)
		table.SearchBase(&BaseQuery{Shape: shape, Filter: f, Limit: 5}, &b)
		body = table.AppendPOIs(body[:0], &r)
		for _, h := range r.Hits {
			body = table.AppendBasePOI(body[:0], h)
		}
		if i%100 > 0 {
			continue
		}
		var named NameResult
		table.SearchNames(&NameQuery{Name: "restaurant number 1", Lng: c[0], Lat: c[1], ReachM: 50_000, Regions: f.Regions, Limit: 9}, &named)
		for _, h := range named.Hits {
			body = table.AppendPOI(body[:0], Hit{Index: h.Index})
		}
	}
}
