// Package pointindex finds the points near a point, for loops over millions of them. It sorts points into strips of
// latitude, in each strip by longitude, and answers a query with ranges of that order; the caller keeps what belongs to
// the points in slices of the same order.
//
// Seven points in strips of 100 m, sorted, and the ranges for a radius of 100 m around x:
//
//	strip 2   5 ·····  6 ····          ranges: [5,6)
//	strip 1   2 ·· x ··· 3 ·· 4                [2,4)
//	strip 0   0 ··········· 1                  [0,1)
package pointindex

import (
	"cmp"
	"math"
	"slices"

	"github.com/paulmach/orb"

	"quartier/internal/coord"
	"quartier/internal/geo"
)

// Index is points in strips. Strip s is the items first[s] to first[s+1]−1, from west to east.
type Index struct {
	lng    []int32
	first  []uint32
	bottom int64 // latitude of the lower side of the lowest strip, in units of a coord.Point
	height int64
}

// New indexes points in strips of the given height in metres, which is best about the radius of the searches or less.
// order[i] is the index in points of item i. Equal points keep their order.
func New(points []coord.Point, heightM float64) (x *Index, order []uint32) {
	x = &Index{height: max(1, int64(heightM/geo.StripDegreeM*coord.Scale))}
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

// Search visits, in ascending order, the ranges [lo, hi) of items that contain every point within radius metres of p.
// They contain points farther away too: the caller measures.
func (x *Index) Search(p coord.Point, radius float64, visit func(lo, hi int)) {
	if len(x.lng) > 0 {
		x.SearchBox(geo.CircleBound(p.Orb(), radius), visit)
	}
}

// SearchBox visits, in ascending order, the ranges [lo, hi) of items that contain every point in a box in degrees. They
// may contain points north and south of it.
func (x *Index) SearchBox(box orb.Bound, visit func(lo, hi int)) {
	west, east := int32(math.Floor(box.Min[0]*coord.Scale)), int32(math.Ceil(box.Max[0]*coord.Scale))
	south := int64(math.Floor(box.Min[1]*coord.Scale)) - x.bottom
	north := int64(math.Ceil(box.Max[1]*coord.Scale)) - x.bottom
	if len(x.lng) == 0 || north < 0 {
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
