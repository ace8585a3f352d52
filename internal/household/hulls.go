package household

import (
	"slices"

	"github.com/paulmach/orb"

	"quartier/internal/geo"
)

// Hulls are the convex hulls of the regions' street nodes. Outside of them nothing is known.
type Hulls []*geo.Prepared

// Append adds the hull of a region, which may be empty.
func (h *Hulls) Append(hull *geo.Hull) {
	if ring := hull.Ring(); ring != nil {
		*h = append(*h, geo.Prepare(orb.MultiPolygon{{ring}}))
	}
}

// Number of parallels along which an outline is intersected with hulls: per polygon, and the maximum. The share is
// accurate to about a hundredth.
const (
	hullParallels    = 128
	maxHullParallels = 1024
)

// ShareOf returns the share of an outline's area, land and water, inside the hulls together.
func (h Hulls) ShareOf(outline orb.MultiPolygon, centroid orb.Point) float64 {
	return h.Share(geo.Prepare(outline), len(outline), centroid)
}

// Share returns the share of an outline's area, land and water, inside the hulls together. The outline has the given
// number of polygons. If no parallel intersects it, the share is that of its centroid, 0 or 1.
func (h Hulls) Share(outline *geo.Prepared, polygons int, centroid orb.Point) float64 {
	share, met := geo.OverlapAny(outline, h, min(hullParallels*polygons, maxHullParallels))
	if met {
		return share
	}
	if slices.ContainsFunc(h, func(hull *geo.Prepared) bool { return hull.Contains(centroid) }) {
		return 1
	}
	return 0
}
