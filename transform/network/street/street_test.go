package street_test

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/paulmach/orb"

	"quartier/internal/coord"
	"quartier/internal/network"
	"quartier/schemas/calibration"
	"quartier/schemas/staged"
	"quartier/transform/network/street"
	"quartier/transform/regiontest"
)

// city stages streets of several sources: "osm" has footpaths, others do not.
type city struct {
	*regiontest.Region
	t *testing.T
}

func newCity(t *testing.T, sources ...string) city {
	r := regiontest.New(t)
	for i, id := range sources {
		regiontest.Stage(r, "source", staged.Source{SourceID: id, Priority: int32(i + 1), Kind: "roads", AsOf: "2024-01-01", NoFootpaths: true})
	}
	return city{r, t}
}

// street stages a street; nodes are its OSM node ids, none where it meets others by position.
func (c city) street(source, key, class string, nodes []int64, xy ...float64) {
	c.t.Helper()
	geom := regiontest.WKB(c.t, regiontest.Line(xy...))
	var ids []byte
	for _, n := range nodes {
		ids = binary.LittleEndian.AppendUint64(ids, uint64(n))
	}
	regiontest.Stage(c.Region, "street", staged.Street{SourceID: source, SourceKey: key, Class: class, Foot: class != "motorway", Car: "both",
		Geom: geom, Nodes: ids})
}

// read builds the network with no limit on the size of its parts.
func (c city) read() *street.Network {
	c.t.Helper()
	constants := *calibration.Standard()
	constants.Walking.MinNodes = 2
	net, _, err := street.Read(c.t.Context(), c.Staged, &constants)
	if err != nil {
		c.t.Fatal(err)
	}
	return net
}

// at snaps a position in metres.
func (c city) at(net *street.Network, x, y float64) network.Place {
	c.t.Helper()
	p := regiontest.Line(x, y, x, y)[0]
	point, _ := coord.NewPoint(p[0], p[1])
	place, ok := net.Snapper.Snap(point, 50)
	if !ok {
		c.t.Fatalf("no street at %v, %v", x, y)
	}
	return place
}

// way is the distance from the node nearest to a to the place at b, 5 km at most; +Inf beyond.
func (c city) way(net *street.Network, a, b orb.Point) float64 {
	c.t.Helper()
	node := net.Walk.Edges[c.at(net, a[0], a[1]).Edge].A
	if p := c.at(net, a[0], a[1]); p.Along > 0 {
		node = net.Walk.Edges[p.Edge].B
	}
	labels := net.Walk.Nearest([]network.Place{c.at(net, b[0], b[1])}, nil, 1, network.Metres(5000)).At(int(node))
	if len(labels) == 0 {
		return math.Inf(1)
	}
	return labels[0].Distance.Metres()
}

func (c city) near(what string, got, want float64) {
	c.t.Helper()
	if !(math.Abs(got-want) <= 3 || got == want) {
		c.t.Errorf("%s is %.1f m, want %.0f", what, got, want)
	}
}

// Two dead ends, back to back, 100 m apart; by the streets it is 1,100 m.
func deadEnds(c city, source string) {
	c.street(source, "west", "residential", nil, 0, 0, 0, 500)
	c.street(source, "south", "residential", nil, 0, 0, 100, 0)
	c.street(source, "east", "residential", nil, 100, 0, 100, 500)
}

func TestWaysAreBoundedWithoutFootpaths(t *testing.T) {
	from, to := orb.Point{0, 500}, orb.Point{100, 500}
	roads := newCity(t, "roads")
	deadEnds(roads, "roads")
	net := roads.read()
	if !net.Bounded {
		t.Error("the ways on roads alone are not bounded")
	}
	roads.near("the way across gardens", roads.way(net, from, to), 160)

	river := newCity(t, "roads")
	deadEnds(river, "roads")
	river.Feature("water", "river", regiontest.Line(50, 100, 50, 900))
	river.near("the way around a river", river.way(river.read(), from, to), 1100)

	motorway := newCity(t, "roads")
	deadEnds(motorway, "roads")
	motorway.street("roads", "motorway", "motorway", nil, 50, 100, 50, 900)
	motorway.near("the way around a motorway", motorway.way(motorway.read(), from, to), 1100)

	osm := newCity(t)
	deadEnds(osm, "osm")
	if net = osm.read(); net.Bounded {
		t.Error("the ways of OpenStreetMap are bounded")
	}
	osm.near("the way without a path", osm.way(net, from, to), 1100)
}

// A city's paths end 8 m from the middle of the streets, which have no vertex there.
func TestPathsOfACityJoinItsStreets(t *testing.T) {
	paths := func(c city) {
		deadEnds(c, "roads")
		c.street("paths", "path", "path", nil, 8, 250, 92, 250)
	}
	c := newCity(t, "roads", "paths")
	paths(c)
	net := c.read()
	if len(net.Streets) != 4 {
		t.Errorf("%d streets", len(net.Streets))
	}
	place := c.at(net, 100, 250)
	labels := net.Walk.ReachOf(place, network.Metres(5000))
	d, ok := labels.To(c.at(net, 0, 250))
	if !ok {
		t.Fatal("the path leads nowhere")
	}
	c.near("the way by the path", d.Metres(), 100)

	rails := newCity(t, "roads", "paths")
	paths(rails)
	rails.Feature("rail", "main", regiontest.Line(4, -100, 4, 900))
	net = rails.read()
	d, _ = net.Walk.ReachOf(rails.at(net, 100, 250), network.Metres(5000)).To(rails.at(net, 0, 250))
	rails.near("the way around the railway", d.Metres(), 600)
}

