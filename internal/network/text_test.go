package network

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"quartier/internal/coord"
)

// TestText runs the cases of testdata. Coordinates are metres east and north of one point, distances whole metres.
//
//	streets [max-edge=m] [min-nodes=n]   a network; a line is "name [oneway] x y x y …"
//	barriers                             lines that an access leg may not cross, "x y x y …"
//	snap limit=m                         where each point, "name x y", is on the network
//	nearest k=n reach=m                  for each node, the nearest of the places "name x y"
//	sums                                 for each node, the count of the places "name x y" within 400 m
func TestText(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		var x textNetwork
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			run, ok := map[string]func(*testing.T, *datadriven.TestData) string{
				"streets": x.streets, "barriers": x.setBarriers, "snap": x.snap, "nearest": x.nearest, "sums": x.sums,
			}[d.Cmd]
			if !ok {
				d.Fatalf(t, "unknown command %q", d.Cmd)
			}
			return run(t, d)
		})
	})
}

// textNetwork is the network that the commands of a file work on.
type textNetwork struct {
	graph    *Graph
	names    []string // of the streets
	barriers [][]coord.Point
}

const originLng, originLat = -75.5, 39.1

var metresPerDegree = [2]float64{
	metresBetween(at(originLng, originLat), at(originLng+0.1, originLat)) * 10,
	metresBetween(at(originLng, originLat), at(originLng, originLat+0.1)) * 10,
}

func inMetres(x, y float64) coord.Point {
	return at(originLng+x/metresPerDegree[0], originLat+y/metresPerDegree[1])
}

func metresOf(p coord.Point) string {
	lng, lat := p.Degrees()
	whole := func(m float64) int { return int(math.Round(m)) }
	return fmt.Sprintf("(%d %d)", whole((lng-originLng)*metresPerDegree[0]), whole((lat-originLat)*metresPerDegree[1]))
}

// textLines reads lines of words followed by coordinates.
func textLines(t *testing.T, d *datadriven.TestData) (words [][]string, points [][]coord.Point) {
	for line := range strings.Lines(d.Input) {
		var names []string
		var numbers []float64
		for _, field := range strings.Fields(line) {
			var number float64
			if _, err := fmt.Sscan(field, &number); err == nil {
				numbers = append(numbers, number)
			} else {
				names = append(names, field)
			}
		}
		if len(numbers)%2 != 0 {
			d.Fatalf(t, "%q: a coordinate is missing", line)
		}
		var list []coord.Point
		for pair := range slices.Chunk(numbers, 2) {
			list = append(list, inMetres(pair[0], pair[1]))
		}
		words, points = append(words, names), append(points, list)
	}
	return words, points
}

func number(t *testing.T, d *datadriven.TestData, key string) (n int) {
	if d.HasArg(key) {
		d.ScanArgs(t, key, &n)
	}
	return n
}

func (x *textNetwork) streets(t *testing.T, d *datadriven.TestData) string {
	*x = textNetwork{}
	b := NewBuilder(Options{MaxEdgeM: float64(number(t, d, "max-edge")), MinNodes: number(t, d, "min-nodes")})
	words, points := textLines(t, d)
	for i, w := range words {
		l := Line{Points: points[i]}
		if len(w) > 1 {
			l.Direction = map[string]Direction{"oneway": Forward}[w[1]]
		}
		x.names = append(x.names, w[0])
		b.Add(l)
	}
	var report Report
	x.graph, report = b.Finish()
	var out strings.Builder
	for _, e := range x.graph.Edges {
		a, b := x.graph.Nodes[e.A], x.graph.Nodes[e.B]
		fmt.Fprintf(&out, "%s %s–%s %.0f m\n", x.names[e.Line], metresOf(a), metresOf(b), e.Length.Metres())
	}
	if report.DroppedComponents > 0 {
		fmt.Fprintf(&out, "dropped: %d components of %d nodes, %.0f m, the first with %s\n",
			report.DroppedComponents, report.DroppedNodes, report.DroppedMetres, x.names[report.FirstDropped])
	}
	return out.String()
}

func (x *textNetwork) setBarriers(t *testing.T, d *datadriven.TestData) string {
	_, x.barriers = textLines(t, d)
	return ""
}

// places snaps the input's points; a point that is not on the network has no place.
func (x *textNetwork) places(t *testing.T, d *datadriven.TestData, limit int) (names []string, places []Place, found []bool) {
	words, points := textLines(t, d)
	s := NewSnapper(x.graph, x.barriers)
	for i, w := range words {
		p, ok := s.Snap(points[i][0], float64(limit))
		names, places, found = append(names, w[0]), append(places, p), append(found, ok)
	}
	return names, places, found
}

func (x *textNetwork) snap(t *testing.T, d *datadriven.TestData) string {
	s := NewSnapper(x.graph, x.barriers)
	names, places, found := x.places(t, d, number(t, d, "limit"))
	var out strings.Builder
	for i, p := range places {
		if !found[i] {
			fmt.Fprintf(&out, "%s: none\n", names[i])
			continue
		}
		street := x.names[x.graph.Edges[p.Edge].Line]
		fmt.Fprintf(&out, "%s: %s at %s, leg of %.0f m\n", names[i], street, metresOf(s.Point(p)), p.Leg.Metres())
	}
	return out.String()
}

func (x *textNetwork) nearest(t *testing.T, d *datadriven.TestData) string {
	names, places, _ := x.places(t, d, 1000)
	labels := x.graph.Nearest(places, nil, number(t, d, "k"), Metres(float64(number(t, d, "reach"))))
	return x.byNode(func(node int) string {
		var found []string
		for _, l := range labels.At(node) {
			found = append(found, fmt.Sprintf("%s %.0f m", names[l.Place], l.Distance.Metres()))
		}
		return strings.Join(found, ", ")
	})
}

func (x *textNetwork) sums(t *testing.T, d *datadriven.TestData) string {
	_, places, _ := x.places(t, d, 1000)
	weight := make([]uint32, 401)
	for i := range weight {
		weight[i] = 1
	}
	sums := x.graph.Sums(places, make([]uint8, len(places)), 1, weight)
	return x.byNode(func(node int) string { return fmt.Sprint(sums[node]) })
}

// byNode is a line for each node, from west to east and south to north.
func (x *textNetwork) byNode(text func(node int) string) string {
	order := make([]int, len(x.graph.Nodes))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		p, q := x.graph.Nodes[a], x.graph.Nodes[b]
		if p.Lng != q.Lng {
			return int(p.Lng) - int(q.Lng)
		}
		return int(p.Lat) - int(q.Lat)
	})
	var out strings.Builder
	for _, node := range order {
		fmt.Fprintln(&out, strings.TrimSpace(metresOf(x.graph.Nodes[node])+" "+text(node)))
	}
	return out.String()
}
