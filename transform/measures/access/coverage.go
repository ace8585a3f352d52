package access

import (
	"slices"

	"github.com/paulmach/orb"

	"quartier/internal/coord"
	"quartier/internal/geo"
	"quartier/schemas"
	"quartier/transform/network/destination"
)

// coverage is where there are data on places and stops.
type coverage struct {
	places []bool // of each node: some place of a known class is within calibration.Coverage.NearM
	stops  []bool // the same for stops and stations
}

func newCoverage(d *deriver) *coverage {
	var places, stops []orb.Point
	for _, class := range schemas.DestinationClasses {
		if d.known.Has(class) && !slices.Contains(transport, class) {
			places = append(places, points(d.set.Of(class))...)
		}
	}
	for _, class := range transport {
		stops = append(stops, points(d.set.Of(class))...)
	}
	return &coverage{d.near(places), d.near(stops)}
}

// of is the nodes at which there are data on a covered class.
func (g *coverage) of(class string) []bool {
	if slices.Contains(transport, class) {
		return g.stops
	}
	return g.places
}

func points(list []destination.Destination) []orb.Point {
	all := make([]orb.Point, len(list))
	for i, d := range list {
		all[i] = d.Point
	}
	return all
}

// near reports for each node whether some point is within calibration.Coverage.NearM in a straight line. The nodes of a
// cell that is entirely inside or outside are decided together.
func (d *deriver) near(points []orb.Point) []bool {
	const cell = 0.01 // degrees, at most cellM metres from corner to corner
	const cellM = 1600
	boxes := make([]orb.Bound, len(points))
	for i, p := range points {
		boxes[i] = p.Bound()
	}
	index := coord.NewBoxIndex(boxes)
	within := func(at orb.Point, metres float64) bool {
		found := false
		index.Search(geo.CircleBound(at, metres), func(i int) bool {
			found = geo.Distance(at, points[i]) <= metres
			return !found
		})
		return found
	}
	type decision struct{ all, some bool }
	cells := map[[2]int]decision{}
	near := make([]bool, len(d.graph.Nodes))
	for node, p := range d.graph.Nodes {
		lng, lat := p.Degrees()
		key := [2]int{int(lng/cell + 100000), int(lat/cell + 100000)}
		v, seen := cells[key]
		if !seen {
			centre := orb.Point{(float64(key[0]-100000) + 0.5) * cell, (float64(key[1]-100000) + 0.5) * cell}
			v = decision{within(centre, d.c.Coverage.NearM-cellM), within(centre, d.c.Coverage.NearM+cellM)}
			cells[key] = v
		}
		near[node] = v.all || v.some && within(orb.Point{lng, lat}, d.c.Coverage.NearM)
	}
	return near
}
