package custom

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"regexp"
	"strings"
	"testing"

	"github.com/paulmach/orb"
	"pgregory.net/rapid"

	"quartier/internal/geo"
	"quartier/serve/param"
)

// A body that is accepted is one that encoding/json reads too, with the same members.
func FuzzParseChange(f *testing.F) {
	for _, seed := range []string{`{"name_en":"x","type":"CITY"}`, `{"name_fr":null}`, `{"name_en":"x","name_en":"y"}`, `{}{}`, `[`,
		"{\"name_en\":\"\u200b\"}", `{"boundaries":{"a":[1]}}`} {
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
		"POLYGON ((0 0, 0.1 0, 0.1 0.1, 0 0))", "POLYGON ((179.9 0, -179.9 0, -179.9 0.1, 179.9 0))",
		"POLYGON ((0.123456789 0, 0.1 0, 0.1 0.1, 0.123456789 0))",
		"POLYGON ((0 80, 120 80, -120 80, 0 80))", "POLYGON ((1e9 0, 0 0, 1 1, 1e9 0))",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		first, err := checkBoundaries(text, never)
		if err != nil {
			if !errors.Is(err, param.ErrBad) && !errors.Is(err, ErrBoundaries) {
				t.Errorf("%q gave %v", text, err)
			}
			return
		}
		again, err := checkBoundaries(first.text, never)
		if err != nil || again.text != first.text || again.centroid != first.centroid || !geo.Valid(first.centroid) {
			t.Errorf("%q: %+v, then %+v: %v", text, first, again, err)
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
		text := fmt.Sprintf("POLYGON ((0 %.7f, %.7f %.7f, %.7f %.7f, 0 %.7f, 0 %.7f))", -north/2, east, -north/2, east, north/2,
			north/2, -north/2)
		_, err := checkBoundaries(text, never)
		if (err == nil) != tt.ok || err != nil && !strings.Contains(err.Error(), "an area of") {
			t.Errorf("%v km²: %v", tt.km2, err)
		}
	}
}

// Numbers are rounded as the pattern that describes them says.
func TestRoundDecimals(t *testing.T) {
	long := regexp.MustCompile(`-?[0-9]+\.[0-9]{8,}`)
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`([-. ,a]|[0-9]{1,4}|[0-9]{0,2}\.[0-9]{6,9}){0,12}`).Draw(t, "text")
		if got, want := roundDecimals(text), long.ReplaceAllStringFunc(text, roundDecimal); got != want {
			t.Fatalf("%q is %q, want %q", text, got, want)
		}
	})
}

// BenchmarkChange checks bodies of the longest boundaries, of many and of few characters for a corner, beside each other and from
// the south of the world to its north.
func BenchmarkChange(b *testing.B) {
	for name, corner := range map[string]string{"short": "%[1]d %[2]d.%03[3]d,%[4]d %[2]d.%03[3]d5,",
		"decimals": "%[1]d.123456789012 %[2]d.%03[3]d4567890,%[4]d.123456789 %[2]d.%03[3]d5678901,",
		"tall":     "%[2]d.%03[3]d -80,%[2]d.%03[3]d5 80,"} {
		var ring strings.Builder
		for i := 0; ring.Len() < maxBoundaries-200; i++ {
			fmt.Fprintf(&ring, corner, 10, 10+i/1000, i%1000, 80)
		}
		first, _, _ := strings.Cut(ring.String(), ",")
		sent, _ := json.Marshal(map[string]string{"name_en": "x", "type": "CITY",
			"boundaries": "POLYGON((" + ring.String() + "5 89,5 -85," + first + "))"})
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				c, err := parseChange(sent)
				if err != nil {
					b.Fatal(err)
				}
				if _, err := checkBoundaries(*c.boundaries, never); err == nil || !strings.Contains(err.Error(), "an area of") {
					b.Fatal(err)
				}
			}
		})
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
		first, errHere := checkBoundaries(text(ring, 0), never)
		moved, errThere := checkBoundaries(text(ring, by), never)
		here, there := first.centroid, moved.centroid
		if (errHere == nil) != (errThere == nil) {
			t.Fatalf("here %v, at %v degrees %v", errHere, by, errThere)
		}
		if errHere != nil {
			return
		}
		if off := math.Remainder(there[0]-here[0]-by, 360); math.Abs(off) > 1e-6 || math.Abs(here[1]-there[1]) > 1e-6 {
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

// TestLongBoundariesYield counts how often others have their turn while boundaries are judged.
func TestLongBoundariesYield(t *testing.T) {
	yields := 0
	if _, err := checkBoundaries("POLYGON ((-75 45, -74.9 45, -74.9 45.1, -75 45))", func() bool { yields++; return false }); err != nil ||
		yields != 2 {
		t.Errorf("%d yields, %v", yields, err)
	}
}

func never() bool { return false }
