package source

import "github.com/paulmach/orb"

// The box that holds Canada and the United States, in degrees: Puerto Rico and Hawaii in the south, Ellesmere Island in
// the north, Newfoundland in the east. The Aleutians reach over the antimeridian.
const (
	boxSouth, boxNorth   = 15.0, 84.0
	boxEast, boxAleutian = -50.0, 170.0 // east of −180 up to the one, and from the other on to 180
)

// InNorthAmerica reports whether a point may lie in Canada or the United States. It is false where latitude and
// longitude are swapped, and for what is not a place on Earth at all.
func InNorthAmerica(p orb.Point) bool {
	return p[1] >= boxSouth && p[1] <= boxNorth && (p[0] >= -180 && p[0] <= boxEast || p[0] >= boxAleutian && p[0] <= 180)
}
