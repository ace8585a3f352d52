package relist

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"quartier/internal/coord"
	"quartier/schemas/calibration"
	"quartier/schemas/market"
)

// TestLink has two listings of which the second may continue the first.
func TestLink(t *testing.T) {
	c := &calibration.Standard().Market
	here, _ := coord.NewPoint(-75, 40)
	near, _ := coord.NewPoint(-75, 40.0001) // 11 m
	far, _ := coord.NewPoint(-75, 40.0002)  // 22 m
	base := Listing{Type: market.SingleFamily, Point: here, Located: true, On: 100, Unsold: market.NoDay}
	for _, k := range []struct {
		name string
		edit func(a, b *Listing)
		want bool
	}{
		{"same place", func(a, b *Listing) {}, true},
		{"11 m", func(a, b *Listing) { b.Point = near }, true},
		{"22 m", func(a, b *Listing) { b.Point = far }, false},
		{"another type", func(a, b *Listing) { b.Type = market.VacantLand }, false},
		{"30 days later", func(a, b *Listing) { b.On = a.Unsold + 30 }, true},
		{"31 days later", func(a, b *Listing) { b.On = a.Unsold + 31 }, false},
		{"before it went off", func(a, b *Listing) { b.On = a.Unsold - 1 }, false},
		{"at the same time, of two systems", func(a, b *Listing) { b.On, b.System = a.On, 2 }, false},
		{"sold", func(a, b *Listing) { a.Unsold = market.NoDay }, false},
		{"same address, 22 m", func(a, b *Listing) { a.Address, b.Address, b.Point = 5, 5, far }, true},
		{"another address", func(a, b *Listing) { a.Address, b.Address = 5, 6 }, false},
		{"one address", func(a, b *Listing) { a.Address = 5 }, true},
		{"another unit", func(a, b *Listing) { a.Address, b.Address, a.Unit, b.Unit = 5, 5, 1, 2 }, false},
		{"same parcel, another address", func(a, b *Listing) { a.Parcel, b.Parcel, a.Address, b.Address = 7, 7, 5, 6 }, true},
		{"another parcel, same address", func(a, b *Listing) { a.Parcel, b.Parcel, a.Address, b.Address = 7, 8, 5, 5 }, false},
		{"same parcel of another state", func(a, b *Listing) { a.Parcel, b.Parcel, a.State, b.State = 7, 7, 1, 2 }, false},
		{"withdrawn and listed again on one day", func(a, b *Listing) { a.On, a.Unsold, a.ID, b.On, b.Parcel, a.Parcel = 150, 150, 3, 150, 7, 7 },
			true},
		{"tower without unit", func(a, b *Listing) { a.Type, b.Type = market.CondoTownhome, market.CondoTownhome }, false},
		{"tower without unit, same address", func(a, b *Listing) {
			a.Type, b.Type, a.Address, b.Address = market.CondoTownhome, market.CondoTownhome, 5, 5
		}, false},
		{"tower, same size and year", func(a, b *Listing) {
			a.Type, b.Type, a.Sqft, b.Sqft, a.Year, b.Year = market.CondoTownhome, market.CondoTownhome, 900, 900, 1999, 1999
		}, true},
		{"tower, same unit", func(a, b *Listing) {
			a.Type, b.Type, a.Address, b.Address, a.Unit, b.Unit = market.CondoTownhome, market.CondoTownhome, 5, 5, 3, 3
		}, true},
	} {
		a, b := base, base
		a.ID, b.ID, a.Unsold, b.On = 1, 2, 150, 160
		k.edit(&a, &b)
		got := Link([]Listing{b, a}, Edges([]Listing{b, a}, c))
		if (got[0] == 1) != k.want || got[1] != None {
			t.Errorf("%s: %v, want %v", k.name, got, k.want)
		}
	}
}

// TestEdges compares the pairs that the indexes find with all pairs.
func TestEdges(t *testing.T) {
	c := &calibration.Standard().Market
	rapid.Check(t, func(t *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		lat := rapid.Float64Range(-70, 70).Draw(t, "lat")
		list := make([]Listing, rapid.IntRange(0, 80).Draw(t, "listings"))
		for i := range list {
			l := &list[i]
			*l = Listing{ID: uint64(i), Type: market.SingleFamily, Parcel: uint64(r.IntN(4)), Address: uint64(r.IntN(4)), Unit: uint64(r.IntN(2)),
				On: market.Day(r.IntN(100)), Unsold: market.NoDay, Located: r.IntN(5) > 0}
			if r.IntN(2) == 0 {
				l.Unsold = l.On + market.Day(r.IntN(60))
			}
			l.Point, _ = coord.NewPoint(-75+0.001*r.Float64(), lat+0.0005*r.Float64())
		}
		want := 0
		for i := range list {
			for j := range list {
				if continues(&list[i], &list[j], c) != no {
					want++
				}
			}
		}
		got := Edges(list, c)
		if len(got) != want {
			t.Fatalf("%d pairs, want %d", len(got), want)
		}
		first := rapid.IntRange(0, len(list)).Draw(t, "first")
		got = slices.DeleteFunc(got, func(e Edge) bool { return int(max(e.Before, e.Next)) < first })
		if some := EdgesFrom(list, first, c); !slices.Equal(some, got) {
			t.Fatalf("from %d: %v, want %v", first, some, got)
		}
	})
}
