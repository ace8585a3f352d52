package network

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/paulmach/orb"
	"pgregory.net/rapid"

	"quartier/internal/coord"
	"quartier/internal/geo"
)

func at(lng, lat float64) coord.Point {
	p, _ := coord.NewPoint(lng, lat)
	return p
}

func metresBetween(a, b coord.Point) float64 {
	var p, q orb.Point
	p[0], p[1] = a.Degrees()
	q[0], q[1] = b.Degrees()
	return geo.Distance(p, q)
}

// Two streets that cross, one of them bent, and a short street that touches the bend but has another node id there.
func TestBuild(t *testing.T) {
	b := NewBuilder(Options{})
	b.Add(Line{Points: []coord.Point{at(-75.502, 39.1), at(-75.501, 39.1002), at(-75.5, 39.1), at(-75.499, 39.1)},
		Nodes: []int64{-1, 2, 3, 4}})
	b.Add(Line{Points: []coord.Point{at(-75.5, 39.099), at(-75.5, 39.1), at(-75.5, 39.101)}, Nodes: []int64{5, 3, 6}})
	// at the position of node 2, but not node 2
	b.Add(Line{Points: []coord.Point{at(-75.501, 39.1002), at(-75.501, 39.102)}, Nodes: []int64{7, 8}})
	b.Add(Line{Points: []coord.Point{at(-75.6, 39.1)}, Nodes: []int64{9}})
	b.Add(Line{})
	g, report := b.Finish()
	if want := (Report{Lines: 5, NoLength: 1}); report != want {
		t.Errorf("%+v, not %+v", report, want)
	}
	if len(g.Nodes) != 7 || len(g.Edges) != 5 {
		t.Fatalf("%d nodes, %d edges", len(g.Nodes), len(g.Edges))
	}
	lines := map[string]bool{}
	for i, e := range g.Edges {
		line := g.Line(uint32(i))
		if line[0] != g.Nodes[e.A] || line[len(line)-1] != g.Nodes[e.B] {
			t.Errorf("edge %d is not where its nodes are", i)
		}
		lines[fmt.Sprint(e.Line, len(line), e.Length)] = true
	}
	want := map[string]bool{}
	bend := metresBetween(at(-75.502, 39.1), at(-75.501, 39.1002)) + metresBetween(at(-75.501, 39.1002), at(-75.5, 39.1))
	for _, w := range []struct {
		line, points int
		metres       float64
	}{{0, 3, bend}, {0, 2, 86.49}, {1, 2, 111.01}, {2, 2, 199.82}} {
		want[fmt.Sprint(w.line, w.points, Metres(w.metres))] = true
	}
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Error(diff)
	}
}

func TestLongEdgesAreCutEvenly(t *testing.T) {
	b := NewBuilder(Options{MaxEdgeM: 100})
	line := []coord.Point{at(-75.5, 39.1), at(-75.5, 39.1025), at(-75.5, 39.10251), at(-75.497, 39.10251)}
	b.Add(Line{Points: line})
	g, _ := b.Finish()
	whole := metresBetween(line[0], line[1]) + metresBetween(line[1], line[2]) + metresBetween(line[2], line[3])
	parts := int(math.Ceil(whole / 100))
	if len(g.Edges) != parts || len(g.Nodes) != parts+1 {
		t.Fatalf("%d edges, %d nodes", len(g.Edges), len(g.Nodes))
	}
	var sum Distance
	for i, e := range g.Edges {
		var drawn float64
		for j, l := 1, g.Line(uint32(i)); j < len(l); j++ {
			drawn += metresBetween(l[j-1], l[j])
		}
		if math.Abs(e.Length.Metres()-whole/float64(parts)) > 0.11 || math.Abs(drawn-e.Length.Metres()) > 0.2 {
			t.Errorf("edge %d: %v m, drawn %.2f m, %.2f m expected", i, e.Length.Metres(), drawn, whole/float64(parts))
		}
		sum += e.Length
	}
	if math.Abs(sum.Metres()-whole) > 0.15 {
		t.Errorf("%v m in total, not %v m", sum.Metres(), whole)
	}
}

