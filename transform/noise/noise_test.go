package noise

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"testing"

	"github.com/paulmach/orb"
	"pgregory.net/rapid"

	"quartier/internal/duck"
	"quartier/internal/geo"
	"quartier/internal/network"
	"quartier/internal/pack"
	"quartier/schemas"
	"quartier/schemas/calibration"
	"quartier/transform/channel"
	"quartier/transform/street"
)

var home = orb.Point{-76.7, 39.4}

// at is the place x metres east and y metres north of home.
func at(x, y float64) orb.Point { return geo.NewPlane(home).Point(x, y) }

func line(xy ...float64) orb.LineString {
	var l orb.LineString
	for i := 0; i < len(xy); i += 2 {
		l = append(l, at(xy[i], xy[i+1]))
	}
	return l
}

// region is a staged database by hand.
type region struct {
	t       testing.TB
	db      *duck.DB
	streets []street.Street
}

func newRegion(t testing.TB) *region {
	t.Helper()
	db, err := duck.Create(filepath.Join(t.TempDir(), "staged.duckdb"), schemas.Staged)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	r := &region{t: t, db: db}
	r.exec(`INSERT INTO source VALUES ('osm', 0, 'osm', 'x', 'x', 1, '2024-01-01', 'x', 'x', NULL, 1, 1)`)
	return r
}

func (r *region) exec(query string, args ...any) {
	r.t.Helper()
	if _, err := r.db.Exec(query, args...); err != nil {
		r.t.Fatalf("%s: %v", query, err)
	}
}

func (r *region) feature(kind, class string, g orb.Geometry) {
	r.t.Helper()
	data, err := geo.WKB(g)
	if err != nil {
		r.t.Fatal(err)
	}
	var count int
	if err := r.db.QueryRow(`SELECT count(*) FROM feature`).Scan(&count); err != nil {
		r.t.Fatal(err)
	}
	r.exec(`INSERT INTO feature VALUES ('osm', ?, ?, ?, NULL, NULL, NULL, false, ?)`, fmt.Sprint(count), kind, class, data)
}

func (r *region) street(class string, l orb.LineString) {
	r.streets = append(r.streets, street.Street{Source: "osm", Class: class, Car: "both", Line: l})
}

// derive works out the noise at some points.
func (r *region) derive(points ...orb.Point) (*channel.Matrix, []float32) {
	r.t.Helper()
	net := &street.Network{Streets: r.streets, Walk: &network.Graph{}}
	for _, p := range points {
		node, _ := pack.NewPoint(p[0], p[1])
		net.Walk.Nodes = append(net.Walk.Nodes, node)
	}
	m, s := channel.NewMatrix(len(points)), new(channel.Surroundings)
	if _, err := Derive(context.Background(), r.db, net, m, s, calibration.Standard()); err != nil {
		r.t.Fatal(err)
	}
	return m, s.NoiseDB
}

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s: %.2f, want %.2f ± %.2f", what, got, want, tolerance)
	}
}

// endless is what is heard d metres from a long line in pieces.
func endless(g *ground, d float64) (energy float64) {
	for x := -1e5; x < 1e5; x += 50 {
		energy += g.heard(x, d, x+50, d)
	}
	return energy
}

func TestStreetsAreAsLoudAsTheirTableSays(t *testing.T) {
	c := calibration.Standard()
	g := newGround(c.Noise.Soft, c.Noise.LeastM, c.Noise.PieceM)
	for class, want := range map[string]float64{"motorway": 71, "trunk": 66, "primary": 60, "secondary": 55, "tertiary": 50, "residential": 41} {
		road, _ := c.Traffic.Of(class, false, 0, 0)
		got := level(emission(road, c.Noise.Vehicles, c.Noise.Soft) * endless(g, 50))
		near(t, class+" at 50 m", got, want, 1)
	}
	both, _ := c.Traffic.Of("motorway", false, 0, 0)
	carriageway, _ := c.Traffic.Of("motorway", true, 2, 0)
	near(t, "two carriageways of two lanes", 2*carriageway.AADT, both.AADT, 0)
	wide, _ := c.Traffic.Of("secondary", false, 4, 64)
	near(t, "vehicles on four lanes", wide.AADT, 18000, 0)
	near(t, "speed as told", wide.SpeedKMH, 64, 0)
}

func TestTrainsAreAsLoudAsTheExampleOfTheMethod(t *testing.T) {
	c := calibration.Standard().Noise
	db := trainLevel(calibration.Track{Cars: 4, SpeedKMH: 48.28032}, 10, c.Rail)
	g := newGround(c.Soft, c.LeastM, c.PieceM)
	strength := decibels(db) * math.Pow(c.Rail.AtM, 1+c.Soft) / g.whole()
	for feet, want := range map[float64]float64{50: 58, 200: 49, 800: 40} {
		near(t, fmt.Sprint(feet, " ft"), level(strength*endless(g, feet*.3048)), want, .5)
	}
	// 24 trains a day at one level an hour: Ldn is 6.4 dB over it, by the formula's own numbers.
	even := calibration.Track{TrainsDay: 24, Cars: 4, SpeedKMH: 48.28032}
	ld := trainLevel(even, 1, c.Rail)
	near(t, "Ldn", dayNight(even, c.Rail), level(15*decibels(ld)+9*decibels(ld+10))-13.8, .01)
}

