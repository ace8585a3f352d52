package drill

import (
	"io"
	"strings"
	"testing"

	"quartier/internal/drill/trial"
)

// TestDrawnPolygons checks that malformed polygons are other texts than valid ones, and that the same seed draws the same.
func TestDrawnPolygons(t *testing.T) {
	one, other := Steps(t, 7, 1).Random, Steps(t, 7, 1).Random
	kinds := map[string]bool{}
	for range 2000 {
		text, what, status := Malformed(one, -72, 45)
		again, _, _ := Malformed(other, -72, 45)
		if kinds[what] = true; text != again || status != 400 && status != 422 {
			t.Fatalf("%s: %q, %q", what, text, again)
		}
	}
	if len(kinds) != len(spoils) {
		t.Errorf("%d of %d kinds", len(kinds), len(spoils))
	}
}

// TestDrillsFindPlantedFaults runs the drills of a server in this process for some steps, right and with a fault.
func TestDrillsFindPlantedFaults(t *testing.T) {
	for name, c := range map[string]struct {
		wrap  Wrap
		check func(r *Run, wrap Wrap)
		steps int
		find  string
	}{
		"unknown members": {UnknownMembers, func(r *Run, w Wrap) { Requests(r, w) }, 2000, "leak"},
		"lenient":         {Lenient, func(r *Run, w Wrap) { Requests(r, w) }, 2000, "is not allowed"},
		"trailing bits":   {TrailingBits, func(r *Run, w Wrap) { Tokens(r, w) }, 40_000, "mutation: 200"},
		"unscoped":        {Unscoped, func(r *Run, w Wrap) { Agreed(r, w) }, 1000, "/v3/scores/"},
		"reads past":      {nil, func(r *Run, _ Wrap) { Parsers(r, PercentAtEnd) }, 3000, "panic: "},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := trial.Run(name, t.TempDir(), io.Discard, func(tb testing.TB) { c.check(Steps(tb, 1, c.steps), c.wrap) })
			if !got.Failed() || !strings.Contains(got.Failures()[0], c.find) {
				t.Errorf("the drill says %q, want %q", got.Failures(), c.find)
			}
			if c.wrap != nil {
				c.check(Steps(t, 1, 50), nil)
			}
		})
	}
}
