package edges_test

import (
	"errors"
	"math"
	"testing"

	"github.com/paulmach/orb"

	"quartier/internal/extent"
	"quartier/internal/geo"
	"quartier/schemas/calibration"
	"quartier/schemas/staged"
	"quartier/transform/network/destination"
	"quartier/transform/network/edges"
	"quartier/transform/network/street"
	"quartier/transform/regiontest"
)

// city stages a grid of streets every 100 m in the square of the given side in metres around Home. Every tenth of them goes
// on for 900 m, as the ways of an extract do that leave it.
func city(t *testing.T, side float64) *regiontest.Region {
	t.Helper()
	r := regiontest.New(t)
	half, n := side/2, 0
	add := func(xy ...float64) {
		n++
		line := regiontest.Line(xy...)
		key := string(rune('a'+n%26)) + string(rune('a'+n/26%26)) + string(rune('a'+n/676))
		regiontest.Stage(r, "street", staged.Street{SourceID: "osm", SourceKey: "osm:way:" + key, Class: "residential", Foot: true, Bicycle: true,
			Car: "both", Geom: regiontest.WKB(t, line)})
	}
	for i := 0.0; i <= side/100; i++ {
		at, end := i*100-half, half
		if int(i)%10 == 5 {
			end += 900
		}
		var along, across []float64
		for x := -half; x <= end; x += 100 {
			along, across = append(along, x, at), append(across, at, x)
		}
		add(along...)
		add(across...)
	}
	return r
}

func anywhere(orb.Point) bool { return true }

func derive(t *testing.T, r *regiontest.Region, land edges.Land) (*edges.Edges, *street.Network) {
	t.Helper()
	c := calibration.Standard()
	net, _, err := street.Read(t.Context(), r.Staged, c)
	if err != nil {
		t.Fatal(err)
	}
	cafe := destination.Destination{Class: "cafe", Source: "osm", Point: regiontest.Home}
	e, err := edges.Derive(t.Context(), r.Staged, net, &destination.Set{List: []destination.Destination{cafe}}, land, c)
	if err != nil {
		t.Fatal(err)
	}
	return e, net
}

// absent are the shares of the nodes of the city within some metres of its edge, and of those farther inside, at which a
// value that looks 800 m around is absent.
func absent(e *edges.Edges, net *street.Network, side, metres float64) (near, inside float64) {
	var counts, gone [2]float64
	plane := geo.NewPlane(regiontest.Home)
	around := extent.NewWeight(800, nil)
	for node, p := range net.Walk.Nodes {
		x, y := plane.XY(p.Orb())
		edge := side/2 - max(math.Abs(x), math.Abs(y))
		if edge < 0 {
			continue
		}
		i := 0
		if edge > metres {
			i = 1
		}
		counts[i]++
		if !e.Allows(node, e.Streets.Beyond(node, around, math.Inf(1))) {
			gone[i]++
		}
	}
	return gone[0] / counts[0], gone[1] / counts[1]
}

// A disc of 800 m is a tenth beyond a straight edge 550 m away; cells of 250 m and the spacing of points make that 230 to
// 800: the last cell has the first 250 m of what leaves the city.
func TestNodesNearTheEdgeHaveNoValue(t *testing.T) {
	const side = 6000
	e, net := derive(t, city(t, side), anywhere)
	if near, _ := absent(e, net, side, 100); near < 0.7 {
		t.Errorf("only %.2f of the nodes within 100 m of the edge have no value", near)
	}
	if _, inside := absent(e, net, side, 900); inside > 0 {
		t.Errorf("%.2f of the nodes farther than 900 m from the edge have no value", inside)
	}
}

func TestDeclaredExtents(t *testing.T) {
	const side = 6000
	square := func(half float64) []byte {
		return regiontest.WKB(t, regiontest.Square(-half, -half, half, half))
	}
	for _, c := range []struct {
		name         string
		row          staged.Extent
		near, inside float64 // shares without a value within 100 m, and farther than 900 m
	}{
		{"larger than the city", staged.Extent{Basis: staged.ExtentDeclared, Geom: square(20000)}, 0, 0},
		{"the city", staged.Extent{Basis: staged.ExtentDeclared, Geom: square(3000)}, 1, 0},
		{"a box that the city fills", staged.Extent{Basis: staged.ExtentHeader, Geom: square(3000)}, 1, 0},
		{"a box far larger than the city", staged.Extent{Basis: staged.ExtentHeader, Geom: square(20000)}, 1, 0},
		{"a boundary", staged.Extent{Basis: staged.ExtentBoundary, BoundaryKey: "census:place:1"}, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := city(t, side)
			c.row.SourceID = "osm"
			regiontest.Stage(r, "extent", c.row)
			regiontest.Stage(r, "boundary", staged.Boundary{SourceID: "osm", SourceKey: "census:place:1", Level: 30, NameEN: "City",
				Geom: square(20000)})
			e, net := derive(t, r, anywhere)
			near, _ := absent(e, net, side, 100)
			_, inside := absent(e, net, side, 900)
			if math.Abs(near-c.near) > 0.3 || inside != c.inside {
				t.Errorf("without a value near the edge: %.2f, want %.2f; inside: %.2f, want %.2f", near, c.near, inside, c.inside)
			}
		})
	}
}

