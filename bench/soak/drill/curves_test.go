package drill

import (
	"io"
	"strings"
	"testing"

	"quartier/bench/soak/trial"
)

// curve has a sample for each of a hundred seconds.
func curve(at func(i int) sample) *Curves {
	c := new(Curves)
	for i := range 100 {
		s := at(i)
		s.seconds = float64(i)
		c.samples = append(c.samples, s)
	}
	return c
}

func TestGrowthIsSeenInTheSecondHalf(t *testing.T) {
	for name, c := range map[string]struct {
		at   func(i int) sample
		want string
	}{
		"flat":                    {func(int) sample { return sample{resident: 80, anonymous: 50, goroutines: 20, descriptors: 30} }, ""},
		"saws of a collector":     {func(i int) sample { return sample{anonymous: float64(50 + i%20*4)} }, ""},
		"grows at the start":      {func(i int) sample { return sample{resident: float64(20 * min(i, 40))} }, ""},
		"a peak":                  {func(i int) sample { return sample{descriptors: 30 + 5000*(i/90*(1-i/93))} }, ""},
		"memory":                  {func(i int) sample { return sample{anonymous: float64(50 + 3*i)} }, "anonymous memory grew from 236 to 311 MB, at most 276"},
		"a goroutine each second": {func(i int) sample { return sample{goroutines: 10 + 2*i} }, "goroutines grew from 134 to 184, at most 167"},
		"descriptors":             {func(i int) sample { return sample{descriptors: 5 * i} }, "descriptors grew"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := curve(c.at).growth(); (got == "") != (c.want == "") || !strings.HasPrefix(got, c.want) {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
	if got := new(Curves).growth(); got == "" {
		t.Error("no samples are flat")
	}
}

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
