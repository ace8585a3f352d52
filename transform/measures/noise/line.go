package noise

import (
	"math"

	"github.com/paulmach/orb"

	"quartier/internal/coord"
	"quartier/internal/geo"
	"quartier/transform/network/strip"
)

// A line source sends as much from every metre. Heard from r metres away over soft ground a metre has the energy
// strength·r^-(2+a), which is FHWA's D^-(1+a) times the integral of cos^a over the angle that the metre spans.

// piece is a stretch of a line source, straight.
type piece struct {
	a, b     coord.Point
	strength float64 // energy·m^(1+a) of a metre
	length   float32 // metres
	reach    float32 // metres from its middle within which it is heard
	ramp     bool    // belongs to an interchange
}

func newPiece(a, b coord.Point, strength float64) piece {
	return piece{a: a, b: b, strength: strength, length: float32(math.Sqrt(strip.NewPlane(a).Square(b)))}
}

func (p *piece) middle() coord.Point {
	return coord.Point{Lng: int32((int64(p.a.Lng) + int64(p.b.Lng)) / 2), Lat: int32((int64(p.a.Lat) + int64(p.b.Lat)) / 2)}
}

// field is the pieces of line sources, found by place.
type field struct {
	pieces []piece
	index  *strip.Index
	reach  float64 // of the piece that is heard farthest
}

// newField orders pieces by place.
func newField(pieces []piece) *field {
	f := &field{}
	middles := make([]coord.Point, len(pieces))
	for i := range pieces {
		middles[i] = pieces[i].middle()
		f.reach = max(f.reach, float64(pieces[i].reach))
	}
	index, order := strip.New(middles, max(f.reach/4, 50))
	f.index, f.pieces = index, make([]piece, len(pieces))
	for i, from := range order {
		f.pieces[i] = pieces[from]
	}
	return f
}

// byReach is pieces told apart by how far they are heard, so that few are looked at in vain.
type byReach struct{ near, far []piece }

// nearM parts residential streets from the others.
const nearM = 300

func (b *byReach) add(p piece) {
	if p.reach < nearM {
		b.near = append(b.near, p)
	} else {
		b.far = append(b.far, p)
	}
}

func (b *byReach) fields() []*field { return []*field{newField(b.near), newField(b.far)} }

// ground is how sound goes along it.
type ground struct {
	soft   float64 // a
	least  float64 // metres; nobody is nearer to a line
	coarse float64 // metres from which on a piece counts by its middle
	middle float64 // metres from which on it counts by two points
	table  []float64
}

const steps = 2048 // of a quarter turn

// newGround tabulates the integral of cos^a. Pieces are at most pieceM long: from four times that on their middles are
// within 0.1 dB, from one and a half times that two points are.
func newGround(soft, least, pieceM float64) *ground {
	g := &ground{soft: soft, least: least, coarse: 4 * pieceM, middle: 1.5 * pieceM, table: make([]float64, steps+2)}
	const fine = 16
	sum := 0.0
	for i := range steps * fine {
		sum += math.Pow(math.Cos((float64(i)+.5)*math.Pi/2/steps/fine), soft) * math.Pi / 2 / steps / fine
		if (i+1)%fine == 0 {
			g.table[(i+1)/fine] = sum
		}
	}
	g.table[steps+1] = sum
	return g
}

// whole is the integral of cos^a over a half turn: what a line without ends spans.
func (g *ground) whole() float64 { return 2 * g.table[steps] }

// to is the integral of cos^a from 0 to an angle of at most a quarter turn, odd in it.
func (g *ground) to(angle float64) float64 {
	at := math.Abs(angle) * (2 / math.Pi * steps)
	i := int(at)
	return math.Copysign(g.table[i]+(at-float64(i))*(g.table[i+1]-g.table[i]), angle)
}

// near is the energy that comes to the origin from a line of strength 1 a metre, from (ax, ay) to (bx, by), of which
// the middle is less than coarse away.
func (g *ground) near(ax, ay, bx, by, length float64) float64 {
	mx, my, dx, dy := (ax+bx)/2, (ay+by)/2, bx-ax, by-ay
	if mx*mx+my*my >= g.middle*g.middle { // Gauss's two points
		const aside = .28867513459481287
		px, py, qx, qy := mx-aside*dx, my-aside*dy, mx+aside*dx, my+aside*dy
		return length / 2 * (g.point(math.Sqrt(px*px+py*py)) + g.point(math.Sqrt(qx*qx+qy*qy)))
	}
	d := max(math.Abs(ax*by-ay*bx)/length, g.least) // never nearer to the line
	from := (ax*dx + ay*dy) / length
	return math.Pow(d, -(1+g.soft)) * (g.to(math.Atan((from+length)/d)) - g.to(math.Atan(from/d)))
}

// point is the energy that a metre of a line of strength 1 sends over a distance.
func (g *ground) point(r float64) float64 {
	if g.soft == .5 { // by a root, for speed
		return 1 / (r * r * math.Sqrt(r))
	}
	return math.Pow(r, -(2 + g.soft))
}

// at adds up what is heard at a point: everything, and of that what comes from interchanges. The order of the sum is
// that of the pieces. left is the part that is left on the way, by distance in steps of stepM.
func (f *field) at(g *ground, p coord.Point, left []float64, all, ramps *float64) {
	plane := strip.NewPlane(p)
	f.index.Runs(p, f.reach, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			piece := &f.pieces[i]
			ax, ay := plane.XY(piece.a)
			bx, by := plane.XY(piece.b)
			mx, my := (ax+bx)/2, (ay+by)/2
			r := math.Sqrt(mx*mx + my*my)
			if r > float64(piece.reach) {
				continue
			}
			energy := piece.strength * left[int(r/stepM)]
			if r >= g.coarse {
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

// cutLine makes pieces of a line, of at most mostM metres. Vertices that lie within a metre and a half of the straight
// way between their neighbours do not end one.
func cutLine(line orb.LineString, mostM float64, visit func(a, b coord.Point)) {
	const aside = 1.5
	begin := line[0]
	for i := 1; i < len(line); {
		last, plane := i, geo.NewPlane(begin)
		for next := i + 1; next < len(line) && plane.Distance(line[next]) <= mostM && straight(plane, begin, line[i:next], line[next], aside); next++ {
			last = next
		}
		end := line[last]
		count := max(1, math.Ceil(plane.Distance(end)/mostM))
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
