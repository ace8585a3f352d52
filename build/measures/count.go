package measures

import (
	"context"
	"math"
	"slices"

	"github.com/paulmach/orb"

	"quartier/internal/coord"
	"quartier/internal/geo"
	"quartier/internal/network"
	"quartier/internal/travel"
	"quartier/schemas"
)

// counter counts what is reached from one cell after another.
type counter struct {
	*World
	n     [][]uint64    // by schemas.TravelCounted, at each node of the network of a mode
	at    []coord.Point // of these nodes
	plane geo.Plane     // at the cell at hand
	km    []uint8       // to each node that is reached from it
}

// counter begins to count what is at the nodes of a mode.
func (w *World) counter(mode travel.Mode) func() *counter {
	n, at := make([][]uint64, len(schemas.TravelCounted)), positions(w.Network(mode))
	for kind, of := range schemas.TravelCounted {
		if w.Counted[of] == nil {
			continue // it was not read
		}
		n[kind] = make([]uint64, len(at))
		for _, a := range w.Counted[of].At {
			if node, ok := w.nodeFor(mode, a.Node); ok {
				n[kind][node] += a.N
			}
		}
	}
	return func() *counter { return &counter{World: w, n: n, at: at} }
}

// nodeFor is the node of a mode at which that counts which is at a node on foot: of cars the nearer end of the street.
func (w *World) nodeFor(mode travel.Mode, node uint32) (uint32, bool) {
	if mode != travel.Car {
		return node, true
	}
	place, ok := w.Snap(w.At[node], mode)
	if !ok {
		return 0, false
	}
	return end(w.Network(mode), place), true
}

const (
	leastKnown = 0.9 // share of the ground within reach on which something has to be known
	// Reach is as far as nine tenths of the nodes that are reached, or as one walks along usual streets, whichever is more.
	reachedTenths = 9
	walkMetres    = 60.0 // a minute
)

// count sets the measures of a mode of a cell, from a place.
func (c *counter) count(ctx context.Context, from network.Place, o travel.Options, cell *Cell) error {
	r, err := c.ReachFrom(ctx, from, o)
	if err != nil {
		return err
	}
	defer r.Close()
	c.begin(r, cell.Node)
	for i, m := range schemas.TravelMeasures {
		if m.Mode != o.Mode.String() {
			continue
		}
		if s := c.sum(r, &m); s.known >= leastKnown {
			cell.Values[i] = uint32(min((s.n+500)/1000, math.MaxUint32-1))
		}
	}
	return nil
}

// begin measures how far what is reached from a node on foot is from it.
func (c *counter) begin(r *travel.Reached, from uint32) {
	c.plane = geo.NewPlane(degrees(c.At[from]))
	c.km = c.km[:0]
	for _, node := range r.Nodes() {
		c.km = append(c.km, uint8(min(c.plane.Distance(degrees(c.at[node]))/1000, math.MaxUint8)))
	}
}

// sum is what a measure is made of.
type sum struct {
	n      uint64  // that are reached, in thousandths
	nodes  int     // that are reached
	metres float64 // how far reach is taken to be
	known  float64 // share of the ground within that on which it is known what there is
}

// sum sums up a measure of the cell at hand.
func (c *counter) sum(r *travel.Reached, m *schemas.TravelMeasure) (s sum) {
	away := [math.MaxUint8 + 1]int{} // nodes by kilometres
	n := c.n[slices.Index(schemas.TravelCounted, m.Of)]
	for k, node := range r.Nodes() {
		if within(r, k, m) {
			s.n += n[node]
			away[c.km[k]]++
			s.nodes++
		}
	}
	km := 0
	for so := 0; 10*so < reachedTenths*s.nodes; km++ {
		so += away[km]
	}
	s.metres = max(1000*float64(km), walkMetres*float64(m.Minutes))
	s.known = c.Counted[m.Of].Known.ShareOf(disc(c.plane, s.metres), c.plane.Point(0, 0))
	return s
}

// within reports whether a node that is reached is so within the minutes of a measure.
func within(r *travel.Reached, k int, m *schemas.TravelMeasure) bool {
	return int(r.Seconds(k)[0]) <= 60*m.Minutes
}

// disc is the ground within some metres of the origin of a plane.
func disc(plane geo.Plane, radius float64) orb.MultiPolygon {
	const corners = 32
	ring := make(orb.Ring, 0, corners+1)
	for i := range corners + 1 {
		sin, cos := math.Sincos(2 * math.Pi * float64(i%corners) / corners)
		ring = append(ring, plane.Point(radius*cos, radius*sin))
	}
	return orb.MultiPolygon{{ring}}
}
