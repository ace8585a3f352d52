package noise

import (
	"math"

	"github.com/paulmach/orb"

	"quartier/internal/coord"
	"quartier/internal/geo"
	"quartier/internal/pointindex"
)

// A line source emits the same energy from every metre. At r metres over soft ground a metre contributes
// strength·r^-(2+a); integrated over the angle that a straight piece subtends at distance d this is FHWA's d^-(1+a)
// times the integral of cos^a. For an endless line and a = 0.5, doubling d costs 10·log10(2^1.5) = 4.5 dB.

// piece is a straight part of a line source.
type piece struct {
	a, b     coord.Point
	strength float64 // energy·m^(1+a) per metre
	length   float32 // m
	reach    float32 // m from its middle within which it is audible
	ramp     bool    // part of an interchange
}

func newPiece(a, b coord.Point, strength float64) piece {
	return piece{a: a, b: b, strength: strength, length: float32(math.Sqrt(coord.NewPlane(a).Square(b)))}
}

func (p *piece) middle() coord.Point {
	return coord.Point{Lng: int32((int64(p.a.Lng) + int64(p.b.Lng)) / 2), Lat: int32((int64(p.a.Lat) + int64(p.b.Lat)) / 2)}
}

// sources is an index of pieces of line sources.
type sources struct {
	pieces []piece
	index  *pointindex.Index
	reach  float64 // m, the largest of all pieces
}

// newSources indexes pieces.
func newSources(pieces []piece) *sources {
	f := &sources{}
	middles := make([]coord.Point, len(pieces))
	for i := range pieces {
		middles[i] = pieces[i].middle()
		f.reach = max(f.reach, float64(pieces[i].reach))
	}
	index, order := pointindex.New(middles, max(f.reach/4, 50))
	f.index, f.pieces = index, make([]piece, len(pieces))
	for i, from := range order {
		f.pieces[i] = pieces[from]
	}
	return f
}

// piecesByReach separates pieces that are audible near by only from the others, so that searches for the former stay
// small.
type piecesByReach struct{ near, far []piece }

// nearM separates residential streets from louder ones.
const nearM = 300

func (b *piecesByReach) add(p piece) {
	if p.reach < nearM {
		b.near = append(b.near, p)
	} else {
		b.far = append(b.far, p)
	}
}

func (b *piecesByReach) sources() []*sources {
	return []*sources{newSources(b.near), newSources(b.far)}
}

// propagation is the attenuation of sound along the ground.
type propagation struct {
	exponent float64 // a
	minM     float64 // smaller distances from a line count as this one
	farM     float64 // from here on a piece is approximated by its middle
	midM     float64 // from here on it is approximated by two points
	table    []float64
}

const steps = 2048 // of a quarter turn

// newPropagation tabulates the integral of cos^a. Pieces are at most pieceM long: from four times that distance on
// their middles are accurate to 0.1 dB, from one and a half times that on two points are.
func newPropagation(exponent, minM, pieceM float64) *propagation {
	g := &propagation{exponent: exponent, minM: minM, farM: 4 * pieceM, midM: 1.5 * pieceM, table: make([]float64, steps+2)}
	const fine = 16
	sum := 0.0
	for i := range steps * fine {
		sum += math.Pow(math.Cos((float64(i)+.5)*math.Pi/2/steps/fine), exponent) * math.Pi / 2 / steps / fine
		if (i+1)%fine == 0 {
			g.table[(i+1)/fine] = sum
		}
	}
	g.table[steps+1] = sum
	return g
}

// halfTurn is the integral of cos^a over a half turn, which an endless line subtends.
func (g *propagation) halfTurn() float64 { return 2 * g.table[steps] }

// to is the integral of cos^a from 0 to an angle of at most a quarter turn; negative for negative angles.
func (g *propagation) to(angle float64) float64 {
	at := math.Abs(angle) * (2 / math.Pi * steps)
	i := int(at)
	return math.Copysign(g.table[i]+(at-float64(i))*(g.table[i+1]-g.table[i]), angle)
}

// near is the energy at the origin of a line of strength 1 per metre from (ax, ay) to (bx, by), whose middle is less
// than farM away.
func (g *propagation) near(ax, ay, bx, by, length float64) float64 {
	mx, my, dx, dy := (ax+bx)/2, (ay+by)/2, bx-ax, by-ay
	if mx*mx+my*my >= g.midM*g.midM { // two-point Gauss quadrature
		const aside = .28867513459481287
		px, py, qx, qy := mx-aside*dx, my-aside*dy, mx+aside*dx, my+aside*dy
		return length / 2 * (g.point(math.Sqrt(px*px+py*py)) + g.point(math.Sqrt(qx*qx+qy*qy)))
	}
	d := max(math.Abs(ax*by-ay*bx)/length, g.minM) // for points on the road itself
	from := (ax*dx + ay*dy) / length
	return math.Pow(d, -(1+g.exponent)) * (g.to(math.Atan((from+length)/d)) - g.to(math.Atan(from/d)))
}

// point is the energy of one metre of a line of strength 1 at distance r in metres.
func (g *propagation) point(r float64) float64 {
	if g.exponent == .5 { // a square root is faster than Pow
		return 1 / (r * r * math.Sqrt(r))
	}
	return math.Pow(r, -(2 + g.exponent))
}

// add adds the energy at a point to all, and that of interchanges to ramps as well. factors are the shares that
// shielding leaves, by distance in steps of stepM.
func (f *sources) add(g *propagation, p coord.Point, factors []float64, all, ramps *float64) {
	plane := coord.NewPlane(p)
	f.index.Search(p, f.reach, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			piece := &f.pieces[i]
			ax, ay := plane.XY(piece.a)
			bx, by := plane.XY(piece.b)
			mx, my := (ax+bx)/2, (ay+by)/2
			r := math.Sqrt(mx*mx + my*my)
			if r > float64(piece.reach) {
				continue
			}
			energy := piece.strength * factors[int(r/stepM)]
			if r >= g.farM {
				energy *= float64(piece.length) * g.point(r)
			} else {
				energy *= g.near(ax, ay, bx, by, float64(piece.length))
			}
			*all += energy
			if piece.ramp {
				*ramps += energy
			}
		}
	})
}

// cutLine cuts a line into pieces of at most maxM metres. Vertices within 1.5 m of the straight line between their
// neighbours do not end a piece.
func cutLine(line orb.LineString, maxM float64, visit func(a, b coord.Point)) {
	const aside = 1.5
	begin := line[0]
	for i := 1; i < len(line); {
		last, plane := i, geo.NewPlane(begin)
		for next := i + 1; next < len(line) && plane.Distance(line[next]) <= maxM &&
			straight(plane, begin, line[i:next], line[next], aside); next++ {
			last = next
		}
		end := line[last]
		count := max(1, math.Ceil(plane.Distance(end)/maxM))
		from, ok := coord.NewPoint(begin[0], begin[1])
		for k := 1.0; k <= count && ok; k++ {
			var to coord.Point
			to, ok = coord.NewPoint(begin[0]+(end[0]-begin[0])*k/count, begin[1]+(end[1]-begin[1])*k/count)
			if ok && to != from {
				visit(from, to)
			}
			from = to
		}
		begin, i = end, last+1
	}
}

func straight(plane geo.Plane, a orb.Point, between orb.LineString, b orb.Point, aside float64) bool {
	for _, p := range between {
		if plane.SegmentDistance(p, a, b) > aside {
			return false
		}
	}
	return true
}
