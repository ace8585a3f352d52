package previous

import (
	"testing"

	"github.com/paulmach/orb"

	"quartier/internal/spatialite"
	"quartier/internal/spatialite/spatialitetest"
)

// TestRealChangesReplace changes wards of Ottawa, all of whose outlines move by 0.5 m at the same time: one cedes a dissemination
// area with over 0.5 % of its people to another, one is split, two are merged. Theirs are the ids that are replaced.
func TestRealChangesReplace(t *testing.T) {
	spatialitetest.Need(t)
	k, err := spatialite.NewKernel()
	if err != nil {
		t.Fatal(err)
	}
	defer k.Close()
	wards := readLayer(t, k, "ca-ottawa/open-data/Wards_2022-2026.geojson", "WARD")
	lived := ottawa(t, wards)
	m := &measurer{lived: lived}
	areas := readLayer(t, k, "ca-ottawa/statcan-2021/ottawa_da_2021.geojson", "DAUID")
	must := func(g orb.MultiPolygon, err error) orb.MultiPolygon {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	const giver, taker, split, merged, into = "15", "16", "1", "2", "11"
	whole, _ := m.count(wards[giver])
	var ceded orb.MultiPolygon
	least := 1.0
	for _, g := range areas {
		inside := must(k.Intersection(g, wards[giver]))
		part, _ := m.count(inside)
		if share := part.Households / whole.Households; share >= 0.005 && share < least {
			least, ceded = share, inside
		}
	}
	if least > 0.01 {
		t.Fatalf("the area that is ceded has %v of the ward", least)
	}
	next := layer{}
	for key, g := range wards {
		next[key] = g
	}
	b := wards[split].Bound()
	half := orb.MultiPolygon{{orb.Bound{Min: b.Min, Max: orb.Point{b.Center()[0], b.Max[1]}}.ToRing()}}
	next[giver], next[taker] = must(k.Difference(wards[giver], ceded)), must(k.Union(append(wards[taker].Clone(), ceded...)))
	next[split], next["25"] = must(k.Intersection(wards[split], half)), must(k.Difference(wards[split], half))
	next[into] = must(k.Union(append(wards[merged].Clone(), wards[into]...)))
	delete(next, merged)
	replaced := map[string]bool{giver: true, taker: true, split: true, merged: true, into: true}
	unchanged, changed := layer{}, layer{}
	for key, g := range wards {
		if replaced[key] {
			changed[key] = g
		} else {
			unchanged[key] = g
		}
	}
	next = next.moved(t, k, 0.5, false)
	if n := kept(t, k, lived, wards, next); n != len(unchanged) {
		t.Errorf("%d ids are kept, want %d", n, len(unchanged))
	}
	if n := kept(t, k, lived, changed, next); n != 0 {
		t.Errorf("%d of %d changed wards keep their ids", n, len(changed))
	}
}
