package coord

import (
	"cmp"
	"math"
	"slices"

	"github.com/paulmach/orb"

	"quartier/internal/geo"
)

// BoxIndex finds the boxes in degrees that intersect a box: a Tree over them in Hilbert order, and the boxes themselves
// for an exact answer. It is safe for concurrent use.
type BoxIndex struct {
	tree  Tree
	items []int32 // the caller's numbers, in the order of the tree
	boxes []orb.Bound
}

// NewBoxIndex indexes boxes; the caller's number of a box is its index in the slice.
func NewBoxIndex(boxes []orb.Bound) *BoxIndex {
	keys := make([]uint64, len(boxes))
	x := &BoxIndex{items: make([]int32, len(boxes)), boxes: boxes}
	for i, b := range boxes {
		keys[i], x.items[i] = geo.Hilbert(b.Center()), int32(i)
	}
	slices.SortFunc(x.items, func(a, b int32) int {
		return cmp.Or(cmp.Compare(keys[a], keys[b]), cmp.Compare(a, b))
	})
	x.tree.Build(len(boxes), func(i int) Box { return outward(boxes[x.items[i]]) })
	return x
}

// Search calls visit with the number of every box that intersects the given one, touching included, until visit returns
// false. The order is the same at every call.
func (x *BoxIndex) Search(box orb.Bound, visit func(item int) bool) {
	x.tree.Search(outward(box), func(i uint32) bool {
		item := int(x.items[i])
		return !x.boxes[item].Intersects(box) || visit(item)
	})
}

// At calls visit with the number of every box that contains p, until visit returns false.
func (x *BoxIndex) At(p orb.Point, visit func(item int) bool) {
	x.Search(orb.Bound{Min: p, Max: p}, visit)
}

// outward is the smallest box in units that contains a box in degrees.
func outward(b orb.Bound) Box {
	return Box{
		Point{unit(math.Floor(b.Min[0] * Scale)), unit(math.Floor(b.Min[1] * Scale))},
		Point{unit(math.Ceil(b.Max[0] * Scale)), unit(math.Ceil(b.Max[1] * Scale))},
	}
}

// unit is a coordinate beyond the range of a Point at its end.
func unit(v float64) int32 { return int32(min(max(v, math.MinInt32), math.MaxInt32)) }
