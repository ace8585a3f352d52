package network

import "quartier/internal/coord"

const (
	fan       = 8  // boxes under a box
	maxLevels = 12 // 8^11 items and more than there are edges
)

// boxes is a tree of boxes over items that lie along a curve: every box of a level covers the next fan boxes of the
// level below, so that numbers alone tell what lies where.
type boxes struct {
	corners []coord.Point // south-west and north-east of each box, the items' first, the root's last
	starts  [maxLevels + 1]uint32
	levels  int
}

// layout sets where each level begins for a number of items, and returns the number of boxes.
func (t *boxes) layout(items int) int {
	t.levels = 0
	begin := 0
	for n := items; n > 0 && t.levels < maxLevels; n = (n + fan - 1) / fan {
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

// newBoxes builds the tree; box is the one around an item.
func newBoxes(items int, box func(item int) (sw, ne coord.Point)) boxes {
	var t boxes
	t.corners = make([]coord.Point, 0, 2*t.layout(items))
	for i := range items {
		sw, ne := box(i)
		t.corners = append(t.corners, sw, ne)
	}
	for level := 1; level < t.levels; level++ {
		for i := t.starts[level-1]; i < t.starts[level]; i += fan {
			sw, ne := t.corners[2*i], t.corners[2*i+1]
			for j := i + 1; j < min(i+fan, t.starts[level]); j++ {
				sw, ne = cover(sw, ne, t.corners[2*j], t.corners[2*j+1])
			}
			t.corners = append(t.corners, sw, ne)
		}
	}
	return t
}

// cover is the box around two boxes.
func cover(sw, ne, sw2, ne2 coord.Point) (coord.Point, coord.Point) {
	return coord.Point{Lng: min(sw.Lng, sw2.Lng), Lat: min(sw.Lat, sw2.Lat)},
		coord.Point{Lng: max(ne.Lng, ne2.Lng), Lat: max(ne.Lat, ne2.Lat)}
}

// around is the box around points, of which there is one at least.
func around(points []coord.Point) (sw, ne coord.Point) {
	sw, ne = points[0], points[0]
	for _, p := range points[1:] {
		sw, ne = cover(sw, ne, p, p)
	}
	return sw, ne
}

// hunt goes down a tree, the nearest box first.
type hunt struct {
	tree   *boxes
	p      coord.Point
	scale  ruler
	count  int
	stack  [maxLevels*(fan-1) + 1]branch
	within float64 // squared metres: boxes farther than that are left out
}

// branch is a box and its squared distance in metres from the point.
type branch struct {
	d2    float64
	box   uint32
	level int32
}

func (h *hunt) start(t *boxes, p coord.Point, scale ruler, within float64) {
	h.tree, h.p, h.scale, h.within, h.count = t, p, scale, within, 0
	if t.levels > 0 {
		h.push(branch{h.squared(t.starts[t.levels-1]), t.starts[t.levels-1], int32(t.levels - 1)})
	}
}

func (h *hunt) push(f branch) {
	if f.d2 <= h.within {
		h.stack[h.count] = f
		h.count++
	}
}

// next is the next item, false where none is near enough; within may be lowered between calls.
func (h *hunt) next() (item uint32, ok bool) {
	for h.count > 0 {
		h.count--
		top := h.stack[h.count]
		if top.d2 > h.within {
			continue
		}
		if top.level == 0 {
			return top.box, true
		}
		level := top.level - 1
		first := h.tree.starts[level] + (top.box-h.tree.starts[top.level])*fan
		bottom := h.count
		for i := first; i < min(first+fan, h.tree.starts[top.level]); i++ {
			h.push(branch{h.squared(i), i, level})
		}
		for i := bottom + 1; i < h.count; i++ { // the nearest on top
			f, j := h.stack[i], i
			for ; j > bottom && h.stack[j-1].d2 < f.d2; j-- {
				h.stack[j] = h.stack[j-1]
			}
			h.stack[j] = f
		}
	}
	return 0, false
}

// squared is the squared distance in metres from the point to a box.
func (h *hunt) squared(box uint32) float64 {
	sw, ne := h.tree.corners[2*box], h.tree.corners[2*box+1]
	dx := max(int64(sw.Lng)-int64(h.p.Lng), int64(h.p.Lng)-int64(ne.Lng), 0)
	dy := max(int64(sw.Lat)-int64(h.p.Lat), int64(h.p.Lat)-int64(ne.Lat), 0)
	x, y := float64(dx)*h.scale.x, float64(dy)*h.scale.y
	return x*x + y*y
}
