package geographies

import (
	"slices"
	"sync"

	"github.com/paulmach/orb"

	"quartier/internal/coord"
	"quartier/schemas"
)

// overlapping finds the geographies at a point in a table without a locator, by their boxes and outlines. It is made when it
// is first asked for.
type overlapping struct {
	once    sync.Once
	index   *coord.BoxIndex
	current []int
}

func (o *overlapping) prepare(t *Table) {
	var boxes []orb.Bound
	for i := range t.count {
		if t.column(i, columnSuperseded) == 0 {
			o.current = append(o.current, i)
			boxes = append(boxes, t.BBox(i))
		}
	}
	o.index = coord.NewBoxIndex(boxes)
}

// at is Table.At.
func (o *overlapping) at(t *Table, dst []int, p coord.Point, levels schemas.LevelSet) []int {
	o.once.Do(func() { o.prepare(t) })
	first := len(dst)
	o.index.At(p.Orb(), func(n int) bool {
		i := o.current[n]
		if (levels == 0 || levels&t.levels[i] != 0) && t.Area(i).Contains(p) {
			dst = append(dst, i)
		}
		return true
	})
	slices.Sort(dst[first:])
	return dst
}
