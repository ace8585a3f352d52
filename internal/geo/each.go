package geo

import "github.com/paulmach/orb"

// Each replaces every point of a geometry, in order and in place, and returns the geometry.
func Each(g orb.Geometry, change func(orb.Point) orb.Point) orb.Geometry {
	list := func(points []orb.Point) {
		for i, p := range points {
			points[i] = change(p)
		}
	}
	switch g := g.(type) {
	case orb.Point:
		return change(g)
	case orb.MultiPoint:
		list(g)
	case orb.LineString:
		list(g)
	case orb.Ring:
		list(g)
	case orb.MultiLineString:
		for _, line := range g {
			list(line)
		}
	case orb.Polygon:
		for _, ring := range g {
			list(ring)
		}
	case orb.MultiPolygon:
		for _, polygon := range g {
			Each(polygon, change)
		}
	case orb.Collection:
		for i, member := range g {
			g[i] = Each(member, change)
		}
	}
	return g
}