func TestIntegralOverTheAngle(t *testing.T) {
	g := newGround(.5, 7.5, 50)
	near(t, "a half turn", g.whole(), 2.39628, 1e-5)
	hard := newGround(0, 7.5, 50)
	near(t, "hard ground", hard.to(1), 1, 1e-6)
	rapid.Check(t, func(t *rapid.T) { // against the plain sum of points, each strength·r^-2.5
		ax, ay := rapid.Float64Range(-300, 300).Draw(t, "ax"), rapid.Float64Range(8, 300).Draw(t, "ay")
		bx := ax + rapid.Float64Range(1, 35).Draw(t, "dx")
		by := ay + rapid.Float64Range(0, 35).Draw(t, "dy")
		length := math.Hypot(bx-ax, by-ay)
		sum := 0.0
		for i := range 2000 {
			s := (float64(i) + .5) / 2000
			sum += length / 2000 * math.Pow(math.Hypot(ax+s*(bx-ax), ay+s*(by-ay)), -2.5)
		}
		d := math.Abs(ax*by-ay*bx) / length
		if got := g.heard(ax, ay, bx, by); d > 7.5 && math.Abs(level(got)-level(sum)) > .12 {
			t.Fatalf("%.2f dB, the sum of points is %.2f", level(got), level(sum))
		}
	})
}

func TestNoiseFallsWithDistance(t *testing.T) {
	r := newRegion(t)
	r.street("primary", line(-3000, 0, 3000, 0))
	r.feature("rail", "main", line(-3000, 0, 3000, 0))
	r.feature("land", "residential", orb.MultiPolygon{{{at(0, 0), at(9, 0), at(9, 9), at(0, 0)}}})
	var points []orb.Point
	for y := 0.0; y < 1500; y += 10 {
		points = append(points, at(0, y))
	}
	r.exec(`INSERT INTO street SELECT 'osm', 'x', 'primary', NULL, NULL, true, true, 'both', NULL, NULL, NULL, NULL, NULL, false, false, NULL, ''`)
	m, db := r.derive(points...)
	for i := 1; i < len(points); i++ {
		if db[i] > db[i-1]+.05 || m.Get(i, traffic) > m.Get(i-1, traffic)+.01 || m.Get(i, railway) > m.Get(i-1, railway)+.01 {
			t.Errorf("%d m farther: %.2f dB after %.2f", 10*i, db[i], db[i-1])
		}
	}
	near(t, "traffic at 50 m", 40+7*m.Get(5, traffic), 60+3, 1)
	near(t, "beyond a kilometre", float64(db[120]), 30, .1)
	if m.Get(120, railway) != 0 || m.Get(120, interchange) != 0 {
		t.Errorf("beyond a kilometre: railway %v, interchange %v", m.Get(120, railway), m.Get(120, interchange))
	}
}

func TestAStreetMoreIsNeverQuieter(t *testing.T) {
	classes := []string{"motorway", "motorway_link", "primary", "residential", "service", "footway"}
	rapid.Check(t, func(rt *rapid.T) {
		c := calibration.Standard()
		g := newGround(c.Noise.Soft, c.Noise.LeastM, c.Noise.PieceM)
		var streets []street.Street
		for range rapid.IntRange(1, 6).Draw(rt, "streets") {
			xy := rapid.SliceOfN(rapid.Float64Range(-1500, 1500), 4, 8).Draw(rt, "line")
			streets = append(streets, street.Street{Class: rapid.SampledFrom(classes).Draw(rt, "class"), Car: "both", Line: line(xy[:len(xy)/2*2]...)})
		}
		sum := func(streets []street.Street) (all, ramps float64) {
			near := func(p pack.Point, metres float64) bool { return geo.Distance(degrees(p), home) < metres }
			for _, f := range split(roads(streets, near, g, c), 300) {
				f.at(g, home, &all, &ramps)
			}
			return all, ramps
		}
		less, lessRamps := sum(streets[1:])
		more, moreRamps := sum(streets)
		if more < less*(1-1e-12) || moreRamps < lessRamps*(1-1e-12) || moreRamps > more {
			rt.Fatalf("with a street more %g (%g of ramps), without it %g (%g)", more, moreRamps, less, lessRamps)
		}
	})
}

