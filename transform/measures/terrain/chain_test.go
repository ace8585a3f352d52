package terrain

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"quartier/internal/coord"
	"quartier/transform/measures/land"
	"quartier/transform/measures/raster"
	"quartier/transform/network/street"
	"quartier/transform/regiontest"
)

func noWater(t *testing.T, nodes ...coord.Point) (*raster.Classes, error) {
	r := regiontest.New(t).Measure()
	r.Network.Walk.Nodes = nodes
	g, err := land.ReadRaster(t.Context(), r, r.Calibration.Terrain.Slope.RadiusM, "water")
	if err != nil {
		return nil, err
	}
	return g.Classes, nil
}

func way(class, name string, xy ...float64) street.Street {
	return street.Street{Key: name, Name: name, Class: class, Foot: true, Bicycle: true, Car: "both", Line: regiontest.Line(xy...)}
}

// lengths are those of the chains in metres, the longest first.
func lengths(net *street.Network) []int {
	out := make([]bool, len(net.Walk.Edges))
	for e := range out {
		out[e] = net.Street(uint32(e)).Class == "steps"
	}
	var list []int
	chains(onward(net, out), out, func(begins []uint32) {
		sum := 0.0
		for _, end := range begins {
			sum += net.Walk.Edges[end>>1].Length.Metres()
		}
		list = append(list, int(math.Round(sum)))
	})
	slices.Sort(list)
	slices.Reverse(list)
	return list
}

func TestChains(t *testing.T) {
	bridge := way("residential", "Elm", 200, 0, 300, 0)
	bridge.Bridge = true
	for _, test := range []struct {
		name    string
		streets []street.Street
		want    []int
	}{
		{"one street", []street.Street{way("residential", "", 0, 0, 250, 0)}, []int{250}},
		{"a bend between two", []street.Street{way("residential", "", 0, 0, 200, 0), way("path", "", 200, 0, 200, 50)}, []int{250}},
		{"a fork", []street.Street{way("residential", "", 0, 0, 200, 0, 400, 0), way("residential", "", 200, 0, 200, 90)}, []int{400, 90}},
		{"a name over a crossing", []street.Street{way("residential", "Elm", 0, 0, 200, 0), way("residential", "Elm", 200, 0, 300, 0),
			way("residential", "Oak", 200, -50, 200, 0, 200, 50)}, []int{300, 100}},
		{"steps", []street.Street{way("residential", "Elm", 0, 0, 200, 0), way("steps", "Elm", 200, 0, 300, 0)}, []int{200}},
		{"a bridge", []street.Street{way("residential", "Elm", 0, 0, 200, 0), bridge, way("residential", "Elm", 300, 0, 400, 0)},
			[]int{200, 100, 100}},
		{"a ring", []street.Street{way("residential", "", 0, 0, 100, 0, 100, 100, 0, 100, 0, 0)}, []int{400}},
	} {
		if got := lengths(netOf(test.streets)); fmt.Sprint(got) != fmt.Sprint(test.want) {
			t.Errorf("%s: chains of %v, want %v", test.name, got, test.want)
		}
	}
}

// Every edge is in one chain, whatever the streets.
func TestEveryEdgeIsInOneChain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		corner := rapid.Custom(func(t *rapid.T) float64 { return float64(rapid.IntRange(0, 4).Draw(t, "corner")) * 80 })
		streets := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) street.Street {
			s := way(rapid.SampledFrom([]string{"residential", "steps"}).Draw(t, "class"),
				rapid.SampledFrom([]string{"", "Elm", "Oak"}).Draw(t, "name"),
				corner.Draw(t, "x"), corner.Draw(t, "y"), corner.Draw(t, "x2"), corner.Draw(t, "y2"), corner.Draw(t, "x3")+1, corner.Draw(t, "y3"))
			s.Bridge = rapid.Bool().Draw(t, "bridge")
			return s
		}), 1, 12).Draw(t, "streets")
		net := netOf(streets)
		out := make([]bool, len(net.Walk.Edges))
		for e := range out {
			out[e] = net.Street(uint32(e)).Class == "steps"
		}
		seen := make([]int, len(out))
		paired := onward(net, out)
		for end, to := range paired {
			if to != none && (paired[to] != uint32(end) || nodeOf(net.Walk, to) != nodeOf(net.Walk, uint32(end)) || out[to>>1]) {
				t.Fatalf("end %d goes on at %d, which goes on at %d", end, to, paired[to])
			}
		}
		chains(paired, out, func(begins []uint32) {
			for i, end := range begins {
				seen[end>>1]++
				if i > 0 && nodeOf(net.Walk, end) != nodeOf(net.Walk, other(begins[i-1])) {
					t.Fatalf("a chain jumps from edge %d to %d", begins[i-1]>>1, end>>1)
				}
			}
		})
		for e, n := range seen {
			if want := 1; n != want && !out[e] || out[e] && n != 0 {
				t.Fatalf("edge %d is in %d chains, excluded %v", e, n, out[e])
			}
		}
		// nodes on bridges are between the lowest and the highest ground
		heights := make([]float64, len(net.Walk.Nodes))
		for n := range heights {
			heights[n] = float64(n % 7)
		}
		interpolateDecks(net, heights)
		for n, h := range heights {
			if h < -1e-9 || h > 6+1e-9 {
				t.Fatalf("node %d at %v m", n, h)
			}
		}
	})
}

// Stretches of at least the base length have the rise between their ends; a shorter rest is added to the last
// stretch.
func TestMeasure(t *testing.T) {
	net := netOf([]street.Street{way("residential", "Elm", 0, 0, 25, 0, 50, 0, 75, 0, 100, 0, 125, 0, 150, 0), way("path", "", 25, 0, 25, 9),
		way("path", "", 50, 0, 50, 9),
		way("path", "", 75, 0, 75, 9), way("path", "", 100, 0, 100, 9), way("path", "", 125, 0, 125, 9)})
	heights := make([]float64, len(net.Walk.Nodes))
	for x, h := range map[float64]float64{0: 0, 25: 5, 50: 0, 75: 6, 100: 60, 125: 3, 150: 12} {
		heights[nodeAt(net, x, 0)] = h
	}
	g := &grades{net: net, out: make([]bool, len(net.Walk.Edges)), short: make([]float32, len(net.Walk.Edges))}
	var begins []uint32
	chains(onward(net, g.out), g.out, func(b []uint32) {
		if len(b) == 6 {
			begins = slices.Clone(b)
		}
	})
	if len(begins) != 6 {
		t.Fatalf("no chain of six")
	}
	g.measure(begins, heights, 60, 0, 35, g.short)
	var got []float32
	for _, end := range begins {
		got = append(got, g.short[end>>1])
	}
	for i, pct := range got { // 0 to 75 m: 6 m; 75 to 150 m: 6 m
		if math.Abs(float64(pct)-8) > 0.05 {
			t.Errorf("edge %d: %v, want 8", i, got)
		}
	}
	g.measure(begins, heights, 400, 400, 35, g.short)
	if pct := g.short[begins[0]>>1]; math.Abs(float64(pct)-3) > 0.01 {
		t.Errorf("12 m over 150, counted over 400: %v", pct)
	}
}
