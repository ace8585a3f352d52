package custom

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

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

// boundaries are those of a request.
type boundaries struct {
	text     string    // with coordinates of at most 7 decimals, which are what is checked
	ring     orb.Ring  // whose longitudes go on at the antimeridian
	centroid orb.Point // of the area, with a longitude from −180 to 180
}

// checkBoundaries checks boundaries but for where they are. It lets others have their turn between steps of a millisecond or two.
func checkBoundaries(text string, yield func() bool) (boundaries, error) {
	if len(text) > maxBoundaries {
		return boundaries{}, param.Bad("boundaries", param.TooLong, "boundaries have %d characters, at most %d are allowed", len(text),
			maxBoundaries)
	}
	rounded := roundDecimals(text)
	ring, err := wkt.ParseRing(rounded, maxBoundaries)
	switch {
	case errors.Is(err, wkt.ErrRange):
		return boundaries{}, broken(param.OutOfRange, "%v", err)
	case err != nil:
		return boundaries{}, param.Bad("boundaries", param.Malformed, "boundaries: %v", err)
	}
	yield()
	ring = wkt.Unwrap(ring)
	if ring[0] != ring[len(ring)-1] {
		return boundaries{}, broken(param.OutOfRange, "the ring goes around a pole")
	}
	if problem := wkt.SelfContact(ring); problem != "" {
		return boundaries{}, broken(param.BadShape, "%s", problem)
	}
	yield()
	area := geo.Area(orb.MultiPolygon{{ring}}) / 1e6
	if !(area >= minArea && area <= maxArea) {
		reason := param.TooSmall
		if area > maxArea {
			reason = param.TooLarge
		}
		return boundaries{}, broken(reason, "an area of %s km², it must be from %v to %d", strconv.FormatFloat(area, 'f', 6, 64),
			minArea, maxArea)
	}
	centroid, _ := planar.CentroidArea(ring)
	centroid[0] -= 360 * math.Round(centroid[0]/360)
	return boundaries{rounded, ring, centroid}, nil
}

// checkPlace checks where boundaries are. Only with acceptUncovered the release need not have data there.
func (b *boundaries) checkPlace(r *endpoint.Request, acceptUncovered bool) error {
	lng, lat := b.centroid[0], b.centroid[1]
	err := r.Release.CheckCountry(lng, lat)
	if err == nil && !acceptUncovered {
		err = r.Release.CheckCovered(b.ring, lng, lat)
	}
	switch {
	case errors.Is(err, scope.ErrAbroad):
		return broken(param.Abroad, "the centroid, longitude %.7g latitude %.7g, is outside Canada and the United States", lng, lat)
	case errors.Is(err, scope.ErrUncovered):
		return broken(param.NotCovered, "the centroid is at longitude %.7g latitude %.7g; %v", lng, lat, err)
	}
	return err
}

// maxDecimals is the number of decimals of coordinates, about a centimetre.
const maxDecimals = 7

// roundDecimals rounds the numbers of a text that have more decimals.
func roundDecimals(text string) string {
	var out strings.Builder
	done := 0 // of the text
	for point := strings.IndexByte(text, '.'); point >= 0; {
		start, end := point, point+1
		for start > done && isDigit(text[start-1]) {
			start--
		}
		for end < len(text) && isDigit(text[end]) {
			end++
		}
		if start < point && end-point-1 > maxDecimals {
			if start > done && text[start-1] == '-' {
				start--
			}
			out.WriteString(text[done:start])
			out.WriteString(roundDecimal(text[start:end]))
			done = end
		}
		next := strings.IndexByte(text[end:], '.')
		if point = end + next; next < 0 {
			break
		}
	}
	if done == 0 {
		return text
	}
	out.WriteString(text[done:])
	return out.String()
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// roundDecimal rounds a number.
func roundDecimal(number string) string {
	v, err := strconv.ParseFloat(number, 64)
	if err != nil {
		return number // too large, which is refused later
	}
	return strconv.FormatFloat(v, 'f', maxDecimals, 64)
}