func TestPiecesKeepTheLine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := line(rapid.SliceOfN(rapid.Float64Range(-500, 500), 4, 4).Draw(t, "ends")...)
		for range rapid.IntRange(0, 5).Draw(t, "more") {
			plane := geo.NewPlane(l[len(l)-1])
			l = append(l, plane.Point(rapid.Float64Range(-30, 30).Draw(t, "x"), rapid.Float64Range(-30, 30).Draw(t, "y")))
		}
		whole, sum := 0.0, 0.0
		for i := 1; i < len(l); i++ {
			whole += geo.Distance(l[i-1], l[i])
		}
		last, _ := pack.NewPoint(l[0][0], l[0][1])
		cutLine(l, 50, func(a, b pack.Point) {
			length := geo.Distance(degrees(a), degrees(b))
			if a != last || length > 50.1 {
				t.Fatalf("piece of %.2f m from %v after %v", length, a, last)
			}
			last, sum = b, sum+length
		})
		if end, _ := pack.NewPoint(l[len(l)-1][0], l[len(l)-1][1]); last != end || sum > whole+.1 || sum < whole-20 {
			t.Fatalf("pieces of %.1f m of a line of %.1f m", sum, whole)
		}
	})
}

func TestRampsBelongToTheirJunction(t *testing.T) {
	r := newRegion(t)
	r.street("motorway", line(-5000, 0, 0, 0, 5000, 0))
	r.street("motorway_link", line(0, 0, 300, 100))
	m, _ := r.derive(at(100, 120), at(3000, 120))
	if m.Get(0, interchange) <= 3 || m.Get(0, interchange) >= m.Get(0, traffic)+1e-9 {
		t.Errorf("at the ramp: interchange %v, traffic %v", m.Get(0, interchange), m.Get(0, traffic))
	}
	if m.Get(1, interchange) != 0 || m.Get(1, traffic) < 3 {
		t.Errorf("along the motorway: interchange %v, traffic %v", m.Get(1, interchange), m.Get(1, traffic))
	}
	if !math.IsNaN(m.Get(0, railway)) || !math.IsNaN(m.Get(0, airport)) {
		t.Errorf("nobody tells railways and airports: %v, %v", m.Get(0, railway), m.Get(0, airport))
	}
}

func TestHornsAndTimetables(t *testing.T) {
	points := []orb.Point{at(0, 100), at(2000, 100)}
	r := newRegion(t)
	r.feature("rail", "branch", line(-5000, 0, 5000, 0))
	quiet, _ := r.derive(points...)
	r.feature("junction", "level_crossing", at(0, 1))
	loud, _ := r.derive(points...)
	near(t, "horn", 7*(loud.Get(0, railway)-quiet.Get(0, railway)), 10, 1)
	near(t, "two kilometres off", loud.Get(1, railway), quiet.Get(1, railway), .001)

	points[0] = at(0, 30)
	r = newRegion(t)
	r.feature("rail", "tram", line(-5000, 0, 5000, 0))
	standard, _ := r.derive(points...)
	r.exec(`INSERT INTO route VALUES ('osm', 'r', NULL, '1', NULL, NULL, 'tram', NULL)`)
	for stop, trips := range []int{108 * 7 * 10, 108 * 7 * 10, 1} { // ten times the default at the stop in the middle
		r.exec(`INSERT INTO stop_service VALUES ('osm', ?, 'r', 0, ?)`, fmt.Sprint("s", stop), trips)
	}
	frequent, _ := r.derive(points...)
	near(t, "ten times the trams", 7*(frequent.Get(0, railway)-standard.Get(0, railway)), 10, .1)
}

func TestAircraft(t *testing.T) {
	air := calibration.Standard().Noise.Air
	runway := path{a: at(-1500, 0), b: at(1500, 0), level: 65, glide: air.GlideM}
	tan := math.Tan(3 * math.Pi / 180)
	near(t, "beside the runway", runway.slant(at(700, 600), tan), 600, 1)
	near(t, "under the glide", runway.slant(at(-1500-5000, 0), tan), 5000*tan, 1)
	near(t, "beyond the glide", runway.slant(at(1500+9000, 0), tan), math.Hypot(1000, 8000*tan), 1)
	near(t, "at 600 m", runway.heard(600, &air), 65, 1e-9)
	near(t, "ten times as far", runway.heard(6000, &air), 65-16.6-1.5*5.4, 1e-9)

	r := newRegion(t)
	r.feature("aerodrome", "international", at(0, 500))
	r.feature("runway", "", runway.lineString())
	m, _ := r.derive(at(0, 600), at(0, 3000), at(0, 40_000), at(4000, 0))
	near(t, "200,000 flights at 600 m", 40+7*m.Get(0, airport), 68, .1)
	if !(m.Get(1, airport) < m.Get(0, airport)) || !math.IsNaN(m.Get(2, airport)) || m.Get(3, airport) != 5 {
		t.Errorf("airport noise %v %v %v %v", m.Get(0, airport), m.Get(1, airport), m.Get(2, airport), m.Get(3, airport))
	}
	r.feature("runway", "", line(-1500, 20_000, 1500, 20_000)) // of nobody: a field of light aircraft
	m, _ = r.derive(at(0, 600), at(0, 20_600))
	near(t, "20,000 light aircraft at 600 m", 40+7*m.Get(1, airport), 65-7-12, .1)
}

func (p path) lineString() orb.LineString { return orb.LineString{p.a, p.b} }
