package spatialite

import (
	"math"
	"testing"

	"github.com/paulmach/orb"
	"pgregory.net/rapid"
)

// GEOS compares every vertex with every edge: slow, and independent.
func TestHausdorffAgreesWithGEOS(t *testing.T) {
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
		var want float64
		err := k.db.QueryRow("SELECT HausdorffDistance(ST_GeomFromWKB(?), ST_GeomFromWKB(?))", encode(plane(a, center)), encode(plane(b, center))).Scan(&want)
		if err != nil {
			t.Fatal(err)
		}
		if got := HausdorffM(a, b); math.Abs(got-want) > 1e-6 {
			t.Fatalf("%v m, GEOS has %v", got, want)
		}
	})
}

func BenchmarkHausdorff(b *testing.B) {
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
		HausdorffM(one, other)
	}
}
