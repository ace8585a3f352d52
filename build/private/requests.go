package private

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"

	"quartier/build/assembly"
	"quartier/build/files"
	"quartier/internal/geo"
	"quartier/internal/spatialite"
	"quartier/internal/wkt"
	"quartier/schemas"
	"quartier/schemas/reason"
	"quartier/schemas/release"
	"quartier/schemas/staged"
)

// request is a request with what becomes of it.
type request struct {
	*schemas.Request
	position int // in the file

	geography assembly.Geography
	outline   orb.MultiPolygon
	problem   string        // why it cannot be built; "": it can
	why       reason.Reason // the same, without figures
	geogID    string        // that it has now; "": none
}

// Why requests cannot be built.
var (
	reasons         reason.List
	invalidBoundary = reasons.Rejected("invalid_boundary", "The boundary of the custom geography is not a simple polygon.")
	outsideRelease  = reasons.Rejected("outside_release",
		"The centroid of the custom geography is outside of the states and provinces of the release.")
	noLand     = reasons.Rejected("no_land", "The custom geography has no land.")
	notCovered = reasons.Rejected("not_covered",
		"Neither the streets nor the small areas of the release cover enough of the custom geography.")
	unverified     = reasons.Rejected("unverified", "What was built of the custom geography does not verify.")
	neverPublished = reasons.Skipped("never_published", "A custom geography that was never published cannot be deprecated.")
)

// refuse records why the request cannot be built.
func (q *request) refuse(why reason.Reason, format string, args ...any) {
	q.why, q.problem = why, fmt.Sprintf(format, args...)
}

// row is the row of private.sqlite.
func (q *request) row() release.CustomRequest {
	return release.CustomRequest{
		GeoEntityID: q.ID, Position: int64(q.position), Owner: q.Customer, Version: q.Version, Action: q.Action, NameEN: q.NameEN,
		NameFR: q.NameFR,
		Type:   q.Type, Boundaries: q.Boundaries, Published: q.GeogID, GeogID: q.geogID, Problem: q.problem, Code: q.why.Code,
	}
}

// outcomes are what became of the requests, in the order of the file.
func (b *builder) outcomes() *schemas.Outcomes {
	out := &schemas.Outcomes{
		Schema: schemas.RequestsSchema, Update: b.Requests.Update, Requests: b.SHA256, Outcomes: make([]schemas.Outcome, len(b.requests)),
	}
	for _, q := range b.requests {
		out.Outcomes[q.position] = schemas.Outcome{ID: q.ID, Version: q.Version, GeogID: q.geogID, Problem: q.problem, Code: q.why.Code}
	}
	return out
}

// issues counts the requests that cannot be built, with one of each kind.
func (b *builder) issues() (issues []release.Issue) {
	for _, why := range reasons {
		issue := release.Issue{Step: files.CustomStep,
			Issue: staged.Issue{Severity: string(why.Severity), Code: why.Code, Description: why.Description}}
		for _, q := range b.requests {
			if q.why.Code != why.Code {
				continue
			}
			if issue.Rows++; issue.Example == "" {
				issue.Example = q.ID
			}
		}
		if issue.Rows > 0 {
			issues = append(issues, issue)
		}
	}
	slices.SortFunc(issues, func(a, c release.Issue) int {
		return cmp.Or(cmp.Compare(a.Severity, c.Severity), cmp.Compare(a.Code, c.Code))
	})
	return issues
}

// antimeridian divides outlines that cross it. The kernel is started for the first one.
type antimeridian struct{ kernel *spatialite.Kernel }

func (a *antimeridian) close() {
	if a.kernel != nil {
		a.kernel.Close()
	}
}

// read reads the boundary of a request: sets its outline and returns the centroid of its area, or refuses it.
func (a *antimeridian) read(q *request) (centroid orb.Point, err error) {
	ring, err := wkt.ParseRing(q.Boundaries, len(q.Boundaries))
	if err != nil {
		q.refuse(invalidBoundary, "Its boundary cannot be read: %v.", err)
		return centroid, nil
	}
	ring = wkt.Unwrap(ring)
	if ring[0] != ring[len(ring)-1] {
		q.refuse(invalidBoundary, "Its boundary goes around a pole.")
		return centroid, nil
	}
	if problem := wkt.SelfContact(ring); problem != "" {
		q.refuse(invalidBoundary, "Its boundary is not simple: %s.", problem)
		return centroid, nil
	}
	if ring.Orientation() == orb.CW {
		ring.Reverse()
	}
	centroid, _ = planar.CentroidArea(ring)
	centroid[0] -= 360 * math.Round(centroid[0]/360)
	q.outline, err = a.divide(ring)
	return centroid, err
}

// divide returns the polygon of a ring with longitudes from −180 to 180. One from 179 to 181 becomes one from 179 to 180 and one
// from −180 to −179.
func (a *antimeridian) divide(ring orb.Ring) (parts orb.MultiPolygon, err error) {
	whole, box := orb.MultiPolygon{{ring}}, ring.Bound()
	if box.Min[0] >= -180 && box.Max[0] <= 180 {
		return whole, nil
	}
	if a.kernel == nil {
		if a.kernel, err = spatialite.NewKernel(); err != nil {
			return nil, err
		}
	}
	for turn := math.Floor((box.Min[0] + 180) / 360); 360*turn-180 < box.Max[0]; turn++ {
		west := 360*turn - 180
		part, err := a.kernel.Intersection(whole, orb.MultiPolygon{{{{west, -90}, {west + 360, -90}, {west + 360, 90}, {west, 90}, {west, -90}}}})
		if err != nil {
			return nil, err
		}
		for _, polygon := range part {
			for _, ring := range polygon {
				for i := range ring {
					ring[i][0] -= 360 * turn
				}
			}
			parts = append(parts, polygon)
		}
	}
	return parts, nil
}

// measure sets area, box and a point inside, or refuses an outline without.
func (q *request) measure() {
	g := &q.geography
	inside := false
	g.Centroid, inside = geo.InteriorPoint(q.outline)
	g.AreaM2, g.Bound = geo.Area(q.outline), q.outline.Bound()
	if !inside || !(g.AreaM2 > 0) {
		q.refuse(invalidBoundary, "Its boundary has an area of %s m².", strconv.FormatFloat(g.AreaM2, 'f', -1, 64))
	}
}
