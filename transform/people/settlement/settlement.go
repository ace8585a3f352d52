// Package settlement computes where on the ground of an area its people live, from what the sources of a region show of
// it: the fronts of streets that have houses, and buildings where they are mapped, without those on land where nobody
// lives. Input: staged streets, buildings and land. Output: Divisions of areas into cells with shares of the people.
//
// The evidence is points in memory, 25 bytes each: 80 a kilometre of street with houses, and one a building.
package settlement

import (
	"github.com/paulmach/orb"

	"quartier/internal/coord"
	"quartier/internal/geo"
	"quartier/internal/pointindex"
	"quartier/schemas/calibration"
)

// Basis is the evidence that people of an area are apportioned by.
type Basis int

// The bases.
const (
	Streets   Basis = iota
	Buildings       // where they are mapped
	Crowded         // the ground, because so many people live along few streets that most are in high-rises
	Bases           // number of bases
)

// Evidence is what the sources of a region show of where people live.
type Evidence struct {
	c         calibration.Settlement
	streets   layer         // metres of street, by what share of these have houses
	buildings layer         // m² of footprints, by what they stand for
	built     []bool        // of each point of streets: a building is near
	hull      *geo.Prepared // of the streets with houses
}

// layer is weighted points, in the order of their index.
type layer struct {
	index   *pointindex.Index
	points  []coord.Point
	weights []float32 // ≥ 0
}

// stripM is the height of the strips of points.
const stripM = 200

func newLayer(points []coord.Point, weights []float32) layer {
	index, order := pointindex.New(points, stripM)
	l := layer{index, make([]coord.Point, len(points)), make([]float32, len(points))}
	for i, from := range order {
		l.points[i], l.weights[i] = points[from], weights[from]
	}
	return l
}

// within visits the numbers of the points with a weight in a box in degrees, in order.
func (l *layer) within(box orb.Bound, visit func(i int)) {
	l.index.SearchBox(box, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			if l.weights[i] > 0 && box.Contains(l.points[i].Orb()) {
				visit(i)
			}
		}
	})
}

// Any reports whether there is any evidence.
func (e *Evidence) Any() bool { return e.hull != nil }

// Division is an area divided into cells, by how many people live in them.
type Division struct {
	Basis Basis
	Cells []Cell  // none if the basis is Crowded
	Rest  float64 // share of the people on the ground outside of all cells, > 0; 0 if there is no such ground
}

// Cell is a box in degrees with a share of the people of an area, > 0.
type Cell struct {
	Box   orb.Bound
	Share float64
}

// Divide divides an area by the number of its people, NaN if unknown; nil if nothing shows where they live, or the area is
// too small for two cells. The shares of the cells and the rest add up to 1.
//
// Streets are no evidence where they are mapped for a part of the area only. High-rises stand anywhere, so that an area with
// more of them than the streets account for is not divided. Buildings are better evidence where they are mapped along the
// streets, or have room for all people; houses of the country are too far from the streets for the first.
func (e *Evidence) Divide(outline orb.MultiPolygon, people float64) *Division {
	area := geo.Prepare(outline)
	if !e.Any() || people == 0 || geo.Overlap(area, e.hull, parallels) < e.c.Mapped {
		return nil
	}
	streets, built := e.inside(&e.streets, area), 0.0
	for _, p := range streets.points {
		if e.built[p.number] {
			built += p.weight
		}
	}
	buildings := e.inside(&e.buildings, area)
	if buildings.sum > 0 && (built >= e.c.Mapped*streets.sum || buildings.sum >= e.c.RoomM2*people) {
		return e.divide(area, buildings, Buildings)
	}
	switch {
	case !(streets.sum > 0):
		return nil
	case people > e.c.CrowdedKM*streets.sum/1000:
		return &Division{Basis: Crowded, Rest: 1}
	}
	return e.divide(area, streets, Streets)
}

// parallels is the number of parallels along which areas are compared with the hull of the streets.
const parallels = 64

// evidence is the points of an area.
type evidence struct {
	points []point
	sum    float64 // of their weights
}

type point struct {
	number int // in its layer
	at     orb.Point
	weight float64
}

// inside is the evidence of a layer in an area.
func (e *Evidence) inside(l *layer, area *geo.Prepared) (found evidence) {
	l.within(area.Bound(), func(i int) {
		if p := l.points[i].Orb(); area.Contains(p) {
			found.points = append(found.points, point{i, p, float64(l.weights[i])})
			found.sum += float64(l.weights[i])
		}
	})
	return found
}