func TestSmallComponentsAreDropped(t *testing.T) {
	street := func(lng float64, vertices int) Line {
		var l Line
		for i := range vertices {
			l.Points = append(l.Points, at(lng, 39.1+float64(i)/1000))
		}
		return l
	}
	build := func(minNodes int, lines ...Line) (*Graph, Report) {
		b := NewBuilder(Options{MaxEdgeM: 100, MinNodes: minNodes})
		for _, l := range lines {
			b.Add(l)
		}
		return b.Finish()
	}
	g, report := build(5, street(-75.1, 5), street(-75.2, 9), street(-75.3, 2)) // of 6, 10 and 3 nodes
	if report.DroppedComponents != 1 || report.DroppedNodes != 3 || report.FirstDropped != 2 || math.Abs(report.DroppedMetres-111) > 0.2 {
		t.Errorf("%+v", report)
	}
	if len(g.Nodes) != 6+10 {
		t.Errorf("%d nodes", len(g.Nodes))
	}
	g, report = build(50, street(-75.1, 3), street(-75.2, 9), street(-75.3, 2))
	if report.DroppedComponents != 2 || report.FirstDropped != 0 || g.Edges[0].Line != 1 {
		t.Errorf("the largest of small components stays: %+v", report)
	}
	if g, report = build(5); len(g.Nodes) != 0 || len(g.First) != 1 || report != (Report{}) {
		t.Errorf("no lines make %+v, %+v", g, report)
	}
}

// Two nodes at one position that a line joins stay joined.
func TestNodesAtOnePlaceStayJoined(t *testing.T) {
	b := NewBuilder(Options{MaxEdgeM: 100})
	b.Add(Line{Points: []coord.Point{at(0, 0), at(0, 0)}, Nodes: []int64{1, 2}})
	b.Add(Line{Points: []coord.Point{at(0, 0), at(0.001, 0)}, Nodes: []int64{2, 3}})
	g, report := b.Finish()
	if report.NoLength != 0 || len(g.Edges) != 3 || g.Edges[0].Length != 1 && g.Edges[1].Length != 1 && g.Edges[2].Length != 1 {
		t.Errorf("%+v, %+v", g.Edges, report)
	}
}

// The graph keeps the distances between junctions: compared with those over all vertices.
func TestBuilderKeepsDistances(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var lines []Line
		b := NewBuilder(Options{MaxEdgeM: rapid.SampledFrom([]float64{0, 50, 100}).Draw(t, "max edge")})
		for range rapid.IntRange(1, 8).Draw(t, "lines") {
			l := anyLine(t, true)
			l.Nodes = nil
			lines = append(lines, l)
			b.Add(l)
		}
		g, _ := b.Finish()
		all := naive(g)
		exact := vertexDistances(lines)
		for i, p := range g.Nodes {
			for j, q := range g.Nodes {
				want, known := exact[[2]coord.Point{p, q}]
				if _, junction := exact[[2]coord.Point{p, p}]; !junction {
					continue
				}
				if _, junction := exact[[2]coord.Point{q, q}]; !junction {
					continue
				}
				got := all[i][j]
				if known != (got < uint64(Far)) || known && math.Abs(float64(got)/10-want) > 0.1*float64(len(g.Edges)) {
					t.Fatalf("%v to %v: %v dm, not %v m", p, q, got, want)
				}
			}
		}
	})
}

// vertexDistances is the metres between all vertices of the lines, by Floyd and Warshall.
func vertexDistances(lines []Line) map[[2]coord.Point]float64 {
	dist := map[[2]coord.Point]float64{}
	var points []coord.Point
	put := func(p, q coord.Point, d float64) {
		if old, known := dist[[2]coord.Point{p, q}]; !known || d < old {
			dist[[2]coord.Point{p, q}] = d
		}
	}
	for _, l := range lines {
		for i, p := range l.Points {
			if !slices.Contains(points, p) {
				points = append(points, p)
			}
			put(p, p, 0)
			if i > 0 && l.Direction != Backward {
				put(l.Points[i-1], p, metresBetween(l.Points[i-1], p))
			}
			if i > 0 && l.Direction != Forward {
				put(p, l.Points[i-1], metresBetween(l.Points[i-1], p))
			}
		}
	}
	for _, k := range points {
		for _, i := range points {
			for _, j := range points {
				a, ok := dist[[2]coord.Point{i, k}]
				b, ok2 := dist[[2]coord.Point{k, j}]
				if ok && ok2 {
					put(i, j, a+b)
				}
			}
		}
	}
	return dist
}

func TestOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := anyGraph(t, rapid.Bool().Draw(t, "directed"))
		key := func(n int) uint64 {
			lng, lat := g.Nodes[n].Degrees()
			return geo.Hilbert(orb.Point{lng, lat})
		}
		for i := 1; i < len(g.Nodes); i++ {
			if key(i-1) > key(i) {
				t.Fatalf("node %d comes before %d", i-1, i)
			}
		}
		order := func(e Edge) []uint32 { return []uint32{min(e.A, e.B), max(e.A, e.B), e.Line} }
		for i := 1; i < len(g.Edges); i++ {
			if slices.Compare(order(g.Edges[i-1]), order(g.Edges[i])) > 0 {
				t.Fatalf("edge %d comes before %d", i-1, i)
			}
		}
	})
}
