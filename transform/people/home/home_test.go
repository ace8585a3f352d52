package home

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/paulmach/orb"

	"quartier/internal/geo"
	"quartier/internal/network"
	"quartier/schemas/calibration"
	"quartier/schemas/staged"
	"quartier/transform/network/street"
	"quartier/transform/regiontest"
)

// town is a region of three streets of 200 m, each 300 m north of the one before: a residential, a primary and an
// unclassified one.
func town(t *testing.T) (*regiontest.Region, *street.Network) {
	t.Helper()
	r := regiontest.New(t)
	builder := network.NewBuilder(network.Options{})
	net := &street.Network{}
	for i, class := range []string{"residential", "primary", "unclassified"} {
		s := r.Street(class, 0, float64(300*i), 200, float64(300*i))
		points, _ := street.Points(nil, s.Line)
		builder.Add(network.Line{Points: points})
		net.WalkLine = append(net.WalkLine, uint32(i))
	}
	net.Streets = r.Streets
	net.Walk, _ = builder.Finish()
	net.Snapper = network.NewSnapper(net.Walk, nil)
	return r, net
}

// stage stages a block; a negative number is missing.
func stage(t *testing.T, r *regiontest.Region, key string, people, dwellings, households, landM2 int, outline orb.MultiPolygon) {
	t.Helper()
	geom := regiontest.WKB(t, outline)
	known := func(n int) *int64 {
		if n < 0 {
			return nil
		}
		count := int64(n)
		return &count
	}
	b := staged.Block{SourceID: "osm", SourceKey: key, Population: known(people), Dwellings: known(dwellings), Households: known(households),
		Geom: geom}
	if landM2 >= 0 {
		area := float64(landM2)
		b.LandM2 = &area
	}
	regiontest.Stage(r, "block", b)
}

func derive(t *testing.T, r *regiontest.Region, net *street.Network) (*Result, map[string]int64) {
	t.Helper()
	result, issues, err := Derive(t.Context(), r.Staged, net, calibration.Standard())
	if err != nil {
		t.Fatal(err)
	}
	reasons := map[string]int64{}
	for _, i := range issues {
		reasons[i.Code] = i.Rows
	}
	return result, reasons
}

// summary lists homes as "basis weight class-of-street metres-along".
func summary(net *street.Network, homes []Home) (list []string) {
	for _, h := range homes {
		list = append(list, fmt.Sprintf("%s %.1f %s %.0f", h.Basis, h.Weight, net.Street(h.Place.Edge).Class, h.Place.Along.Metres()))
	}
	return list
}

