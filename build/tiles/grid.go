package tiles

import (
	"math"
	"slices"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/maptile"
	"github.com/paulmach/orb/simplify"
)

// The grid: the map of the world, in Web Mercator, in whole units of a tile at the highest zoom. x goes east, y south. A unit
// is 0.6 m at the equator. Everything is rounded to the grid first, so that what two features share stays shared.
const (
	extent   = 4096 // units of a tile across
	gridBits = MaxZoom + 12
	world    = 1 << gridBits
	// margin is how far lines and areas go on beyond a tile, in its units, so that the ends of strokes are not seen.
	margin = 64
	// step is the distance of the vertices that tiles below the highest zoom have, in their units: half of a pixel on a
	// screen that shows a tile at 512 pixels.
	step = 4
	// leastArea is the smallest area that is drawn below the highest zoom, in the tile's square units: half of such a pixel.
	leastArea = 2 * step * step
)

// unit is a unit of tiles of a zoom in units of the grid.
func unit(z uint8) float64 { return float64(uint64(1) << (MaxZoom - z)) }

// onGrid is a point on the grid.
func onGrid(p orb.Point) orb.Point {
	f := maptile.Fraction(p, gridBits)
	return orb.Point{inWorld(f[0]), inWorld(f[1])}
}

func inWorld(v float64) float64 { return min(max(math.Round(v), 0), world-1) }

// degrees is the longitude and latitude of a point of the grid.
func degrees(p orb.Point) orb.Point {
	lat := math.Atan(math.Sinh(math.Pi * (1 - 2*p[1]/world)))
	return orb.Point{p[0]/world*360 - 180, lat * 180 / math.Pi}
}

// lineOnGrid is a line on the grid. It has fewer than two points where nothing is left of it.
func lineOnGrid(line orb.LineString) orb.LineString {
	out := make(orb.LineString, len(line))
	for i, p := range line {
		out[i] = onGrid(p)
	}
	out = slices.Compact(out)
	if len(out) < 2 {
		return nil
	}
	return out
}

// areaOnGrid is a multipolygon on the grid, without the parts of which nothing is left.
func areaOnGrid(m orb.MultiPolygon) orb.MultiPolygon {
	return withRings(m, func(ring orb.Ring) orb.Ring { return tidy(moved(ring, onGrid)) })
}

// withRings is an area with other rings: holes for which change returns nil are left out, and parts whose outer ring is.
func withRings(m orb.MultiPolygon, change func(orb.Ring) orb.Ring) orb.MultiPolygon {
	var out orb.MultiPolygon
	for _, polygon := range m {
		var part orb.Polygon
		for i, ring := range polygon {
			r := change(ring)
			if i == 0 && r == nil {
				break
			}
			if r != nil {
				part = append(part, r)
			}
		}
		if part != nil {
			out = append(out, part)
		}
	}
	return out
}

// moved is a ring with every vertex moved.
func moved(ring orb.Ring, move func(orb.Point) orb.Point) orb.Ring {
	out := make(orb.Ring, len(ring))
	for i, p := range ring {
		out[i] = move(p)
	}
	return out
}

// tidy removes the vertices of a ring that do not change its shape: repeated ones, those on the line between their
// neighbours, and tips without area. It works in place, and returns nil where nothing is left.
//
// Example: (0,0) (4,0) (8,0) (8,3) (8,0) (8,8) (0,8) (0,0) becomes (0,0) (8,0) (8,8) (0,8) (0,0).
func tidy(ring orb.Ring) orb.Ring {
	if len(ring) > 1 && ring[0] == ring[len(ring)-1] {
		ring = ring[:len(ring)-1]
	}
	kept := ring[:0]
	for _, p := range ring {
		kept = append(kept, p)
		for n := len(kept); n >= 3 && straight(kept[n-3], kept[n-2], kept[n-1]); n = len(kept) {
			kept[n-2] = kept[n-1]
			kept = kept[:n-1]
		}
		if n := len(kept); n >= 2 && kept[n-2] == kept[n-1] {
			kept = kept[:n-1]
		}
	}
	for changed := true; changed && len(kept) >= 3; { // around the end
		n := len(kept)
		switch {
		case straight(kept[n-2], kept[n-1], kept[0]):
			kept = kept[:n-1]
		case straight(kept[n-1], kept[0], kept[1]):
			kept = kept[1:]
		default:
			changed = false
		}
	}
	if len(kept) < 3 {
		return nil
	}
	return append(kept, kept[0])
}

// straight reports whether b can be left out between a and c.
func straight(a, b, c orb.Point) bool {
	return (b[0]-a[0])*(c[1]-b[1]) == (b[1]-a[1])*(c[0]-b[0])
}

// area is the area of a ring, positive where it is clockwise on the map, as outer rings of vector tiles are.
func area(ring orb.Ring) (sum float64) {
	if len(ring) == 0 {
		return 0
	}
	o := ring[0] // near the ring, so that products are small
	for i := 1; i < len(ring); i++ {
		a, b := ring[i-1], ring[i]
		sum += (a[0]-o[0])*(b[1]-o[1]) - (b[0]-o[0])*(a[1]-o[1])
	}
	return sum / 2
}

// snap rounds a coordinate to a multiple of to.
func snap(v, to float64) float64 { return math.Floor(v/to+0.5) * to }

// stepOf is the distance of the vertices of areas in tiles of a zoom, in units of the grid: step, but one unit for wide layers
// at WideZoom, because a map of a higher zoom may enlarge these.
func stepOf(l layer, z uint8) float64 {
	if layers[l].wide && z == WideZoom {
		return unit(z)
	}
	return step * unit(z)
}

// coarser is an area with every vertex on the nearest point of a coarser grid. Neighbours stay neighbours, because a vertex
// that both have goes to the same point. Parts and holes of less than two squares of that grid are dropped.
func coarser(m orb.MultiPolygon, to float64) orb.MultiPolygon {
	return withRings(m, func(ring orb.Ring) orb.Ring {
		r := tidy(moved(ring, func(p orb.Point) orb.Point { return orb.Point{snap(p[0], to), snap(p[1], to)} }))
		if r != nil && math.Abs(area(r)) < 2*to*to {
			return nil
		}
		return r
	})
}

// coarserLine is a line as tiles of a zoom have it: within half a step of where it is, its ends where they are, so that
// lines that meet still do. It is the line itself at the highest zoom.
func coarserLine(line orb.LineString, z uint8) orb.LineString {
	if z == MaxZoom {
		return line
	}
	return simplified(line, step/2*unit(z))
}

// simplified is a line within some units of where it is, its ends where they are.
func simplified(line orb.LineString, within float64) orb.LineString {
	if len(line) < 3 {
		return line
	}
	return simplify.DouglasPeucker(within).LineString(slices.Clone(line))
}
