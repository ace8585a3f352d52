package land

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/paulmach/orb"
	"pgregory.net/rapid"

	"quartier/internal/rating"
	"quartier/schemas"
	"quartier/schemas/calibration"
	"quartier/schemas/staged"
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
		totals [4]uint64
		want   float64
	}{
		{"half of the years, all old", [...]uint64{100, 50, 50, 0}, .6},
		{"an old town", [...]uint64{100, 100, 100, 500}, 1},
		{"five sites", [...]uint64{100, 100, 50, 5}, .3 + .4*(1-1/math.E)},
		{"new", [...]uint64{100, 100, 0, 0}, 0},
		{"too few years", [...]uint64{100, 49, 49, 9}, math.NaN()},
		{"too few buildings", [...]uint64{49, 49, 49, 9}, math.NaN()},
	} {
		if got := rating.HistoricShare(c, float64(e.totals[built]), float64(e.totals[dated]), float64(e.totals[old]),
			float64(e.totals[heritage])); !(math.Abs(got-e.want) < 1e-9 || math.IsNaN(got) && math.IsNaN(e.want)) {
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

// TestHistoricByDwellings has no years of buildings: 1,000 dwellings in a block of an area of which 30 % are old, and 500 in
// an area without blocks, 90 % old, on 400 m by 400 m.
func TestHistoricByDwellings(t *testing.T) {
	r := regiontest.New(t)
	area := func(key string, total, early float64, vintage string) {
		source := key + " " + vintage
		regiontest.Stage(r, "survey", staged.Survey{SourceID: source, Vintage: vintage, Title: "a survey"})
		for cell, n := range map[string]float64{"construction_year.total": total, "construction_year.1939_or_earlier": early} {
			regiontest.Stage(r, "statistic", staged.Statistic{SourceID: source, AreaKey: key, Cell: cell, Estimate: n})
		}
	}
	area("census:bg:500070001001", 1000, 900, "2010-2014")
	area("census:bg:500070001001", 1000, 300, "2019-2023")
	area("census:bg:500070001002", 500, 450, "2019-2023")
	area("census:tract:50007000100", 1500, 1500, "2019-2023") // its block groups are known
	homes := int64(1000)
	regiontest.Stage(r, "block", staged.Block{SourceID: "osm", SourceKey: "b", AreaKey: "census:bg:500070001001", Dwellings: &homes,
		Geom: regiontest.WKB(t, regiontest.Square(-100, -100, 100, 100))})
	regiontest.Stage(r, "zone", staged.Zone{SourceID: "osm", SourceKey: "census:bg:500070001002",
		Geom: regiontest.WKB(t, regiontest.Square(4000, 0, 4400, 400))})
	regiontest.Stage(r, "zone", staged.Zone{SourceID: "osm", SourceKey: "census:tract:50007000100",
		Geom: regiontest.WKB(t, regiontest.Square(-5000, -5000, 5000, 5000))})
	regiontest.Stage(r, "block", staged.Block{SourceID: "osm", SourceKey: "c", AreaKey: "census:bg:500070002001", Dwellings: new(int64(60)),
		Geom: regiontest.WKB(t, regiontest.Square(-100, 1900, 100, 2100))})
	area("census:tract:50007000200", 5000, 1000, "2019-2023") // its group has no periods
	far := regiontest.At(4200, 200)
	s := derive(t, r, nil, regiontest.Home, far, regiontest.At(0, 4000), regiontest.At(0, 2000))
	regiontest.Near(t, "the share of a tract", float64(s.Historic[3]), .2, 1e-6)
	regiontest.Near(t, "blocks, no register", float64(s.Historic[0]), .3, 1e-6)
	regiontest.Near(t, "an outline", float64(s.Historic[1]), .9, .005)
	if !math.IsNaN(float64(s.Historic[2])) {
		t.Errorf("where nobody lives: %v", s.Historic[2])
	}

	r.Feature("heritage", "", regiontest.Square(4000, 0, 4200, 200)) // a district of four hectares
	r.Feature("heritage", "", regiontest.Square(4300, 300, 4310, 310))
	s = derive(t, r, nil, regiontest.Home, far)
	regiontest.Near(t, "no site near", float64(s.Historic[0]), .6*.3, 1e-6)
	regiontest.Near(t, "a district and a landmark", float64(s.Historic[1]), .6*.9+.4*(1-math.Exp(-1)), .01)
}

// TestCover samples rasters: the first source counts, its unknown cells are the second one's.
func TestCover(t *testing.T) {
	class := func(name string) byte { return byte(slices.Index(schemas.CoverClasses, name) + 1) }
	r := regiontest.New(t)
	r.Street("residential", -500, 0, 500, 0)
	tile := func(source string, west, south, east, north float64, rows ...[]byte) {
		box := regiontest.Square(west, south, east, north).Bound()
		columns := len(rows[0])
		stepLng, stepLat := (box.Max[0]-box.Min[0])/float64(columns), (box.Max[1]-box.Min[1])/float64(len(rows))
		regiontest.Stage(r, "land_cover_tile", staged.LandCoverTile{
			SourceID: source, West: box.Min[0] + stepLng/2, North: box.Max[1] - stepLat/2, StepLng: stepLng, StepLat: stepLat,
			Columns: int32(columns), Rows: int32(len(rows)), Cells: slices.Concat(rows...),
		})
	}
	r.Source("first", 1, "land-cover", "2021-01-01")
	r.Source("second", 2, "land-cover", "2021-01-01")
	tile("first", -1000, -1000, 1000, 1000, []byte{class("tree"), class("built")}, []byte{0, class("water")})
	tile("second", -1000, -1000, 1000, 1000, []byte{class("built")}, []byte{class("developed_low")})
	s := derive(t, r, nil, regiontest.Home, regiontest.At(-700, 700), regiontest.At(5000, 0))
	regiontest.Near(t, "trees, houses and a lake", float64(s.Green[0]), (1+0.65)/3, .01)
	regiontest.Near(t, "trees", float64(s.Green[1]), 1, .01)
	if !math.IsNaN(float64(s.Green[2])) || s.ParkingShare != nil {
		t.Errorf("beyond the raster %v, parking %v", s.Green[2], s.ParkingShare)
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
		{"houses in a park", surface{green: .3, mapped: .9, buildings: 500, streetsM: 5000, roofsM2: .2 * disc, streetsM2: .1 * disc,
			parking: .1}, (.5*.3 + .2*.6) / .7},
		{"buildings unknown", surface{green: .3, mapped: .9, buildings: 40, streetsM: 5000, streetsM2: .1 * disc}, .3},
		{"a few trees in an unmapped area", surface{green: .3, mapped: .9, streetsM: 5000, streetsM2: 5e4, trees: 5}, .3},
		{"an avenue", surface{green: 0, mapped: .9, streetsM: 5000, streetsM2: 5e4, trees: 300}, .3 / .8},
		{"a suburb with its trees", surface{green: .1, mapped: .9, unclear: .7, streetsM: 5000, streetsM2: 5e4, trees: 150},
			(.5*.1 + .3*.5) / .8},
		{"trees only", surface{mapped: .1, buildings: 1000, streetsM2: 1e4, streetsM: 1000, trees: 30}, (.2*(1-1e4/disc) + .3*.5) / .5},
	} {
		if got := e.a.greenery(g); !(math.Abs(got-e.want) < 1e-9 || math.IsNaN(got) && math.IsNaN(e.want)) {
			t.Errorf("%s: %v, want %v", e.name, got, e.want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		share := rapid.Float64Range(0, 1)
		a := surface{green: share.Draw(t, "green"), mapped: share.Draw(t, "mapped"), unclear: .3 * share.Draw(t, "unclear"),
			parking: share.Draw(t, "parking"),
			trees:   500 * share.Draw(t, "trees"), buildings: 1000 * share.Draw(t, "buildings"), roofsM2: disc * share.Draw(t, "roofs"),
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
