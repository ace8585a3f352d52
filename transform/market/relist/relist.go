// Package relist finds listings of a home that was on the market before: a home that comes on again soon after it went off
// unsold is one listing.
package relist

import (
	"cmp"
	"slices"

	"quartier/internal/coord"
	"quartier/schemas/calibration"
	"quartier/schemas/market"
)

// Listing is what decides whether two listings are of one home. Hashes are 0 where there is nothing.
type Listing struct {
	ID      uint64 // of system and key: decides between equals
	System  uint32 // hash
	State   uint16 // of the code of the state; 0: not known
	Type    market.PropertyType
	Parcel  uint64
	Address uint64 // without the unit, with the postal code or city
	Unit    uint64
	Postal  uint32
	Point   coord.Point
	Located bool
	Sqft    float64 // 0: not known
	Year    int32   // of construction; 0: not known
	On      market.Day
	Unsold  market.Day // went off without a sale; NoDay: it did not
}

// None is the predecessor of a listing that was not on before.
const None int32 = -1

// Link returns the index of the listing that each listing continues, or None, by all edges, which it reorders. A listing continues one at
// most and is
// continued by one at most: in the order in which they came on, each takes of those that are left the one of the surest
// evidence (parcel, address, position), then of its own system, then the one that went off last.
func Link(list []Listing, edges []Edge) []int32 {
	before := make([]int32, len(list))
	for i := range before {
		before[i] = None
	}
	slices.SortFunc(edges, func(a, b Edge) int {
		x, y := &list[a.Next], &list[b.Next]
		p, q := &list[a.Before], &list[b.Before]
		return cmp.Or(Compare(x, y), cmp.Compare(a.evidence, b.evidence),
			cmp.Compare(flag(p.System != x.System), flag(q.System != y.System)), cmp.Compare(q.Unsold, p.Unsold), cmp.Compare(p.ID, q.ID))
	})
	taken := make(map[int32]bool, len(edges))
	for _, e := range edges {
		if before[e.Next] == None && !taken[e.Before] {
			before[e.Next], taken[e.Before] = e.Before, true
		}
	}
	return before
}

// Compare orders listings so that each comes after what it may continue: by the day on which they came on; of those of one day
// the one that went off first (never: last), as a home may be withdrawn and listed again on that day.
func Compare(a, b *Listing) int {
	return cmp.Or(cmp.Compare(a.On, b.On), cmp.Compare(flag(a.Unsold == market.NoDay), flag(b.Unsold == market.NoDay)),
		cmp.Compare(a.Unsold, b.Unsold), cmp.Compare(a.ID, b.ID))
}

func flag(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Evidence that two listings are of one home, the surest first.
type evidence uint8

const (
	no evidence = iota
	byParcel
	byAddress
	byPosition
)

// continues is the evidence that b continues a: it came on within the days of the calibration after a went off unsold, and is
// of the same home.
func continues(a, b *Listing, c *calibration.Market) evidence {
	if a.Unsold == market.NoDay || b.On == market.NoDay || b.On < a.Unsold || int(b.On-a.Unsold) > c.RelistDays ||
		Compare(a, b) >= 0 {
		return no
	}
	return sameHome(a, b, c)
}

// sameHome compares parcels if both have one, else addresses with units, else types and positions. A unit that differs is
// another home, and so is a home in a building of many that has no unit, unless size and year are the same.
func sameHome(a, b *Listing, c *calibration.Market) evidence {
	switch {
	case a.State != 0 && b.State != 0 && a.State != b.State, a.Unit != b.Unit && a.Unit != 0 && b.Unit != 0:
		return no
	case a.Parcel != 0 && b.Parcel != 0:
		return when(a.Parcel == b.Parcel && (a.Postal == b.Postal || a.Postal == 0 || b.Postal == 0) && distinct(a, b), byParcel)
	case a.Address != 0 && b.Address != 0:
		return when(a.Address == b.Address && a.Unit == b.Unit && distinct(a, b), byAddress)
	}
	return when(a.Type == b.Type && a.Unit == b.Unit && a.Located && b.Located && near(a.Point, b.Point, c.SameHomeM) && distinct(a, b),
		byPosition)
}

// distinct reports whether two listings of one place can be the same home: in a building of many only with the same unit, or
// without any if size and year of construction are known and equal.
func distinct(a, b *Listing) bool {
	many := a.Type == market.CondoTownhome || b.Type == market.CondoTownhome
	return !many || a.Unit != 0 && a.Unit == b.Unit || a.Sqft > 0 && a.Sqft == b.Sqft && a.Year == b.Year
}

func when(same bool, e evidence) evidence {
	if same {
		return e
	}
	return no
}

func near(a, b coord.Point, metres float64) bool {
	_, lat := a.Degrees()
	return coord.PlaneAt(a, lat).Square(b) <= metres*metres
}
