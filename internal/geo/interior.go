package geo

import (
	"cmp"
	"math"
	"slices"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"
)

// InteriorPoint is a representative point inside m: its centroid if that is inside and not on an edge, else the middle of
// the widest stretch of a parallel through its largest polygon. The second result is false if m has no interior.
func InteriorPoint(m orb.MultiPolygon) (orb.Point, bool) {
	prepared := Prepare(m)
	if c, area := planar.CentroidArea(m); area > 0 && strictly(prepared, m, c) {
		return c, true
	}
	var best orb.Point
	widest := 0.0
	for _, polygon := range bySize(m) {
		for _, share := range []float64{0.5, 0.4, 0.6, 0.25, 0.75, 0.1, 0.9, 0.45, 0.55} {
			if c, width := widestStretch(polygon, share); width > widest && strictly(prepared, m, c) {
				best, widest = c, width
			}
		}
		if widest > 0 {
			return best, true
		}
	}
	return orb.Point{}, false
}

// strictly reports whether p is inside m and not on an edge.
func strictly(prepared *Prepared, m orb.MultiPolygon, p orb.Point) bool {
	if !Valid(p) || !prepared.Contains(p) {
		return false
	}
	for _, polygon := range m {
		for _, ring := range polygon {
			if ring.Bound().Contains(p) && Locate(ring, p) == Edge {
				return false
			}
		}
	}
	return true
}

// bySize lists the polygons of m, the largest outer ring first.
func bySize(m orb.MultiPolygon) []orb.Polygon {
	list := slices.Clone([]orb.Polygon(m))
	size := func(p orb.Polygon) float64 {
		if len(p) == 0 {
			return 0
		}
		return math.Abs(planar.Area(p[0]))
	}
	slices.SortStableFunc(list, func(a, b orb.Polygon) int { return cmp.Compare(size(b), size(a)) })
	return list
}

// widestStretch is the middle and the length in degrees of the longest part of a parallel that is inside the polygon;
// length 0 if there is none. share is the latitude of the parallel, from 0 at the southern end to 1 at the northern one.
func widestStretch(polygon orb.Polygon, share float64) (orb.Point, float64) {
	if len(polygon) == 0 {
		return orb.Point{}, 0
	}
	bound := polygon[0].Bound()
	lat := bound.Min[1] + share*(bound.Max[1]-bound.Min[1])
	var cuts []float64
	for _, ring := range polygon {
		for i := 1; i < len(ring); i++ {
			a, b := ring[i-1], ring[i]
			if (a[1] <= lat) == (b[1] <= lat) {
				continue
			}
			cuts = append(cuts, a[0]+(lat-a[1])/(b[1]-a[1])*(b[0]-a[0]))
		}
	}
	slices.Sort(cuts)
	var middle orb.Point
	widest := 0.0
	for i := 1; i < len(cuts); i += 2 {
		if width := cuts[i] - cuts[i-1]; width > widest {
			middle, widest = orb.Point{cuts[i-1] + width/2, lat}, width
		}
	}
	return middle, widest
}
