package tiles

import (
	"github.com/paulmach/orb"
	"github.com/paulmach/orb/clip"
)

// tile is a tile of the map.
type tile struct {
	z    uint8
	x, y uint32
}

// children are the four tiles of the next zoom.
func (t tile) children() [4]tile {
	z, x, y := t.z+1, 2*t.x, 2*t.y
	return [4]tile{{z, x, y}, {z, x + 1, y}, {z, x, y + 1}, {z, x + 1, y + 1}}
}

// origin is the north-west corner of a tile on the grid.
func (t tile) origin() orb.Point {
	size := extent * unit(t.z)
	return orb.Point{float64(t.x) * size, float64(t.y) * size}
}

// box is a tile with a pad around it, in units of the grid.
func (t tile) box(pad float64) orb.Bound {
	o, size := t.origin(), extent*unit(t.z)
	return orb.Bound{Min: orb.Point{o[0] - pad, o[1] - pad}, Max: orb.Point{o[0] + size + pad, o[1] + size + pad}}
}

// within reports whether a box is inside of another one.
func within(inner, outer orb.Bound) bool {
	return inner.Min[0] >= outer.Min[0] && inner.Min[1] >= outer.Min[1] && inner.Max[0] <= outer.Max[0] && inner.Max[1] <= outer.Max[1]
}

// cut is an area within a box. The area stays as it is.
func cut(m orb.MultiPolygon, box orb.Bound) orb.MultiPolygon {
	return withRings(m, func(ring orb.Ring) orb.Ring {
		bound := ring.Bound()
		switch {
		case !box.Intersects(bound):
			return nil
		case within(bound, box):
			return ring
		}
		return tidy(clip.Ring(box, ring.Clone()))
	})
}

// fills reports whether an area is a box.
func fills(m orb.MultiPolygon, box orb.Bound) bool {
	if len(m) != 1 || len(m[0]) != 1 || len(m[0][0]) != 5 {
		return false
	}
	for _, p := range m[0][0] {
		if p[0] != box.Min[0] && p[0] != box.Max[0] || p[1] != box.Min[1] && p[1] != box.Max[1] {
			return false
		}
	}
	return true
}
