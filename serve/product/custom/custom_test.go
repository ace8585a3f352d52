package custom

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/paulmach/orb"
	"pgregory.net/rapid"

	"quartier/internal/geo"
	"quartier/serve/param"
)

// A body that is accepted is one that encoding/json reads too, with the same members.
func FuzzParseChange(f *testing.F) {
	for _, seed := range []string{`{"name_en":"x","type":"CITY"}`, `{"name_fr":null}`, `{"name_en":"x","name_en":"y"}`, `{}{}`, `[`, "{\"name_en\":\"\u200b\"}", `{"boundaries":{"a":[1]}}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := parseChange(data)
		if err != nil {
			if !errors.Is(err, param.ErrBad) {
				t.Errorf("%q gave %v", data, err)
			}
			return
		}
		var members map[string]*string
		if err := json.Unmarshal(data, &members); err != nil {
			t.Fatalf("%q is accepted: %v", data, err)
		}
		given := 0
		for _, field := range []*string{c.nameEN, c.nameFR, c.boundaries, c.kind} {
			if field != nil {
				given++
			}
		}
		if given != len(members) {
			t.Errorf("%q has %d members, read were %d", data, len(members), given)
		}
	})
}

// Boundaries that are accepted keep all rules when they are read again, and are not changed by that.
func FuzzCheckBoundaries(f *testing.F) {
	for _, seed := range []string{
		"POLYGON ((0 0, 0.1 0, 0.1 0.1, 0 0))", "POLYGON ((179.9 0, -179.9 0, -179.9 0.1, 179.9 0))", "POLYGON ((0.123456789 0, 0.1 0, 0.1 0.1, 0.123456789 0))",
		"POLYGON ((0 80, 120 80, -120 80, 0 80))", "POLYGON ((1e9 0, 0 0, 1 1, 1e9 0))",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		rounded, centroid, err := checkBoundaries(text)
		if err != nil {
			if !errors.Is(err, param.ErrBad) && !errors.Is(err, ErrBoundaries) {
				t.Errorf("%q gave %v", text, err)
			}
			return
		}
		again, same, err := checkBoundaries(rounded)
		if err != nil || again != rounded || same != centroid || !geo.Valid(centroid) {
			t.Errorf("%q: %q centroid %v, then %q centroid %v: %v", text, rounded, centroid, again, same, err)
		}
	})
}

// The limits of the area belong to what is allowed: squares at the equator, just inside and just outside of them.
func TestAreaLimits(t *testing.T) {
	for _, tt := range []struct {
		km2 float64
		ok  bool
	}{{0.0995, false}, {0.1005, true}, {19_990, true}, {20_010, false}} {
		side := math.Sqrt(tt.km2)
		metresLng, metresLat := geo.MetresPerDegree(0)
		east, north := side*1000/metresLng, side*1000/metresLat
		text := fmt.Sprintf("POLYGON ((0 %.7f, %.7f %.7f, %.7f %.7f, 0 %.7f, 0 %.7f))", -north/2, east, -north/2, east, north/2, north/2, -north/2)
		_, _, err := checkBoundaries(text)
		if (err == nil) != tt.ok || err != nil && !strings.Contains(err.Error(), "an area of") {
			t.Errorf("%v km²: %v", tt.km2, err)
		}
	}
}

// A ring gets the same judgement wherever the antimeridian cuts it: moved around the world, its area is the same and its
// centroid moves with it.
func TestAntimeridianChangesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var ring orb.Ring
		n := rapid.IntRange(3, 12).Draw(t, "corners")
		for i := range n {
			angle := 2 * math.Pi * float64(i) / float64(n)
			r := float64(rapid.IntRange(200, 900).Draw(t, "radius")) / 1000
			ring = append(ring, orb.Point{r * math.Cos(angle), 50 + r*math.Sin(angle)/2})
		}
		ring = append(ring, ring[0])
		by := float64(rapid.IntRange(170, 190).Draw(t, "degrees"))
		_, here, errHere := checkBoundaries(text(ring, 0))
		_, there, errThere := checkBoundaries(text(ring, by))
		if (errHere == nil) != (errThere == nil) {
			t.Fatalf("here %v, at %v degrees %v", errHere, by, errThere)
		}
		if errHere != nil {
			return
		}
		if moved := math.Remainder(there[0]-here[0]-by, 360); math.Abs(moved) > 1e-6 || math.Abs(here[1]-there[1]) > 1e-6 {
			t.Fatalf("centroid %v, at %v degrees %v", here, by, there)
		}
	})
}

// text is the WKT of a ring moved by some degrees to the east.
func text(ring orb.Ring, by float64) string {
	var points []string
	for _, p := range ring {
		points = append(points, fmt.Sprintf("%.6f %.6f", math.Remainder(p[0]+by, 360), p[1]))
	}
	return "POLYGON ((" + strings.Join(points, ", ") + "))"
}
