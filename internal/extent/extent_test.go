package extent

import (
	"context"
	"math"
	"testing"

	"github.com/paulmach/orb"
	"pgregory.net/rapid"

	"quartier/internal/coord"
	"quartier/internal/geo"
)

var home = orb.Point{-75.7, 45.4}

// eastOf is the rings around a node with an edge that runs north and south at some metres east of it.
func eastOf(t testing.TB, metres float64) *Edges {
	t.Helper()
	x, y := cellOf(home)
	middle := centre(x, y) // rings are those of the middle of the cell
	edge := geo.NewPlane(middle).Point(metres, 0)[0]
	p, _ := coord.NewPoint(middle[0], middle[1])
	nodes := []coord.Point{p}
	ground, err := NewGround(context.Background(), nodes, MaxReachM, func(p orb.Point) bool { return p[0] > edge })
	if err != nil {
		t.Fatal(err)
	}
	edges, err := NewEdges(context.Background(), ground, nodes)
	if err != nil {
		t.Fatal(err)
	}
	return edges
}

// cellM is half a cell and a little more: an edge is known so well.
const cellM = 130

// segment is the part of a disc beyond a straight line, exactly.
func segment(radius, distance float64) float64 {
	h := max(-1, min(1, distance/radius))
	return (math.Acos(h) - h*math.Sqrt(1-h*h)) / math.Pi
}

func TestFlatWeightIsTheAreaOfTheDisc(t *testing.T) {
	for _, c := range []struct{ radius, edge float64 }{
		{800, 0}, {800, 400}, {800, 1000}, {1130, 800}, {2414, 300}, {2414, 1500}, {7242, 3000}, {20000, 5000}, {30000, 29000},
	} {
		got := eastOf(t, c.edge).Beyond(0, NewWeight(c.radius, nil), math.Inf(1))
		least, most := segment(c.radius, c.edge+cellM)-0.02, segment(c.radius, c.edge-cellM)+0.02
		if got < least || got > most {
			t.Errorf("a disc of %v m with an edge at %v m: %.3f of it is beyond, want %.3f", c.radius, c.edge, got, segment(c.radius, c.edge))
		}
	}
}

// TestWeightByDistance compares with a sum over a fine grid.
func TestWeightByDistance(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		reach := rapid.Float64Range(800, 25000).Draw(t, "reach")
		edge := rapid.Float64Range(0, 1.1).Draw(t, "edge") * reach
		limit := rapid.Float64Range(0.3, 1.5).Draw(t, "limit") * reach
		decay := func(m float64) float64 { return max(0, 1-m/reach) }
		var all, least, most float64
		step, end := reach/200, min(reach, limit)
		for x := -end; x <= end; x += step {
			for y := -end; y <= end; y += step {
				if d := math.Hypot(x, y); d <= end {
					all += decay(d)
					if x > edge+cellM {
						least += decay(d)
					}
					if x > edge-cellM {
						most += decay(d)
					}
				}
			}
		}
		got := eastOf(&testing.T{}, edge).Beyond(0, NewWeight(reach, decay), limit)
		if got < least/all-0.025 || got > most/all+0.025 {
			t.Errorf("reach %.0f m, edge at %.0f m, limit %.0f m: %.3f, want %.3f to %.3f", reach, edge, limit, got, least/all, most/all)
		}
	})
}

func TestSearchThatEndsBeforeTheEdgeIsComplete(t *testing.T) {
	w := NewWeight(5000, nil)
	edges := eastOf(t, 2000)
	if got := edges.Beyond(0, w, 1500); got != 0 {
		t.Errorf("%v of a disc of 1,500 m is beyond an edge at 2,000 m", got)
	}
	if got := edges.Beyond(0, w, 5000); got < 0.1 {
		t.Errorf("%v of a disc of 5,000 m is beyond an edge at 2,000 m", got)
	}
	if got := (*Edges)(nil).Beyond(0, w, 5000); got != 0 {
		t.Errorf("%v is beyond no edge", got)
	}
	if got := eastOf(t, -3000).Beyond(0, w, 0); got != 1 {
		t.Errorf("a node beyond the edge: %v of nothing is unknown, want all", got)
	}
}

func TestGroundHasTheCellsNearNodesOnly(t *testing.T) {
	p, _ := coord.NewPoint(home[0], home[1])
	ground, err := NewGround(context.Background(), []coord.Point{p}, 1000, func(orb.Point) bool { return true })
	if err != nil {
		t.Fatal(err)
	}
	if !ground.Unknown(home) || ground.Unknown(orb.Point{home[0] + 1, home[1]}) || ground.Unknown(orb.Point{home[0], home[1] - 1}) {
		t.Error("ground is unknown far from all nodes, or known where it is not")
	}
	none, err := NewGround(context.Background(), nil, 1000, func(orb.Point) bool { return true })
	if err != nil || !none.Complete() || none.Unknown(home) {
		t.Errorf("without nodes: %v, complete %v", err, none.Complete())
	}
}

func BenchmarkEdges(b *testing.B) {
	var nodes []coord.Point
	for i := range 200_000 {
		p, _ := coord.NewPoint(-75.7+float64(i%450)*0.001, 38.5+float64(i/450)*0.002)
		nodes = append(nodes, p)
	}
	for b.Loop() {
		ground, _ := NewGround(context.Background(), nodes, MaxReachM, func(p orb.Point) bool { return p[0] > -75.6 })
		_, _ = NewEdges(context.Background(), ground, nodes)
	}
}
