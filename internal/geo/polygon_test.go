package geo

import (
	"bytes"
	"math"
	"testing"

	"github.com/paulmach/orb"
	"pgregory.net/rapid"
)

func box(west, south, east, north float64) orb.Ring {
	return orb.Ring{{west, south}, {east, south}, {east, north}, {west, north}, {west, south}}
}

func TestContainsCountsEdgesAsIn(t *testing.T) {
	donut := orb.MultiPolygon{{box(0, 0, 10, 10), box(4, 4, 6, 6)}, {box(20, 0, 30, 10)}}
	for _, c := range []struct {
		p    orb.Point
		want bool
	}{
		{orb.Point{1, 1}, true}, {orb.Point{5, 5}, false}, {orb.Point{0, 0}, true}, {orb.Point{10, 5}, true},
		{orb.Point{4, 5}, true}, {orb.Point{15, 5}, false}, {orb.Point{25, 10}, true}, {orb.Point{25, 10.000001}, false},
		{orb.Point{-1, 0}, false}, {orb.Point{11, 10}, false}, {orb.Point{math.NaN(), 5}, false},
	} {
		if got := Contains(donut, c.p); got != c.want {
			t.Errorf("Contains(%v) = %t", c.p, got)
		}
		if got := Prepare(donut).Contains(c.p); got != c.want {
			t.Errorf("Prepared.Contains(%v) = %t", c.p, got)
		}
	}
	if Contains(nil, orb.Point{}) || Prepare(nil).Contains(orb.Point{}) || PolygonContains(orb.Polygon{}, orb.Point{}) {
		t.Error("nothing contains a point")
	}
}

func TestLocateIsExact(t *testing.T) {
	// 0.1 + 0.2 is not on the line that rounding would put it on.
	ring := orb.Ring{{0, 0}, {3, 1}, {3, 0}, {0, 0}}
	if got := Locate(ring, orb.Point{0.3, 0.1}); got == Edge {
		t.Errorf("(0.3, 0.1) is %v: 3 × 0.1 is not 0.3 in binary", got)
	}
	if got := Locate(ring, orb.Point{0.75, 0.25}); got != Edge {
		t.Errorf("(0.75, 0.25) is %v, want Edge", got)
	}
	if exactOrient(orb.Point{0, 0}, orb.Point{1, 1}, orb.Point{5e-324, 0}) != -1 {
		t.Error("the smallest number is lost")
	}
}

// star draws a ring around the origin, simple because its corners are sorted by angle.
func star(t *rapid.T) orb.Ring {
	n := rapid.IntRange(3, 40).Draw(t, "corners")
	var ring orb.Ring
	for i := range n {
		r := rapid.Float64Range(0.2, 1).Draw(t, "r")
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(n))
		ring = append(ring, orb.Point{-75 + r*cos, 39 + r*sin})
	}
	return append(ring, ring[0])
}

func TestPreparedAgreesWithContains(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := orb.MultiPolygon{{star(t)}, {box(-73, 38, -72, 40)}}
		prepared := Prepare(m)
		corner := m[0][0][rapid.IntRange(0, len(m[0][0])-1).Draw(t, "corner")]
		for _, p := range []orb.Point{
			corner,
			{rapid.Float64Range(-76.5, -71.5).Draw(t, "x"), rapid.Float64Range(37.5, 40.5).Draw(t, "y")},
			{rapid.Float64Range(-76.5, -71.5).Draw(t, "x"), corner[1]},
		} {
			if got, want := prepared.Contains(p), Contains(m, p); got != want {
				t.Errorf("prepared %t, brute force %t at %v", got, want, p)
			}
		}
	})
}

func TestInteriorPointLiesStrictlyInside(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ring := star(t)
		p, ok := InteriorPoint(orb.MultiPolygon{{ring}})
		if !ok || Locate(ring, p) != Inside {
			t.Errorf("%v (%t) is not an interior point of %v", p, ok, ring)
		}
	})
	for name, m := range map[string]orb.MultiPolygon{
		"horseshoe":   {{{{0, 0}, {10, 0}, {10, 10}, {0, 10}, {0, 8}, {8, 8}, {8, 2}, {0, 2}, {0, 0}}}},
		"donut":       {{box(0, 0, 10, 10), box(1, 1, 9, 9)}},
		"two islands": {{box(0, 0, 1, 1)}, {box(9, 0, 10, 1)}},
		"hole on top": {{box(0, 0, 10, 10), box(0.001, 4.9, 9.999, 5.1)}},
	} {
		p, ok := InteriorPoint(m)
		if !ok || !strictly(Prepare(m), m, p) {
			t.Errorf("%s: %v, %t", name, p, ok)
		}
	}
	for name, m := range map[string]orb.MultiPolygon{"nothing": nil, "a line": {{{{0, 0}, {1, 1}, {0, 0}}}}} {
		if p, ok := InteriorPoint(m); ok {
			t.Errorf("%s has the interior point %v", name, p)
		}
	}
}

