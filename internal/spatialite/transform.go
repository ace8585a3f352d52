package spatialite

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"

	"github.com/paulmach/orb"
)

// WGS84 is the reference system of every staged geometry: longitude and latitude in degrees.
const WGS84 = "EPSG:4326"

// ErrCRS marks a reference system that PROJ does not understand.
var ErrCRS = errors.New("unknown coordinate reference system")

// resolved has what Resolve returned for a definition: to identify one, PROJ compares it with all that it knows.
var resolved sync.Map

// Resolve returns "EPSG:4326" for any WKT of WGS 84 and every other definition unchanged. A definition is a code
// ("EPSG:3347", "ESRI:102003"), WKT (OGC or ESRI) or a PROJ string. It wraps ErrCRS if PROJ does not understand it.
func (k *Kernel) Resolve(definition string) (string, error) {
	definition = strings.TrimSpace(definition)
	if strings.HasPrefix(definition, "+") && !strings.Contains(definition, "+type=crs") {
		definition += " +type=crs"
	}
	if known, ok := resolved.Load(definition); ok {
		return known.(string), nil
	}
	found, err := k.resolve(definition)
	if err == nil {
		resolved.Store(definition, found)
	}
	return found, err
}

func (k *Kernel) resolve(definition string) (string, error) {
	// The point may be outside of the system's area of use and become infinite; only NULL means that PROJ refused.
	if _, err := geometry(k.transform, encode(orb.Point{0, 0}), definition, WGS84); err != nil {
		return "", fmt.Errorf("%w: %.200q", ErrCRS, definition)
	}
	if !strings.Contains(definition, "[") {
		return definition, nil
	}
	var srid int
	if err := k.guess.QueryRow(definition).Scan(&srid); err != nil {
		return "", fmt.Errorf("resolve reference system: %w", err)
	}
	if srid == 4326 {
		return WGS84, nil
	}
	return definition, nil
}

// Transform projects points from one reference system to another in place, always with longitude or easting first.
// Definitions are as in Resolve. Few calls with many points are far faster than many calls. A point that cannot be
// projected or is not finite becomes NaN, NaN; lost is the number of those.
func (k *Kernel) Transform(points []orb.Point, from, to string) (lost int, err error) {
	if from == to || len(points) == 0 {
		return countNonFinite(points), nil
	}
	line := make(orb.LineString, 0, len(points)+2)
	line = append(line, points...)
	for len(line) < 2 {
		line = append(line, line[0])
	}
	g, err := geometry(k.transform, encode(line), from, to)
	if err != nil {
		return 0, fmt.Errorf("project %d points from %.200s to %.200s: %w", len(points), from, to, err)
	}
	projected, ok := g.(orb.LineString)
	if !ok || len(projected) != len(line) {
		return 0, fmt.Errorf("project %d points from %.200s to %.200s: got %d", len(points), from, to, len(projected))
	}
	copy(points, projected)
	return countNonFinite(points), nil
}

// countNonFinite sets every point that is not finite to NaN in both coordinates and counts them.
func countNonFinite(points []orb.Point) int {
	lost := 0
	for i, p := range points {
		if !finite(p) {
			points[i] = orb.Point{math.NaN(), math.NaN()}
			lost++
		}
	}
	return lost
}
