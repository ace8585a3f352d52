package noise

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/paulmach/orb"
	"pgregory.net/rapid"

	"quartier/internal/coord"
	"quartier/internal/duck"
	_ "quartier/internal/duck/driver"
	"quartier/internal/geo"
	"quartier/internal/sqlrow"
	"quartier/schemas"
	"quartier/schemas/calibration"
	"quartier/schemas/derived"
	"quartier/schemas/staged"
	"quartier/transform/network/channel"
	"quartier/transform/network/destination"
	"quartier/transform/network/street"
	flows "quartier/transform/network/traffic"
	"quartier/transform/regiontest"
)

// derive computes the noise at some points.
func derive(t *testing.T, r *regiontest.Region, points ...orb.Point) (*channel.Matrix, []float32) {
	t.Helper()
	region := r.Measure(points...)
	if _, err := Derive(t.Context(), region); err != nil {
		t.Fatal(err)
	}
	return region.Channels, region.Quantities.NoiseDB
}

// received is the energy at the origin of a line.
func received(g *propagation, ax, ay, bx, by float64) float64 {
	length, r := math.Hypot(bx-ax, by-ay), math.Hypot((ax+bx)/2, (ay+by)/2)
	if r >= g.farM {
		return length * g.point(r)
	}
	return g.near(ax, ay, bx, by, length)
}

// endless is the energy at d metres from a long line in pieces.
func endless(g *propagation, d float64) (energy float64) {
	for x := -1e5; x < 1e5; x += 50 {
		energy += received(g, x, d, x+50, d)
	}
	return energy
}

func TestStreetLevelsByClass(t *testing.T) {
	c := calibration.Standard()
	g := newPropagation(c.Noise.Soft, c.Noise.MinM, c.Noise.PieceM)
	for class, want := range map[string]float64{"motorway": 71, "trunk": 66, "primary": 60, "secondary": 55, "tertiary": 50,
		"residential": 41} {
		road, _ := c.Traffic.Of(class, false, 0, 0)
		got := level(emission(road, c.Noise.Vehicles, c.Noise.Soft) * endless(g, 50))
		regiontest.Near(t, class+" at 50 m", got, want, 1)
	}
	both, _ := c.Traffic.Of("motorway", false, 0, 0)
	carriageway, _ := c.Traffic.Of("motorway", true, 2, 0)
	regiontest.Near(t, "two carriageways of two lanes", 2*carriageway.AADT, both.AADT, 0)
	wide, _ := c.Traffic.Of("secondary", false, 4, 64)
	regiontest.Near(t, "vehicles on four lanes", wide.AADT, 18000, 0)
	regiontest.Near(t, "tagged speed", wide.SpeedKMH, 64, 0)
}

func TestTrainLevelsOfFTAExample(t *testing.T) {
	c := calibration.Standard().Noise
	db := trainLevel(calibration.Track{Cars: 4, SpeedKMH: 48.28032}, 10, c.Rail)
	g := newPropagation(c.Soft, c.MinM, c.PieceM)
	strength := energyOf(db) * math.Pow(c.Rail.AtM, 1+c.Soft) / g.halfTurn()
	for feet, want := range map[float64]float64{50: 58, 200: 49, 800: 40} {
		regiontest.Near(t, fmt.Sprint(feet, " ft"), level(strength*endless(g, feet*.3048)), want, .5)
	}
	// 24 trains a day at one level an hour: Ldn is 6.4 dB over it, by the formula's own numbers.
	even := calibration.Track{TrainsDay: 24, Cars: 4, SpeedKMH: 48.28032}
	ld := trainLevel(even, 1, c.Rail)
	regiontest.Near(t, "Ldn", dayNight(even, c.Rail), level(15*energyOf(ld)+9*energyOf(ld+10))-13.8, .01)
}

func TestIntegralOverTheAngle(t *testing.T) {
	g := newPropagation(.5, 7.5, 50)
	regiontest.Near(t, "a half turn", g.halfTurn(), 2.39628, 1e-5)
	hard := newPropagation(0, 7.5, 50)
	regiontest.Near(t, "hard ground", hard.to(1), 1, 1e-6)
	rapid.Check(t, func(t *rapid.T) { // compared with the sum of points, each strength·r^-2.5
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
		if got := received(g, ax, ay, bx, by); d > 7.5 && math.Abs(level(got)-level(sum)) > .12 {
			t.Fatalf("%.2f dB, the sum of points is %.2f", level(got), level(sum))
		}
	})
}