// Streets that two sources have count once: those of the source with footpaths stay, with the paths that lead off them.
func TestStreetsOfTwoSourcesCountOnce(t *testing.T) {
	c := newCity(t, "roads")
	c.street("osm", "osm:1", "residential", []int64{1, 2, 3}, 0, 0, 250, 0, 500, 0)
	c.street("osm", "osm:2", "footway", []int64{2, 4}, 250, 0, 250, 300)
	c.street("roads", "rnf:1", "residential", nil, 0, 4, 500, -4)
	c.street("roads", "rnf:2", "residential", nil, 500, -4, 900, -4)
	c.street("roads", "rnf:3", "residential", nil, 500, -4, 500, 400)
	net := c.read()
	var keys []string
	for i := range net.Streets {
		keys = append(keys, net.Streets[i].Key)
	}
	if want := []string{"osm:1", "osm:2", "rnf:2", "rnf:3"}; len(keys) != 4 || keys[0] != want[0] || keys[2] != want[2] {
		t.Errorf("streets %v, want %v", keys, want)
	}
	d, ok := net.Walk.ReachOf(c.at(net, 250, 300), network.Metres(5000)).To(c.at(net, 900, -4))
	if !ok {
		t.Fatal("the road network does not go on from the other source's streets")
	}
	c.near("the way over both sources", d.Metres(), 300+250+4+400)
}

// A neighbouring region lends streets of the same publisher: they meet the region's own where their nodes are the same, and
// nowhere else.
func TestLentStreetsMeetAsOfOneSource(t *testing.T) {
	for name, nodes := range map[string][5]int64{"nodes of OpenStreetMap": {1, 2, 3, 4, 5}, "nodes of a file": {-1, -2, -3, -4, -5}} {
		t.Run(name, func(t *testing.T) {
			c := newCity(t, "east/osm")
			c.street("osm", "osm:way:1", "residential", []int64{nodes[0], nodes[1]}, 0, 0, 500, 0)
			c.street("east/osm", "osm:way:2", "residential", []int64{nodes[1], nodes[2]}, 500, 0, 900, 0)
			c.street("east/osm", "osm:way:3", "service", []int64{nodes[1], nodes[3]}, 500, 0, 100, 8)
			c.street("east/osm", "osm:way:4", "footway", []int64{nodes[3], nodes[4]}, 100, 8, 100, 300)
			net := c.read()
			if len(net.Streets) != 4 {
				t.Fatalf("%d streets, not 4", len(net.Streets))
			}
			reach := net.Walk.ReachOf(c.at(net, 900, 0), network.Metres(5000))
			for _, to := range []struct{ x, y, metres float64 }{{0, 0, 900}, {100, 300, 400 + 400 + 292}} {
				d, ok := reach.To(c.at(net, to.x, to.y))
				if !ok {
					t.Fatalf("no way to %v, %v", to.x, to.y)
				}
				c.near("the way across the border", d.Metres(), to.metres)
			}
		})
	}
}

// Files number their own nodes and ways from −1: equal numbers elsewhere are other nodes and ways.
func TestLocalNumbersOfTwoFiles(t *testing.T) {
	c := newCity(t, "east/osm")
	c.street("osm", "osm:way:-1", "residential", []int64{-1, -2}, 0, 0, 500, 0)
	c.street("east/osm", "osm:way:-1", "residential", []int64{-1, -2}, 500, 100, 500, 600)
	net := c.read()
	if len(net.Streets) != 2 {
		t.Fatalf("%d streets, not 2", len(net.Streets))
	}
	if _, ok := net.Walk.ReachOf(c.at(net, 0, 0), network.Metres(5000)).To(c.at(net, 500, 600)); ok {
		t.Error("streets of two files meet at nodes with the same number")
	}
}

// Streets that other people may use, that run on another level or lead off a street are not the same as it.
func TestStreetsThatAreNotTheSame(t *testing.T) {
	road := staged.Street{Class: "residential", Foot: true, Car: "both"}
	path := staged.Street{Class: "path", Foot: true, Bicycle: true, Car: "no"}
	motorway := staged.Street{Class: "motorway", Car: "forward"}
	bridge := road
	bridge.Bridge = true
	for name, tt := range map[string]struct {
		first, second staged.Street
		xy            []float64 // of the second; the first runs east along y = 0
		dropped       bool
	}{
		"the same":                 {road, road, []float64{300, 6, 0, 6}, true},
		"a path beside a motorway": {motorway, path, []float64{0, 8, 300, 8}, false},
		"bicycles are not allowed": {road, path, []float64{0, 8, 300, 8}, false},
		"open to more": {staged.Street{Class: "residential", Foot: true, Bicycle: true, Car: "both"}, path,
			[]float64{0, 8, 300, 8}, true},
		"a road beside a path":         {path, road, []float64{0, 8, 300, 8}, false},
		"under a bridge":               {bridge, road, []float64{0, 4, 300, 4}, false},
		"a stub off the street":        {road, road, []float64{150, 0, 150, 9}, false},
		"a stub farther away":          {road, road, []float64{150, 9, 158, 12}, false},
		"a short street along another": {road, road, []float64{150, 3, 158, 3}, true},
	} {
		c := newCity(t, "first", "second")
		for source, s := range map[string]staged.Street{"first": tt.first, "second": tt.second} {
			xy := tt.xy
			if source == "first" {
				xy = []float64{-50, 0, 350, 0}
			}
			s.SourceID, s.SourceKey, s.Geom = source, source, regiontest.WKB(t, regiontest.Line(xy...))
			regiontest.Stage(c.Region, "street", s)
		}
		net := c.read()
		if dropped := len(net.Streets) == 1; dropped != tt.dropped {
			t.Errorf("%s: %d streets", name, len(net.Streets))
		}
	}
}
