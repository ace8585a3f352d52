package geo

import (
	"math"
	"testing"

	"github.com/paulmach/orb"
)

func TestOverlap(t *testing.T) {
	child := Prepare(orb.MultiPolygon{{box(0, 0, 10, 10), box(4, 0, 6, 10)}})
	for _, c := range []struct {
		name   string
		parent orb.MultiPolygon
		want   float64
	}{
		{"itself", orb.MultiPolygon{{box(0, 0, 10, 10)}}, 1},
		{"western half", orb.MultiPolygon{{box(-5, -5, 5, 15)}}, 0.5},
		{"corner", orb.MultiPolygon{{box(8, -1, 11, 5)}}, 0.125},
		{"in two pieces", orb.MultiPolygon{{box(0, 0, 1, 10)}, {box(9, 0, 10, 10)}}, 0.25},
		{"in the hole", orb.MultiPolygon{{box(4, 0, 6, 10)}}, 0},
		{"far away", orb.MultiPolygon{{box(50, 0, 60, 10)}}, 0},
	} {
		if got := Overlap(child, Prepare(c.parent), 64); math.Abs(got-c.want) > 0.01 {
			t.Errorf("%s: %.4f, want %.4f", c.name, got, c.want)
		}
	}
	if got := Overlap(Prepare(nil), child, 64); got != 0 {
		t.Errorf("overlap of an empty outline %f", got)
	}
}

func TestOverlapAny(t *testing.T) {
	child := Prepare(orb.MultiPolygon{{box(0, 0, 10, 10)}})
	for _, c := range []struct {
		name    string
		parents []orb.Ring
		want    float64
	}{
		{"none", nil, 0},
		{"two that overlap", []orb.Ring{box(-5, -5, 5, 15), box(3, 0, 6, 10)}, 0.6},
		{"two that touch", []orb.Ring{box(5, -5, 9, 15), box(1, 0, 5, 10)}, 0.8},
		{"two disjoint, the eastern first", []orb.Ring{box(8, 0, 10, 10), box(0, 0, 1, 10)}, 0.3},
		{"one inside of another", []orb.Ring{box(0, 0, 8, 10), box(2, 0, 3, 10)}, 0.8},
		{"one above another", []orb.Ring{box(0, 0, 10, 2), box(0, 8, 10, 10)}, 0.4},
		{"three in one line", []orb.Ring{box(0, 0, 1, 10), box(4, 0, 6, 10), box(0.5, 0, 4.5, 10)}, 0.6},
	} {
		var parents []*Prepared
		for _, ring := range c.parents {
			parents = append(parents, Prepare(orb.MultiPolygon{{ring}}))
		}
		if got, known := OverlapAny(child, parents, 64); !known || math.Abs(got-c.want) > 0.01 {
			t.Errorf("%s: %.4f %t, want %.4f", c.name, got, known, c.want)
		}
	}
	thin := Prepare(orb.MultiPolygon{{box(0, 0, 1, 0.001)}, {box(0, 9.999, 1, 10)}}) // thinner than the distance of two parallels
	if _, known := OverlapAny(thin, []*Prepared{child}, 64); known {
		t.Error("known although no parallel meets it")
	}
}
