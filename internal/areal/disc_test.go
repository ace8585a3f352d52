package areal

import (
	"math"
	"testing"

	"github.com/paulmach/orb"
	"pgregory.net/rapid"

	"quartier/internal/coord"
	"quartier/internal/geo"
)

// TestDiscOnTheEllipsoid compares with distances on the ellipsoid: points nearer than the radius by 0.1 % are inside, those
// farther by 0.1 % are not, and the area is that of a circle.
func TestDiscOnTheEllipsoid(t *testing.T) {
	for _, latitude := range []float64{0, 25, 45, 62, 75, 80, -50} {
		for _, radius := range []float64{20, 500, 5000, 30_000} {
			centre := orb.Point{-95, latitude}
			s := Disc(centre[0], centre[1], radius)
			for bearing := range 72 {
				for _, c := range []struct {
					at   float64
					want float64
				}{{0.999, 1}, {1.001, 0}} {
					p := reach(centre, float64(bearing)*5*geo.Radian, c.at*radius)
					at, _ := coord.NewPoint(p[0], p[1])
					if got := s.Share(area([]coord.Point{at, at, at})); got != c.want {
						t.Errorf("%v° north, radius %v: at %v of it, bearing %d: %v inside", latitude, radius, c.at, bearing*5, got)
					}
				}
			}
			b := s.Bound()
			around := orb.Polygon{{b.Min, {b.Max[0], b.Min[1]}, b.Max, {b.Min[0], b.Max[1]}, b.Min}}
			f := s.Share(oriented(t, around...))
			near(t, "the area of the disc", f*geo.Area(orb.MultiPolygon{around})/(math.Pi*radius*radius), 1, 3e-3)
		}
	}
}

// reach is the point at a distance and bearing from another, found by bisection.
func reach(from orb.Point, bearing, metres float64) orb.Point {
	sin, cos := math.Sincos(bearing)
	plane := geo.NewPlane(from)
	lo, hi := 0.5*metres, 2*metres
	for range 60 {
		if mid := (lo + hi) / 2; geo.Distance(from, plane.Point(mid*sin, mid*cos)) < metres {
			lo = mid
		} else {
			hi = mid
		}
	}
	return plane.Point(lo*sin, lo*cos)
}

// circle is the disc as a polygon of n vertices on its own map.
func circle(d *disc, n int) orb.Polygon {
	ring := make(orb.Ring, 0, n+1)
	for k := range n {
		y, x := math.Sincos(2 * math.Pi * float64(k) / float64(n))
		dy := y / d.north
		dx := x / (d.east + d.lngCorrection*dy)
		ring = append(ring, orb.Point{(d.lng + dx) / coord.Scale, (d.lat + dy) / coord.Scale})
	}
	return orb.Polygon{append(ring, ring[0])}
}

// TestDiscIsALimit compares with a polygon of a thousand vertices, which are rounded to a centimetre.
func TestDiscIsALimit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := Disc(lng/coord.Scale, lat/coord.Scale, rapid.Float64Range(100, 3000).Draw(t, "radius"))
		fine := new(Shape)
		fine.SetPolygon(circle(&s.disc, 1000))
		x, y := place(t, lng, lat, int32(s.disc.reach))
		block := star(x, y, rapid.SampledFrom([]int32{2000, 20_000, 500_000}).Draw(t, "size")).Draw(t, "block")
		near(t, "share", s.Share(block), fine.Share(block), 1e-3)
	})
}

// TestDiscAgreesWithPoints compares with the share of a grid of points that are in the circle.
func TestDiscAgreesWithPoints(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := Disc(lng/coord.Scale, lat/coord.Scale, rapid.Float64Range(20, 500).Draw(t, "radius"))
		x, y := place(t, lng, lat, 40_000)
		block := star(x, y, 40_000).Draw(t, "block")
		inside, all := 0, 0
		for dy := int32(-40_000); dy < 40_000; dy += 800 {
			for dx := int32(-40_000); dx < 40_000; dx += 800 {
				if p := (coord.Point{Lng: x + dx, Lat: y + dy}); block.Contains(p) {
					all++
					if geo.Distance(degrees(p), orb.Point{lng / coord.Scale, lat / coord.Scale}) < radius(s) {
						inside++
					}
				}
			}
		}
		near(t, "share", s.Share(block), float64(inside)/float64(all), 0.03)
	})
}

