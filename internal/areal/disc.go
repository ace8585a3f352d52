package areal

import (
	"math"

	"github.com/paulmach/orb"

	"quartier/internal/coord"
	"quartier/internal/geo"
)

// disc is the unit circle of a flat map around its centre. A point dx units east and dy north of the centre is at
//
//	x = dx·(east + lngCorrection·dy), y = dy·north
//
// The correction gives a degree of longitude its length halfway between the centre and the point, without which distances
// far north would have an error of one percent. Parallels and meridians stay straight.
type disc struct {
	lng, lat                   float64 // of the centre, in units
	east, north, lngCorrection float64
	reach                      float64 // extent to the north and south in units; 0: there is no disc
	across                     float64 // maximum extent to the east and west
	narrow, wide               float64 // minimum and maximum width of a unit of longitude inside the disc
}

func (d *disc) set(lng, lat, radius float64) {
	*d = disc{lng: lng * coord.Scale, lat: lat * coord.Scale}
	if !(radius > 0) {
		return
	}
	mLng, mLat := geo.MetresPerDegree(lat)
	d.east, d.north = mLng/radius/coord.Scale, mLat/radius/coord.Scale
	// The radius of a parallel shrinks by the sine of its latitude times the distance north.
	d.lngCorrection = -d.north * math.Sin(lat*geo.Radian) * geo.Radian / 2 / coord.Scale
	d.reach = 1 / d.north
	d.narrow = max(0, d.east-math.Abs(d.lngCorrection)*d.reach)
	d.wide = d.east + math.Abs(d.lngCorrection)*d.reach
	d.across = 1 / d.narrow
}

func (d *disc) bound() orb.Bound {
	if d.reach == 0 {
		return empty
	}
	return orb.Bound{
		Min: orb.Point{max((d.lng-d.across)/coord.Scale, -180), max((d.lat-d.reach)/coord.Scale, -90)},
		Max: orb.Point{min((d.lng+d.across)/coord.Scale, 180), min((d.lat+d.reach)/coord.Scale, 90)},
	}
}

// relate measures the distances to the nearest and the farthest point of the box, which is a trapezium on the map.
func (d *disc) relate(b *box) Relation {
	west, south, east, north := b.west-d.lng, b.south-d.lat, b.east-d.lng, b.north-d.lat
	if d.reach == 0 || west >= d.across || east <= -d.across || south >= d.reach || north <= -d.reach {
		return Outside
	}
	// The nearest, with the minimum width of a unit of longitude.
	x, y := 0.0, 0.0
	if west > 0 {
		x = west
	} else if east < 0 {
		x = east
	}
	if south > 0 {
		y = south
	} else if north < 0 {
		y = north
	}
	x *= d.narrow
	y *= d.north
	if x*x+y*y >= 1 {
		return Outside
	}
	// The farthest, with the maximum width.
	if -west > east {
		east = -west
	}
	if -south > north {
		north = -south
	}
	x = east * d.wide
	y = north * d.north
	if x*x+y*y <= 1 {
		return Inside
	}
	return Across
}

// share adds up, edge by edge, the signed areas of the triangles of edge and centre as far as they are inside the circle: by
// Green's theorem their sum is the area. A chain of edges outside of the circle contributes one sector, given by the angle
// between its ends, unless the box contains the centre.
func (d *disc) share(a coord.Area, b *box) float64 {
	if d.reach == 0 {
		return 0
	}
	around := d.lng >= b.west && d.lng <= b.east && d.lat >= b.south && d.lat <= b.north
	var inside, total, size float64
	within, outside := true, true
	for i := range a.Ends {
		ring := a.Ring(i)
		if len(ring) == 0 {
			continue // damaged
		}
		px, py := d.project(float64(ring[0].Lng), float64(ring[0].Lat))
		pp := px*px + py*py
		ox, oy := px, py // start of the chain outside
		for _, v := range ring[1:] {
			qx, qy := d.project(float64(v.Lng), float64(v.Lat))
			qq := qx*qx + qy*qy
			cross := px*qy - py*qx
			total += cross
			size += math.Abs(cross)
			if pp <= 1 && qq <= 1 {
				inside += cross
				outside = false
			} else {
				within = false
				dx, dy := qx-px, qy-py
				dd := dx*dx + dy*dy
				along := px*dx + py*dy // p · (q − p)
				square := along*along - dd*(pp-1)
				if pp <= 1 || qq <= 1 || square > 0 && along < 0 && along+dd > 0 {
					// The edge is inside the circle from p + in·(q − p) to p + out·(q − p).
					outside = false
					root := math.Sqrt(max(square, 0))
					in, out := 0.0, 1.0
					if pp > 1 {
						in = (-along - root) / dd
						x, y := px+in*dx, py+in*dy
						inside += angle(ox*y-oy*x, ox*x+oy*y)
					}
					if qq > 1 {
						out = (root - along) / dd
						ox, oy = px+out*dx, py+out*dy
					}
					inside += (out - in) * cross
				}
				if around && qq > 1 {
					inside += angle(ox*qy-oy*qx, ox*qx+oy*qy)
					ox, oy = qx, qy
				}
			}
			px, py, pp = qx, qy, qq
		}
		if pp > 1 {
			inside += angle(ox*py-oy*px, ox*px+oy*py)
		}
	}
	if !(math.Abs(total) > 1e-12*size) {
		return corner(a, d.contains)
	}
	switch {
	case within:
		return 1
	case outside && math.Abs(inside) < math.Pi:
		return 0 // except for rounding; else the edges go once around the circle
	}
	return share(inside, total)
}

func (d *disc) project(lng, lat float64) (x, y float64) {
	dx, dy := lng-d.lng, lat-d.lat
	return dx * (d.east + d.lngCorrection*dy), dy * d.north
}

func (d *disc) contains(lng, lat float64) bool {
	x, y := d.project(lng, lat)
	return x*x+y*y < 1
}

// angle is the angle between two vectors, twice the area of their sector of the unit circle.
func angle(cross, dot float64) float64 {
	if math.Abs(cross) > 0.1*dot {
		return math.Atan2(cross, dot)
	}
	t := cross / dot
	u := t * t
	return t * (1 - u*(1./3-u*(1./5-u*(1./7-u*(1./9-u*(1./11-u*(1./13-u/15)))))))
}
