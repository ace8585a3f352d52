package polygon

import (
	"testing"

	"github.com/paulmach/orb"

	"quartier/internal/geo"
)

func TestAssembleCut(t *testing.T) {
	shore := orb.LineString{{0, 0}, {0, 2}, {2, 2}}
	more := orb.LineString{{2, 2}, {2, 0}}
	island := orb.LineString{{.5, .5}, {1, .5}, {1, 1}, {.5, .5}}
	for name, c := range map[string]struct {
		lines []orb.LineString
		want  float64 // in square degrees
	}{
		"three sides of a square":            {[]orb.LineString{shore, more}, 4},
		"the same with an island":            {[]orb.LineString{shore, more, island}, 4 - .125},
		"two corners":                        {[]orb.LineString{shore}, 2},
		"two parts that are cut":             {[]orb.LineString{shore, {{5, 5}, {5, 6}, {6, 6}}}, 2.5},
		"an island whose shore is missing":   {[]orb.LineString{island}, 0},
		"a fork is left out":                 {[]orb.LineString{shore, {{5, 5}, {5, 6}}, {{5, 6}, {6, 6}}, {{5, 6}, {4, 7}}}, 2},
		"a line without length is left out":  {[]orb.LineString{shore, {{9, 9}}}, 2},
		"one straight line encloses nothing": {[]orb.LineString{{{0, 0}, {1, 1}}}, 0},
		"of nothing there is nothing":        {nil, 0},
	} {
		area, err := AssembleCut(c.lines)
		if (err != nil) != (c.want == 0) {
			t.Errorf("%s: %v", name, err)
		}
		got := 0.0
		for _, polygon := range area {
			for i, ring := range polygon {
				if size := geo.SignedArea(ring); i == 0 || size < 0 {
					got += size
				}
			}
		}
		if d := got - c.want; d > 1e-9 || d < -1e-9 {
			t.Errorf("%s: an area of %v, not %v", name, got, c.want)
		}
	}
}
