package cycling

import (
	"math"
	"testing"

	"github.com/paulmach/orb"
	"pgregory.net/rapid"

	"quartier/schemas/calibration"
	"quartier/schemas/staged"
	"quartier/transform/regiontest"
)

var lanesOf = &calibration.Standard().Bicycle.Lanes

// total is the weighted length of what is left of facilities.
func total(facilities ...facility) (sum float64) {
	for _, p := range union(facilities, &lanesOf.Corridor) {
		sum += p.metres() * p.weight
	}
	return sum
}

func TestAStreetCountsOnce(t *testing.T) {
	lane := facility{regiontest.Line(0, 0, 1000, 0), 1.5}
	for _, c := range []struct {
		name  string
		other []facility
		want  float64
	}{
		{"alone", nil, 1500},
		{"drawn twice", []facility{lane}, 1500},
		{"drawn on the other side, the other way around", []facility{{regiontest.Line(1000, 18, 0, 18), 1.5}}, 1500},
		{"with a track along half of it", []facility{{regiontest.Line(0, 10, 500, 10), 3}}, 1500 + 750},
		{"with a winding path beside it", []facility{{regiontest.Line(0, 8, 90, 14, 210, 6, 330, 15, 450, 5, 500, 10), 3}}, 3*505 + 750},
		{"on the next street", []facility{{regiontest.Line(0, 60, 1000, 60), 1.5}}, 3000},
		{"crossed", []facility{{regiontest.Line(500, -500, 500, 500), 1.5}}, 3000},
		{"continued", []facility{{regiontest.Line(1000, 0, 2000, 0), 1.5}}, 3000},
		{"continued around a bend", []facility{{regiontest.Line(1000, 0, 1200, 60, 1400, 300), 1.5}},
			1500 + 1.5*(math.Hypot(200, 60)+math.Hypot(200, 240))},
		{"continued in short pieces", []facility{{regiontest.Line(1000, 0, 1004, 0), 1.5}, {regiontest.Line(1004, 0, 1010, 1), 1.5}}, 1515.1},
	} {
		regiontest.Near(t, c.name, total(append(c.other, lane)...), c.want, .02*c.want)
	}
}

func TestUnionProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		facilities := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) facility {
			f := facility{weight: rapid.SampledFrom([]float64{1, 1.5, 3}).Draw(t, "weight")}
			for range rapid.IntRange(2, 6).Draw(t, "vertices") {
				f.line = append(f.line, regiontest.At(rapid.Float64Range(0, 800).Draw(t, "x"), rapid.Float64Range(0, 800).Draw(t, "y")))
			}
			return f
		}), 1, 6).Draw(t, "facilities")
		once, all := total(facilities...), 0.0
		for _, f := range facilities {
			for i := 1; i < len(f.line); i++ {
				all += f.weight * piece{from: f.line[i-1], to: f.line[i]}.metres()
			}
		}
		if once > all*(1+1e-6) || once < 0 {
			t.Fatalf("%.1f of %.1f", once, all)
		}
		if twice := total(append(facilities, facilities...)...); math.Abs(twice-once) > 1e-6 {
			t.Fatalf("%.1f, drawn twice %.1f", once, twice)
		}
	})
}

func TestSpreadKeepsTheLength(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		metres := rapid.Float64Range(1, 50_000).Draw(t, "metres")
		sum, farthest := 0.0, 0.0
		spread(regiontest.Home, metres, 1000, func(at orb.Point, m float64) {
			sum += m
			farthest = max(farthest, piece{from: at, to: regiontest.Home}.metres())
		})
		if math.Abs(sum-metres) > 1e-6*metres || farthest > metres/2*1.01 {
			t.Fatalf("%.1f of %.1f m, up to %.1f m away", sum, metres, farthest)
		}
	})
}

