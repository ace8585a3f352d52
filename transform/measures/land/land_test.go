package land

import (
	"fmt"
	"math"
	"testing"

	"github.com/paulmach/orb"
	"pgregory.net/rapid"

	"quartier/internal/rating"
	"quartier/schemas"
	"quartier/schemas/calibration"
	"quartier/transform/network/channel"
	"quartier/transform/network/destination"
	"quartier/transform/regiontest"
)

// derive computes the quantities at some points.
func derive(t *testing.T, r *regiontest.Region, shops []orb.Point, points ...orb.Point) *channel.Quantities {
	t.Helper()
	region := r.Measure(points...)
	region.Destinations = &destination.Set{}
	for i, p := range shops {
		region.Destinations.List = append(region.Destinations.List, destination.Destination{Class: "grocery", Key: fmt.Sprint(i), Point: p})
	}
	if _, err := Derive(t.Context(), region); err != nil {
		t.Fatal(err)
	}
	return region.Quantities
}

func TestEveryClassHasPrecedence(t *testing.T) {
	c := calibration.Standard().Land
	g := &Raster{precedence: c.Precedence}
	for _, class := range schemas.LandClasses {
		if g.class(class) == 0 {
			t.Errorf("%s is not in the precedence", class)
		}
	}
	if len(c.Precedence) != len(schemas.LandClasses) {
		t.Errorf("%d classes in the precedence, %d in the schema", len(c.Precedence), len(schemas.LandClasses))
	}
	for _, list := range [][]string{c.Green.Classes, c.Idle, calibration.Standard().Form.Unpleasant.Land} {
		for _, class := range list {
			if g.class(class) == 0 {
				t.Errorf("%s is not a class of land", class)
			}
		}
	}
}

func TestNoLandCover(t *testing.T) {
	r := regiontest.New(t)
	r.Street("residential", -500, 0, 500, 0)
	r.Feature("land", "parking", regiontest.Square(-50, -50, 50, 50))
	s := derive(t, r, []orb.Point{regiontest.Home}, regiontest.Home)
	if s.Green != nil || s.Historic != nil || s.ParkingShare != nil || s.IdleShare != nil || s.MallShare != nil {
		t.Errorf("with streets and a car park only: %+v", s)
	}
}

func TestUses(t *testing.T) {
	r := regiontest.New(t)
	r.MapLand()
	r.Feature("land", "forest", regiontest.Square(-2000, 0, 2000, 2000))  // the northern half
	r.Feature("land", "parking", regiontest.Square(-100, -200, 100, 200)) // over it
	s := derive(t, r, nil, regiontest.Home, regiontest.At(0, -1500), regiontest.At(0, 1000))
	disc := math.Pi * 400 * 400
	regiontest.Near(t, "parking", float64(s.ParkingShare[0]), 200*400/disc, .01)
	regiontest.Near(t, "idle", float64(s.IdleShare[0]), .5-200*200/(math.Pi*500*500), .02)
	regiontest.Near(t, "no parking", float64(s.ParkingShare[1]), 0, 0)
	regiontest.Near(t, "in the forest", float64(s.IdleShare[2]), 1, 0)
	regiontest.Near(t, "green in the forest", float64(s.Green[2]), 1, .01)
	if !math.IsNaN(float64(s.Green[1])) || !math.IsNaN(float64(s.MallShare[0])) {
		t.Errorf("green of unknown land %v, malls without shops %v", s.Green[1], s.MallShare[0])
	}
}

func TestMalls(t *testing.T) {
	r := regiontest.New(t)
	r.MapLand()
	r.Feature("mall", "", regiontest.Square(0, 0, 100, 100))
	r.Feature("land", "retail", regiontest.Square(200, 0, 400, 200)) // a strip: half of it parking
	r.Feature("land", "parking", regiontest.Square(200, 0, 400, 100))
	r.Feature("land", "retail", regiontest.Square(-400, 0, -200, 200)) // a main street
	shops := []orb.Point{regiontest.At(50, 50), regiontest.At(300, 150), regiontest.At(-300, 100), regiontest.At(0, -100)}
	s := derive(t, r, shops, regiontest.Home, regiontest.At(0, 1_500), regiontest.At(0, 5_000))
	regiontest.Near(t, "two of four, all near", float64(s.MallShare[0]), .5, 1e-6)
	if share := s.MallShare[1]; share < .5 || share > .6 {
		t.Errorf("from the north, where the malls are nearer: %v", share)
	}
	if !math.IsNaN(float64(s.MallShare[2])) {
		t.Errorf("beyond walking distance: %v", s.MallShare[2])
	}
}

