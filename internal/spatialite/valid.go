package spatialite

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"

	"quartier/internal/geo"
)

// ErrZeroArea marks an outline without area after repair: a point, a line, nothing.
var ErrZeroArea = errors.New("outline encloses no area")

// ErrUnrepairable marks an outline that stays invalid after repair, or that GEOS cannot process.
var ErrUnrepairable = errors.New("outline cannot be repaired")

// ErrNotFinite marks an outline with a NaN or infinite coordinate; it is never repaired.
var ErrNotFinite = errors.New(notFinite)

// Flaw is why a geometry is invalid; the zero value means that it is valid.
type Flaw struct {
	Reason string    // lower case, GEOS's term or one of tidy's: "self-intersection", "ring self-intersection", "unclosed ring" …
	At     orb.Point // if HasAt
	HasAt  bool
}

// OK reports whether the geometry is valid.
func (f Flaw) OK() bool { return f.Reason == "" }

// Validate finds the first flaw of g by the rules of OGC simple features: closed rings of four points or more that
// neither cross nor touch themselves along a line, holes inside their outer ring, parts that do not overlap.
func (k *Kernel) Validate(g orb.MultiPolygon) (Flaw, error) {
	_, flaw, err := tidy(g)
	if err != nil || !flaw.OK() {
		return flaw, err
	}
	return k.topology(g)
}

// MakeValid returns g as a valid geometry with outer rings counter-clockwise and holes clockwise, and the first flaw
// it had. A self-intersecting polygon keeps its inside by the even-odd rule, as GIS programs draw it; parts that overlap
// are joined; lines and points are dropped, and so are parts and holes smaller than sliverM2 unless nothing else would
// be left. Coordinates are degrees. It wraps ErrZeroArea if no area is left, ErrNotFinite if a coordinate is not a
// number and ErrUnrepairable if repair fails.
func (k *Kernel) MakeValid(g orb.MultiPolygon) (orb.MultiPolygon, Flaw, error) {
	tidied, flaw, err := tidy(g)
	if err != nil {
		return nil, flaw, err
	}
	if len(tidied) == 0 {
		return nil, flaw, ErrZeroArea
	}
	topology, err := k.topology(tidied)
	if err != nil {
		return nil, flaw, err
	}
	if topology.OK() {
		return orient(tidied), flaw, nil
	}
	if flaw.OK() {
		flaw = topology
	}
	repaired, err := k.repair(tidied)
	return repaired, flaw, err
}

// repair rebuilds each invalid polygon from the faces of its noded rings and joins the parts.
func (k *Kernel) repair(g orb.MultiPolygon) (orb.MultiPolygon, error) {
	var parts orb.MultiPolygon
	for _, polygon := range g {
		flaw, err := k.topology(orb.MultiPolygon{polygon})
		if err != nil {
			return nil, err
		}
		if flaw.OK() {
			parts = append(parts, polygon)
			continue
		}
		faces, err := k.faces(polygon)
		if err != nil {
			return nil, err
		}
		parts = append(parts, faces...)
	}
	if len(parts) == 0 {
		return nil, ErrZeroArea
	}
	repaired, err := k.Union(parts)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnrepairable, err)
	}
	repaired = withoutSlivers(repaired)
	flaw, err := k.topology(repaired)
	if err != nil {
		return nil, err
	}
	if !flaw.OK() {
		return nil, fmt.Errorf("%w: %s remains", ErrUnrepairable, flaw.Reason)
	}
	return repaired, nil
}

// sliverM2 is the maximum area in m² of the slivers that repair leaves where two edges of a ring nearly coincide.
const sliverM2 = 1

// withoutSlivers drops parts and holes that are slivers; it returns g if all its parts are.
func withoutSlivers(g orb.MultiPolygon) orb.MultiPolygon {
	isSliver := func(ring orb.Ring) bool { return geo.Area(orb.MultiPolygon{{ring}}) < sliverM2 }
	var left orb.MultiPolygon
	for _, polygon := range g {
		if isSliver(polygon[0]) {
			continue
		}
		rings := orb.Polygon{polygon[0]}
		for _, hole := range polygon[1:] {
			if !isSliver(hole) {
				rings = append(rings, hole)
			}
		}
		left = append(left, rings)
	}
	if len(left) == 0 {
		return g
	}
	return left
}