func TestNoiseFallsWithDistance(t *testing.T) {
	r := regiontest.New(t)
	r.Street("primary", -3000, 0, 3000, 0)
	r.Feature("rail", "main", regiontest.Line(-3000, 0, 3000, 0))
	r.MapLand()
	var points []orb.Point
	for y := 0.0; y < 1500; y += 10 {
		points = append(points, regiontest.At(0, y))
	}
	m, db := derive(t, r, points...)
	for i := 1; i < len(points); i++ {
		if db[i] > db[i-1]+.05 || m.Get(i, traffic) > m.Get(i-1, traffic)+.01 || m.Get(i, railway) > m.Get(i-1, railway)+.01 {
			t.Errorf("%d m farther: %.2f dB after %.2f", 10*i, db[i], db[i-1])
		}
	}
	regiontest.Near(t, "traffic at 50 m", 40+7*m.Get(5, traffic), 60+3, 1)
	regiontest.Near(t, "beyond a kilometre", float64(db[120]), 30, .1)
	if m.Get(120, railway) != 0 || m.Get(120, interchange) != 0 {
		t.Errorf("beyond a kilometre: railway %v, interchange %v", m.Get(120, railway), m.Get(120, interchange))
	}
}

func TestAnotherStreetIsNeverQuieter(t *testing.T) {
	classes := []string{"motorway", "motorway_link", "primary", "residential", "service", "footway"}
	rapid.Check(t, func(rt *rapid.T) {
		c := calibration.Standard()
		g := newPropagation(c.Noise.Soft, c.Noise.MinM, c.Noise.PieceM)
		var streets []street.Street
		for range rapid.IntRange(1, 6).Draw(rt, "streets") {
			xy := rapid.SliceOfN(rapid.Float64Range(-1500, 1500), 4, 8).Draw(rt, "line")
			streets = append(streets, street.Street{Class: rapid.SampledFrom(classes).Draw(rt, "class"), Car: "both",
				Line: regiontest.Line(xy[:len(xy)/2*2]...)})
		}
		open := slices.Repeat([]float64{1}, 200)
		sum := func(streets []street.Street) (all, ramps float64) {
			near := func(p coord.Point, metres float64) bool {
				return geo.Distance(p.Orb(), regiontest.Home) < metres
			}
			home, _ := coord.NewPoint(regiontest.Home[0], regiontest.Home[1])
			if err := flows.Assume(t.Context(), streets, nil, &c.Traffic); err != nil {
				rt.Fatal(err)
			}
			none := func(coord.Point, float64) bool { return false }
			for _, f := range newRoads(streets, junctions{near, none}, g, &c.Noise).all.sources() {
				f.add(g, home, open, &all, &ramps)
			}
			return all, ramps
		}
		less, lessRamps := sum(streets[1:])
		more, moreRamps := sum(streets)
		if more < less*(1-1e-12) || moreRamps < lessRamps*(1-1e-12) || moreRamps > more {
			rt.Fatalf("with another street %g (ramps %g), without it %g (%g)", more, moreRamps, less, lessRamps)
		}
	})
}

func TestPiecesCoverTheLine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := regiontest.Line(rapid.SliceOfN(rapid.Float64Range(-500, 500), 4, 4).Draw(t, "ends")...)
		for range rapid.IntRange(0, 5).Draw(t, "more") {
			plane := geo.NewPlane(l[len(l)-1])
			l = append(l, plane.Point(rapid.Float64Range(-30, 30).Draw(t, "x"), rapid.Float64Range(-30, 30).Draw(t, "y")))
		}
		whole, sum := 0.0, 0.0
		for i := 1; i < len(l); i++ {
			whole += geo.Distance(l[i-1], l[i])
		}
		last, _ := coord.NewPoint(l[0][0], l[0][1])
		cutLine(l, 50, func(a, b coord.Point) {
			length := geo.Distance(a.Orb(), b.Orb())
			if a != last || length > 50.1 {
				t.Fatalf("piece of %.2f m from %v after %v", length, a, last)
			}
			last, sum = b, sum+length
		})
		if end, _ := coord.NewPoint(l[len(l)-1][0], l[len(l)-1][1]); last != end || sum > whole+.1 || sum < whole-20 {
			t.Fatalf("pieces of %.1f m of a line of %.1f m", sum, whole)
		}
	})
}