func TestHistoric(t *testing.T) {
	c := &calibration.Standard().Land.Historic
	for _, e := range []struct {
		name   string
		totals [historicLayers]uint64
		want   float64
	}{
		{"half of the years, all old", [...]uint64{100, 50, 50, 0}, .6},
		{"an old town", [...]uint64{100, 100, 100, 500}, 1},
		{"five sites", [...]uint64{100, 100, 50, 5}, .3 + .4*(1-1/math.E)},
		{"new", [...]uint64{100, 100, 0, 0}, 0},
		{"too few years", [...]uint64{100, 49, 49, 9}, math.NaN()},
		{"too few buildings", [...]uint64{49, 49, 49, 9}, math.NaN()},
	} {
		if got := rating.HistoricShare(c, float64(e.totals[built]), float64(e.totals[dated]), float64(e.totals[old]), float64(e.totals[heritage])); !(math.Abs(got-e.want) < 1e-9 || math.IsNaN(got) && math.IsNaN(e.want)) {
			t.Errorf("%s: %v, want %v", e.name, got, e.want)
		}
	}

	r := regiontest.New(t)
	for i := range 60 {
		r.Sized("building", "house", 1900+i, 100, regiontest.At(float64(i), float64(i)))
	}
	r.Sized("building", "garage", 0, 20, regiontest.At(5, 5))
	r.Feature("heritage", "", regiontest.At(9, 9))
	s := derive(t, r, nil, regiontest.Home, regiontest.At(5000, 0))
	regiontest.Near(t, "two thirds before 1940", float64(s.Historic[0]), .6*40/60+.4*(1-math.Exp(-.2)), 1e-6)
	if !math.IsNaN(float64(s.Historic[1])) {
		t.Errorf("where nothing is built: %v", s.Historic[1])
	}
}

func TestGreenery(t *testing.T) {
	g := &calibration.Standard().Land.Green
	disc := math.Pi * 500 * 500
	for _, e := range []struct {
		name string
		a    surface
		want float64
	}{
		{"unmapped", surface{green: .5, mapped: .59}, math.NaN()},
		{"a forest", surface{green: 1, mapped: 1}, 1},
		{"a suburb without mapped gardens", surface{green: .3, mapped: .9, unclear: .31}, math.NaN()},
		{"houses in a park", surface{green: .3, mapped: .9, buildings: 500, streetsM: 5000, roofsM2: .2 * disc, streetsM2: .1 * disc, parking: .1}, (.5*.3 + .2*.6) / .7},
		{"buildings unknown", surface{green: .3, mapped: .9, buildings: 40, streetsM: 5000, streetsM2: .1 * disc}, .3},
		{"a few trees in an unmapped area", surface{green: .3, mapped: .9, streetsM: 5000, streetsM2: 5e4, trees: 5}, .3},
		{"an avenue", surface{green: 0, mapped: .9, streetsM: 5000, streetsM2: 5e4, trees: 300}, .3 / .8},
		{"a suburb with its trees", surface{green: .1, mapped: .9, unclear: .7, streetsM: 5000, streetsM2: 5e4, trees: 150}, (.5*.1 + .3*.5) / .8},
		{"trees only", surface{mapped: .1, buildings: 1000, streetsM2: 1e4, streetsM: 1000, trees: 30}, (.2*(1-1e4/disc) + .3*.5) / .5},
	} {
		if got := e.a.greenery(g); !(math.Abs(got-e.want) < 1e-9 || math.IsNaN(got) && math.IsNaN(e.want)) {
			t.Errorf("%s: %v, want %v", e.name, got, e.want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		share := rapid.Float64Range(0, 1)
		a := surface{green: share.Draw(t, "green"), mapped: share.Draw(t, "mapped"), unclear: .3 * share.Draw(t, "unclear"), parking: share.Draw(t, "parking"),
			trees: 500 * share.Draw(t, "trees"), buildings: 1000 * share.Draw(t, "buildings"), roofsM2: disc * share.Draw(t, "roofs"),
			streetsM2: disc * share.Draw(t, "streets"), streetsM: 2e4 * share.Draw(t, "metres")}
		was := a.greenery(g)
		if math.IsNaN(was) {
			return
		}
		a.trees++
		if now := a.greenery(g); now < was || now > 1 || was < 0 {
			t.Fatalf("%v with another tree, %v without", now, was)
		}
	})
}

func TestTreesAndRoofsCountWithinTheDisc(t *testing.T) {
	r := regiontest.New(t)
	r.MapLand()
	r.Street("residential", -400, 0, 400, 0)
	r.Feature("land", "residential", regiontest.Square(-1000, -1000, 1000, 1000))
	if bare := derive(t, r, nil, regiontest.Home); !math.IsNaN(float64(bare.Green[0])) {
		t.Errorf("residential land only: %v", bare.Green[0])
	}
	r.Feature("tree_row", "", regiontest.Line(-400, 5, 400, 5)) // 100 trees on 0.72 ha of street
	rows := derive(t, r, nil, regiontest.Home)
	regiontest.Near(t, "a row of trees", float64(rows.Green[0]), .3/.8, .001)
	for i := range 20 {
		r.Sized("building", "house", 0, 10_000, regiontest.At(float64(i)*10, 50))
	}
	built := derive(t, r, nil, regiontest.Home)
	disc := math.Pi * 500 * 500
	regiontest.Near(t, "and houses", float64(built.Green[0]), .2*(1-(200_000+800*9)/disc)+.3, .001)
}
