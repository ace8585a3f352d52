package source

import "github.com/paulmach/orb"

// The box of Canada and the United States in degrees: Puerto Rico and Hawaii in the south, Ellesmere Island in the north,
// Newfoundland in the east. The Aleutians cross the antimeridian.
const (
	boxSouth, boxNorth   = 15.0, 84.0
	boxEast, boxAleutian = -50.0, 170.0 // longitudes −180 to boxEast and boxAleutian to 180
)

// InNorthAmerica reports whether a point may be in Canada or the United States. It is false if latitude and longitude are
// swapped, and for invalid coordinates.
func InNorthAmerica(p orb.Point) bool {
	return p[1] >= boxSouth && p[1] <= boxNorth && (p[0] >= -180 && p[0] <= boxEast || p[0] >= boxAleutian && p[0] <= 180)
}