func TestRampsBelongToInterchanges(t *testing.T) {
	r := regiontest.New(t)
	r.Street("motorway", -5000, 0, 0, 0, 5000, 0)
	r.Street("motorway_link", 0, 0, 300, 100)
	m, _ := derive(t, r, regiontest.At(100, 120), regiontest.At(3000, 120))
	if m.Get(0, interchange) <= 3 || m.Get(0, interchange) >= m.Get(0, traffic)+1e-9 {
		t.Errorf("at the ramp: interchange %v, traffic %v", m.Get(0, interchange), m.Get(0, traffic))
	}
	if m.Get(1, interchange) != 0 || m.Get(1, traffic) < 3 {
		t.Errorf("along the motorway: interchange %v, traffic %v", m.Get(1, interchange), m.Get(1, traffic))
	}
	if !math.IsNaN(m.Get(0, railway)) || !math.IsNaN(m.Get(0, airport)) {
		t.Errorf("railways and airports are unmapped: %v, %v", m.Get(0, railway), m.Get(0, airport))
	}
}

// Where the edge of the data is near, a motorway without a junction may have one, and a street that leaves carries less if it
// leads nowhere.
func TestRoadsAtTheEdge(t *testing.T) {
	c := &calibration.Standard().Noise
	flow := street.Flow{Road: calibration.Road{AADT: 50_000, SpeedKMH: 100}}
	streets := []street.Street{
		{Class: "motorway", Car: "both", Line: regiontest.Line(0, 0, 2000, 0), Flow: flow},
		{Class: "primary", Car: "both", Line: regiontest.Line(0, 0, 0, 2000), Flow: flow},
	}
	streets[1].Flow.Beyond = 10_000
	never := func(coord.Point, float64) bool { return false }
	beyond := func(p coord.Point, metres float64) bool { return geo.Distance(p.Orb(), regiontest.Home) < metres }
	r := newRoads(streets, junctions{never, beyond}, newPropagation(c.Soft, c.MinM, c.PieceM), c)
	metres := func(b piecesByReach) (sum, strength float64) {
		for _, p := range slices.Concat(b.near, b.far) {
			sum, strength = sum+float64(p.length), p.strength
		}
		return sum, strength
	}
	all, whole := metres(r.all)
	ramps, _ := metres(r.ramps)
	leaving, part := metres(r.beyond)
	regiontest.Near(t, "metres of all", all, 4000, 1)
	regiontest.Near(t, "metres that may be of an interchange", ramps, c.Interchange.NearM, c.PieceM)
	regiontest.Near(t, "metres that leave", leaving, 2000, 1)
	regiontest.Near(t, "strength of what is beyond", part/whole, .2, 1e-9)
}

func TestHornsAndTimetables(t *testing.T) {
	points := []orb.Point{regiontest.At(0, 100), regiontest.At(2000, 100)}
	r := regiontest.New(t)
	r.MapLand()
	r.Feature("rail", "branch", regiontest.Line(-5000, 0, 5000, 0))
	quiet, _ := derive(t, r, points...)
	r.Feature("junction", "level_crossing", regiontest.At(0, 1))
	loud, _ := derive(t, r, points...)
	regiontest.Near(t, "horn", 7*(loud.Get(0, railway)-quiet.Get(0, railway)), 10, 1)
	regiontest.Near(t, "2 km away", loud.Get(1, railway), quiet.Get(1, railway), .001)

	points[0] = regiontest.At(0, 30)
	r = regiontest.New(t)
	r.MapLand()
	r.Feature("rail", "tram", regiontest.Line(-5000, 0, 5000, 0))
	standard, _ := derive(t, r, points...)
	regiontest.Stage(r, "route", staged.Route{SourceID: "osm", SourceKey: "r", Name: "1", Mode: "tram"})
	for stop, trips := range []int{108 * 7 * 10, 108 * 7 * 10, 1} { // ten times the default at the median stop
		regiontest.Stage(r, "stop_service", staged.StopService{SourceID: "osm", StopKey: fmt.Sprint("s", stop), RouteKey: "r",
			TripsWeek: int32(trips)})
	}
	frequent, _ := derive(t, r, points...)
	regiontest.Near(t, "ten times the trams", 7*(frequent.Get(0, railway)-standard.Get(0, railway)), 10, .1)
}

