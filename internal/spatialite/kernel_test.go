package spatialite

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/paulmach/orb"
	"golang.org/x/sync/errgroup"
	"pgregory.net/rapid"
)

// box is a closed counter-clockwise rectangle.
func box(west, south, east, north float64) orb.Polygon {
	return orb.Polygon{{{west, south}, {east, south}, {east, north}, {west, north}, {west, south}}}
}

func TestMakeValid(t *testing.T) {
	k := kernel(t)
	bowtie := orb.Ring{{0, 0}, {1, 1}, {1, 0}, {0, 1}, {0, 0}}
	for _, test := range []struct {
		name   string
		in     orb.MultiPolygon
		reason string
		area   float64 // planar, of the repaired geometry
		err    error
	}{
		{"valid", orb.MultiPolygon{box(0, 0, 1, 1)}, "", 1, nil},
		{"clockwise", orb.MultiPolygon{{{{0, 0}, {0, 1}, {1, 1}, {1, 0}, {0, 0}}}}, "", 1, nil},
		{"bowtie", orb.MultiPolygon{{bowtie}}, "self-intersection", 0.5, nil},
		{"unclosed", orb.MultiPolygon{{{{0, 0}, {1, 0}, {1, 1}, {0, 1}}}}, "unclosed ring", 1, nil},
		{"spike", orb.MultiPolygon{{{{0, 0}, {1, 0}, {3, 0}, {1, 0}, {1, 1}, {0, 1}, {0, 0}}}}, "self-intersection", 1, nil},
		{"self-touching ring", orb.MultiPolygon{{{{0, 0}, {2, 0}, {2, 2}, {1, 0}, {0, 2}, {0, 0}}}}, "ring self-intersection", 2, nil},
		{"hole outside", orb.MultiPolygon{{box(0, 0, 1, 1)[0], box(2, 2, 3, 3)[0]}}, "hole lies outside shell", 2, nil},
		{"hole over the edge", orb.MultiPolygon{{box(0, 0, 2, 2)[0], box(1, 0.5, 3, 1.5)[0]}}, "self-intersection", 4, nil},
		{"overlapping parts", orb.MultiPolygon{box(0, 0, 2, 2), box(1, 1, 3, 3)}, "self-intersection", 7, nil},
		{"the same part twice", orb.MultiPolygon{box(0, 0, 2, 2), box(0, 0, 2, 2)}, "self-intersection", 4, nil},
		{"a part and a line", orb.MultiPolygon{box(0, 0, 1, 1), {{{5, 5}, {6, 6}, {5, 5}}}}, "ring of fewer than three points", 1, nil},
		{"line", orb.MultiPolygon{{{{0, 0}, {1, 1}, {2, 2}, {0, 0}}}}, "self-intersection", 0, ErrZeroArea},
		{"point", orb.MultiPolygon{{{{0, 0}, {0, 0}, {0, 0}, {0, 0}}}}, "too few points in geometry component", 0, ErrZeroArea},
		{"nothing", nil, "no outline", 0, ErrZeroArea},
		{"empty ring", orb.MultiPolygon{{{}}}, "ring of fewer than three points", 0, ErrZeroArea},
		{"NaN", orb.MultiPolygon{{{{0, 0}, {1, math.NaN()}, {1, 1}, {0, 0}}}}, "coordinate is not a finite number", 0, ErrNotFinite},
		{"infinite", orb.MultiPolygon{{{{0, 0}, {1, math.Inf(1)}, {1, 1}, {0, 0}}}}, "coordinate is not a finite number", 0, ErrNotFinite},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, flaw, err := k.MakeValid(test.in)
			if !errors.Is(err, test.err) {
				t.Fatalf("error %v, want %v", err, test.err)
			}
			if flaw.Reason != test.reason {
				t.Errorf("flaw %q, want %q", flaw.Reason, test.reason)
			}
			if err != nil {
				return
			}
			if left, err := k.Validate(got); err != nil || !left.OK() {
				t.Errorf("still invalid: %v, %v", left, err)
			}
			if area := planarArea(got); math.Abs(area-test.area) > 1e-9 {
				t.Errorf("area %v, want %v: %v", area, test.area, got)
			}
		})
	}
}

// planarArea is the shoelace formula with outer rings counter-clockwise.
func planarArea(g orb.MultiPolygon) float64 {
	var sum float64
	for _, p := range g {
		for _, r := range p {
			for i := 1; i < len(r); i++ {
				sum += r[i-1][0]*r[i][1] - r[i][0]*r[i-1][1]
			}
		}
	}
	return sum / 2
}

