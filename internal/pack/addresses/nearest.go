package addresses

import (
	"quartier/internal/pack/strips"
)

// Nearby is the working memory of Nearest; it may be reused.
type Nearby struct {
	Regions []bool // as those of a Query

	plan    strips.Plan
	nearest strips.Nearest
	hits    []strips.Hit
}

// firstReachM is the radius that a search for the nearest address begins with: most points in towns have one within it.
const firstReachM = 40

// Nearest is the address nearest to a point, with its distance in metres; false if none is within a radius. Of addresses at
// one place it is the first of the table.
func (t *Table) Nearest(lng, lat, radiusM float64, n *Nearby) (match Match, metres float64, found bool) {
	for reach := min(firstReachM, radiusM); ; reach = min(4*reach, radiusM) {
		if !t.around(lng, lat, reach, 1, n) {
			return match, 0, false
		}
		if len(n.hits) > 0 || reach >= radiusM {
			break
		}
	}
	if len(n.hits) == 0 || int(t.nearest[n.hits[0].Index]) >= t.Len() {
		return match, 0, false
	}
	i := t.nearest[n.hits[0].Index]
	c := candidate{level: Exact, score: 1, address: i, at: t.near.Points[n.hits[0].Index], metres: at(uncertaintyM[:], int(t.accuracy[i])),
		source: at(t.sources, int(t.source[i]))}
	return t.match(&c), n.hits[0].Metres(), true
}

// around finds the nearest addresses to a point within a radius, at most so many; false where the point is none.
func (t *Table) around(lng, lat, radiusM float64, limit int, n *Nearby) bool {
	n.nearest.Reset(limit)
	if !n.plan.Set(&t.near, &strips.Shape{Lng: lng, Lat: lat, RadiusM: radiusM}) {
		return false
	}
	n.plan.Outward(&t.near, n.nearest.Reach, func(run strips.Run, first, last uint32) {
		for i := first; i < last; i++ {
			if at := t.near.Points[i]; (run.Sure || n.plan.Near(at)) && (n.Regions == nil || t.inRegions(n.Regions, t.nearest[i])) {
				n.nearest.Add(n.plan.Key(at, t.nearest[i]), i)
			}
		}
	})
	n.hits = n.nearest.Hits(n.hits[:0])
	return true
}

// inRegions reports whether an address is in one of the regions.
func (t *Table) inRegions(regions []bool, address uint32) bool {
	return at(regions, int(at(t.placeIn, int(t.place[t.streetOf(address)]))))
}
