package addresses

import (
	"cmp"
	"math"
	"slices"
	"sort"

	"quartier/internal/address"
	"quartier/internal/coord"
)

// Limits of corners.
const (
	mostCorners = 64  // pairs of streets that are looked at
	cornerM     = 80  // from an address of the one street to one of the other at their corner
	spreadM     = 150 // around their middle within which all such pairs are: streets side by side have no corner
)

// findCorners adds the corners that an address can mean. A table has no crossings: where addresses of two streets of a town are
// beside each other, and nowhere else, is their corner.
func (t *Table) findCorners(q *Query, f *Found) {
	one, other, ok := q.Address.Corner()
	if !ok {
		return
	}
	streets := map[uint32][]candidate{} // by town
	for _, c := range t.streetsOf(q, one) {
		streets[t.place[c.street]] = append(streets[t.place[c.street]], c)
	}
	pairs := 0
	for _, d := range t.streetsOf(q, other) {
		for _, c := range streets[t.place[d.street]] {
			if pairs++; pairs > mostCorners {
				f.all = f.all[:0] // in so many towns that it is none
				return
			}
			c.score, c.changed, c.crossing = c.score*d.score, c.changed|d.changed, d.street+1
			if t.cross(&c) && c.score >= least {
				f.all = append(f.all, c)
			}
		}
	}
}

// streetsOf are the streets that an address without a number can mean.
func (t *Table) streetsOf(q *Query, a address.Address) []candidate {
	var f Found
	half := Query{Address: a, Level: Street, Regions: q.Regions}
	for letters := 0; letters < 2 && len(f.all) == 0; letters++ {
		t.findStreets(&half, &f, letters)
	}
	return f.all
}

// cross gives a candidate the place of the corner of its streets; false where there is none.
func (t *Table) cross(c *candidate) bool {
	other := t.pointsOf(c.crossing - 1)
	if c.street == c.crossing-1 {
		return false
	}
	slices.SortFunc(other, func(a, b coord.Point) int { return cmp.Compare(a.Lat, b.Lat) })
	const reach = cornerM * 100 // in units of 1e-7 degrees of latitude, more than so many metres
	var middles []coord.Point
	for _, p := range t.pointsOf(c.street) {
		plane := coord.NewPlane(p)
		first := sort.Search(len(other), func(i int) bool { return other[i].Lat >= p.Lat-reach })
		for _, o := range other[first:] {
			if o.Lat > p.Lat+reach {
				break
			}
			if plane.Square(o) <= cornerM*cornerM {
				middles = append(middles, coord.Point{Lng: p.Lng + (o.Lng-p.Lng)/2, Lat: p.Lat + (o.Lat-p.Lat)/2})
			}
		}
	}
	if len(middles) == 0 {
		return false
	}
	c.at, _ = middleOf(middles)
	plane, spread := coord.NewPlane(c.at), 0.0
	for _, p := range middles {
		spread = max(spread, plane.Square(p))
	}
	c.metres = max(cornerM, math.Sqrt(spread))
	return spread <= spreadM*spreadM
}
