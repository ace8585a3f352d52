package spatialite

import (
	"github.com/paulmach/orb"

	"quartier/internal/geo"
)

// plane projects a geometry to the plane in metres around center.
func plane(g orb.MultiPolygon, center orb.Point) orb.MultiPolygon {
	plane := geo.NewPlane(center)
	flattened := g.Clone()
	for _, polygon := range flattened {
		for _, ring := range polygon {
			for i, p := range ring {
				ring[i][0], ring[i][1] = plane.XY(p)
			}
		}
	}
	return flattened
}

// Polygons returns the polygons of any geometry: a polygon, a multipolygon, or those in a collection.
func Polygons(g orb.Geometry) orb.MultiPolygon {
	switch g := g.(type) {
	case orb.Polygon:
		return orb.MultiPolygon{g}
	case orb.MultiPolygon:
		return g
	case orb.Collection:
		var all orb.MultiPolygon
		for _, member := range g {
			all = append(all, Polygons(member)...)
		}
		return all
	}
	return nil
}

// orient turns outer rings counter-clockwise and holes clockwise, in a copy.
func orient(g orb.MultiPolygon) orb.MultiPolygon {
	g = g.Clone()
	for _, polygon := range g {
		for i, ring := range polygon {
			want := orb.CCW
			if i > 0 {
				want = orb.CW
			}
			if ring.Orientation() != want {
				ring.Reverse()
			}
		}
	}
	return g
}
