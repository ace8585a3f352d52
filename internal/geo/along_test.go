package geo

import (
	"math"
	"testing"

	"github.com/paulmach/orb"
	"pgregory.net/rapid"
)

// TestAlong: middles of parts are at equal distances along a line, whatever its vertices.
func TestAlong(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		plane := NewPlane(orb.Point{-75, 45})
		at, line := []float64{0}, orb.LineString{plane.Point(0, 0)}
		for range rapid.IntRange(1, 6).Draw(t, "segments") {
			at = append(at, at[len(at)-1]+float64(rapid.IntRange(0, 900).Draw(t, "step")))
			line = append(line, plane.Point(at[len(at)-1], 0))
		}
		length, most := Length(line), rapid.Float64Range(20, 1000).Draw(t, "most")
		parts, sum := 0, 0.0
		Along(line, most, func(p orb.Point, metres float64, segment int) {
			x, _ := plane.XY(p)
			if want := (float64(parts) + .5) * metres; metres > most+1e-6 || math.Abs(x-want) > .01 || x < at[segment]-.01 || x > at[segment+1]+.01 {
				t.Fatalf("part %d of %v m is at %v on segment %d of %v", parts, metres, x, segment, at)
			}
			parts, sum = parts+1, sum+metres
		})
		if want := max(1, int(math.Ceil(length/most-1e-9))); math.Abs(sum-length) > .01 || parts > want+1 || parts < want {
			t.Fatalf("%d parts of %v m along %v m, want %d", parts, sum, length, want)
		}
	})
	for _, line := range []orb.LineString{nil, {{-75, 45}}, {{-75, 45}, {-75, 45}}} {
		n := 0
		Along(line, 10, func(p orb.Point, metres float64, segment int) {
			if n++; p != line[0] || metres != 0 || segment != 0 {
				t.Errorf("%v: %v %v %v", line, p, metres, segment)
			}
		})
		if n != min(1, len(line)) {
			t.Errorf("%v: %d parts", line, n)
		}
	}
	middle := 0
	Along(orb.LineString{{-75, 45}, {-75, 45.1}, {-75, 45.4}}, math.Inf(1), func(p orb.Point, _ float64, _ int) {
		if middle++; math.Abs(p[1]-45.2) > 1e-4 {
			t.Errorf("halfway is %v", p)
		}
	})
	if middle != 1 {
		t.Errorf("%d middles", middle)
	}
}
