package access

import (
	"math"
	"slices"

	"github.com/paulmach/orb"

	"quartier/internal/coord"
	"quartier/internal/geo"
	"quartier/schemas"
	"quartier/transform/network/destination"
)

// coverage is where, and of which classes, the sources are complete enough that "none found" means "none exists".
type coverage struct {
	classes map[string]bool // of destination
	missing []string        // the other classes
	general bool            // some source covers all kinds of places
	places  []bool          // of each node: some place of a covered class is within calibration.Coverage.NearM
	stops   []bool          // the same for stops and stations
}

// transport are the classes of places to board.
var transport = []string{"bus_stop", "rapid_station", "train_station", "stop"}

func newCoverage(d *deriver) *coverage {
	g := &coverage{classes: map[string]bool{}, general: d.set.General}
	var places, stops []orb.Point
	for _, class := range schemas.DestinationClasses {
		if class == "highway_ramp" || class == "stop" {
			continue
		}
		g.classes[class] = g.complete(d, class)
		if !g.classes[class] {
			g.missing = append(g.missing, class)
		} else if !slices.Contains(transport, class) {
			places = append(places, points(d.set.Of(class))...)
		}
	}
	for _, class := range transport {
		stops = append(stops, points(d.set.Of(class))...)
	}
	g.places, g.stops = d.near(places), d.near(stops)
	return g
}

// has reports whether a class is covered.
func (g *coverage) has(class string) bool { return g.classes[class] }

// complete decides whether a class is covered. A source of all kinds of places with hardly any of one class has not
// mapped that class. Stops are different: where some kind of stop is known, the other kinds are too.
func (g *coverage) complete(d *deriver, class string) bool {
	required := d.c.Coverage.MinPlaces
	switch {
	case slices.Contains(transport, class):
		return d.set.Places(class) > 0 || g.general && slices.ContainsFunc(transport, func(class string) bool { return d.set.Places(class) > 0 })
	case g.general:
		required = min(max(int(math.Ceil(d.c.Coverage.GeneralShare*float64(d.set.POIs))), 1), required)
	case slices.Contains(d.c.Coverage.GeneralOnly, class):
		return false
	}
	return d.set.Places(class) >= required
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

func (g *coverage) notes() []Note {
	missing := g.missing
	if !slices.Contains(g.places, true) {
		missing = schemas.DestinationClasses
	}
	if text := schemas.CoverageNote(missing, g.general); text != "" {
		return []Note{{schemas.CoverageTopic, text}}
	}
	return nil
}
