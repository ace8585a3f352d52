package cycling

import (
	"cmp"
	"math"
	"slices"

	"github.com/paulmach/orb"

	"quartier/internal/coord"
	"quartier/internal/geo"
	"quartier/internal/pointindex"
	"quartier/schemas/calibration"
	"quartier/transform/network/street"
)

// length is the length of the ways of a group in a cell.
type length struct {
	cell   coord.Point // its centre
	group  uint32      // of calm ways; none for the others
	metres float32
	tagged float32 // metres from sources with bicycle tags
}

// reach finds the streets that are connected to a node by calm streets.
type reach struct {
	lengths *pointindex.Values[length]
	starts  *pointindex.Values[uint32] // groups of pieces of calm ways
	outside map[uint32]bool            // ways.outside
	c       *calibration.LowStress
}

// pieceM is the length of the pieces that represent ways in a search for near ones.
const pieceM = 50

func newReach(w *ways, tagged map[string]bool, c *calibration.LowStress) *reach {
	var lengths []length
	var starts []coord.Point
	var groups []uint32
	w.pieces(pieceM, func(s *street.Street, group uint32, middle orb.Point, metres float64) {
		p, ok := coord.NewPoint(middle[0], middle[1])
		if !ok {
			return
		}
		l := length{cell: cellOf(middle, c.CellM), group: group, metres: float32(metres)}
		if tagged[s.Source] {
			l.tagged = l.metres
		}
		lengths = append(lengths, l)
		if group != none {
			starts, groups = append(starts, p), append(groups, group)
		}
	})
	lengths = addUp(lengths)
	middles := make([]coord.Point, len(lengths))
	for i := range lengths {
		middles[i] = lengths[i].cell
	}
	return &reach{pointindex.NewValues(middles, lengths, c.CellM), pointindex.NewValues(starts, groups, c.TouchM), w.outside, c}
}

// cellOf is the centre of the cell of cellM metres that p is in.
func cellOf(p orb.Point, cellM float64) coord.Point {
	dLat := cellM / 111_132
	lat := (math.Floor(p[1]/dLat) + .5) * dLat
	mLng, _ := geo.MetresPerDegree(lat)
	dLng := cellM / mLng
	at, _ := coord.NewPoint((math.Floor(p[0]/dLng)+.5)*dLng, lat)
	return at
}

// addUp merges the lengths of the same group in the same cell.
func addUp(lengths []length) []length {
	slices.SortStableFunc(lengths, func(a, b length) int {
		return cmp.Or(cmp.Compare(a.cell.Lat, b.cell.Lat), cmp.Compare(a.cell.Lng, b.cell.Lng), cmp.Compare(a.group, b.group))
	})
	sums := lengths[:0]
	for _, l := range lengths {
		if n := len(sums); n > 0 && sums[n-1].cell == l.cell && sums[n-1].group == l.group {
			sums[n-1].metres += l.metres
			sums[n-1].tagged += l.tagged
			continue
		}
		sums = append(sums, l)
	}
	return sums
}

// share is the share of the length of the ways around p that is connected to a way near p by calm ways, and by how much it
// could be more if all of those that lead beyond the edge of the data were connected there; NaN if there
// are too few ways. known is false if too few of the ways have bicycle tags. groups is a buffer.
func (r *reach) share(p coord.Point, groups []uint32) (share, more float64, known bool) {
	groups = r.touched(p, groups[:0])
	leads := slices.ContainsFunc(groups, func(g uint32) bool { return r.outside[g] })
	var all, tagged, reached, beyond float64
	r.lengths.Within(p, r.c.RadiusM, func(l *length, _ float64) {
		all += float64(l.metres)
		tagged += float64(l.tagged)
		switch {
		case l.group == none:
		case slices.Contains(groups, l.group):
			reached += float64(l.metres)
		case leads && r.outside[l.group]:
			beyond += float64(l.metres)
		}
	})
	if all < r.c.MinM {
		return math.NaN(), 0, false
	}
	return reached / all, beyond / all, tagged >= r.c.MinKnown*all
}

// touched are the groups of calm ways near p.
func (r *reach) touched(p coord.Point, groups []uint32) []uint32 {
	r.starts.Within(p, r.c.TouchM, func(group *uint32, _ float64) {
		if !slices.Contains(groups, *group) {
			groups = append(groups, *group)
		}
	})
	return groups
}