func TestAircraft(t *testing.T) {
	air := calibration.Standard().Noise.Air
	runway := path{a: regiontest.At(-1500, 0), b: regiontest.At(1500, 0), level: 65, glide: air.GlideM}
	tan := math.Tan(3 * math.Pi / 180)
	regiontest.Near(t, "next to the runway", runway.slant(regiontest.At(700, 600), tan), 600, 1)
	regiontest.Near(t, "under the glide path", runway.slant(regiontest.At(-1500-5000, 0), tan), 5000*tan, 1)
	regiontest.Near(t, "beyond the glide path", runway.slant(regiontest.At(1500+9000, 0), tan), math.Hypot(1000, 8000*tan), 1)
	regiontest.Near(t, "at 600 m", runway.audibleDB(600, &air), 65, 1e-9)
	regiontest.Near(t, "ten times as far", runway.audibleDB(6000, &air), 65-16.6-1.5*5.4, 1e-9)

	r := regiontest.New(t)
	r.MapLand()
	r.Feature("aerodrome", "international", regiontest.At(0, 500))
	r.Feature("runway", "", runway.lineString())
	m, _ := derive(t, r, regiontest.At(0, 600), regiontest.At(0, 3000), regiontest.At(0, 40_000), regiontest.At(4000, 0))
	regiontest.Near(t, "200,000 flights at 600 m", 40+7*m.Get(0, airport), 68, .1)
	if !(m.Get(1, airport) < m.Get(0, airport)) || m.Get(2, airport) != 0 || m.Get(3, airport) != 5 {
		t.Errorf("airport noise %v %v %v %v", m.Get(0, airport), m.Get(1, airport), m.Get(2, airport), m.Get(3, airport))
	}
	r.Feature("runway", "", regiontest.Line(-1500, 20_000, 1500, 20_000)) // of no aerodrome: light aircraft
	m, _ = derive(t, r, regiontest.At(0, 600), regiontest.At(0, 20_600))
	regiontest.Near(t, "20,000 light aircraft at 600 m", 40+7*m.Get(1, airport), 65-7-12, .1)
}

// TestLevelWithoutASource has a region of streets alone, of streets and rails, and of what the region file declares.
func TestLevelWithoutASource(t *testing.T) {
	points := []orb.Point{regiontest.At(0, 100), regiontest.At(0, 3000)}
	streets := func(t *testing.T) *regiontest.Region {
		r := regiontest.New(t)
		r.Street("primary", -3000, 0, 3000, 0)
		regiontest.Stage(r, "street", staged.Street{SourceID: "osm", SourceKey: "main", Class: "primary", Foot: true, Bicycle: true, Car: "both",
			Geom: []byte{}})
		return r
	}
	without := func(r *regiontest.Region, classes ...string) {
		for _, class := range classes {
			regiontest.Stage(r, "quiet_without", staged.QuietWithout{Class: class, Why: "none is near"})
		}
	}
	declare := func(r *regiontest.Region, class string, complete bool) {
		regiontest.Stage(r, "declared_class", staged.DeclaredClass{SourceID: "osm", Class: class, Complete: complete})
	}
	type want struct{ railway, airport, near, far bool } // known; the level beside what is shown, and 3 km away
	for what, c := range map[string]struct {
		region func(*regiontest.Region)
		place  string // categories of a place beside the street
		want
	}{
		"streets alone": {func(*regiontest.Region) {}, "", want{}},
		"a map of all":  {func(r *regiontest.Region) { r.MapLand() }, "", want{true, true, true, true}},
		"streets and rails": {func(r *regiontest.Region) { r.Feature("rail", "main", regiontest.Line(0, 100, 100, 100)) }, "",
			want{railway: true}},
		"streets and a heliport": {func(r *regiontest.Region) { r.Feature("aerodrome", "heliport", regiontest.Home) }, "", want{airport: true}},
		"a map that lacks aerodromes": {func(r *regiontest.Region) {
			r.MapLand()
			declare(r, schemas.Aerodrome, false)
		}, "", want{railway: true}},
		"crossings without rails": {func(r *regiontest.Region) {
			r.MapLand()
			r.Feature("junction", "level_crossing", regiontest.Home)
		}, "", want{airport: true}},
		"accepted, and a crossing": {func(r *regiontest.Region) {
			without(r, schemas.HeardClasses...)
			r.Feature("junction", "level_crossing", regiontest.Home)
		}, "", want{far: true}},
		"declared complete": {func(r *regiontest.Region) {
			declare(r, schemas.Railway, true)
			declare(r, schemas.Aerodrome, true)
		}, "", want{true, true, true, true}},
		"accepted without rails": {func(r *regiontest.Region) { without(r, schemas.Railway) }, "", want{}},
		"accepted without both":  {func(r *regiontest.Region) { without(r, schemas.HeardClasses...) }, "", want{near: true, far: true}},
		"accepted, and a station": {func(r *regiontest.Region) { without(r, schemas.HeardClasses...) }, "common_needs,train_stations",
			want{far: true}},
		"accepted, and a café": {func(r *regiontest.Region) { without(r, schemas.HeardClasses...) }, "coffee_shops",
			want{near: true, far: true}},
		"accepted, and a yard": {func(r *regiontest.Region) {
			without(r, schemas.HeardClasses...)
			declare(r, schemas.Railway, false)
			r.Feature("rail", "yard", regiontest.Line(-100, 500, 100, 500))
		}, "", want{far: true}},
		"accepted, and land of an airport": {func(r *regiontest.Region) {
			without(r, schemas.HeardClasses...)
			declare(r, schemas.Railway, false)
			declare(r, schemas.Aerodrome, false)
			r.Feature("land", "airport", regiontest.Square(-500, -1500, 500, -500))
		}, "", want{far: true}},
	} {
		t.Run(what, func(t *testing.T) {
			r := streets(t)
			c.region(r)
			region := r.Measure(points...)
			region.Derived = placesOf(t, c.place)
			if _, err := Derive(t.Context(), region); err != nil {
				t.Fatal(err)
			}
			has := func(v float64) bool { return !math.IsNaN(v) }
			db := region.Quantities.NoiseDB
			got := want{has(region.Channels.Get(0, railway)), has(region.Channels.Get(0, airport)), has(float64(db[0])), has(float64(db[1]))}
			if got != c.want {
				t.Errorf("known %+v, want %+v", got, c.want)
			}
		})
	}
}

