package cycling

import (
	"math"
	"slices"
	"testing"

	"github.com/paulmach/orb"
	"pgregory.net/rapid"

	"quartier/internal/coord"
	"quartier/internal/pointindex"
	"quartier/schemas"
	"quartier/schemas/calibration"
	"quartier/transform/network/channel"
	"quartier/transform/network/street"
	"quartier/transform/regiontest"
)

func derive(t *testing.T, r *regiontest.Region, points ...orb.Point) *channel.Quantities {
	t.Helper()
	region := r.Measure(points...)
	if _, err := Derive(t.Context(), region); err != nil {
		t.Fatal(err)
	}
	return region.Quantities
}

func TestTopIsTheValueOfTheReferencePlace(t *testing.T) {
	c := calibration.Standard().Bicycle.Lanes
	// The mean of 1-d/r over a disc is a third; two tracks cross each square of the grid.
	want := c.Reference.Weight * 2 / c.Reference.SpacingM * math.Pi * c.RadiusM * c.RadiusM / 3
	regiontest.Near(t, "top", c.Top, want, 1)
	if len(c.Network) != len(schemas.BikewayClasses) {
		t.Errorf("weights of %v, want one of each class", c.Network)
	}

	r := regiontest.New(t)
	for x := -2000.0; x <= 2000; x += c.Reference.SpacingM {
		r.Street("cycleway", x, -2000, x, 2000).Car = "no"
		r.Street("cycleway", -2000, x, 2000, x).Car = "no"
	}
	s := derive(t, r, regiontest.At(250, 0), regiontest.At(1500, 1500), regiontest.At(9000, 0))
	regiontest.Near(t, "in the grid", float64(s.BikeLanes[0]), 1, .03)
	if !(s.BikeLanes[1] < s.BikeLanes[0]) || !math.IsNaN(float64(s.BikeLanes[2])) {
		t.Errorf("at its corner %v, far away %v", s.BikeLanes[1], s.BikeLanes[2])
	}
}

// towns are two neighbourhoods of residential streets, north and south of an arterial with one street across it.
func towns(t *testing.T) *regiontest.Region {
	r := regiontest.New(t)
	for _, y := range []float64{100, -100} {
		r.Street("residential", -800, y, 0, y, 800, y)
		r.Street("residential", -800, 3*y, 0, 3*y, 800, 3*y)
		r.Street("residential", 800, y, 800, 3*y)
	}
	r.Street("residential", 0, -300, 0, -100, 0, 0, 0, 100, 0, 300)
	r.Street("primary", -800, 0, 0, 0, 800, 0)
	return r
}

func TestArterialsAreCrossedAtSignals(t *testing.T) {
	r := towns(t)
	home := regiontest.At(300, 100)
	side := 2*1600.0 + 200 + 300 // one neighbourhood, with its part of the street across
	all := 2*side + 1600
	s := derive(t, r, home)
	regiontest.Near(t, "without signals", float64(s.LowStress[0]), side/all, .02)
	r.Feature("junction", "signals", regiontest.At(10, 5))
	s = derive(t, r, home)
	regiontest.Near(t, "with signals", float64(s.LowStress[0]), 2*side/all, .001)

	r = towns(t)
	r.Streets[len(r.Streets)-1].Class = "tertiary" // of stress 3, which is no barrier
	regiontest.Near(t, "a smaller street", float64(derive(t, r, home).LowStress[0]), 2*side/all, .001)
	r = towns(t)
	r.Streets[len(r.Streets)-1].Line = regiontest.Line(0, 0, 800, 0) // ends at the crossing, so that it need not be crossed
	regiontest.Near(t, "an arterial that ends", float64(derive(t, r, home).LowStress[0]), 2*side/(2*side+800), .001)
	r = towns(t)
	r.Streets[len(r.Streets)-1].Line = regiontest.Line(-800, 0, 800, 0) // no common node: a bridge
	regiontest.Near(t, "a bridge", float64(derive(t, r, home).LowStress[0]), 2*side/all, .001)
}

// Two neighbourhoods that are not connected may be so beyond the edge of the data if both lead there.
func TestCalmStreetsBeyondTheEdge(t *testing.T) {
	r := towns(t)
	c := &calibration.Standard().Bicycle
	at := func(x, y float64) coord.Point {
		p := regiontest.At(x, y)
		node, _ := coord.NewPoint(p[0], p[1])
		return node
	}
	side := 2*1600.0 + 200 + 300
	north, south, arterial := at(-800, 100), at(-800, -100), at(-800, 0)
	for _, leaves := range []map[coord.Point]bool{nil, {north: true}, {north: true, south: true}, {arterial: true}} {
		reach := newReach(newWays(r.Streets, pointindex.NewPointSet(nil, 100), leaves, c), nil, &c.LowStress)
		share, more, _ := reach.share(at(300, 100), nil)
		want := 0.0
		if len(leaves) == 2 {
			want = side / (2*side + 1600)
		}
		regiontest.Near(t, "connected", share, side/(2*side+1600), .02)
		regiontest.Near(t, "could be more", more, want, .02)
	}
}

func TestAnotherCalmStreetNeverDisconnects(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var streets []street.Street
		classes := []string{"residential", "primary", "cycleway", "tertiary"}
		draw := func(class string) street.Street {
			s := street.Street{Class: class, Bicycle: true, Car: "both"}
			for range 4 { // vertices on a coarse grid, so that streets meet
				x, y := rapid.IntRange(0, 4).Draw(t, "x"), rapid.IntRange(0, 4).Draw(t, "y")
				s.Line = append(s.Line, regiontest.At(200*float64(x), 200*float64(y)))
				s.Nodes = append(s.Nodes, int64(10*x+y))
			}
			return s
		}
		for range rapid.IntRange(1, 8).Draw(t, "streets") {
			streets = append(streets, draw(rapid.SampledFrom(classes).Draw(t, "class")))
		}
		c := &calibration.Standard().Bicycle
		reached := func(streets []street.Street) float64 {
			r := newReach(newWays(streets, pointindex.NewPointSet(nil, 100), nil, c), nil, &c.LowStress)
			home, _ := coord.NewPoint(regiontest.Home[0], regiontest.Home[1])
			groups := r.touched(home, nil)
			sum := 0.0
			r.lengths.Within(home, 1e5, func(l *length, _ float64) {
				if slices.Contains(groups, l.group) {
					sum += float64(l.metres)
				}
			})
			return sum
		}
		before := reached(streets)
		if after := reached(append(streets, draw("cycleway"))); after < before-.1 {
			t.Fatalf("%.1f m are connected, without the street %.1f", after, before)
		}
	})
}

func TestRoadNetworkFilesHaveNoBicycleTags(t *testing.T) {
	r := towns(t)
	r.Exec(`UPDATE source SET kind = 'roads'`)
	s := derive(t, r, regiontest.Home)
	if s.BikeLanes != nil || s.LowStress != nil {
		t.Errorf("%v, %v, want none", s.BikeLanes, s.LowStress)
	}
	path := r.Street("cycleway", 5000, 0, 6000, 0) // another source has a path elsewhere
	path.Source, path.Car = "paths", "no"
	s = derive(t, r, regiontest.Home, regiontest.At(5500, 0))
	if !math.IsNaN(float64(s.BikeLanes[0])) || !math.IsNaN(float64(s.LowStress[0])) || !(s.BikeLanes[1] > 0) || s.LowStress[1] != 1 {
		t.Errorf("in town %v, %v; on the path %v, %v", s.BikeLanes[0], s.LowStress[0], s.BikeLanes[1], s.LowStress[1])
	}
}
