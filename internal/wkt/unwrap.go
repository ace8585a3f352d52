package wkt

import "github.com/paulmach/orb"

// Unwrap is a ring whose longitudes go on where it crosses the antimeridian: 179, −179 becomes 179, 181. An edge goes the
// shorter way around, so that one of more than 180 degrees crosses it. The last point differs from the first if the ring goes
// around a pole.
func Unwrap(ring orb.Ring) orb.Ring {
	out := make(orb.Ring, len(ring))
	shift := 0.0
	for i, p := range ring {
		if i > 0 {
			switch step := p[0] - ring[i-1][0]; {
			case step > 180:
				shift -= 360
			case step < -180:
				shift += 360
			}
		}
		out[i] = orb.Point{p[0] + shift, p[1]}
	}
	return out
}
