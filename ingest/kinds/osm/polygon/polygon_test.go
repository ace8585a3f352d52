package polygon_test

import (
	"errors"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"
	"pgregory.net/rapid"

	"quartier/ingest/kinds/osm/polygon"
)

// box returns the closed outline of a rectangle.
func box(x0, y0, x1, y1 float64) orb.LineString {
	return orb.LineString{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}, {x0, y0}}
}

func TestAssemble(t *testing.T) {
	for _, c := range []struct {
		name  string
		lines []orb.LineString
		rings []int // of each polygon, in order of size
		area  float64
	}{
		{"a closed line", []orb.LineString{box(0, 0, 4, 4)}, []int{1}, 16},
		{"two halves in opposite directions", []orb.LineString{{{0, 0}, {4, 0}, {4, 4}}, {{0, 0}, {0, 4}, {4, 4}}}, []int{1}, 16},
		{"two islands", []orb.LineString{box(0, 0, 4, 4), box(6, 0, 8, 2)}, []int{1, 1}, 20},
		{"a hole", []orb.LineString{box(0, 0, 4, 4), box(1, 1, 2, 2)}, []int{2}, 15},
		{"an island in a lake on an island", []orb.LineString{box(2, 2, 3, 3), box(0, 0, 9, 9), box(1, 1, 5, 5)}, []int{2, 1}, 81 - 16 + 1},
		{"a hole that touches the outer ring at a point", []orb.LineString{box(0, 0, 4, 4), {{0, 0}, {2, 1}, {1, 2}, {0, 0}}}, []int{2},
			16 - 1.5},
		{"a hole that shares an edge with the outer ring is a dent", []orb.LineString{
			{{0, 0}, {1, 0}, {2, 0}, {4, 0}, {4, 4}, {0, 4}, {0, 0}}, {{1, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 0}},
		}, []int{1}, 15},
		{"two boxes that touch at a corner", []orb.LineString{box(0, 0, 2, 2), box(2, 2, 3, 3)}, []int{1, 1}, 5},
		{"two adjacent boxes are one", []orb.LineString{box(0, 0, 2, 2), box(2, 0, 4, 2)}, []int{1}, 8},
		{"a figure of eight in one line", []orb.LineString{{{0, 0}, {2, 2}, {4, 0}, {4, 4}, {2, 2}, {0, 4}, {0, 0}}}, []int{1, 1}, 8},
		{"a line given twice and a third time", []orb.LineString{box(0, 0, 2, 2), box(0, 0, 2, 2), box(0, 0, 2, 2)}, []int{1}, 4},
		{"a spike", []orb.LineString{{{0, 0}, {4, 0}, {6, 0}, {4, 0}, {4, 4}, {0, 4}, {0, 0}}}, []int{1}, 16},
		{"a point that is repeated", []orb.LineString{{{0, 0}, {4, 0}, {4, 0}, {4, 4}, {0, 4}, {0, 0}}}, []int{1}, 16},
		{"overlapping boxes with points where they cross", []orb.LineString{
			{{0, 0}, {4, 0}, {4, 2}, {4, 4}, {2, 4}, {0, 4}, {0, 0}},
			{{2, 2}, {4, 2}, {6, 2}, {6, 6}, {2, 6}, {2, 4}, {2, 2}},
		}, []int{1, 1}, 24},
		{"a hole that touches the outer ring at two points splits the area", []orb.LineString{
			{{0, 0}, {4, 0}, {4, 2}, {4, 4}, {0, 4}, {0, 2}, {0, 0}}, {{0, 2}, {2, 1}, {4, 2}, {2, 3}, {0, 2}},
		}, []int{1, 1}, 12},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := polygon.Assemble(c.lines)
			if err != nil {
				t.Fatal(err)
			}
			var rings []int
			for _, polygon := range got {
				rings = append(rings, len(polygon))
			}
			if diff := cmp.Diff(c.rings, rings); diff != "" {
				t.Errorf("rings of each polygon (-want +got):\n%s", diff)
			}
			if a := planar.Area(got); math.Abs(a-c.area) > 1e-9 {
				t.Errorf("area %v, want %v", a, c.area)
			}
			for _, polygon := range got {
				for i, ring := range polygon {
					if !ring.Closed() || (ring.Orientation() == orb.CCW) != (i == 0) {
						t.Errorf("ring %d is open or runs the wrong way: %v", i, ring)
					}
				}
			}
		})
	}
}

