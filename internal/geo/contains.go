package geo

import (
	"math"
	"math/big"

	"github.com/paulmach/orb"
)

// Side is the position of a point relative to an outline.
type Side int

// The sides of an outline.
const (
	Outside Side = iota
	Edge         // exactly on an edge or a vertex
	Inside
)

// orient is the sign of the area of the triangle a b c: +1 if c is left of a→b, 0 if the three are collinear.
// It is exact: if rounding could change the sign it is computed again in exact arithmetic.
func orient(a, b, c orb.Point) int {
	left := (a[0] - c[0]) * (b[1] - c[1])
	right := (a[1] - c[1]) * (b[0] - c[0])
	det := left - right
	// Shewchuk's bound on the rounding error of the determinant.
	const bound = (3 + 16*0x1p-53) * 0x1p-53
	if e := bound * (math.Abs(left) + math.Abs(right)); det > e {
		return 1
	} else if det < -e {
		return -1
	} else if math.IsNaN(det) || math.IsInf(e, 0) {
		return 1 // not numbers: no sign is right
	}
	return exactOrient(a, b, c)
}

func exactOrient(a, b, c orb.Point) int {
	// 2,200 bits hold every difference and product of float64 numbers below 2^10 in full.
	const precision = 2200
	num := func(v float64) *big.Float { return new(big.Float).SetPrec(precision).SetFloat64(v) }
	sub := func(x, y float64) *big.Float { return new(big.Float).SetPrec(precision).Sub(num(x), num(y)) }
	left := new(big.Float).SetPrec(2*precision).Mul(sub(a[0], c[0]), sub(b[1], c[1]))
	right := new(big.Float).SetPrec(2*precision).Mul(sub(a[1], c[1]), sub(b[0], c[0]))
	return left.Cmp(right)
}

// cross reports whether p is on the edge a→b, else whether the ray east from p crosses it. The edge includes its lower end
// and not its upper one, so that a ray through a vertex counts once.
func cross(a, b, p orb.Point) (on, crosses bool) {
	if a[1] > b[1] {
		a, b = b, a
	}
	if p[1] < a[1] || p[1] > b[1] {
		return false, false
	}
	if a[1] == b[1] {
		return min(a[0], b[0]) <= p[0] && p[0] <= max(a[0], b[0]), false
	}
	switch side := orient(a, b, p); {
	case side == 0:
		return true, false
	case p[1] == b[1]:
		return false, false
	default:
		return false, side > 0 // p is left of the upward edge, so the edge is east of p
	}
}

// Locate is the side of a closed ring on which p is, by the even-odd rule. It is exact: the answer never depends on
// rounding.
func Locate(ring orb.Ring, p orb.Point) Side {
	inside := false
	for i := 1; i < len(ring); i++ {
		on, crosses := cross(ring[i-1], ring[i], p)
		if on {
			return Edge
		}
		if crosses {
			inside = !inside
		}
	}
	if inside {
		return Inside
	}
	return Outside
}

// RingContains reports whether p is in a closed ring, its edges included.
func RingContains(ring orb.Ring, p orb.Point) bool {
	return ring.Bound().Contains(p) && Locate(ring, p) != Outside
}

// PolygonContains reports whether p is in a polygon, the first ring of which is the outer one and the others holes. All
// edges are included, those of holes too.
func PolygonContains(polygon orb.Polygon, p orb.Point) bool {
	if len(polygon) == 0 || !RingContains(polygon[0], p) {
		return false
	}
	for _, hole := range polygon[1:] {
		if Locate(hole, p) == Inside {
			return false
		}
	}
	return true
}

// Contains reports whether p is in any of the polygons of m, edges included.
func Contains(m orb.MultiPolygon, p orb.Point) bool {
	for _, polygon := range m {
		if PolygonContains(polygon, p) {
			return true
		}
	}
	return false
}

// RingIsSimple reports whether a closed ring has an area and neither crosses nor touches itself: it has at least three
// different corners, no edge of zero length, and adjacent edges share only their common corner.
func RingIsSimple(ring orb.Ring) bool {
	n := len(ring) - 1 // edges
	if n < 3 || ring[0] != ring[n] {
		return false
	}
	for i := range n {
		a, b, c := ring[i], ring[i+1], ring[(i+2)%n]
		if a == b || orient(a, b, c) == 0 && between(a, b, c) {
			return false // zero length, or straight back
		}
		for j := i + 2; j < n; j++ {
			if i == 0 && j == n-1 {
				continue // adjacent at the closing corner
			}
			if SegmentsMeet(a, b, ring[j], ring[j+1]) {
				return false
			}
		}
	}
	return true
}

// between reports whether c, which is collinear with a and b, is on the side of b where a is.
func between(a, b, c orb.Point) bool {
	return (a[0]-b[0])*(c[0]-b[0]) > 0 || (a[1]-b[1])*(c[1]-b[1]) > 0
}

// SegmentsMeet reports whether the closed segments a–b and c–d have a point in common, exactly.
func SegmentsMeet(a, b, c, d orb.Point) bool {
	if max(a[0], b[0]) < min(c[0], d[0]) || max(c[0], d[0]) < min(a[0], b[0]) ||
		max(a[1], b[1]) < min(c[1], d[1]) || max(c[1], d[1]) < min(a[1], b[1]) {
		return false
	}
	return orient(a, b, c)*orient(a, b, d) <= 0 && orient(c, d, a)*orient(c, d, b) <= 0
}
