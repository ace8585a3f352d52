package geo

import "math"

// The WGS 84 ellipsoid.
const (
	SemiMajorM    = 6378137.0 // metres
	Flattening    = 1 / 298.257223563
	Eccentricity2 = Flattening * (2 - Flattening) // the square of the first eccentricity
	Radian        = math.Pi / 180                 // radians in a degree

	semiMinor    = SemiMajorM * (1 - Flattening)  // metres
	meanRadius   = (2*SemiMajorM + semiMinor) / 3 // metres
	maxLatitude  = 90.0                           // degrees
	maxLongitude = 180.0                          // degrees
)

// Round figures for a degree of latitude, which is 110,574 m long at the equator and 111,694 m at the poles. Both only
// size a search whose hits are measured afterwards.
const (
	// MinDegreeM is below the length of every degree: a search with it misses nothing.
	MinDegreeM = 110e3
	// StripDegreeM sets the height of the strips of a point index. It differs from MinDegreeM because floating-point
	// sums are taken in the order of the strips: another height would change the last digits of released sums.
	StripDegreeM = 111_200.0
)

// MetresPerDegree is the length in metres of a degree of longitude and of latitude on the ellipsoid, at a latitude in
// degrees.
func MetresPerDegree(lat float64) (lng, latitude float64) {
	sin, cos := math.Sincos(lat * Radian)
	w2 := 1 - Eccentricity2*sin*sin
	normal := SemiMajorM / math.Sqrt(w2)
	meridional := normal * (1 - Eccentricity2) / w2
	return normal * cos * Radian, meridional * Radian
}
