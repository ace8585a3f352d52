package spatialite

import (
	"math"
	"testing"

	"github.com/paulmach/orb"
	"pgregory.net/rapid"
)

// GEOS compares every vertex, and points between them, with every edge: slow, and independent.
func TestWithinAgreesWithGEOS(t *testing.T) {
	k := kernel(t)
	rapid.Check(t, func(t *rapid.T) {
		ring := rapid.Custom(func(t *rapid.T) orb.Ring {
			point := rapid.Custom(func(t *rapid.T) orb.Point {
				return orb.Point{-75 + float64(rapid.IntRange(0, 400).Draw(t, "x"))/1000, 45 + float64(rapid.IntRange(0, 300).Draw(t, "y"))/1000}
			})
			r := orb.Ring(rapid.SliceOfN(point, 3, 30).Draw(t, "ring"))
			return append(r, r[0])
		})
		a := orb.MultiPolygon{{ring.Draw(t, "a")}}
		b := orb.MultiPolygon{{ring.Draw(t, "b")}, {ring.Draw(t, "c")}}
		center := a.Bound().Union(b.Bound()).Center()
		const share = 0.01 // of an edge, between the points that GEOS looks at
		var distance float64
		err := k.db.QueryRow("SELECT ST_HausdorffDistance(ST_GeomFromWKB(?), ST_GeomFromWKB(?), ?)", encode(plane(a, center)),
			encode(plane(b, center)), share).Scan(&distance)
		if err != nil {
			t.Fatal(err)
		}
		const longest = 46_000 // metres of an edge
		if !Within(a, b, distance+share/2*longest) {
			t.Fatalf("beyond %v m", distance)
		}
		if distance > finestM && Within(a, b, distance-finestM) {
			t.Fatalf("nearer than %v m", distance)
		}
	})
}

// TestWithin finds what only the middle of an edge shows: a corridor of 300 m between two squares, whose ends are near both.
func TestWithin(t *testing.T) {
	square := func(west float64) orb.Polygon { return box(west, 45, west+0.01, 45.01) }
	apart := orb.MultiPolygon{square(-75), square(-74.986)}
	joined := orb.MultiPolygon{{{{-75, 45}, {-74.99, 45}, {-74.986, 45}, {-74.976, 45}, {-74.976, 45.01}, {-74.986, 45.01}, {-74.986, 45.0002},
		{-74.99, 45.0002},
		{-74.99, 45.01}, {-75, 45.01}, {-75, 45}}}}
	if Within(apart, joined, 150) || Within(joined, apart, 150) || !Within(apart, joined, 160) {
		t.Error("the middle of the corridor is 158 m from the squares")
	}
	if Within(nil, apart, 1e9) || !Within(apart, apart, 1e-6) {
		t.Error("nothing is within any distance, and an outline at no distance of itself")
	}
}

func BenchmarkWithin(b *testing.B) {
	circle := func(shift float64) orb.MultiPolygon {
		var ring orb.Ring
		for i := range 50_000 {
			angle := 2 * math.Pi * float64(i) / 50_000
			ring = append(ring, orb.Point{-75 + math.Cos(angle) + shift, 45 + math.Sin(angle)})
		}
		return orb.MultiPolygon{{append(ring, ring[0])}}
	}
	one, other := circle(0), circle(1e-4)
	for b.Loop() {
		Within(one, other, 50)
	}
}