// A town whose streets come from a road network file, and its cycling network.
func TestNetworkOfATownWithoutBicycleTags(t *testing.T) {
	r := towns(t)
	r.Exec(`UPDATE source SET kind = 'roads'`)
	r.Source("network", 1, "cycling-network", "2024-01-01")
	r.Bikeway("network", "path", 0, regiontest.Line(-800, 50, 800, 50))
	r.Bikeway("network", "painted", 0, regiontest.Line(-800, 0, 800, 0))
	r.Bikeway("network", "shared", 0, regiontest.Line(-800, -2000, 800, 2000))
	s := derive(t, r, regiontest.At(0, 50), regiontest.At(0, 700), regiontest.At(0, 1800), regiontest.At(5000, 0))
	if s.LowStress != nil && !math.IsNaN(float64(s.LowStress[0])) {
		t.Errorf("calm is %v", s.LowStress[0])
	}
	if !(s.BikeLanes[0] > s.BikeLanes[1] && s.BikeLanes[1] > 0) || !math.IsNaN(float64(s.BikeLanes[3])) {
		t.Errorf("on the path %v, farther %v, outside %v", s.BikeLanes[0], s.BikeLanes[1], s.BikeLanes[3])
	}
	// The integral of 1 − |x|/1000 from −800 to 800 is 960; the lane is 50 m away.
	regiontest.Near(t, "on the path", float64(s.BikeLanes[0]), math.Sqrt((3*960+1.5*957)/lanesOf.Top), .003)
	if got := derive(t, r, regiontest.At(0, 1900)).BikeLanes[0]; got != 0 && !math.IsNaN(float64(got)) {
		t.Errorf("far from all of it %v", got)
	}
}

// A city that declares how far its network looks has no lanes where it has no piece, and is unknown beyond.
func TestExtentOfANetwork(t *testing.T) {
	r := towns(t)
	r.Exec(`UPDATE source SET kind = 'roads'`)
	r.Source("network", 1, "cycling-network", "2024-01-01")
	r.Bikeway("network", "path", 0, regiontest.Line(-800, 50, 800, 50, 800, -50))
	places := []orb.Point{regiontest.At(0, 50), regiontest.At(0, 2500), regiontest.At(0, 3500)}
	if s := derive(t, r, places...); !math.IsNaN(float64(s.BikeLanes[1])) {
		t.Errorf("beyond the hull of the network %v", s.BikeLanes[1])
	}
	regiontest.Stage(r, "extent", staged.Extent{SourceID: "network", Basis: staged.ExtentDeclared,
		Geom: regiontest.WKB(t, regiontest.Square(-3000, -3000, 3000, 3000))})
	s := derive(t, r, places...)
	if !(s.BikeLanes[0] > 0) || s.BikeLanes[1] != 0 || !math.IsNaN(float64(s.BikeLanes[2])) {
		t.Errorf("on the path %v, in the extent %v, beyond it %v", s.BikeLanes[0], s.BikeLanes[1], s.BikeLanes[2])
	}
}

// The same ways as lines of OpenStreetMap and as points of a city.
func TestPointsAndLinesCountOnce(t *testing.T) {
	at := func(build func(r *regiontest.Region)) float64 {
		r := regiontest.New(t)
		r.Source("network", 1, "cycling-network", "2024-01-01")
		build(r)
		for _, x := range []float64{-5000, 5000} { // the extent
			r.Bikeway("network", "none", 0, regiontest.Line(x, -5000, x, 5000))
		}
		return float64(derive(t, r, regiontest.Home).BikeLanes[0])
	}
	points := func(r *regiontest.Region) {
		for x := -350.0; x <= 350; x += 100 {
			r.Bikeway("network", "protected", 100, regiontest.At(x, 0))
		}
	}
	lines := func(r *regiontest.Region) { r.Street("cycleway", -400, 0, 400, 0).Car = "no" }
	both := at(func(r *regiontest.Region) { points(r); lines(r) })
	regiontest.Near(t, "points", at(points), at(lines), .005)
	regiontest.Near(t, "both", both, max(at(points), at(lines)), 1e-6)
	mixed := at(func(r *regiontest.Region) { points(r); r.Street("residential", -400, 300, 400, 300).Cycleway = "lane" })
	if !(mixed > both) {
		t.Errorf("with a lane of another class %v, without %v", mixed, both)
	}
}

// BenchmarkUnion measures a street of a city with 10,000 km of lanes.
func BenchmarkUnion(b *testing.B) {
	var facilities []facility
	for i := range 2000 {
		y := float64(i) * 40
		facilities = append(facilities, facility{regiontest.Line(0, y, 5000, y), 1.5})
	}
	for b.Loop() {
		union(facilities, &lanesOf.Corridor)
	}
}
