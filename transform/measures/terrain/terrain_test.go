package terrain

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/paulmach/orb"
	"pgregory.net/rapid"

	"quartier/internal/coord"
	"quartier/internal/geo"
	"quartier/internal/network"
	"quartier/schemas/calibration"
	"quartier/schemas/staged"
	"quartier/transform/measures/measure"
	"quartier/transform/network/street"
	"quartier/transform/regiontest"
)

const second = 1.0 / 3600

// tile stages heights of columns by rows cells of step degrees from the north-west corner, by a function of metres
// east and north of Home.
func tile(r *regiontest.Region, t *testing.T, priority, number int, from orb.Point, step float64, columns, rows int,
	height func(x, y float64) float64) {
	t.Helper()
	plane := geo.NewPlane(regiontest.Home)
	var cells []byte
	for row := range rows {
		for column := range columns {
			x, y := plane.XY(orb.Point{from[0] + float64(column)*step, from[1] - float64(row)*step})
			cells = binary.LittleEndian.AppendUint32(cells, math.Float32bits(float32(height(x, y))))
		}
	}
	id := string(rune('a' + priority))
	if number == 0 {
		r.Source(id, priority, "elevation", "2024-01-01")
	}
	regiontest.Stage(r, "elevation_tile", staged.ElevationTile{SourceID: id, Tile: int32(number), West: from[0], North: from[1],
		StepLng: step, StepLat: step, Columns: int32(columns), Rows: int32(rows), Cells: cells})
}

// hillside stages heights for four kilometres around Home in cells of one arc second.
func hillside(r *regiontest.Region, t *testing.T, height func(x, y float64) float64) {
	t.Helper()
	from := regiontest.At(-4000, 4000)
	const columns, rows = 340, 260
	tile(r, t, 1, 0, from, second, columns, rows/2, height)
	tile(r, t, 1, 1, orb.Point{from[0], from[1] - rows/2*second}, second, columns, rows/2, height)
}

// netOf is the walking network of the streets, in edges of at most 100 m.
func netOf(streets []street.Street) *street.Network {
	net := &street.Network{Streets: streets}
	b := network.NewBuilder(network.Options{MaxEdgeM: 100})
	for i := range streets {
		points, _ := street.Points(nil, streets[i].Line)
		b.Add(network.Line{Points: points, Nodes: streets[i].Nodes})
		net.WalkLine = append(net.WalkLine, uint32(i))
	}
	net.Walk, _ = b.Finish()
	return net
}

// nodeAt is the node nearest to a point in metres from Home.
func nodeAt(net *street.Network, x, y float64) int {
	best, found := math.Inf(1), 0
	plane := geo.NewPlane(regiontest.At(x, y))
	for i, p := range net.Walk.Nodes {
		if d := plane.Distance(p.Orb()); d < best {
			best, found = d, i
		}
	}
	return found
}

type result struct {
	land, street, hill float64 // terrain_steepness, street_steepness, percent
}

func derive(t testing.TB, r *regiontest.Region, net *street.Network) (of func(x, y float64) result, issues int) {
	t.Helper()
	region := measure.NewRegion(r.Staged, net, calibration.Standard())
	m, s := region.Channels, region.Quantities
	list, err := Derive(t.Context(), region)
	if err != nil {
		t.Fatal(err)
	}
	return func(x, y float64) result {
		n := nodeAt(net, x, y)
		hill := math.NaN()
		if s.SteepestPct != nil {
			hill = float64(s.SteepestPct[n])
		}
		return result{m.Get(n, terrainSteepness), m.Get(n, streetSteepness), hill}
	}, len(list)
}

func near(t *testing.T, what string, got, want result, tolerance float64) {
	t.Helper()
	for _, v := range []struct {
		name      string
		got, want float64
	}{{"land", got.land, want.land}, {"streets", got.street, want.street}, {"hill", got.hill, want.hill}} {
		if math.IsNaN(v.want) != math.IsNaN(v.got) || math.Abs(v.got-v.want) > tolerance {
			t.Errorf("%s, %s: %.3f, want %.3f", what, v.name, v.got, v.want)
		}
	}
}

