// Package strip finds what lies near a point, for loops that run over millions of things: it puts points into an order
// in which those of a neighbourhood make a few runs, and answers with the runs. What the points stand for is kept by
// the caller in slices of that order.
package strip

import (
	"cmp"
	"math"
	"slices"

	"quartier/internal/coord"
	"quartier/internal/geo"
)

// Index is points in strips from west to east. Strip s is items First[s] to below First[s+1], by longitude.
type Index struct {
	lng    []int32
	first  []uint32
	bottom int64 // latitude of the lowest strip's lower side, in units of coord.Scale
	height int64
}

// New makes an index of points with strips of so many metres, best about the radius that is asked for or less. order[i]
// is the point that item i is. Points in one place keep their order.
func New(points []coord.Point, heightM float64) (x *Index, order []uint32) {
	x = &Index{height: max(1, int64(heightM/111_200*coord.Scale))}
	order = make([]uint32, len(points))
	if len(points) == 0 {
		return x, order
	}
	x.bottom = math.MaxInt64
	top := int64(math.MinInt64)
	for i, p := range points {
		order[i] = uint32(i)
		x.bottom, top = min(x.bottom, int64(p.Lat)), max(top, int64(p.Lat))
	}
	slices.SortFunc(order, func(a, b uint32) int {
		p, q := points[a], points[b]
		return cmp.Or(cmp.Compare(x.strip(p.Lat), x.strip(q.Lat)), cmp.Compare(p.Lng, q.Lng), cmp.Compare(a, b))
	})
	x.first = make([]uint32, (top-x.bottom)/x.height+2)
	x.lng = make([]int32, len(points))
	for i, item := range order {
		x.lng[i] = points[item].Lng
		x.first[x.strip(points[item].Lat)+1]++
	}
	for s := 1; s < len(x.first); s++ {
		x.first[s] += x.first[s-1]
	}
	return x, order
}

func (x *Index) strip(lat int32) int64 { return (int64(lat) - x.bottom) / x.height }

// Runs visits runs of items, from lo to below hi, that hold every point within radius metres of p, in the order of the
// items. They hold points farther away too: the caller measures.
func (x *Index) Runs(p coord.Point, radius float64, visit func(lo, hi int)) {
	if len(x.lng) == 0 {
		return
	}
	box := geo.CircleBound(Degrees(p), radius)
	west, east := int32(math.Floor(box.Min[0]*coord.Scale)), int32(math.Ceil(box.Max[0]*coord.Scale))
	south := int64(math.Floor(box.Min[1]*coord.Scale)) - x.bottom
	north := int64(math.Ceil(box.Max[1]*coord.Scale)) - x.bottom
	if north < 0 {
		return
	}
	last := min(north/x.height, int64(len(x.first)-2))
	for s := max(south, 0) / x.height; s <= last; s++ {
		items := x.lng[x.first[s]:x.first[s+1]]
		lo, _ := slices.BinarySearch(items, west)
		run, _ := slices.BinarySearch(items[lo:], east+1)
		if run == 0 {
			continue
		}
		begin := int(x.first[s])
		visit(begin+lo, begin+lo+run)
	}
}