// radius draws the radius of a disc in metres.
func radius(s *Shape) float64 {
	_, y := geo.NewPlane(orb.Point{0, s.disc.lat / coord.Scale}).XY(orb.Point{0, (s.disc.lat + s.disc.reach) / coord.Scale})
	return y
}

// TestWiderDiscsContainMore, and in the end all of a block.
func TestWiderDiscsContainMore(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x, y := place(t, lng, lat, 60_000)
		block := star(x, y, 20_000).Draw(t, "block")
		r, f := 0.0, 0.0
		for f < 1 {
			r += rapid.Float64Range(0.01, 60).Draw(t, "more")
			wider := Disc(lng/coord.Scale, lat/coord.Scale, r).Share(block)
			if wider < f-1e-12 {
				t.Fatalf("%v in a disc of %v m, %v in a smaller one", wider, r, f)
			}
			f = wider
			if r > 2000 {
				t.Fatalf("only %v of a block in a disc of %v m", f, r)
			}
		}
	})
}

// TestDiscOfCutBlocks checks that the shares of the pieces of a block add up to that of the block.
func TestDiscOfCutBlocks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := Disc(lng/coord.Scale, lat/coord.Scale, rapid.Float64Range(20, 500).Draw(t, "radius"))
		x, y := place(t, lng, lat, 40_000)
		whole := star(x, y, 40_000).Draw(t, "block")
		hub := coord.Point{Lng: x, Lat: y}
		sum := 0.0
		for k := 1; k < len(whole.Points); k++ {
			piece := area([]coord.Point{hub, whole.Points[k-1], whole.Points[k]})
			sum += s.Share(piece) * s.size(piece)
		}
		near(t, "the sum over pieces", sum, s.Share(whole)*s.size(whole), 1e-7*s.size(whole))
	})
}

// size is the area of an outline on the map of a disc.
func (s *Shape) size(a coord.Area) float64 {
	sum := 0.0
	for k := 1; k < len(a.Points); k++ {
		px, py := s.disc.project(float64(a.Points[k-1].Lng), float64(a.Points[k-1].Lat))
		qx, qy := s.disc.project(float64(a.Points[k].Lng), float64(a.Points[k].Lat))
		sum += px*qy - py*qx
	}
	return sum
}

func TestDiscHoles(t *testing.T) {
	small := Disc(0, 0, 50)
	pierced := area([]coord.Point{{Lng: -90_000, Lat: -90_000}, {Lng: 90_000, Lat: -90_000}, {Lng: 90_000, Lat: 90_000},
		{Lng: -90_000, Lat: 90_000}},
		[]coord.Point{{Lng: -9_000, Lat: -9_000}, {Lng: -9_000, Lat: 9_000}, {Lng: 9_000, Lat: 9_000}, {Lng: 9_000, Lat: -9_000}})
	near(t, "a disc in a hole", small.Share(pierced), 0, 0)
	near(t, "a disc around it all", Disc(0, 0, 5000).Share(pierced), 1, 0)
	wide := Disc(0, 0, 300).Share(pierced)
	plain := Disc(0, 0, 300).Share(area(pierced.Points[:4]))
	near(t, "a disc around the hole", wide*(1-0.01), plain-0.01, 1e-9)
	near(t, "a disc of no size", Disc(0, 0, 0).Share(pierced), 0, 0)
	near(t, "a disc of no number", Disc(0, 0, math.NaN()).Share(pierced), 0, 0)
}

// TestShareOfDamagedAreas reads within bounds if the ends of rings are damaged.
func TestShareOfDamagedAreas(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := star(lng, lat, 10_000).Draw(t, "block")
		a.Ends = rapid.SliceOfN(rapid.Uint32Range(0, 60), 0, 5).Draw(t, "ends")
		for _, s := range []*Shape{Disc(lng/coord.Scale, lat/coord.Scale, 50), shape(star(lng, lat, 10_000).Draw(t, "shape"))} {
			if f := s.Share(a); !(f >= 0 && f <= 1) {
				t.Fatalf("a share of %v", f)
			}
		}
	})
}