// On a plane that rises by 6 % to the east the slope is 6 of 15, a street to the east has 6 of 10, one to the north
// is level.
func TestAPlane(t *testing.T) {
	r := regiontest.New(t)
	hillside(r, t, func(x, _ float64) float64 { return 300 + 0.06*x })
	east := r.Street("residential", -1500, 0, 1500, 0)
	_ = east
	of, _ := derive(t, r, netOf(r.Streets))
	near(t, "a street uphill", of(0, 0), result{2, 3, 6}, 0.03)

	r.Streets = nil
	r.Street("residential", 0, -1500, 0, 1500)
	of, _ = derive(t, r, netOf(r.Streets))
	near(t, "a street along the slope", of(0, 0), result{2, 0, 0}, 0.03)

	r.Streets = nil
	r.Street("residential", -1500, 0, 1500, 0)
	r.Street("residential", 0, -1500, 0, 1500)
	steps := r.Street("steps", 300, 0, 300, 300)
	steps.Bicycle = false
	path := r.Street("path", 100, 100, 200, 100)
	path.Bicycle = false
	of, _ = derive(t, r, netOf(r.Streets))
	near(t, "a crossing", of(0, 0), result{2, 1.59, 6}, 0.05)
}

func TestWithoutHeights(t *testing.T) {
	absent := result{math.NaN(), math.NaN(), math.NaN()}
	r := regiontest.New(t)
	r.Street("residential", -1500, 0, 1500, 0)
	of, _ := derive(t, r, netOf(r.Streets))
	near(t, "no data", of(0, 0), absent, 0)

	tile(r, t, 1, 0, regiontest.At(5000, 4000), second, 300, 300, func(x, y float64) float64 { return x })
	of, _ = derive(t, r, netOf(r.Streets))
	near(t, "data elsewhere", of(0, 0), absent, 0)

	r = regiontest.New(t)
	r.Street("residential", -1500, 0, 1500, 0)
	hillside(r, t, func(x, _ float64) float64 {
		if x < 0 {
			return math.NaN()
		}
		return 300 + 0.06*x
	})
	of, _ = derive(t, r, netOf(r.Streets))
	near(t, "far on the known side", of(1300, 0), result{2, 3, 6}, 0.03)
	near(t, "mostly on the unknown side", of(-400, 0), result{math.NaN(), math.NaN(), math.NaN()}, 0)
	near(t, "mostly on the known side", of(400, 0), result{2, 3, 6}, 0.03)
}

// Water is excluded: on the shore only the land counts.
func TestWater(t *testing.T) {
	r := regiontest.New(t)
	hillside(r, t, func(x, _ float64) float64 { return 100 + 0.06*max(x, 0) })
	r.Street("residential", -1500, 0, 1500, 0)
	of, _ := derive(t, r, netOf(r.Streets))
	if got := of(0, 0).land; math.Abs(got-1) > 0.1 {
		t.Errorf("half of it level: %.3f", got)
	}
	r.Feature("land", "water", regiontest.Square(-3000, -3000, 0, 3000))
	of, _ = derive(t, r, netOf(r.Streets))
	if got := of(0, 0).land; math.Abs(got-2) > 0.1 {
		t.Errorf("half of it water: %.3f", got)
	}
}

// A bridge over a gorge 200 m wide and 30 m deep is level, the road through the gorge is not.
func TestBridges(t *testing.T) {
	gorge := func(x, _ float64) float64 {
		if math.Abs(x) < 100 {
			return 70
		}
		return 100
	}
	r := regiontest.New(t)
	hillside(r, t, gorge)
	r.Street("residential", -600, 0, -200, 0)
	r.Street("residential", -200, 0, 200, 0)
	r.Street("residential", 200, 0, 600, 0)
	of, _ := derive(t, r, netOf(r.Streets))
	if got := of(0, 0); got.hill < 10 {
		t.Errorf("through the gorge: %+v", got)
	}
	r.Streets[1].Bridge = true
	of, _ = derive(t, r, netOf(r.Streets))
	if got := of(0, 0); got.hill > 0.1 || got.street > 0.01 {
		t.Errorf("over the gorge: %+v", got)
	}
	// A ramp leaves the bridge halfway and descends into the gorge. The fork is at 94 m: the mean of 100, 100 and 70 m
	// weighted by 1/200, 1/200 and 1/400.
	r.Streets[1].Line = regiontest.Line(-200, 0, 0, 0, 200, 0)
	r.Street("residential", 0, 0, 0, 400).Bridge = true
	of, issues := derive(t, r, netOf(r.Streets))
	if got := of(0, 400); math.Abs(got.hill-6) > 0.2 {
		t.Errorf("down the ramp: %+v", got)
	}
	if got := of(-200, 0); math.Abs(got.hill-3) > 0.2 {
		t.Errorf("on the bridge: %+v", got)
	}
	if issues != 0 {
		t.Errorf("%d issues", issues)
	}
}