func TestHouseholdsOfBlocks(t *testing.T) {
	r, net := town(t)
	stage(t, r, "a", 100, 50, 40, -1, regiontest.Square(0, 10, 100, 110))    // with points
	stage(t, r, "b", 10, 6, -1, -1, regiontest.Square(100, 310, 200, 410))   // interior point, by dwellings
	stage(t, r, "c", 10, -1, -1, -1, regiontest.Square(0, 610, 100, 710))    // interior point, by people
	stage(t, r, "d", 0, 0, 0, -1, regiontest.Square(100, 610, 200, 710))     // nobody
	stage(t, r, "e", 5, 5, 5, -1, regiontest.Square(5000, 5000, 5100, 5100)) // no street near
	stage(t, r, "f", -1, -1, -1, -1, regiontest.Square(-100, 0, -20, 100))   // no counts
	for i, h := range []struct {
		block  string
		weight float64
		x      float64
	}{{"a", 1, 20}, {"a", 3, 80}, {"q", 1, 0}} {
		at := regiontest.At(h.x, 0)
		regiontest.Stage(r, "home", staged.Home{SourceID: "osm", SourceKey: fmt.Sprint(i), BlockKey: h.block, Weight: h.weight, Lng: at[0],
			Lat: at[1]})
	}
	result, reasons := derive(t, r, net)
	want := []string{"households 10.0 residential 20", "households 30.0 residential 80", "households 6.0 primary 150",
		"households 10.0 unclassified 50"}
	if diff := cmp.Diff(want, summary(net, result.Homes)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(map[string]int64{"no_street_within_snap_distance": 1, "block_without_weight": 1, "home_of_unknown_block": 1},
		reasons); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(map[string]string{
		"medians":           "1 of 6 blocks have no count of households: dwellings are used instead",
		"medians by people": "1 of 6 blocks have no count of households or dwellings: people are used instead",
	}, result.Notes); diff != "" {
		t.Error(diff)
	}
}

func TestStreetsWithoutBlocks(t *testing.T) {
	r, net := town(t)
	result, _ := derive(t, r, net)
	if diff := cmp.Diff([]string{"street 200.0 residential 100", "street 200.0 unclassified 100"}, summary(net, result.Homes)); diff != "" {
		t.Error(diff)
	}
	for _, h := range result.Homes {
		line := net.Street(h.Place.Edge).Line
		if d := geo.Distance(h.At, orb.Point{(line[0][0] + line[1][0]) / 2, line[0][1]}); d > 0.1 {
			t.Errorf("a home is %v m from the middle of its street", d)
		}
	}
	if result.Density != nil || result.Notes["medians"] == "" || result.Notes["typologies"] == "" {
		t.Errorf("%+v", result)
	}
}

// Streets far from all blocks represent homes, those near a block do not.
func TestStreetsBeyondBlocks(t *testing.T) {
	r, net := town(t)
	stage(t, r, "a", 0, 0, 0, -1, regiontest.Square(0, -900, 200, -500)) // within 800 m of the residential street only
	result, _ := derive(t, r, net)
	if diff := cmp.Diff([]string{"street 200.0 unclassified 100"}, summary(net, result.Homes)); diff != "" {
		t.Error(diff)
	}
	if result.Density == nil || result.Notes["medians beyond blocks"] == "" || result.Notes["medians"] != "" {
		t.Errorf("%+v", result.Notes)
	}
}

func TestDensity(t *testing.T) {
	c := calibration.Standard().Homes
	var samples []sample
	add := func(people, households int64, land float64, outline orb.MultiPolygon) {
		samples = append(samples, spread(&block{Block: staged.Block{Population: &people, Households: &households}, landM2: land,
			outline: outline}, c, 2.5)...)
	}
	// A checkerboard of blocks of 100 by 100 m: 50 people and 20 households on each of 2,500.
	for i := range 50 {
		for j := range 50 {
			x, y := float64(100*i-2500), float64(100*j-2500)
			add(50, 20, 10_000, regiontest.Square(x, y, x+100, y+100))
		}
	}
	// Next to it is a block of 5 by 5 km with as much water as land and 1,000 people.
	add(1000, 400, 12_500_000, regiontest.Square(2500, -2500, 7500, 2500))
	density := newDensity(samples, c)
	for _, c := range []struct {
		name              string
		x, y              float64
		people, tolerance float64
	}{
		{"in town", 0, 0, 5000, 15},
		{"in the country", 5000, 0, 80, 0.5},
		// half of the disc town: 5,000 · 1/2 and 40 · 1/2 on 1/2 + 1/4 of its area
		{"between", 2500, 0, (2500 + 20) / 0.75, 170},
		{"at the edge of the blocks", -2500, 0, 5000, 15},
	} {
		people, households, ok := density.At(regiontest.At(c.x, c.y))
		if !ok {
			t.Fatalf("%s: no density", c.name)
		}
		regiontest.Near(t, c.name, people, c.people, c.tolerance)
		regiontest.Near(t, c.name+", households", households, 0.4*people, 0.01)
	}
	if _, _, ok := density.At(regiontest.At(-4000, 0)); ok {
		t.Error("a density without counts")
	}
	if _, _, ok := density.At(regiontest.At(30_000, 100)); ok {
		t.Error("a density far away")
	}
}

// The search in bands finds all samples.
func TestDensityFindsAll(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var samples []sample
	for range 3000 {
		samples = append(samples, sample{at: regiontest.At(random.Float64()*6000-3000, random.Float64()*6000-3000), people: random.Float64() * 40,
			households: random.Float64() * 20, landKM2: 0.01, areaKM2: 0.01})
	}
	all := append([]sample(nil), samples...)
	d := newDensity(samples, calibration.Homes{RadiusM: 800})
	for range 200 {
		p := regiontest.At(random.Float64()*9000-4500, random.Float64()*9000-4500)
		var people, land float64
		plane := geo.NewPlane(p)
		for _, s := range all {
			if plane.Distance(s.at) <= 800 {
				people, land = people+s.people, land+s.landKM2
			}
		}
		got, _, ok := d.At(p)
		if ok != (land > 0) || ok && math.Abs(got-people/land) > 1e-6*got {
			t.Fatalf("at %v %v %v, want %v", p, got, ok, people/land)
		}
	}
}

// A few blocks with counts and nothing around them give no density.
func TestDensityOfTooLittleLand(t *testing.T) {
	c := calibration.Standard().Homes
	disc := math.Pi * c.RadiusM * c.RadiusM / 1e6
	for share, want := range map[float64]bool{0.8: true, 0.06: true, 0.04: false} {
		d := newDensity([]sample{{at: regiontest.At(0, 0), people: 16, households: 8, landKM2: share * disc, areaKM2: share * disc}}, c)
		if _, _, ok := d.At(regiontest.At(0, 0)); ok != want {
			t.Errorf("with %v of the disc counted: %v", share, ok)
		}
	}
}

// All people of a block are in its samples, whatever its shape.
func TestSpreadKeepsThePopulation(t *testing.T) {
	c := calibration.Standard().Homes
	people, homes := int64(1234), int64(567)
	for name, outline := range map[string]orb.MultiPolygon{
		"a small square":       regiontest.Square(0, 0, 30, 30),
		"a large one":          regiontest.Square(0, 0, 9000, 9000),
		"a sliver":             regiontest.Square(0, 0, 2000, 3),
		"two islands":          append(regiontest.Square(0, 0, 150, 150), regiontest.Square(1000, 1000, 1300, 1300)...),
		"a square with a hole": {{regiontest.Square(0, 0, 500, 500)[0][0], regiontest.Square(50, 50, 450, 450)[0][0]}},
	} {
		samples := spread(&block{Block: staged.Block{Population: &people, Households: &homes}, landM2: geo.Area(outline), outline: outline}, c,
			2.5)
		var sum sample
		for _, s := range samples {
			sum.people, sum.households, sum.landKM2 = sum.people+s.people, sum.households+s.households, sum.landKM2+s.landKM2
			if !geo.Contains(outline, s.at) {
				t.Errorf("%s: a sample is outside", name)
			}
		}
		if len(samples) == 0 || len(samples) > 2*c.MaxSamples || math.Abs(sum.people-1234) > 1e-6 || math.Abs(sum.households-567) > 1e-6 ||
			math.Abs(sum.landKM2-geo.Area(outline)/1e6) > 1e-9 {
			t.Errorf("%s: %d samples of %+v", name, len(samples), sum)
		}
	}
}
