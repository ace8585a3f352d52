package traffic

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"quartier/internal/coord"
	"quartier/schemas/calibration"
	"quartier/transform/network/drive"
	"quartier/transform/network/street"
)

var everyPiece = calibration.Walking{MinNodes: 1}

// flows are the vehicles a day of streets of 600 vehicles, after pockets.
func flows(t testing.TB, streets []street.Street) (aadt []float64) {
	t.Helper()
	for i := range streets {
		streets[i].Car, streets[i].Flow.AADT = "both", 600
	}
	Pockets(streets, drive.New(streets, everyPiece), nil, &c.Traffic.Pocket)
	for i := range streets {
		aadt = append(aadt, streets[i].Flow.AADT)
	}
	return aadt
}

func TestDeadEnds(t *testing.T) {
	for name, tt := range map[string]struct {
		streets []street.Street
		want    []float64
	}{
		"a dead end": {[]street.Street{{Class: "tertiary", Line: line(-500, 0, 0, 0, 500, 0)},
			{Class: "residential", Line: line(0, 0, 0, 200)}}, []float64{600, 45}},
		"a short one carries a little": {[]street.Street{{Class: "tertiary", Line: line(-500, 0, 0, 0, 500, 0)},
			{Class: "residential", Line: line(0, 0, 0, 20)}}, []float64{600, 20}},
		"a way around is no dead end": {[]street.Street{{Class: "tertiary", Line: line(-500, 0, 0, 0, 500, 0)},
			{Class: "residential", Line: line(-500, 0, 0, 300, 500, 0)}}, []float64{600, 600}},
		"a quarter with one way in": {[]street.Street{
			{Class: "tertiary", Line: line(-500, 0, 0, 0, 500, 0)},
			{Class: "residential", Line: line(0, 0, 0, 100)}, // in: 400 m behind and half of its own 100
			{Class: "residential", Line: line(0, 100, 100, 100, 100, 200, 0, 200, 0, 100)},
		}, []float64{600, .45 * 450, 600}}, // on the loop itself traffic takes either side
		"behind an avenue it is unknown": {[]street.Street{{Class: "residential", Line: line(0, 0, 0, 200)},
			{Class: "secondary", Line: line(0, 200, 0, 900)},
			{Class: "secondary", Line: line(0, 0, 500, 0, 500, 900, 0, 0)}}, []float64{600, 600, 600}},
		"counted": {[]street.Street{{Class: "tertiary", Line: line(-500, 0, 0, 0, 500, 0)},
			{Class: "residential", Flow: street.Flow{Count: "city:1"}, Line: line(0, 0, 0, 200)}}, []float64{600, 600}},
	} {
		for i, got := range flows(t, tt.streets) {
			if math.Abs(got-tt.want[i]) > 1 {
				t.Errorf("%s: street %d has %.1f vehicles a day, not %v", name, i, got, tt.want[i])
			}
		}
	}
}

// A dead end at the edge of the data is a through street if it goes on beyond.
func TestDeadEndsAtTheEdge(t *testing.T) {
	streets := []street.Street{
		{Class: "tertiary", Line: line(-500, 0, 0, 0, 500, 0)},
		{Class: "residential", Line: line(0, 0, 0, 200)},
		{Class: "residential", Line: line(100, 0, 100, 200)},
		{Class: "residential", Line: line(200, 0, 200, 200), Flow: street.Flow{Count: "city:1"}},
	}
	for i := range streets {
		streets[i].Car, streets[i].Flow.AADT = "both", 600
	}
	leaves := map[coord.Point]bool{}
	for _, i := range []int{1, 3} {
		end := streets[i].Line[1]
		at, _ := coord.NewPoint(end[0], end[1])
		leaves[at] = true
	}
	Pockets(streets, drive.New(streets, everyPiece), leaves, &c.Traffic.Pocket)
	for i, want := range []street.Flow{{Beyond: 0}, {Beyond: 555}, {Beyond: 0}, {Beyond: 0}} {
		want.AADT = []float64{600, 600, 45, 600}[i]
		if got := streets[i].Flow; math.Abs(got.AADT-want.AADT) > 1 || math.Abs(got.Beyond-want.Beyond) > 1 {
			t.Errorf("street %d has %.1f vehicles a day, %.1f of them from beyond, not %v and %v", i, got.AADT, got.Beyond, want.AADT, want.Beyond)
		}
	}
}

// A slow way to find what is behind an edge: leave it out and see what is connected to each of its ends.
func slowThrough(n *drive.Network, edge int, own func(int) float64) float64 {
	side := func(from uint32) (sum float64, meets bool) {
		seen := map[uint32]bool{from: true}
		counted := map[int]bool{edge: true}
		for grown := true; grown; {
			grown = false
			for i, e := range n.Graph.Edges {
				if !counted[i] && (seen[e.A] || seen[e.B]) {
					counted[i], seen[e.A], seen[e.B], grown = true, true, true, true
					sum += own(i)
				}
			}
		}
		e := n.Graph.Edges[edge]
		return sum, seen[e.A] && seen[e.B]
	}
	e := n.Graph.Edges[edge]
	a, meets := side(e.A)
	b, _ := side(e.B)
	if meets {
		return math.Inf(1)
	}
	return min(a, b) + own(edge)/2
}

func TestPocketsAgreeWithASlowMethod(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		var streets []street.Street
		corner := rapid.IntRange(0, 4)
		for range rapid.IntRange(1, 14).Draw(rt, "streets") {
			x, y := corner.Draw(rt, "x"), corner.Draw(rt, "y")
			dx, dy := 1, 0
			if rapid.Bool().Draw(rt, "north") {
				dx, dy = 0, 1
			}
			class := rapid.SampledFrom([]string{"residential", "residential", "driveway", "secondary"}).Draw(rt, "class")
			streets = append(streets, street.Street{Class: class, Car: "both",
				Line: line(float64(100*x), float64(100*y), float64(100*(x+dx)), float64(100*(y+dy)))})
		}
		n := drive.New(streets, everyPiece)
		tree := newTree(n, nil, &c.Traffic.Pocket)
		for edge := range n.Graph.Edges {
			got, want := tree.through(uint32(edge)), slowThrough(n, edge, func(i int) float64 { return tree.of(uint32(i)) })
			if got != want && math.Abs(got-want) > 1e-6 {
				rt.Fatalf("edge %d: %v trips, by the slow method %v", edge, got, want)
			}
		}
	})
}

// The ends of an island of local streets have no trips but their own, whatever the lengths add up to.
func TestEndsOfAnIsland(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		var streets []street.Street
		x := 0.0
		for _, length := range rapid.SliceOfN(rapid.Float64Range(10, 500), 3, 9).Draw(rt, "lengths") {
			streets = append(streets, street.Street{Class: "residential", Car: "both", Line: line(x, 0, x+length, 0)})
			x += length
		}
		n := drive.New(streets, everyPiece)
		tree := newTree(n, nil, &c.Traffic.Pocket)
		for edge := range n.Graph.Edges {
			if at := n.Line(uint32(edge)); at != 0 && int(at) != len(streets)-1 {
				continue
			}
			if got, own := tree.through(uint32(edge)), tree.of(uint32(edge)); math.Abs(got-own/2) > 1e-6 {
				rt.Fatalf("edge %d has %v trips, not half of its own %v", edge, got, own)
			}
		}
	})
}