func TestSeaAndForeignGroundHideNothing(t *testing.T) {
	const side = 6000
	plane := geo.NewPlane(regiontest.Home)
	e, net := derive(t, city(t, side), func(p orb.Point) bool { // land ends 50 m east of the streets
		x, _ := plane.XY(p)
		return x < side/2+50
	})
	around := extent.NewWeight(800, nil)
	for node, p := range net.Walk.Nodes {
		x, y := plane.XY(p.Orb())
		coast := side/2-x < 100 && side/2-x >= 0 && math.Abs(y) < side/2-1500
		if coast && !e.Allows(node, e.Streets.Beyond(node, around, math.Inf(1))) {
			t.Fatalf("a node at the coast, at %.0f, %.0f, has no value", x, y)
		}
	}
}

func TestUnknownBoundary(t *testing.T) {
	r := city(t, 1000)
	regiontest.Stage(r, "extent", staged.Extent{SourceID: "osm", Basis: staged.ExtentBoundary, BoundaryKey: "census:place:9"})
	if _, err := edges.Read(t.Context(), r.Staged, &calibration.Standard().Coverage.Hull); !errors.Is(err, edges.ErrBoundary) {
		t.Errorf("%v, want ErrBoundary", err)
	}
}

// A search for two cafés that found both within 300 m does not reach an edge at 700 m.
func TestSearchEndsAtTheLastPlace(t *testing.T) {
	const side = 6000
	e, net := derive(t, city(t, side), anywhere)
	plane := geo.NewPlane(regiontest.Home)
	s := e.NewSearch([]string{"cafe"}, 2, extent.NewWeight(2400, nil))
	for node, p := range net.Walk.Nodes {
		x, y := plane.XY(p.Orb())
		if edge := side/2 - max(x, y); edge < 600 || edge > 700 { // north and east, where streets leave the city
			continue
		}
		if !s.Known(node, []float64{100, 300}) || s.Known(node, []float64{100}) {
			t.Fatalf("at %.0f, %.0f the search reaches %.2f beyond with both cafés, %.2f with one",
				x, y, s.Beyond(node, []float64{100, 300}), s.Beyond(node, []float64{100}))
		}
	}
}

// Ground that no street leads to is no lack: in the south and west no street leaves the city.
func TestGroundWithoutAWay(t *testing.T) {
	const side = 6000
	e, net := derive(t, city(t, side), anywhere)
	plane := geo.NewPlane(regiontest.Home)
	s, seen := e.NewSearch([]string{"cafe"}, 2, extent.NewWeight(2400, nil)), 0
	for node, p := range net.Walk.Nodes {
		x, y := plane.XY(p.Orb())
		if max(x, y) > 0 || max(x, y) < -400 || min(x, y) < -side/2+300 || min(x, y) > -side/2+400 { // far from the corners
			continue
		}
		seen++
		if e.Streets.Beyond(node, extent.NewWeight(2400, nil), math.Inf(1)) < 0.1 || !s.Known(node, nil) {
			t.Fatalf("at %.0f, %.0f the search reaches %.2f beyond", x, y, s.Beyond(node, nil))
		}
	}
	if seen == 0 {
		t.Error("no node is near the south and the west")
	}
}

// Places at the exit are the most that could be there.
func TestBoundedByWhatCouldBeBeyond(t *testing.T) {
	const side = 6000
	e, net := derive(t, city(t, side), anywhere)
	plane := geo.NewPlane(regiontest.Home)
	s := e.NewSearch([]string{"cafe"}, 1, extent.NewWeight(2400, nil))
	for node, p := range net.Walk.Nodes {
		if x, y := plane.XY(p.Orb()); side/2-max(x, y) < 600 || side/2-max(x, y) > 700 || min(x, y) < 0 {
			continue
		}
		most := s.Most(nil, node, []float64{2000})
		if len(most) != 1 || most[0] < 500 || most[0] > 1800 {
			t.Fatalf("a place could be at %v", most)
		}
		flat, steep := func([]float64) float64 { return 1 }, func(metres []float64) float64 { return -metres[0] }
		if !s.Bounded(node, []float64{2000}, flat) || s.Bounded(node, []float64{2000}, steep) {
			t.Fatal("a value is given that more places would raise, or one that none can raise is not")
		}
	}
	s = e.NewSearch([]string{"cafe"}, 1, extent.NewWeight(2400, func(metres float64) float64 { return math.Pow(1-metres/2400, 2) }))
	exactly, little, far := s.Exactly(), 0, []float64{2400}
	for node := range net.Walk.Nodes {
		rises := func(points float64) func([]float64) float64 {
			return func(metres []float64) float64 {
				if metres[0] < far[0] {
					return points
				}
				return 0
			}
		}
		if beyond := s.Beyond(node, far); beyond > 0 && s.Bounded(node, far, rises(.4)) && !exactly.Bounded(node, far, rises(.4)) {
			little++
			if s.Bounded(node, far, rises(.6)) {
				t.Fatal("a value is given that what is beyond could raise by .6 points")
			}
		}
	}
	if little == 0 {
		t.Error("no node has so little beyond that its value is given though places there could raise it by .4 points")
	}
}
