package access

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/paulmach/orb"

	"quartier/internal/coord"
	"quartier/internal/geo"
	"quartier/internal/network"
	"quartier/schemas"
	"quartier/schemas/calibration"
	"quartier/transform/network/channel"
	"quartier/transform/network/destination"
	"quartier/transform/network/drive"
	"quartier/transform/network/street"
)

// town is a synthetic town on a plane of metres: streets, and destinations snapped to them.
type town struct {
	tb    testing.TB
	plane geo.Plane
	net   *street.Network
	set   *destination.Set
	lines []street.Street

	people Population
}

func newTown(tb testing.TB) *town {
	return &town{tb: tb, plane: geo.NewPlane(orb.Point{-75.5, 39.5}), set: &destination.Set{}}
}

// road adds a street of a class through points of metres.
func (w *town) road(class, car string, metres ...[2]float64) {
	s := street.Street{Source: "town", Key: fmt.Sprintf("town:%d", len(w.lines)), Class: class,
		Foot: class != "motorway" && class != "motorway_link", Car: car}
	for _, p := range metres {
		s.Line = append(s.Line, w.plane.Point(p[0], p[1]))
	}
	w.lines = append(w.lines, s)
}

// grid adds n by n blocks of streets, size metres each.
func (w *town) grid(n int, size float64) {
	for i := range n + 1 {
		var along, across [][2]float64
		for j := range n + 1 {
			along = append(along, [2]float64{float64(j) * size, float64(i) * size})
			across = append(across, [2]float64{float64(i) * size, float64(j) * size})
		}
		w.road("residential", "both", along...)
		w.road("residential", "both", across...)
	}
}

// build builds the network.
func (w *town) build() {
	w.net = &street.Network{Streets: w.lines}
	builder := network.NewBuilder(network.Options{MaxEdgeM: 100, MinNodes: 2})
	for i := range w.lines {
		if w.lines[i].Foot {
			points, _ := street.Points(nil, w.lines[i].Line)
			builder.Add(network.Line{Points: points})
			w.net.WalkLine = append(w.net.WalkLine, uint32(i))
		}
	}
	w.net.Walk, _ = builder.Finish()
	w.net.Snapper = network.NewSnapper(w.net.Walk, nil)
}

// surveyed lets a source list all kinds of places.
func (w *town) surveyed() {
	w.set.Contents = []destination.Content{{Source: "town", Places: 1000, Kinds: 30}}
}

// place adds a destination at a point of metres.
func (w *town) place(class, key string, x, y float64) *destination.Destination {
	w.tb.Helper()
	at := w.plane.Point(x, y)
	point, _ := coord.NewPoint(at[0], at[1])
	place, ok := w.net.Snapper.Snap(point, 1000)
	if !ok {
		w.tb.Fatalf("%s at %v, %v is far from any street", key, x, y)
	}
	d := destination.Destination{Class: class, Key: key, Source: "town", Station: key, Point: at, Place: place}
	list := append(w.set.List, d)
	sorted := make([]destination.Destination, 0, len(list)) // by class, as in a Set
	for _, c := range schemas.DestinationClasses {
		for _, d := range list {
			if d.Class == c {
				sorted = append(sorted, d)
			}
		}
	}
	w.set.List = sorted
	for i := range w.set.List {
		if w.set.List[i].Key == key && w.set.List[i].Class == class {
			return &w.set.List[i]
		}
	}
	return nil
}

// measured is the result of Derive.
type measured struct {
	m *channel.Matrix
	s channel.Quantities
	*Known
	Notes []Note
	w     *town
}

func (w *town) measure() *measured {
	w.tb.Helper()
	r := &measured{m: channel.NewMatrix(len(w.net.Walk.Nodes)), Known: NewKnown(w.set, w.people, &calibration.Standard().Known), w: w}
	var err error
	if r.Notes, err = Derive(context.Background(), w.net, drive.New(w.lines, calibration.Standard().Walking), w.set, r.Known, nil, r.m, &r.s,
		calibration.Standard()); err != nil {
		w.tb.Fatal(err)
	}
	return r
}

// at is a channel at the node nearest to a point of metres.
func (r *measured) at(name string, x, y float64) float64 {
	r.w.tb.Helper()
	return r.m.Get(r.w.node(x, y), schemas.MustChannel(name))
}

func (w *town) node(x, y float64) int {
	best, nearest := 0, math.Inf(1)
	for node, p := range w.net.Walk.Nodes {
		lng, lat := p.Degrees()
		px, py := w.plane.XY(orb.Point{lng, lat})
		if d := math.Hypot(px-x, py-y); d < nearest {
			best, nearest = node, d
		}
	}
	return best
}
