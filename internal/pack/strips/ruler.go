package strips

import (
	"math"

	"github.com/paulmach/orb"

	"quartier/internal/coord"
	"quartier/internal/geo"
)

const (
	unit     = geo.Radian / coord.Scale // radians in a unit
	halfTurn = 180 * coord.Scale
)

// A ruler uses the mid-latitude formula for points up to closeUnits east or west of the origin, and as far north or south,
// or poleShare of the way to the nearer pole if that is less.
const (
	closeUnits = 4 * coord.Scale
	poleShare  = 0.4
)

// ruler measures distances from one point. To close points it uses the mid-latitude formula: the hypotenuse of the
// differences in latitude and longitude, in metres at the latitude half-way. The length of a degree there is a Taylor
// series around the origin, so that a distance needs no trigonometry; it is within 0.1 % of the ellipsoid. To all other
// points it is geo.Distance, within 0.01 %. It is more exact than coord.Plane, whose error grows with the distance.
type ruler struct {
	lng, lat       float64 // origin, in units
	tall           float64 // units of latitude from the origin up to which points are close
	x0, x1, x2, x3 float64 // metres in a unit of longitude, by units of difference in latitude
	y0, y1, y2     float64 // metres in a unit of latitude, also
}

func newRuler(lng, lat float64) ruler {
	sin, cos := math.Sincos(lat * geo.Radian)
	w2 := 1 - geo.Eccentricity2*sin*sin
	m := geo.SemiMajorM * (1 - geo.Eccentricity2) / (w2 * math.Sqrt(w2)) // meridional radius, and its first two derivatives
	m1 := 3 * m * geo.Eccentricity2 * sin * cos / w2
	m2 := 3 * m * geo.Eccentricity2 * (cos*cos - sin*sin) / w2
	x := geo.SemiMajorM * cos / math.Sqrt(w2) // radius of the parallel; its derivative is -m·sin
	x1 := -m * sin
	x2 := -m*cos - m1*sin
	x3 := m*sin - 2*m1*cos - m2*sin
	half := unit / 2 // the middle moves half as far as the other end
	return ruler{
		lng: lng * coord.Scale, lat: lat * coord.Scale,
		tall: min(closeUnits, poleShare*(90-math.Abs(lat))*coord.Scale),
		x0:   x * unit, x1: x1 * unit * half, x2: x2 / 2 * unit * half * half, x3: x3 / 6 * unit * half * half * half,
		y0: m * unit, y1: m1 * unit * half, y2: m2 / 2 * unit * half * half,
	}
}

// perLng is the metres in a unit of longitude, north units of latitude from the origin.
func (r *ruler) perLng(north float64) float64 {
	return r.x0 + north*(r.x1+north*(r.x2+north*r.x3))
}

// perLat is the metres in a unit of latitude there.
func (r *ruler) perLat(north float64) float64 {
	return r.y0 + north*(r.y1+north*r.y2)
}

// squared is the square of the distance in metres to p.
func (r *ruler) squared(p coord.Point) float64 {
	north := float64(p.Lat) - r.lat
	east := float64(p.Lng) - r.lng
	if east > halfTurn {
		east -= 2 * halfTurn
	} else if east < -halfTurn {
		east += 2 * halfTurn
	}
	if math.Abs(east) > closeUnits || math.Abs(north) > r.tall {
		d := r.far(p)
		return d * d
	}
	return r.squaredClose(east, north)
}

// squaredClose is the square of the distance in metres to a close point, so many units east and north of the origin.
func (r *ruler) squaredClose(east, north float64) float64 {
	x := east * r.perLng(north)
	y := north * r.perLat(north)
	return x*x + y*y
}

// far is the distance in metres to a point that is not close.
func (r *ruler) far(p coord.Point) float64 {
	lng, lat := p.Degrees()
	return geo.Distance(orb.Point{r.lng / coord.Scale, r.lat / coord.Scale}, orb.Point{lng, lat})
}

// reach is, for a strip of latitudes and a distance in metres, the differences of longitude in units up to which all points
// of the strip are within that distance (inner) and beyond which none is (outer); between them the distance has to be
// computed. Inner is negative if there are none, outer if the strip is out of reach.
func (r *ruler) reach(south, north float64, metres float64) (inner, outer float64) {
	const slack = 1e-5 // more than the curvature of the lengths inside a strip
	a, b := south-r.lat, north-r.lat
	if max(math.Abs(a), math.Abs(b)) > r.tall {
		return -1, reachFar(max(a, -b, 0), metres)
	}
	nearest, farthest := 0.0, max(math.Abs(a*r.perLat(a)), math.Abs(b*r.perLat(b)))*(1+slack)
	if a > 0 {
		nearest = a * r.perLat(a) * (1 - slack)
	} else if b < 0 {
		nearest = -b * r.perLat(b) * (1 - slack)
	}
	if !(nearest <= metres) {
		return -1, -1
	}
	wide, narrow := max(r.perLng(a), r.perLng(b))*(1+slack), min(r.perLng(a), r.perLng(b))*(1-slack)
	outer = math.Sqrt(metres*metres-nearest*nearest)/narrow + 2
	if outer > closeUnits/2 { // some points in reach may not be close; half of that is safe for both formulas
		return -1, halfTurn
	}
	inner = -1
	if farthest < metres {
		inner = math.Sqrt(metres*metres-farthest*farthest)/wide - 2
	}
	return inner, outer
}

// reachFar is the outer reach in a strip that is at least a number of units of latitude away and not close: all longitudes,
// unless the distance along the meridian is too long.
func reachFar(away, metres float64) float64 {
	const minUnit = geo.SemiMajorM * (1 - geo.Eccentricity2) * unit * (1 - 1e-3) // metres in a unit at the equator, the minimum
	if away*minUnit > metres {
		return -1
	}
	return halfTurn
}
