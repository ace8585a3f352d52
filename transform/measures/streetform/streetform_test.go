package streetform

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"quartier/internal/coord"
	"quartier/internal/geo"
	"quartier/schemas/calibration"
	"quartier/transform/network/channel"
	"quartier/transform/network/street"
	"quartier/transform/regiontest"
)

func way(class string, xy ...float64) street.Street {
	return street.Street{Class: class, Foot: true, Car: "both", Line: regiontest.Line(xy...)}
}

// square is a grid of streets between -half and half metres, spaced by apart metres, with a vertex at every crossing.
func square(class string, half, apart float64) []street.Street {
	var streets []street.Street
	for x := -half; x <= half; x += apart {
		var up, across []float64
		for y := -half; y <= half; y += apart {
			up, across = append(up, x, y), append(across, y, x)
		}
		streets = append(streets, way(class, up...), way(class, across...))
	}
	return streets
}

func weights(streets ...street.Street) []float64 {
	var w []float64
	for _, i := range intersections(streets, calibration.Standard()) {
		w = append(w, i.weight)
	}
	slices.Sort(w)
	return w
}

func TestIntersections(t *testing.T) {
	oneWay := func(s street.Street) street.Street { s.Car = "forward"; return s }
	fast := func(s street.Street) street.Street { s.SpeedKMH = 90; return s }
	closed := way("residential", 0, 0, 200, 0, 200, 200, 0, 0)
	for _, c := range []struct {
		name    string
		streets []street.Street
		want    []float64
	}{
		{"a crossing", []street.Street{way("residential", -100, 0, 0, 0, 100, 0), way("tertiary", 0, -100, 0, 0, 0, 100)}, []float64{1}},
		{"a fork", []street.Street{way("residential", -100, 0, 0, 0, 100, 0), way("residential", 0, 0, 0, 100)}, []float64{.667}},
		{"one street in two ways", []street.Street{way("residential", -100, 0, 0, 0), way("residential", 0, 0, 100, 0)}, nil},
		{"a bridge over a street", []street.Street{way("residential", -100, 0, 100, 0), way("residential", 0, -100, 0, 100)}, nil},
		{"a driveway", []street.Street{way("residential", -100, 0, 0, 0, 100, 0), way("driveway", 0, 0, 0, 100)}, nil},
		{"a loop", []street.Street{closed, way("residential", 0, 0, -100, 0)}, []float64{.667}},
		{"two forks 10 m apart are a crossing", []street.Street{way("residential", -100, 0, 0, 0, 10, 0, 100, 0),
			way("residential", 0, 0, 0, 100), way("residential", 10, 0, 10, -100)}, []float64{1}},
		{"two forks 40 m apart", []street.Street{way("residential", -100, 0, 0, 0, 40, 0, 100, 0), way("residential", 0, 0, 0, 100),
			way("residential", 40, 0, 40, -100)}, []float64{.667, .667}},
		{"a fork off two carriageways", []street.Street{
			oneWay(way("primary", -100, 0, 0, 0, 100, 0)), oneWay(way("primary", 100, 12, 0, 12, -100, 12)),
			way("residential", 0, 0, 0, 12, 0, 100)}, []float64{.667}},
		{"a crossing of one-way streets", []street.Street{oneWay(way("residential", -100, 0, 0, 0, 100, 0)),
			oneWay(way("residential", 0, -100, 0, 0, 0, 100))}, []float64{1}},
		{"two highways", []street.Street{fast(way("trunk", -100, 0, 0, 0, 100, 0)), fast(way("primary", 0, -100, 0, 0, 0, 100))}, nil},
		{"a highway and a quiet street", []street.Street{fast(way("trunk", -100, 0, 0, 0, 100, 0)), way("residential", 0, -100, 0, 0, 0, 100)},
			[]float64{1}},
	} {
		if got := weights(c.streets...); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func TestNodesMeetByTheirIDs(t *testing.T) {
	a, b := way("residential", -100, 0, 0, 0, 100, 0), way("residential", 0, 0, 0, 100)
	a.Nodes, b.Nodes = []int64{1, 2, 3}, []int64{4, 5}
	if got := weights(a, b); got != nil {
		t.Errorf("different ids at the same position: %v", got)
	}
	b.Nodes[0] = 2
	if got := weights(a, b); !slices.Equal(got, []float64{.667}) {
		t.Errorf("the same id: %v", got)
	}
}

func TestRanks(t *testing.T) {
	f := &calibration.Standard().Form
	disc := math.Pi * .8 * .8 / 2.589988110336 // square miles
	for _, c := range []struct{ sum, land, want float64 }{
		{0, 1, 0}, {1.12 * disc, 1, 0}, {1.14 * disc, 1, 5. / 19}, {60 * disc, 1, 9 * 5. / 19}, {61 * disc, 1, 10 * 5. / 19},
		{219 * disc, 1, 18 * 5. / 19},
		{220 * disc, 1, 5}, {1e6, 1, 5}, {110 * disc, .5, 5}, {1, 0, 4 * 5. / 19},
	} {
		if got := density(c.sum, c.land, f); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%.2f in a disc of %.1f land: %v, want %v", c.sum, c.land, got, c.want)
		}
	}
}

func TestIntersectionsWithinAreCountedExactly(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		home, _ := coord.NewPoint(regiontest.Home[0], regiontest.Home[1])
		var all []intersection
		want := 0.0
		for range rapid.IntRange(0, 60).Draw(t, "count") {
			p := regiontest.At(rapid.Float64Range(-1500, 1500).Draw(t, "x"), rapid.Float64Range(-1500, 1500).Draw(t, "y"))
			place, _ := coord.NewPoint(p[0], p[1])
			all = append(all, intersection{place, 1})
			if d := geo.Distance(home.Orb(), place.Orb()); d < 799 {
				want++
			} else if d < 801 {
				t.Skip("too close to the radius")
			}
		}
		if got := weightWithin(indexed(all, 800), home, 800); got != want {
			t.Fatalf("%v, want %v", got, want)
		}
	})
}

