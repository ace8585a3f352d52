package street

import (
	"math"
	"slices"

	"github.com/paulmach/orb"

	"quartier/internal/coord"
	"quartier/internal/geo"
	"quartier/schemas/calibration"
	"quartier/transform/issue"
)

var duplicate = Reasons.Skipped("duplicate_street",
	"The street runs along streets of a source with precedence that are open to the same traffic (calibration: walking.same_street): it is "+
		"taken from that source alone.")

// dropDuplicates drops the streets that a network with precedence has too, a source of roads and OpenStreetMap, say: those
// that run beside its streets for nearly all of their length, if everybody who may use them may use those: a path beside a
// motorway stays.
func (n *Network) dropDuplicates(c calibration.SameStreet) []issue.Issue {
	if !slices.ContainsFunc(n.Streets, func(s Street) bool { return s.network != n.Streets[0].network }) {
		return nil
	}
	x := newTwins(n.Streets, c)
	dropped := issue.Issue{Step: "street", Reason: duplicate}
	kept := n.Streets[:0]
	for i := range n.Streets {
		s := n.Streets[i]
		if x.has(&s) {
			if dropped.Rows++; dropped.Rows == 1 {
				dropped.Example = s.label()
			}
			continue
		}
		kept = append(kept, s)
	}
	n.Streets = kept
	if dropped.Rows == 0 {
		return nil
	}
	return []issue.Issue{dropped}
}

// twins finds the streets that a network with precedence has too.
type twins struct {
	c       calibration.SameStreet
	streets []Street       // a copy, as the streets are filtered in place
	rank    map[string]int // of each network, by its first street
	boxes   *coord.BoxIndex
	owner   []int32 // of each box, its street
	begins  []int32 // and the first vertex of its segment
}

func newTwins(streets []Street, c calibration.SameStreet) *twins {
	x := &twins{c: c, streets: slices.Clone(streets), rank: map[string]int{}}
	var boxes []orb.Bound
	for i := range streets {
		s := &streets[i]
		if _, seen := x.rank[s.network]; !seen {
			x.rank[s.network] = len(x.rank)
		}
		for k := 1; k < len(s.Line); k++ {
			boxes = append(boxes, orb.LineString(s.Line[k-1:k+1]).Bound())
			x.owner, x.begins = append(x.owner, int32(i)), append(x.begins, int32(k-1))
		}
	}
	x.boxes = coord.NewBoxIndex(boxes)
	return x
}

// has reports whether networks with precedence have a street.
func (x *twins) has(s *Street) bool {
	if x.rank[s.network] == 0 {
		return false
	}
	near, all := 0.0, 0.0
	for k := 1; k < len(s.Line); k++ {
		a, b := s.Line[k-1], s.Line[k]
		metres := geo.Distance(a, b)
		pieces := max(3, math.Ceil(metres/x.c.WithinM)) // also of a stub, of which the middle alone may be near a street
		for piece := range int(pieces) {
			share := (float64(piece) + 0.5) / pieces
			at := orb.Point{a[0] + share*(b[0]-a[0]), a[1] + share*(b[1]-a[1])}
			all += metres / pieces
			if x.beside(s, at, a, b) {
				near += metres / pieces
			}
		}
	}
	return all > 0 && near >= x.c.Share*all
}

// beside reports whether a point of the segment a–b of a street is beside a street of a network with precedence that is
// open to everybody whom the street is open to.
func (x *twins) beside(s *Street, at, a, b orb.Point) (found bool) {
	plane := geo.NewPlane(at)
	x.boxes.Search(geo.CircleBound(at, x.c.WithinM), func(box int) bool {
		other, k := &x.streets[x.owner[box]], x.begins[box]
		c, d := other.Line[k], other.Line[k+1]
		found = x.rank[other.network] < x.rank[s.network] && replaces(other, s) &&
			plane.SegmentDistance(at, c, d) <= x.c.WithinM && plane.Angle(a, b, c, d) <= x.c.AngleDeg
		return !found
	})
	return found
}

// replaces reports whether a street is on the same level as another one and open to at least the same traffic. Road
// networks often do not know the direction of streets of one way, so that it does not matter.
func replaces(s, other *Street) bool {
	return s.Bridge == other.Bridge && s.Tunnel == other.Tunnel &&
		(s.Foot || !other.Foot) && (s.Bicycle || !other.Bicycle) && (s.Car != "no" || other.Car == "no")
}