func TestRingIsSimple(t *testing.T) {
	for _, c := range []struct {
		name string
		ring orb.Ring
		want bool
	}{
		{"box", box(0, 0, 1, 1), true},
		{"triangle", orb.Ring{{0, 0}, {1, 0}, {0, 1}, {0, 0}}, true},
		{"corner in line", orb.Ring{{0, 0}, {1, 0}, {2, 0}, {0, 1}, {0, 0}}, true},
		{"bow tie", orb.Ring{{0, 0}, {1, 1}, {1, 0}, {0, 1}, {0, 0}}, false},
		{"touching corner", orb.Ring{{0, 0}, {2, 0}, {2, 2}, {1, 0}, {0, 2}, {0, 0}}, false},
		{"spike", orb.Ring{{0, 0}, {1, 0}, {2, 0}, {1, 0}, {1, 1}, {0, 0}}, false},
		{"corner twice", orb.Ring{{0, 0}, {1, 0}, {1, 0}, {1, 1}, {0, 0}}, false},
		{"open", orb.Ring{{0, 0}, {1, 0}, {1, 1}}, false},
		{"flat", orb.Ring{{0, 0}, {1, 0}, {2, 0}, {0, 0}}, false},
		{"empty", nil, false},
	} {
		if got := RingIsSimple(c.ring); got != c.want {
			t.Errorf("%s: %t", c.name, got)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		if ring := star(t); !RingIsSimple(ring) {
			t.Errorf("%v is simple", ring)
		}
	})
}

func TestAreaAgreesWithKnownFigures(t *testing.T) {
	for _, c := range []struct {
		name string
		ring orb.Ring
		want float64 // m²
	}{
		{"the Earth", box(-180, -90, 180, 90), 510065621724089},
		// The next two by numeric integration over 20,000 strips; SpatiaLite agrees with the second.
		{"a degree at the equator", box(10, 0, 11, 1), 12308463893.976},
		{"a hundredth of a degree at 39", box(-75.01, 39, -75, 39.01), 961620.328},
	} {
		if got := Area(orb.MultiPolygon{{c.ring}}); math.Abs(got-c.want) > c.want*1e-6 {
			t.Errorf("%s: %.3f m², want %.3f", c.name, got, c.want)
		}
	}
	whole := orb.MultiPolygon{{box(0, 0, 3, 3), box(1, 1, 2, 2)}}
	hole := orb.MultiPolygon{{box(1, 1, 2, 2)}}
	full := orb.MultiPolygon{{box(0, 0, 3, 3)}}
	if got, want := Area(whole), Area(full)-Area(hole); math.Abs(got-want) > 1 {
		t.Errorf("with a hole %.1f, want %.1f", got, want)
	}
}

// TestAreaOfLongEdges divides the edges of triangles over the world, which have a formula of their own, into short ones.
func TestAreaOfLongEdges(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var corners orb.Ring
		for range 3 {
			corners = append(corners, orb.Point{rapid.Float64Range(-180, 180).Draw(t, "lng"), rapid.Float64Range(-90, 90).Draw(t, "lat")})
		}
		corners = append(corners, corners[0])
		var divided orb.Ring
		const parts = 400
		for i := 1; i < len(corners); i++ {
			a, b := corners[i-1], corners[i]
			for part := range parts {
				by := float64(part) / parts
				divided = append(divided, orb.Point{a[0] + by*(b[0]-a[0]), a[1] + by*(b[1]-a[1])})
			}
		}
		divided = append(divided, corners[0])
		got, want := Area(orb.MultiPolygon{{corners}}), Area(orb.MultiPolygon{{divided}})
		if math.Abs(got-want) > want*1e-9+1e4 { // of 5e14 m²
			t.Fatalf("%v: %.3f m², in parts %.3f m²", corners, got, want)
		}
	})
}

func TestSignedArea(t *testing.T) {
	ring := orb.Ring{{100, 40}, {103, 40}, {103, 42}, {100, 42}, {100, 40}}
	if got := SignedArea(ring); got != 6 {
		t.Errorf("counter-clockwise: %v, want 6", got)
	}
	ring.Reverse()
	if got := SignedArea(ring); got != -6 {
		t.Errorf("clockwise: %v, want -6", got)
	}
	if got := SignedArea(nil); got != 0 {
		t.Errorf("no ring: %v", got)
	}
}

func TestAreaIsTheSumOfItsParts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ring := star(t)
		sum := 0.0
		for i := 1; i < len(ring); i++ {
			sum += Area(orb.MultiPolygon{{{{-75, 39}, ring[i-1], ring[i], {-75, 39}}}})
		}
		if got := Area(orb.MultiPolygon{{ring}}); math.Abs(got-sum) > sum*1e-6 {
			t.Errorf("%.3f m², sum of the parts %.3f m²", got, sum)
		}
	})
}

func TestWKBRoundTrip(t *testing.T) {
	m := orb.MultiPolygon{{box(0, 0, 10, 10), box(4, 4, 6, 6)}, {box(20, 0, 30, 10)}}
	data, err := WKB(m)
	if err != nil {
		t.Fatal(err)
	}
	got, err := MultiPolygon(data)
	if err != nil || !got.Equal(m) {
		t.Errorf("read %v, %v", got, err)
	}
	one, _ := WKB(m[1])
	if got, err := MultiPolygon(one); err != nil || !got.Equal(m[1:]) {
		t.Errorf("polygon read as %v, %v", got, err)
	}
	point, _ := WKB(orb.Point{1, 2})
	for name, bad := range map[string][]byte{"point": point, "cut": data[:len(data)-5], "empty": nil} {
		if _, err := MultiPolygon(bad); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func FuzzMultiPolygon(f *testing.F) {
	data, _ := WKB(orb.MultiPolygon{{box(0, 0, 10, 10), box(4, 4, 6, 6)}})
	f.Add(data)
	f.Add(data[:40])
	f.Add([]byte{1, 6, 0, 0, 0, 255, 255, 255, 255})
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := MultiPolygon(data)
		if err != nil {
			return
		}
		again, err := WKB(m)
		if err != nil {
			t.Fatal(err)
		}
		back, err := MultiPolygon(again)
		if err != nil {
			t.Fatal(err)
		}
		if last, _ := WKB(back); !bytes.Equal(again, last) {
			t.Error("does not come back as it went")
		}
		Prepare(m).Contains(orb.Point{1, 1})
		InteriorPoint(m)
	})
}
