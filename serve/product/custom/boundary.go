package custom

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"strconv"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"

	"quartier/internal/geo"
	"quartier/internal/wkt"
	"quartier/serve/endpoint"
	"quartier/serve/param"
	"quartier/serve/scope"
)

// The area of a custom geography on the ellipsoid in square kilometres, both ends included.
const (
	minArea = 0.1
	maxArea = 20_000
)

// broken names a broken rule and the measured value. It is ErrBoundaries.
func broken(reason param.Reason, format string, args ...any) error {
	return &param.Error{Kind: ErrBoundaries, Parameter: "boundaries", Reason: reason, Detail: "boundaries: " + fmt.Sprintf(format, args...)}
}

// checkBoundaries checks boundaries but for where they are. It returns them with coordinates of at most 7 decimals, which are
// what is checked, and the centroid of the area, with a longitude from −180 to 180.
func checkBoundaries(text string) (rounded string, centroid orb.Point, err error) {
	if len(text) > maxBoundaries {
		return "", centroid, param.Bad("boundaries", param.TooLong, "boundaries have %d characters, at most %d are allowed", len(text), maxBoundaries)
	}
	rounded = longDecimal.ReplaceAllStringFunc(text, roundDecimal)
	ring, err := wkt.ParseRing(rounded, maxBoundaries)
	switch {
	case errors.Is(err, wkt.ErrRange):
		return "", centroid, broken(param.OutOfRange, "%v", err)
	case err != nil:
		return "", centroid, param.Bad("boundaries", param.Malformed, "boundaries: %v", err)
	}
	ring = wkt.Unwrap(ring)
	if ring[0] != ring[len(ring)-1] {
		return "", centroid, broken(param.OutOfRange, "the ring goes around a pole")
	}
	if problem := wkt.SelfContact(ring); problem != "" {
		return "", centroid, broken(param.BadShape, "%s", problem)
	}
	area := geo.Area(orb.MultiPolygon{{ring}}) / 1e6
	if !(area >= minArea && area <= maxArea) {
		reason := param.TooSmall
		if area > maxArea {
			reason = param.TooLarge
		}
		return "", centroid, broken(reason, "an area of %s km², it must be from %v to %d", strconv.FormatFloat(area, 'f', 6, 64), minArea, maxArea)
	}
	centroid, _ = planar.CentroidArea(ring)
	centroid[0] -= 360 * math.Round(centroid[0]/360)
	return rounded, centroid, nil
}

// checkCentroid checks where boundaries are.
func checkCentroid(r *endpoint.Request, centroid orb.Point) error {
	err := r.Release.CheckCountry(centroid[0], centroid[1])
	if errors.Is(err, scope.ErrAbroad) {
		return broken(param.Abroad, "the centroid, longitude %.7g latitude %.7g, is outside Canada and the United States", centroid[0], centroid[1])
	}
	return err
}

var longDecimal = regexp.MustCompile(`-?[0-9]+\.[0-9]{8,}`)

// roundDecimal rounds a number to 7 decimals, about a centimetre.
func roundDecimal(number string) string {
	v, err := strconv.ParseFloat(number, 64)
	if err != nil {
		return number // too large, which is refused later
	}
	return strconv.FormatFloat(v, 'f', 7, 64)
}
