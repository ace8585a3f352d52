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
	n  [][]uint64    // by schemas.TravelCounted, at each node of the network of a mode
	at []coord.Point // of these nodes
	km []uint8       // to each node that is reached from the cell at hand
}

// counter begins to count what is at the nodes of a mode: at those of cars what is at a node on foot is at the nearer end of the street.
func (w *World) counter(mode travel.Mode) func() *counter {
	n, at := make([][]uint64, len(schemas.TravelCounted)), positions(w.Network(mode))
	for kind, of := range schemas.TravelCounted {
		n[kind] = make([]uint64, len(at))
		for _, a := range w.Counted[of].At {
			node := a.Node
			if mode == travel.Car {
				place, ok := w.Snap(w.At[node], mode)
				if !ok {
					continue
				}
				node = end(w.Network(mode), place)
			}
			n[kind][node] += a.N
		}
	}
	return func() *counter { return &counter{World: w, n: n, at: at} }
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
	centre := degrees(c.At[cell.Node])
	plane := geo.NewPlane(centre)
	c.km = c.km[:0]
	for _, node := range r.Nodes() {
		c.km = append(c.km, uint8(min(plane.Distance(degrees(c.at[node]))/1000, math.MaxUint8)))
	}
	for i, m := range schemas.TravelMeasures {
		if m.Mode != o.Mode.String() {
			continue
		}
		sum, away, reached := uint64(0), [math.MaxUint8 + 1]int{}, 0 // away: nodes by kilometres
		n := c.n[slices.Index(schemas.TravelCounted, m.Of)]
		for k, node := range r.Nodes() {
			if int(r.Seconds(k)[0]) <= 60*m.Minutes {
				sum += n[node]
				away[c.km[k]]++
				reached++
			}
		}
		km := 0
		for so := 0; 10*so < reachedTenths*reached; km++ {
			so += away[km]
		}
		ground := disc(plane, max(1000*float64(km), walkMetres*float64(m.Minutes)))
		if c.Counted[m.Of].Known.ShareOf(ground, centre) >= leastKnown {
			cell.Values[i] = uint32(min((sum+500)/1000, math.MaxUint32-1))
		}
	}
	return nil
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