func TestCliffsAreCapped(t *testing.T) {
	r := regiontest.New(t)
	hillside(r, t, func(x, _ float64) float64 {
		if x < 0 {
			return 0
		}
		return 500
	})
	r.Street("residential", -1500, 0, 1500, 0)
	of, issues := derive(t, r, netOf(r.Streets))
	if got := of(0, 0); got.hill != 35 || issues != 1 {
		t.Errorf("%+v, %d issues", got, issues)
	}
}

// Of several sources the first counts, the second fills its gaps, and finer ones are averaged.
func TestSources(t *testing.T) {
	r := regiontest.New(t)
	from := regiontest.At(-4000, 4000)
	tile(r, t, 1, 0, from, second, 170, 260, func(x, _ float64) float64 { return 300 + 0.06*x })
	tile(r, t, 2, 0, orb.Point{from[0] + second/7, from[1] + second/5}, second/2, 2*340, 2*260, func(x, _ float64) float64 {
		if x < -200 {
			return 0
		}
		return 300 + 0.06*x
	})
	r.Street("residential", -1500, 0, 1500, 0)
	net := netOf(r.Streets)
	of, _ := derive(t, r, net)
	for _, x := range []float64{-1000, 0, 60, 500, 1500} {
		near(t, "several sources", of(x, 0), result{2, 3, 6}, 0.06)
	}
	merged, err := readSurface(t.Context(), r.Staged, net.Walk.Nodes, &calibration.Standard().Terrain)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []float64{-1400, -777, -3, 0, 14, 44, 200, 1234} {
		if got := merged.height(regiontest.At(x, 20)); math.Abs(got-(300+0.06*x)) > 0.05 {
			t.Errorf("height %v m east: %v", x, got)
		}
	}
}

// The mean of a disc is that of the cells whose centres are inside it, computed one by one.
func TestMeanAgainstAllCells(t *testing.T) {
	home, _ := coord.NewPoint(regiontest.Home[0], regiontest.Home[1])
	water, err := noWater(t, home)
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(rt *rapid.T) {
		a, b, c := rapid.Float64Range(-40, 40).Draw(rt, "a"), rapid.Float64Range(100, 900).Draw(rt, "b"),
			rapid.Float64Range(-0.2, 0.2).Draw(rt, "c")
		s := newSurface(lattice{-76.75, 39.45, second, second})
		plane := geo.NewPlane(regiontest.Home)
		for row := range 3 * side {
			for column := range 3 * side {
				x, y := plane.XY(s.centre(column+60, row+60))
				k, at := tileOf(column+60, row+60)
				s.tile(k)[at] = float32(500 + a*math.Sin(x/b)*math.Cos(y/300) + c*y)
			}
		}
		terrain := &calibration.Standard().Terrain
		slopes, err := newSlopes(t.Context(), s, water, []coord.Point{home}, terrain)
		if err != nil {
			rt.Fatal(err)
		}
		got := slopes.mean(regiontest.Home, make([]uint64, 3))
		sum, n := 0.0, 0.0
		mLng, mLat := geo.MetresPerDegree(regiontest.Home[1])
		for row := range 5 * side {
			for column := range 5 * side {
				if plane.Distance(s.centre(column, row)) > terrain.Slope.RadiusM {
					continue
				}
				h := func(dc, dr int) float64 { return float64(s.cell(column+dc, row+dr)) }
				ew := (h(1, -1) + 2*h(1, 0) + h(1, 1) - h(-1, -1) - 2*h(-1, 0) - h(-1, 1)) / 8 / (mLng * second)
				ns := (h(-1, 1) + 2*h(0, 1) + h(1, 1) - h(-1, -1) - 2*h(0, -1) - h(1, -1)) / 8 / (mLat * second)
				sum, n = sum+100*math.Sqrt(ew*ew+ns*ns), n+1
			}
		}
		if want := sum / n; math.Abs(got-want) > 0.02*want+0.01 {
			rt.Fatalf("mean %v, want %v", got, want)
		}
	})
}
