package processes

import (
	"strings"
	"testing"
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
		"flat":                {func(int) sample { return sample{resident: 80, anonymous: 50, goroutines: 20, descriptors: 30} }, ""},
		"saws of a collector": {func(i int) sample { return sample{anonymous: float64(50 + i%20*4)} }, ""},
		"grows at the start":  {func(i int) sample { return sample{resident: float64(20 * min(i, 40))} }, ""},
		"a peak":              {func(i int) sample { return sample{descriptors: 30 + 5000*(i/90*(1-i/93))} }, ""},
		"memory": {func(i int) sample { return sample{anonymous: float64(50 + 3*i)} },
			"anonymous memory grew from 236 to 311 MB, at most 276"},
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
