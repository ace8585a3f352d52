package cycling

import (
	"cmp"
	"math"
	"slices"

	"github.com/paulmach/orb"

	"quartier/internal/geo"
	"quartier/schemas/calibration"
)

// facility is a line with something for bicycles.
type facility struct {
	line   orb.LineString
	weight float64
}

// piece is a straight part of a facility of at most pieceM metres.
type piece struct {
	from, to orb.Point
	weight   float64
}

func (p piece) middle() orb.Point {
	return orb.Point{(p.from[0] + p.to[0]) / 2, (p.from[1] + p.to[1]) / 2}
}
func (p piece) metres() float64 { return geo.Distance(p.from, p.to) }

// corridors are pieces of which none runs beside another one.
type corridors struct {
	pieces []piece
	cells  map[[2]int32][]int32 // pieces by the cell of their middle
	c      *calibration.Corridor
}

// cellDeg is the height of a cell in degrees, more than a piece may be away.
const cellDeg = 0.001

// union returns the pieces of the facilities, best first, without those that run beside a piece that is already there. So a
// street counts once, with its best class, whether its lanes are drawn once or on each side, by one source or by two.
//
// For example, a painted lane that one source draws 8 m beside the track of another source adds nothing; of a lane that is
// twice as long as the track, one half does.
func union(facilities []facility, c *calibration.Corridor) []piece {
	slices.SortStableFunc(facilities, func(a, b facility) int { return cmp.Compare(b.weight, a.weight) })
	u := &corridors{cells: map[[2]int32][]int32{}, c: c}
	for _, f := range facilities {
		for i := 1; i < len(f.line); i++ {
			u.add(f.line[i-1], f.line[i], f.weight)
		}
	}
	return u.pieces
}

// add cuts a straight line into pieces and keeps those that run beside none.
func (u *corridors) add(a, b orb.Point, weight float64) {
	parts := math.Ceil(geo.Distance(a, b) / pieceM)
	at := func(k float64) orb.Point {
		return orb.Point{a[0] + k/parts*(b[0]-a[0]), a[1] + k/parts*(b[1]-a[1])}
	}
	for k := 0.0; k < parts; k++ {
		p := piece{at(k), at(k + 1), weight}
		if u.beside(p) {
			continue
		}
		cell := cellAt(p.middle())
		u.cells[cell] = append(u.cells[cell], int32(len(u.pieces)))
		u.pieces = append(u.pieces, p)
	}
}

func cellAt(p orb.Point) [2]int32 {
	return [2]int32{int32(math.Floor(p[0] / cellDeg)), int32(math.Floor(p[1] / cellDeg))}
}

// beside reports whether a piece runs along one that is kept.
func (u *corridors) beside(p piece) bool {
	plane := geo.NewPlane(p.middle())
	centre := cellAt(p.middle())
	mLng, _ := geo.MetresPerDegree(p.middle()[1])
	columns := int32(math.Ceil((u.c.NearM + pieceM/2) / (mLng * cellDeg)))
	for x := centre[0] - columns; x <= centre[0]+columns; x++ {
		for y := centre[1] - 1; y <= centre[1]+1; y++ {
			for _, i := range u.cells[[2]int32{x, y}] {
				if u.along(plane, p, u.pieces[i]) {
					return true
				}
			}
		}
	}
	return false
}

// along reports whether the middle of p, the origin of the plane, is beside q, and both have about the same direction.
func (u *corridors) along(plane geo.Plane, p, q piece) bool {
	x0, y0 := plane.XY(q.from)
	x1, y1 := plane.XY(q.to)
	dx, dy := x1-x0, y1-y0
	length := math.Hypot(dx, dy)
	if length == 0 || p.from == p.to {
		return length == 0 && p.from == p.to
	}
	if before := -(x0*dx + y0*dy) / (length * length); before < 0 || before > 1 {
		return false // it continues q, or is farther along
	}
	if math.Abs(x0*dy-y0*dx)/length > u.c.NearM {
		return false
	}
	return plane.Angle(p.from, p.to, q.from, q.to) <= u.c.AngleDeg
}