// placesOf is a derived database with a place of some categories, or none.
func placesOf(t *testing.T, categories string) *duck.DB {
	t.Helper()
	db := regiontest.Derived(t)
	if categories != "" {
		place := derived.POI{Key: "p", SourceID: "osm", Lng: regiontest.Home[0], Lat: regiontest.Home[1], Name: "Place", Categories: categories,
			Details: derived.Details{CountryCode: "US"}}
		if err := sqlrow.Insert(t.Context(), db, "poi", place); err != nil {
			t.Fatal(err)
		}
	}
	return db
}

func TestBarsAreHeard(t *testing.T) {
	r := regiontest.New(t)
	r.MapLand()
	r.Street("residential", -3000, 0, 3000, 0)
	region := r.Measure(regiontest.At(0, 20), regiontest.At(2000, 20))
	region.Destinations = &destination.Set{}
	for x := -200.0; x <= 200; x += 20 {
		region.Destinations.List = append(region.Destinations.List, destination.Destination{Class: "nightlife", Point: regiontest.At(x, 5)})
	}
	if _, err := Derive(t.Context(), region); err != nil {
		t.Fatal(err)
	}
	regiontest.Near(t, "in a street of bars", float64(region.Quantities.NoiseDB[0]), 70, .5)
	if far := region.Quantities.NoiseDB[1]; far > 60 {
		t.Errorf("2 km away: %v dB", far)
	}
}

func (p path) lineString() orb.LineString { return orb.LineString{p.a, p.b} }

func TestHousesShield(t *testing.T) {
	c := calibration.Standard().Noise
	r := shielding{c: &c.Rows}
	for metres, want := range map[float64]float64{0: 0, 40: 0, 70: 1.5, 100: 3, 160: 4.5, 1000: 10} {
		regiontest.Near(t, fmt.Sprint(metres, " m"), r.lossDB(metres), want, 1e-9)
	}

	g := regiontest.New(t)
	g.MapLand()
	g.Street("motorway", -3000, 400, 3000, 400)
	g.Street("residential", -300, 0, 300, 0)
	_, before := derive(t, g, regiontest.Home, regiontest.At(2500, 0))
	for x := -140.0; x <= 140; x += 20 {
		for y := -140.0; y <= 140; y += 20 {
			g.Sized("building", "house", 0, 100, regiontest.At(x, y))
		}
	}
	_, after := derive(t, g, regiontest.Home, regiontest.At(2500, 0))
	if loss := before[0] - after[0]; loss < 5 || loss > 10 {
		t.Errorf("loss behind houses 400 m from a motorway is %.1f dB", loss)
	}
	if before[1] != after[1] {
		t.Errorf("without houses nearby: %v, %v", before[1], after[1])
	}
}
