package geo

import (
	"cmp"
	"slices"

	"github.com/paulmach/orb"
)

// BoxIndex finds the boxes that meet a box: a packed R-tree over boxes in Hilbert order. It is built once and safe
// for concurrent use.
type BoxIndex struct {
	items  []int32     // the caller's numbers, in the order of the leaves
	boxes  []orb.Bound // leaves first, then each level of nodes, the root last
	levels []int       // where each level starts in boxes, and its end
}

const fanout = 16

// NewBoxIndex indexes boxes; the caller's number of a box is its place in the list.
func NewBoxIndex(boxes []orb.Bound) *BoxIndex {
	keys := make([]uint64, len(boxes))
	items := make([]int32, len(boxes))
	for i, b := range boxes {
		keys[i], items[i] = Hilbert(b.Center()), int32(i)
	}
	slices.SortFunc(items, func(a, b int32) int {
		return cmp.Or(cmp.Compare(keys[a], keys[b]), cmp.Compare(a, b))
	})
	x := &BoxIndex{items: items, levels: []int{0}}
	for _, item := range items {
		x.boxes = append(x.boxes, boxes[item])
	}
	for first := 0; len(x.boxes)-first > 1; {
		last := len(x.boxes)
		x.levels = append(x.levels, last)
		for i := first; i < last; i += fanout {
			node := x.boxes[i]
			for _, b := range x.boxes[i:min(i+fanout, last)] {
				node = node.Union(b)
			}
			x.boxes = append(x.boxes, node)
		}
		first = last
	}
	x.levels = append(x.levels, len(x.boxes))
	return x
}

// Search calls visit with the number of every box that meets the given one, touching included, until visit says
// false. The order is the same at every call.
func (x *BoxIndex) Search(box orb.Bound, visit func(item int) bool) {
	if len(x.items) > 0 {
		x.search(len(x.levels)-2, len(x.boxes)-1, box, visit)
	}
}

// search visits below the node at place in the level; false: the visitor has had enough.
func (x *BoxIndex) search(level, place int, box orb.Bound, visit func(int) bool) bool {
	if !x.boxes[place].Intersects(box) {
		return true
	}
	if level == 0 {
		return visit(int(x.items[place]))
	}
	first := x.levels[level-1] + (place-x.levels[level])*fanout
	for i := first; i < min(first+fanout, x.levels[level]); i++ {
		if !x.search(level-1, i, box, visit) {
			return false
		}
	}
	return true
}

// At calls visit with the number of every box that holds p, until visit says false.
func (x *BoxIndex) At(p orb.Point, visit func(item int) bool) {
	x.Search(orb.Bound{Min: p, Max: p}, visit)
}
