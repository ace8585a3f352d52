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

// Home is where people live, as a point on a street, with what is known there.
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
	Homes []Home // in the order of the index
	index *pointindex.Index
}

// indexStripM is the height of a strip of the index in metres.
const indexStripM = 1000

// NewIndex indexes homes, which it puts in the order of the index.
func NewIndex(homes []Home) *Index {
	points := make([]coord.Point, len(homes))
	for i, h := range homes {
		points[i], _ = coord.NewPoint(h.Point[0], h.Point[1])
	}
	index, order := pointindex.New(points, indexStripM)
	reorder(homes, order)
	return &Index{Homes: homes, index: index}
}

// reorder puts item order[i] in place i, without a second list. It uses up order.
func reorder[T any](list []T, order []uint32) {
	const done = math.MaxUint32
	for begin := range order {
		if order[begin] == done {
			continue
		}
		first, to := list[begin], begin
		for from := order[to]; int(from) != begin; from = order[to] {
			list[to] = list[from]
			order[to] = done
			to = int(from)
		}
		list[to], order[to] = first, done
	}
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
