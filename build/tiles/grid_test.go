package tiles

import (
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/paulmach/orb"
	"pgregory.net/rapid"
)

func TestTidy(t *testing.T) {
	for name, c := range map[string]struct{ in, want orb.Ring }{
		"the example": {orb.Ring{{0, 0}, {4, 0}, {8, 0}, {8, 3}, {8, 0}, {8, 8}, {0, 8}, {0, 0}},
			orb.Ring{{0, 0}, {8, 0}, {8, 8}, {0, 8}, {0, 0}}},
		"repeated":       {orb.Ring{{0, 0}, {0, 0}, {8, 0}, {8, 0}, {8, 8}, {0, 0}}, orb.Ring{{0, 0}, {8, 0}, {8, 8}, {0, 0}}},
		"across the end": {orb.Ring{{4, 0}, {8, 0}, {8, 8}, {0, 8}, {0, 0}, {4, 0}}, orb.Ring{{8, 0}, {8, 8}, {0, 8}, {0, 0}, {8, 0}}},
		"a line":         {orb.Ring{{0, 0}, {8, 0}, {4, 0}, {0, 0}}, nil},
		"a point":        {orb.Ring{{1, 1}, {1, 1}, {1, 1}, {1, 1}}, nil},
		"nothing":        {nil, nil},
	} {
		if diff := cmp.Diff(c.want, tidy(slices.Clone(c.in))); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// Tidying a ring keeps its area, and leaves nothing to tidy.
func TestTidyKeepsTheArea(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var ring orb.Ring
		for range rapid.IntRange(3, 20).Draw(t, "points") {
			ring = append(ring, orb.Point{float64(rapid.IntRange(0, 6).Draw(t, "x")), float64(rapid.IntRange(0, 6).Draw(t, "y"))})
		}
		ring = append(ring, ring[0])
		before := area(ring)
		out := tidy(slices.Clone(ring))
		if after := area(out); after != before {
			t.Fatalf("area %v of %v, %v of %v", before, ring, after, out)
		}
		if again := tidy(slices.Clone(out)); !slices.Equal(again, out) {
			t.Fatalf("%v, tidied again %v", out, again)
		}
	})
}

// Two neighbours cover the same ground at every zoom as the area of both: no gap, no overlap.
func TestNeighboursStayNeighbours(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		z := rapid.Uint8Range(6, MaxZoom-1).Draw(t, "zoom")
		size := 100 * step * unit(z)
		o := orb.Point{1 << 20, 1 << 20}
		at := func(x, y float64) orb.Point { return orb.Point{o[0] + math.Round(x*size), o[1] + math.Round(y*size)} }
		border := orb.LineString{at(0.5, 0)}
		for y := 0.02; y < 0.98; y += 0.02 {
			border = append(border, at(rapid.Float64Range(0.3, 0.7).Draw(t, "x"), y))
		}
		border = append(border, at(0.5, 1))
		back := slices.Clone(border)
		slices.Reverse(back)
		west := append(append(orb.Ring{at(0, 0)}, border...), at(0, 1), at(0, 0))
		east := append(append(orb.Ring{at(1, 1)}, back...), at(1, 0), at(1, 1))
		both := orb.Ring{at(0, 0), at(0.5, 0), at(1, 0), at(1, 1), at(0.5, 1), at(0, 1), at(0, 0)}
		sum := 0.0
		for _, ring := range []orb.Ring{west, east} {
			for _, p := range coarser(orb.MultiPolygon{{ring}}, step*unit(z)) {
				sum += math.Abs(area(p[0]))
				for _, v := range p[0] {
					if math.Mod(v[0], step*unit(z)) != 0 || math.Mod(v[1], step*unit(z)) != 0 {
						t.Fatalf("%v is not on the grid of zoom %d", v, z)
					}
				}
			}
		}
		if want := math.Abs(area(coarser(orb.MultiPolygon{{both}}, step*unit(z))[0][0])); sum != want {
			t.Fatalf("two neighbours have %v together, want %v", sum, want)
		}
	})
}

func TestSmallAreasAreDropped(t *testing.T) {
	square := func(side float64) orb.MultiPolygon {
		return orb.MultiPolygon{{{{0, 0}, {side, 0}, {side, side}, {0, side}, {0, 0}}}}
	}
	for _, c := range []struct {
		side float64
		left bool
	}{{4, false}, {8, true}} { // 16 and 64 units, of which 32 are drawn
		if got := coarser(square(c.side*unit(10)), step*unit(10)); (len(got) > 0) != c.left {
			t.Errorf("a square of %v units becomes %v", c.side, got)
		}
	}
	with := square(100 * unit(10))
	with[0] = append(with[0], square(4 * unit(10))[0][0], square(20 * unit(10))[0][0])
	if got := coarser(with, step*unit(10)); len(got) != 1 || len(got[0]) != 2 {
		t.Errorf("a square with a small and a large hole becomes %v", got)
	}
	if z := areaZoom(leastArea*unit(9)*unit(9), 4); z != 9 {
		t.Errorf("an area of half a pixel at zoom 9 is drawn from zoom %d on", z)
	}
	if z := areaZoom(1, 4); z != MaxZoom {
		t.Errorf("an area of a unit is drawn from zoom %d on", z)
	}
}

func TestDegreesAndGrid(t *testing.T) {
	for _, p := range []orb.Point{{-75.5, 39.1}, {-123.1, 49.2}, {0, 0}, {-52.7, 47.6}, {-179.9, -60}} {
		g := onGrid(p)
		if g[0] != math.Trunc(g[0]) || g[1] != math.Trunc(g[1]) {
			t.Errorf("%v is at %v", p, g)
		}
		if back := degrees(g); math.Abs(back[0]-p[0]) > 3e-6 || math.Abs(back[1]-p[1]) > 3e-6 {
			t.Errorf("%v becomes %v", p, back)
		}
	}
	for _, p := range []orb.Point{{-180, 90}, {180, -90}} {
		if g := onGrid(p); g[0] < 0 || g[1] < 0 || g[0] >= world || g[1] >= world {
			t.Errorf("%v is at %v, outside of the world", p, g)
		}
	}
}
