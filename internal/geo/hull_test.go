package geo

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/paulmach/orb"
	"pgregory.net/rapid"
)

func hullOf(points ...orb.Point) orb.Ring {
	var h Hull
	for _, p := range points {
		h.Add(p)
	}
	return h.Ring()
}

func TestHull(t *testing.T) {
	square := orb.Ring{{0, 0}, {4, 0}, {4, 4}, {0, 4}, {0, 0}}
	for _, tt := range []struct {
		name   string
		points []orb.Point
		want   orb.Ring
	}{
		{"nothing", nil, nil},
		{"a point, twice", []orb.Point{{1, 1}, {1, 1}}, nil},
		{"a line", []orb.Point{{0, 0}, {2, 2}, {1, 1}, {3, 3}}, nil},
		{"a triangle", []orb.Point{{0, 0}, {0, 2}, {2, 0}}, orb.Ring{{0, 0}, {2, 0}, {0, 2}, {0, 0}}},
		{"points inside and along edges", []orb.Point{{4, 4}, {2, 4}, {0, 0}, {1, 2}, {0, 4}, {2, 0}, {4, 0}, {4, 4}}, square},
	} {
		if got := hullOf(tt.points...); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

// A hull contains all points, turns left only, and its corners are among the points.
func TestHullOfAnyPoints(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		coordinate := rapid.OneOf(rapid.Float64Range(-2, 2), rapid.SampledFrom([]float64{-1, 0, 0.1, 0.2, 0.3, 1}))
		points := make([]orb.Point, rapid.IntRange(0, 30).Draw(t, "points"))
		for i := range points {
			points[i] = orb.Point{coordinate.Draw(t, "lng"), coordinate.Draw(t, "lat")}
		}
		ring := hullOf(points...)
		if ring == nil {
			for i := 2; i < len(points); i++ {
				for j := range i {
					if orient(points[0], points[j], points[i]) != 0 {
						t.Fatalf("no hull of %v", points)
					}
				}
			}
			return
		}
		for i := 0; i+2 < len(ring); i++ {
			if orient(ring[i], ring[i+1], ring[i+2]) <= 0 || !slices.Contains(points, ring[i]) {
				t.Fatalf("no corner at %v of %v", ring[i+1], ring)
			}
		}
		for _, p := range points {
			if !RingContains(ring, p) {
				t.Fatalf("%v is outside of %v", p, ring)
			}
		}
	})
}

// Many points: the corners are computed several times, and the order does not matter.
func TestHullOfManyPoints(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	points := make([]orb.Point, 30_000)
	for i := range points {
		angle := 2 * math.Pi * random.Float64()
		points[i] = orb.Point{math.Cos(angle), math.Sin(angle)} // nearly all are corners
	}
	points = append(points, points[:hullRoom]...)
	first := hullOf(points...)
	random.Shuffle(len(points), func(i, j int) { points[i], points[j] = points[j], points[i] })
	second := hullOf(points...)
	if len(first) < 20_000 || !slices.Equal(first, second) {
		t.Errorf("%d and %d corners", len(first), len(second))
	}
}

// BenchmarkHull adds a million points.
func BenchmarkHull(b *testing.B) {
	random := rand.New(rand.NewPCG(1, 2))
	for range b.N {
		var h Hull
		for range 1_000_000 {
			h.Add(orb.Point{random.Float64(), random.Float64()})
		}
		if len(h.Ring()) < 4 {
			b.Fatal(h.Ring())
		}
	}
}
