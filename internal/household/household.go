// Package household has the scores of the median household: homes as points on the streets with what is known there, those in an
// outline, and quantiles over them. The build computes the scores of geographies by it, and the values of any shape are computed
// from the homes of a release in the same way.
package household

import (
	"math"

	"github.com/paulmach/orb"

	"quartier/internal/coord"
	"quartier/internal/geo"
	"quartier/internal/pack/access"
	"quartier/internal/pointindex"
)

// Values are scores in ten-thousandths, in the order of schemas.Scores; schemas.AbsentValue where there are no data.
type Values [access.ScoreCount]uint16

// What the weights of homes count.
const (
	Households = "households"
	Streets    = "street" // metres of residential street, where household counts are not available
)

// WeightUnit is the weight of one household, or of one metre of street.
const WeightUnit = 1000

// Weight is a number of households or metres as the weight of a home.
func Weight(of float64) uint64 { return max(uint64(math.Round(of*WeightUnit)), 1) }

// Home is where people live, as a point on a street, with what is known there. It has no pointers, so that a Builder can keep it in a file.
type Home struct {
	Point     orb.Point
	Weight    uint64 // in thousandths (WeightUnit), so that sums do not depend on order
	Known     uint64 // a bit for each of schemas.Channels that has a value
	Values    Values
	Steepness uint16 // the measure terrain_steepness, or schemas.AbsentValue
	Region    uint16 // number of the region
	Street    bool   // the weight is metres of residential street; otherwise households
	Edge      uint32 // of the region's streets
	AlongM    float32
}

// Index finds the homes in an outline.
type Index struct {
	Homes []Home // in the order of the index; they must not be changed
	index *pointindex.Index
	unmap func() error // nil if the homes are in memory
}

// indexStripM is the height of a strip of the index in metres.
const indexStripM = 1000

// NewIndex indexes homes in memory. A Builder indexes those of whole regions.
func NewIndex(homes []Home) *Index {
	points := make([]coord.Point, len(homes))
	for i := range homes {
		points[i] = homes[i].place()
	}
	index, order := pointindex.New(points, indexStripM)
	x := &Index{Homes: make([]Home, len(homes)), index: index}
	for i, from := range order {
		x.Homes[i] = homes[from]
	}
	return x
}

func (h *Home) place() coord.Point {
	p, _ := coord.NewPoint(h.Point[0], h.Point[1])
	return p
}

// Close ends the use of the homes. The second time it does nothing, and with nil.
func (x *Index) Close() error {
	if x == nil || x.unmap == nil {
		return nil
	}
	unmap := x.unmap
	x.Homes, x.unmap = nil, nil
	return unmap()
}

// InBox appends the indexes of the homes in a box, including its edges.
func (x *Index) InBox(found []int32, box orb.Bound) []int32 {
	x.index.SearchBox(box, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			if box.Contains(x.Homes[i].Point) {
				found = append(found, int32(i))
			}
		}
	})
	return found
}

// In appends those of the homes near an outline that are in it and count: those with household counts, otherwise those
// along streets.
func (x *Index) In(found []int32, near []int32, outline *geo.Prepared) []int32 {
	counted := false
	for _, i := range near {
		h := &x.Homes[i]
		if counted && h.Street || !outline.Contains(h.Point) {
			continue
		}
		if !counted && !h.Street { // the first one: those along streets no longer count
			counted, found = true, found[:0]
		}
		found = append(found, i)
	}
	return found
}