// The repair of any rings is valid, and a second repair changes nothing.
func TestMakeValidIsValid(t *testing.T) {
	k := kernel(t)
	rapid.Check(t, func(t *rapid.T) {
		coordinate := rapid.Custom(func(t *rapid.T) float64 { return float64(rapid.IntRange(0, 12).Draw(t, "c")) / 4 })
		point := rapid.Custom(func(t *rapid.T) orb.Point { return orb.Point{coordinate.Draw(t, "x"), coordinate.Draw(t, "y")} })
		ring := rapid.Custom(func(t *rapid.T) orb.Ring { return rapid.SliceOfN(point, 3, 9).Draw(t, "ring") })
		polygon := rapid.Custom(func(t *rapid.T) orb.Polygon { return rapid.SliceOfN(ring, 1, 3).Draw(t, "rings") })
		repaired, _, err := k.MakeValid(rapid.SliceOfN(polygon, 1, 3).Draw(t, "polygons"))
		if errors.Is(err, ErrZeroArea) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		again, flaw, err := k.MakeValid(repaired)
		if err != nil || !flaw.OK() || !orb.Equal(repaired, again) {
			t.Fatalf("second repair: %v, %v", flaw, err)
		}
	})
}

func TestMendingLeavesNoSlivers(t *testing.T) {
	k := kernel(t)
	// Squares whose last edge overshoots and crosses the first: a scrap of centimetres next to a square.
	crossed := func(size float64) orb.MultiPolygon {
		const over = 1e-7
		return orb.MultiPolygon{{{{0, 0}, {size, 0}, {size, size}, {-over, size}, {over, -over}, {0, -over}, {0, 0}}}}
	}
	got, flaw, err := k.MakeValid(crossed(0.01))
	if err != nil || flaw.OK() {
		t.Fatalf("%v, %v: nothing to repair", flaw, err)
	}
	if len(got) != 1 || len(got[0]) != 1 {
		t.Errorf("%d parts: %v", len(got), got)
	}
	if got, _, err = k.MakeValid(crossed(1e-6)); err != nil || len(got) == 0 {
		t.Errorf("a place smaller than a sliver: %v, %v", got, err)
	}
}

func TestFlawSaysWhere(t *testing.T) {
	flaw, err := kernel(t).Validate(orb.MultiPolygon{{{{0, 0}, {1, 1}, {1, 0}, {0, 1}, {0, 0}}}})
	if err != nil || !flaw.HasAt || flaw.At != (orb.Point{0.5, 0.5}) {
		t.Fatalf("%+v, %v", flaw, err)
	}
}

func TestWiderM2(t *testing.T) {
	k := kernel(t)
	const degree = 111131.7 // metres at 45°
	strip := func(metres float64) orb.MultiPolygon { return orb.MultiPolygon{box(-75, 45, -74.99, 45+metres/degree)} }
	for metres, want := range map[float64]float64{4.9: 0, 8: 783.4 * 3, 30: 783.4 * 25} {
		if got, err := k.WiderM2(strip(metres), orb.Point{-75, 45}, 5); err != nil || math.Abs(got-want) > 0.005*want {
			t.Errorf("%v m: %v m², want %v, %v", metres, got, want, err)
		}
	}
	if got, err := k.WiderM2(nil, orb.Point{}, 5); got != 0 || err != nil {
		t.Errorf("nothing: %v, %v", got, err)
	}
}

func TestPointOnSurfaceOfARing(t *testing.T) {
	donut := orb.MultiPolygon{{box(0, 0, 3, 3)[0], box(0.5, 0.5, 2.5, 2.5)[0]}}
	p, err := kernel(t).PointOnSurface(donut)
	if err != nil {
		t.Fatal(err)
	}
	if p[0] > 0.5 && p[0] < 2.5 && p[1] > 0.5 && p[1] < 2.5 {
		t.Fatalf("%v is in the hole", p)
	}
}

// Kernels work in parallel, each in its goroutine.
func TestKernelsSideBySide(t *testing.T) {
	kernel(t)
	bowtie := orb.MultiPolygon{{{{0, 0}, {1, 1}, {1, 0}, {0, 1}, {0, 0}}}}
	var group errgroup.Group
	for range 8 {
		group.Go(func() error {
			k, err := NewKernel()
			if err != nil {
				return err
			}
			defer k.Close()
			for range 50 {
				repaired, _, err := k.MakeValid(bowtie)
				if err != nil {
					return err
				}
				if math.Abs(planarArea(repaired)-0.5) > 1e-12 {
					return fmt.Errorf("area %v", planarArea(repaired))
				}
				points := []orb.Point{{7201954, 917957}}
				if _, err := k.Transform(points, "EPSG:3347", WGS84); err != nil {
					return err
				}
				if math.Abs(points[0][0]+79.679615094) > 1e-8 {
					return fmt.Errorf("projected to %v", points[0])
				}
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		t.Fatal(err)
	}
}
