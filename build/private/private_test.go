package private

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/paulmach/orb"

	"quartier/build/identity"
	"quartier/internal/geo"
	"quartier/internal/spatialite/spatialitetest"
	"quartier/schemas"
)

func TestCollidingIDsFail(t *testing.T) {
	versions := []identity.Version{{Key: "custom:a", Number: 1, ID: "g10_aaaaaaaaaa"}, {Key: "custom:b", Number: 2, ID: "g10_bbbbbbbbbb"}}
	err := unique(versions, func(id string) (bool, error) { return id == "g10_bbbbbbbbbb", nil })
	if err == nil || !strings.Contains(err.Error(), "g10_bbbbbbbbbb of custom:b version 2 collides") {
		t.Errorf("error %v", err)
	}
	if err := unique(versions, func(string) (bool, error) { return false, nil }); err != nil {
		t.Error(err)
	}
	if err := unique(versions, func(string) (bool, error) { return false, context.Canceled }); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// TestBoundaries reads boundaries of requests: those that cross the antimeridian are divided there, without losing area.
func TestBoundaries(t *testing.T) {
	spatialitetest.Need(t)
	for _, c := range []struct {
		name, text, problem string
		parts               int
		centroid            orb.Point
	}{
		{"a square", "POLYGON ((0 0, 1 0, 1 1, 0 1, 0 0))", "", 1, orb.Point{0.5, 0.5}},
		{"clockwise", "POLYGON ((0 0, 0 1, 1 1, 1 0, 0 0))", "", 1, orb.Point{0.5, 0.5}},
		{"across the antimeridian", "POLYGON ((179 51, -178 51, -178 52, 179 52, 179 51))", "", 2, orb.Point{-179.5, 51.5}},
		{"across it from the east", "POLYGON ((-179 51, -179 52, 178 52, 178 51, -179 51))", "", 2, orb.Point{179.5, 51.5}},
		{"up to it", "POLYGON ((179 51, 180 51, 180 52, 179 52, 179 51))", "", 1, orb.Point{179.5, 51.5}},
		{"around the pole", "POLYGON ((0 80, 120 80, -120 80, 0 80))", "goes around a pole", 0, orb.Point{}},
		{"no polygon", "LINESTRING (0 0, 1 1)", "cannot be read", 0, orb.Point{}},
		{"not closed", "POLYGON ((0 0, 1 0, 1 1))", "cannot be read", 0, orb.Point{}},
		{"a bow tie", "POLYGON ((0 0, 1 1, 1 0, 0 1, 0 0))", "is not simple", 0, orb.Point{}},
		{"empty", "", "cannot be read", 0, orb.Point{}},
	} {
		q := &request{Request: &schemas.Request{Boundaries: c.text}}
		line := &antimeridian{}
		centroid, err := line.read(q)
		line.close()
		if err != nil {
			t.Fatal(c.name, err)
		}
		if c.problem != "" || q.problem != "" {
			if c.problem == "" || !strings.Contains(q.problem, c.problem) || q.why.Code != invalidBoundary.Code {
				t.Errorf("%s: problem %q, want %q", c.name, q.problem, c.problem)
			}
			continue
		}
		q.measure()
		whole := geo.Area(orb.MultiPolygon{{{{0, 51}, {3, 51}, {3, 52}, {0, 52}, {0, 51}}}})
		if c.parts == 2 && math.Abs(q.geography.AreaM2-whole) > 1e-6*whole {
			t.Errorf("%s: %v m², want %v", c.name, q.geography.AreaM2, whole)
		}
		if len(q.outline) != c.parts || math.Hypot(centroid[0]-c.centroid[0], centroid[1]-c.centroid[1]) > 1e-9 || q.problem != "" ||
			q.geography.Bound.Max[0] > 180 {
			t.Errorf("%s: %v around %v in %v: %s", c.name, q.outline, centroid, q.geography.Bound, q.problem)
		}
	}
}