// derive computes the measures at Home and 3 km away.
func derive(t *testing.T, r *regiontest.Region) *channel.Matrix {
	t.Helper()
	region := r.Measure(regiontest.Home, regiontest.At(3000, 0))
	if _, err := Derive(t.Context(), region); err != nil {
		t.Fatal(err)
	}
	return region.Channels
}

func region(t *testing.T, streets ...[]street.Street) *regiontest.Region {
	r := regiontest.New(t)
	r.Streets = slices.Concat(streets...)
	return r
}

func TestDerive(t *testing.T) {
	grid := square("residential", 1200, 100) // 100 crossings a km², 259 a square mile
	m := derive(t, region(t, grid))
	regiontest.Near(t, "crossings of a narrow grid", m.Get(0, intersectionDensity), 5, 0)
	regiontest.Near(t, "local streets", m.Get(0, localProportion), 5, 0)
	regiontest.Near(t, "unpleasant", m.Get(0, unpleasant), 0, 0)
	if m.Get(1, intersectionDensity) != 0 || !math.IsNaN(m.Get(1, localProportion)) || !math.IsNaN(m.Get(1, unpleasant)) {
		t.Errorf("far from streets: %v %v %v", m.Get(1, intersectionDensity), m.Get(1, localProportion), m.Get(1, unpleasant))
	}

	wide := square("residential", 1200, 200) // 25 a km², 64.7 a square mile: rank 11
	r := region(t, wide)
	m = derive(t, r)
	regiontest.Near(t, "crossings of a wide grid", m.Get(0, intersectionDensity), 10*5./19, .3)
	r.Feature("land", "water", regiontest.Square(0, -2000, 2000, 2000))
	if half := derive(t, r); half.Get(0, intersectionDensity) <= m.Get(0, intersectionDensity) {
		t.Errorf("with half the land: %v, with all of it %v", half.Get(0, intersectionDensity), m.Get(0, intersectionDensity))
	}

	m = derive(t, region(t, wide, square("primary", 1200, 200)))
	regiontest.Near(t, "half of the streets are local", m.Get(0, localProportion), 2.5, .01)
	regiontest.Near(t, "along fast streets", m.Get(0, unpleasant), 5, .01)
}

func TestUnpleasantSurroundings(t *testing.T) {
	grid := square("residential", 600, 200)
	calm := derive(t, region(t, grid)).Get(0, unpleasant)
	yard, industry := region(t, grid), region(t, grid)
	yard.Feature("rail", "yard", regiontest.Line(-600, 10, 600, 10))
	industry.Feature("land", "industrial", regiontest.Square(-100, -100, 100, 100))
	for name, r := range map[string]*regiontest.Region{"a yard": yard, "industry": industry} {
		if got := derive(t, r).Get(0, unpleasant); !(got > calm+.3) {
			t.Errorf("%s: %v after %v", name, got, calm)
		}
	}
	wide, pavement := []street.Street{way("primary", -600, 0, 600, 0)}, []street.Street{way("sidewalk", -600, 15, 600, 15)}
	with, without := derive(t, region(t, grid, wide, pavement)).Get(0, unpleasant), derive(t, region(t, grid, wide)).Get(0, unpleasant)
	if with <= without {
		t.Errorf("with a sidewalk along a wide street: %v, without it %v", with, without)
	}
}