func TestAssembleFails(t *testing.T) {
	for _, c := range []struct {
		name  string
		lines []orb.LineString
		ends  []orb.Point // nil: nothing is enclosed
	}{
		{"nothing", nil, nil},
		{"a line there and back", []orb.LineString{{{0, 0}, {1, 1}, {0, 0}}}, nil},
		{"a missing side", []orb.LineString{{{4, 0}, {0, 0}, {0, 4}, {4, 4}}}, []orb.Point{{4, 0}, {4, 4}}},
		{"a closed ring and an open one", []orb.LineString{box(0, 0, 1, 1), {{5, 5}, {6, 6}}}, []orb.Point{{5, 5}, {6, 6}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := polygon.Assemble(c.lines)
			var open *polygon.OpenError
			switch {
			case c.ends == nil && !errors.Is(err, polygon.ErrEmpty):
				t.Fatalf("got %v, %v, want ErrEmpty", got, err)
			case c.ends != nil && !errors.As(err, &open):
				t.Fatalf("got %v, %v, want an OpenError", got, err)
			case c.ends != nil:
				if diff := cmp.Diff(c.ends, open.Ends); diff != "" {
					t.Errorf("ends (-want +got):\n%s", diff)
				}
			}
		})
	}
}

// TestCells assembles the shuffled edges of random cells of a grid. Whether cells touch or enclose others, the area must
// be that of the cells.
func TestCells(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const n = 6
		cells := rapid.SliceOfN(rapid.Bool(), n*n, n*n).Draw(t, "cells")
		var edges []orb.LineString
		count := 0
		for i, in := range cells {
			if !in {
				continue
			}
			count++
			outline := box(float64(i%n), float64(i/n), float64(i%n+1), float64(i/n+1))
			for k := 1; k < len(outline); k++ {
				edges = append(edges, orb.LineString{outline[k-1], outline[k]})
			}
		}
		if count == 0 {
			t.Skip("no cell")
		}
		sorted, err := polygon.Assemble(edges)
		if err != nil {
			t.Fatal(err)
		}
		shuffled, err := polygon.Assemble(rapid.Permutation(edges).Draw(t, "edges"))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(sorted, shuffled); diff != "" {
			t.Fatalf("the area depends on the order:\n%s", diff)
		}
		if a := planar.Area(sorted); math.Abs(a-float64(count)) > 1e-9 {
			t.Fatalf("area %v of %d cells", a, count)
		}
		for i, in := range cells {
			if middle := (orb.Point{float64(i%n) + 0.5, float64(i/n) + 0.5}); planar.MultiPolygonContains(sorted, middle) != in {
				t.Fatalf("cell %d: in the area is %t, want %t", i, !in, in)
			}
		}
	})
}

func FuzzAssemble(f *testing.F) {
	f.Add([]byte{0, 0, 4, 0, 4, 4, 0, 4, 0, 0})
	f.Add([]byte{0, 0, 4, 0, 4, 4, 255, 1, 1, 2, 2, 1, 1})
	f.Fuzz(func(t *testing.T, data []byte) {
		var lines []orb.LineString
		line := orb.LineString{}
		for ; len(data) >= 2; data = data[2:] {
			if data[0] == 255 {
				lines, line = append(lines, line), nil
				continue
			}
			line = append(line, orb.Point{float64(data[0] % 16), float64(data[1] % 16)})
		}
		got, err := polygon.Assemble(append(lines, line))
		if err != nil {
			return
		}
		for _, polygon := range got {
			for _, ring := range polygon {
				if len(ring) < 4 || !ring.Closed() {
					t.Fatalf("not a ring: %v", ring)
				}
			}
		}
	})
}