// faces cuts the plane along the rings of an invalid polygon and returns the pieces that are inside by the even-odd
// rule.
func (k *Kernel) faces(p orb.Polygon) (orb.MultiPolygon, error) {
	lines := make(orb.MultiLineString, 0, len(p))
	for _, ring := range p {
		lines = append(lines, orb.LineString(ring))
	}
	g, err := geometry(k.polygonize, encode(lines))
	if errors.Is(err, errNull) { // rings without an area
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var inside orb.MultiPolygon
	for _, face := range Polygons(g) {
		point, err := k.PointOnSurface(orb.MultiPolygon{face})
		if err != nil {
			return nil, err
		}
		odd := false
		for _, ring := range p {
			odd = odd != planar.RingContains(ring, point)
		}
		if odd {
			inside = append(inside, face)
		}
	}
	return inside, nil
}

// reasonForm is the form of GEOS's reason, e.g. "Ring Self-intersection[-122.5 45.5]".
var reasonForm = regexp.MustCompile(`^([^\[]+)\[(\S+) (\S+)\]`)

// topology returns the first flaw that GEOS finds in rings that tidy has passed.
func (k *Kernel) topology(g orb.MultiPolygon) (Flaw, error) {
	var answer *string
	if err := k.reason.QueryRow(encode(g)).Scan(&answer); err != nil {
		return Flaw{}, fmt.Errorf("validate: %w", err)
	}
	if answer == nil {
		return Flaw{Reason: "unreadable geometry"}, nil
	}
	if *answer == "Valid Geometry" {
		return Flaw{}, nil
	}
	parts := reasonForm.FindStringSubmatch(*answer)
	if parts == nil {
		return Flaw{Reason: strings.ToLower(*answer)}, nil
	}
	flaw := Flaw{Reason: strings.ToLower(parts[1])}
	x, errX := strconv.ParseFloat(parts[2], 64)
	y, errY := strconv.ParseFloat(parts[3], 64)
	if errX == nil && errY == nil {
		flaw.At, flaw.HasAt = orb.Point{x, y}, true
	}
	return flaw, nil
}

// tidy does the repairs that need no topology: it closes open rings and drops rings with fewer than three different points,
// together with the holes of a dropped outer ring. It copies what it changes.
func tidy(g orb.MultiPolygon) (tidied orb.MultiPolygon, first Flaw, err error) {
	if len(g) == 0 {
		return nil, Flaw{Reason: "no outline"}, nil
	}
	for _, polygon := range g {
		var rings orb.Polygon
		for i, ring := range polygon {
			closed, flaw := tidyRing(ring)
			if flaw == notFinite {
				return nil, Flaw{Reason: flaw}, ErrNotFinite
			}
			if first.OK() && flaw != "" {
				first.Reason = flaw
				if first.HasAt = len(ring) > 0; first.HasAt {
					first.At = ring[0]
				}
			}
			if closed != nil {
				rings = append(rings, closed)
			} else if i == 0 {
				break
			}
		}
		if rings != nil {
			tidied = append(tidied, rings)
		}
	}
	return tidied, first, nil
}

// notFinite is the flaw of a ring with a coordinate that is not a number.
const notFinite = "coordinate is not a finite number"

// tidyRing closes a ring; closed is nil if the ring is to be dropped, and flaw is "" if nothing was wrong.
func tidyRing(ring orb.Ring) (closed orb.Ring, flaw string) {
	for _, p := range ring {
		if !finite(p) {
			return nil, notFinite
		}
	}
	if len(ring) > 0 && ring[0] != ring[len(ring)-1] {
		flaw = "unclosed ring"
		ring = append(append(make(orb.Ring, 0, len(ring)+1), ring...), ring[0])
	}
	if len(ring) < 4 {
		return nil, "ring of fewer than three points"
	}
	return ring, flaw
}

func finite(p orb.Point) bool {
	return !math.IsNaN(p[0]-p[0]) && !math.IsNaN(p[1]-p[1])
}
