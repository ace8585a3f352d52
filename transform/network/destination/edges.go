package destination

import (
	"maps"
	"slices"

	"github.com/paulmach/orb"

	"quartier/internal/coord"
	"quartier/internal/geo"
	"quartier/internal/network"
)

// innerEdges are the edges whose midpoint is in each park.
func (f *deriver) innerEdges(parks []park) [][]uint32 {
	inner := make([][]uint32, len(parks))
	boxes, prepared, numbers := []orb.Bound{}, []*geo.Prepared{}, []int{}
	for i, p := range parks {
		if p.outline != nil {
			boxes, prepared, numbers = append(boxes, p.outline.Bound()), append(prepared, geo.Prepare(p.outline)), append(numbers, i)
		}
	}
	index := coord.NewBoxIndex(boxes)
	for edge := range f.net.Walk.Edges {
		middle := f.middle(uint32(edge))
		index.At(middle, func(item int) bool {
			if prepared[item].Contains(middle) {
				inner[numbers[item]] = append(inner[numbers[item]], uint32(edge))
			}
			return true
		})
	}
	return inner
}

// middle is the midpoint of an edge.
func (f *deriver) middle(edge uint32) orb.Point {
	return f.net.Snapper.Point(network.Place{Edge: edge, Along: f.net.Walk.Edges[edge].Length / 2}).Orb()
}

// openEdges are a park where streets are inside it, or within calibration.Destinations.OutlineM of its outline without a
// barrier in between: one for each edge, by edge.
func (f *deriver) openEdges(p *park, inner []uint32) []Destination {
	nearest := map[uint32]Destination{}
	add := func(at orb.Point, place network.Place) {
		if known, ok := nearest[place.Edge]; !ok || place.Leg < known.Place.Leg {
			nearest[place.Edge] = p.at(at, place)
		}
	}
	for _, edge := range inner {
		add(f.middle(edge), network.Place{Edge: edge, Along: f.net.Walk.Edges[edge].Length / 2})
	}
	f.samples(p.outline, func(at orb.Point) {
		if point, ok := coord.NewPoint(at[0], at[1]); ok {
			f.net.Snapper.Within(point, f.c.Destinations.OutlineM, func(place network.Place) { add(at, place) })
		}
	})
	found := make([]Destination, 0, len(nearest))
	for _, edge := range slices.Sorted(maps.Keys(nearest)) {
		found = append(found, nearest[edge])
	}
	return found
}

// nearestEdge is a park where a street is nearest to its outline; none if all streets are too far.
func (f *deriver) nearestEdge(p *park) []Destination {
	var best []Destination
	f.samples(p.outline, func(at orb.Point) {
		if place, ok := f.snap(at); ok && (best == nil || place.Leg < best[0].Place.Leg) {
			best = []Destination{p.at(at, place)}
		}
	})
	return best
}

// samples visits points of the outer rings at intervals of calibration.Destinations.SampleM.
func (f *deriver) samples(outline orb.MultiPolygon, visit func(orb.Point)) {
	for _, polygon := range outline {
		ring := polygon[0]
		since := f.c.Destinations.SampleM // metres since the last sample
		for i := 1; i < len(ring); i++ {
			plane := geo.NewPlane(ring[i-1])
			length := plane.Distance(ring[i])
			x, y := plane.XY(ring[i])
			at := f.c.Destinations.SampleM - since
			for ; at < length; at += f.c.Destinations.SampleM {
				visit(plane.Point(x*at/length, y*at/length))
			}
			since = length - at + f.c.Destinations.SampleM
		}
	}
}
