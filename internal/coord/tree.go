package coord

import "math"

// Fanout is how many boxes of a Tree are under the box above them.
const Fanout = 8

const maxLevels = 12 // for 8^11 items, more than a uint32 counts

// MaxTreeItems is how many items a Tree has room for.
const MaxTreeItems = math.MaxUint32 - Fanout

// Tree is a packed R-tree over the boxes of numbered items: box i of a level covers the boxes 8i to 8i+7 of the level
// below, so that positions alone say what is under what. It is quick if items with adjacent numbers are near each other,
// as along a Hilbert curve. 20 items make a tree of 24 boxes:
//
//	level 2  23                          all items
//	level 1  20        21        22      items 0–7, 8–15, 16–19
//	level 0  0 … 7     8 … 15    16 … 19
//
// The zero value is an empty tree. A tree is safe for concurrent use while nothing builds it.
type Tree struct {
	corners []Point // Min and Max of each box, level by level from the items to the root
	starts  [maxLevels + 1]uint32
	levels  int
}

// layout sets the number of the first box of each level and returns the number of boxes.
func (t *Tree) layout(items int) int {
	t.levels = 0
	begin := 0
	for n := items; n > 0 && t.levels < maxLevels; n = (n + Fanout - 1) / Fanout {
		t.starts[t.levels] = uint32(begin)
		begin += n
		t.levels++
		if n == 1 {
			break
		}
	}
	t.starts[t.levels] = uint32(begin)
	return begin
}

// Build makes t the tree over a number of items with the given boxes, in the memory that it has.
func (t *Tree) Build(items int, box func(item int) Box) {
	t.corners = t.corners[:0]
	if boxes := t.layout(items); cap(t.corners) < 2*boxes {
		t.corners = make([]Point, 0, 2*boxes)
	}
	for i := range items {
		b := box(i)
		t.corners = append(t.corners, b.Min, b.Max)
	}
	for level := 1; level < t.levels; level++ {
		for i := t.starts[level-1]; i < t.starts[level]; i += Fanout {
			b := t.Box(i)
			for j := i + 1; j < min(i+Fanout, t.starts[level]); j++ {
				b = b.Union(t.Box(j))
			}
			t.corners = append(t.corners, b.Min, b.Max)
		}
	}
}

// TreeFrom is the tree over a number of items whose Corners were stored; false if they are not as many as it has.
func TreeFrom(corners []Point, items int) (Tree, bool) {
	t := Tree{corners: corners}
	return t, len(corners) == 2*t.layout(items)
}

// Corners are the southwestern and northeastern corners of all boxes, the items' first. The slice is not copied.
func (t *Tree) Corners() []Point { return t.corners }

// Box is box i of the tree; the first ones are those of the items.
func (t *Tree) Box(i uint32) Box { return Box{t.corners[2*i], t.corners[2*i+1]} }

// Walk calls visit with the items, in their order, all of whose boxes from the root down enter agrees to, until visit
// returns false. Walk returns false then.
func (t *Tree) Walk(enter func(Box) bool, visit func(item uint32) bool) bool {
	return t.levels == 0 || t.walk(t.levels-1, t.starts[t.levels-1], enter, visit)
}

func (t *Tree) walk(level int, box uint32, enter func(Box) bool, visit func(item uint32) bool) bool {
	if !enter(t.Box(box)) {
		return true
	}
	if level == 0 {
		return visit(box)
	}
	first := t.starts[level-1] + (box-t.starts[level])*Fanout
	for i := first; i < min(first+Fanout, t.starts[level]); i++ {
		if !t.walk(level-1, i, enter, visit) {
			return false
		}
	}
	return true
}

// Search calls visit with the items whose boxes intersect b, in their order, until visit returns false.
func (t *Tree) Search(b Box, visit func(item uint32) bool) bool {
	if t.levels == 0 || !t.Box(t.starts[t.levels-1]).Intersects(b) {
		return true
	}
	return t.search(t.levels-1, t.starts[t.levels-1], b, visit)
}

// search visits below a box that intersects b. It is Walk without a call for each box.
func (t *Tree) search(level int, box uint32, b Box, visit func(item uint32) bool) bool {
	if level == 0 {
		return visit(box)
	}
	first := t.starts[level-1] + (box-t.starts[level])*Fanout
	for i := first; i < min(first+Fanout, t.starts[level]); i++ {
		if t.Box(i).Intersects(b) && !t.search(level-1, i, b, visit) {
			return false
		}
	}
	return true
}

// Nearest goes through the items of a tree by the distance of their boxes from a point, the nearest first, roughly: the
// order is exact under one box. It allocates nothing.
type Nearest struct {
	Limit float64 // squared metres; boxes farther away are skipped. It may be lowered between calls of Next.
	tree  *Tree
	plane Plane
	count int
	stack [maxLevels*(Fanout-1) + 1]branch
}

// branch is a box that has not been entered yet.
type branch struct {
	d2    float64 // squared metres from the point
	box   uint32
	level int32
}

// Start begins at the root of a tree, with distances from the origin of a plane.
func (n *Nearest) Start(t *Tree, from Plane, limit float64) {
	n.tree, n.plane, n.Limit, n.count = t, from, limit, 0
	if t.levels > 0 {
		n.push(t.starts[t.levels-1], int32(t.levels-1))
	}
}

func (n *Nearest) push(box uint32, level int32) {
	if d2 := n.plane.SquareToBox(n.tree.Box(box)); d2 <= n.Limit {
		n.stack[n.count] = branch{d2, box, level}
		n.count++
	}
}

// Next is the next item; false if no other is within the limit.
func (n *Nearest) Next() (item uint32, ok bool) {
	for n.count > 0 {
		n.count--
		top := n.stack[n.count]
		if top.d2 > n.Limit {
			continue
		}
		if top.level == 0 {
			return top.box, true
		}
		level := top.level - 1
		first := n.tree.starts[level] + (top.box-n.tree.starts[top.level])*Fanout
		bottom := n.count
		for i := first; i < min(first+Fanout, n.tree.starts[top.level]); i++ {
			n.push(i, level)
		}
		for i := bottom + 1; i < n.count; i++ { // insertion sort: the nearest on top
			b, j := n.stack[i], i
			for ; j > bottom && n.stack[j-1].d2 < b.d2; j-- {
				n.stack[j] = n.stack[j-1]
			}
			n.stack[j] = b
		}
	}
	return 0, false
}
