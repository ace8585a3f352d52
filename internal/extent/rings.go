package extent

import (
	"context"
	"math"

	"quartier/internal/coord"
	"quartier/internal/geo"
	"quartier/internal/parallel"
)

// A disc is divided into rings, each a quarter wider than the one inside it, and a ring is looked at in 32 directions.
const (
	ringCount  = 24
	firstRingM = 200.0
	ringFactor = 1.25
	directions = 32
)

// MaxReachM is the farthest that rings reach, in metres.
var MaxReachM = ringEnds[ringCount-1]

var ringEnds = func() (ends [ringCount]float64) {
	for i, end := 0, firstRingM; i < ringCount; i, end = i+1, end*ringFactor {
		ends[i] = end
	}
	return ends
}()

// begin is the inner radius of a ring.
func begin(ring int) float64 {
	if ring == 0 {
		return 0
	}
	return ringEnds[ring-1]
}

// Rings are how many of the directions are unknown ground, by ring.
type Rings [ringCount]uint8

// compass are the directions as unit vectors.
var compass = func() (unit [directions][2]float64) {
	for i := range unit {
		unit[i][1], unit[i][0] = math.Sincos((float64(i) + .5) * 2 * math.Pi / directions)
	}
	return unit
}()

// offset leads from a cell to another one, in cells.
type offset struct{ x, y int32 }

// circles lead to the cells that are looked at around a cell, by ring and direction: on the circle that halves the area of
// the ring.
type circles [ringCount][directions]offset

// circlesAt are the circles in a row of tiles.
func (g *Ground) circlesAt(row int) *circles {
	mLng, mLat := geo.MetresPerDegree((float64(g.south+row) + .5) * side * cellLat)
	var c circles
	for ring := range c {
		a, b := begin(ring), ringEnds[ring]
		radius := math.Sqrt((a*a + b*b) / 2)
		for i, unit := range compass {
			c[ring][i] = offset{int32(math.Floor(.5 + radius*unit[0]/(mLng*cellLng))), int32(math.Floor(.5 + radius*unit[1]/(mLat*cellLat)))}
		}
	}
	return &c
}

// rings looks around a cell.
func (g *Ground) rings(c *circles, x, y int) (r Rings) {
	for ring := range r {
		for _, o := range &c[ring] {
			if g.unknown(x+int(o.x), y+int(o.y)) {
				r[ring]++
			}
		}
	}
	return r
}

// Edges are the rings around every node. Nodes of the same cell share theirs.
type Edges struct {
	of    []int32 // of each node, its index in rings
	rings []Rings
}

// NewEdges looks around the cells of all nodes; nil if all ground is known.
func NewEdges(ctx context.Context, g *Ground, nodes []coord.Point) (*Edges, error) {
	if g.Complete() {
		return nil, ctx.Err()
	}
	e := &Edges{of: make([]int32, len(nodes))}
	numbers := map[[2]int]int32{}
	var cells [][2]int
	for i, n := range nodes {
		x, y := cellOf(n.Orb())
		number, seen := numbers[[2]int{x, y}]
		if !seen {
			number = int32(len(cells))
			numbers[[2]int{x, y}] = number
			cells = append(cells, [2]int{x, y})
		}
		e.of[i] = number
	}
	around := make([]*circles, g.rows)
	for row := range around {
		around[row] = g.circlesAt(row)
	}
	e.rings = make([]Rings, len(cells))
	return e, parallel.Nodes(ctx, len(cells), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			x, y := cells[i][0], cells[i][1]
			e.rings[i] = g.rings(around[y>>6-g.south], x, y)
		}
	})
}

// Beyond is the share of the weight of the disc around a node that is unknown ground, 0–1. The disc ends at limitM metres,
// or at the reach of the weight if that is less. It is 0 on nil.
func (e *Edges) Beyond(node int, w *Weight, limitM float64) float64 {
	return e.BeyondFrom(node, w, limitM, 0)
}

// BeyondFrom is Beyond of ground that is at least fromM metres away, however near it is in a straight line: what is there
// has the weight of that distance at most, and where fromM is the end of the disc there is nothing.
func (e *Edges) BeyondFrom(node int, w *Weight, limitM, fromM float64) float64 {
	if e == nil || fromM > 0 && fromM >= min(limitM, w.ReachM) {
		return 0
	}
	return w.beyond(&e.rings[e.of[node]], limitM, fromM)
}

// Weight is how much a search counts what is at a distance, by ring.
type Weight struct {
	ReachM float64
	mass   [ringCount]float64 // ∫ weight dA, up to the reach
}

// NewWeight makes the weight of a search that ends at reachM metres. at is its weight by distance; nil: all counts alike.
func NewWeight(reachM float64, at func(metres float64) float64) *Weight {
	w := &Weight{ReachM: reachM}
	const steps = 16
	for ring := range w.mass {
		a, b := begin(ring), min(ringEnds[ring], reachM)
		for step := range steps {
			radius := a + (b-a)*(float64(step)+.5)/steps
			if weight := 1.0; b > a {
				if at != nil {
					weight = at(radius)
				}
				w.mass[ring] += weight * radius * (b - a) / steps
			}
		}
	}
	return w
}

// density is the weight of the ring that contains a distance, by the difference of the squares of its radii.
func (w *Weight) density(metres float64) float64 {
	for ring := range w.mass {
		if a, b := begin(ring), min(ringEnds[ring], w.ReachM); metres < b {
			return w.mass[ring] / (b*b - a*a)
		}
	}
	return 0
}

// beyond divides the unknown part of the weight by all of it.
func (w *Weight) beyond(r *Rings, limitM, fromM float64) float64 {
	var all, unknown float64
	most := w.density(fromM)
	for ring, n := range r {
		a, b := begin(ring), min(ringEnds[ring], w.ReachM)
		if a >= min(limitM, w.ReachM) {
			break
		}
		mass := w.mass[ring]
		if limitM < b {
			mass *= (limitM*limitM - a*a) / (b*b - a*a)
		}
		all += mass
		if n > 0 && a < fromM {
			end := min(b, limitM)
			mass = min(mass, most*(end*end-a*a))
		}
		unknown += mass * float64(n) / directions
	}
	if all == 0 {
		return float64(r[0]) / directions
	}
	return unknown / all
}
