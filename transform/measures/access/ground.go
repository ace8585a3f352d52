package access

import (
	"math"
	"slices"
	"strings"

	"github.com/paulmach/orb"

	"quartier/internal/coord"
	"quartier/internal/geo"
	"quartier/schemas"
	"quartier/transform/network/destination"
)

// ground tells where none means none, and where nothing is known.
type ground struct {
	known   map[string]bool // classes of destination
	general bool
	places  []bool // of each node: some place of a known class is not too far off to say so
	stops   []bool // likewise of stops and stations
	unknown []string
}

// transport are the classes that are places to board.
var transport = []string{"bus_stop", "rapid_station", "train_station", "stop"}

func newGround(d *deriver) *ground {
	g := &ground{known: map[string]bool{}, general: d.set.General}
	var places, stops []orb.Point
	for _, class := range schemas.DestinationClasses {
		if class == "highway_ramp" || class == "stop" {
			continue
		}
		g.known[class] = g.knows(d, class)
		if !g.known[class] {
			g.unknown = append(g.unknown, class)
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

// knows tells whether none of a class nearby means none. A source that knows all kinds of places and has hardly one of
// a class has not looked for them; but where it has some stops, there are no others.
func (g *ground) knows(d *deriver, class string) bool {
	least := d.c.Coverage.MinPlaces
	switch {
	case slices.Contains(transport, class):
		return d.set.Places(class) > 0 || g.general && slices.ContainsFunc(transport, func(class string) bool { return d.set.Places(class) > 0 })
	case g.general:
		least = min(max(int(math.Ceil(d.c.Coverage.GeneralShare*float64(d.set.POIs))), 1), least)
	case slices.Contains(d.c.Coverage.GeneralOnly, class):
		return false
	}
	return d.set.Places(class) >= least
}

// of is the nodes at which something is known of a class.
func (g *ground) of(class string) []bool {
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

// near tells of each node whether some point lies within calibration.Ground.NearM in a straight line. Cells that lie
// wholly within or without are looked at once.
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
	type verdict struct{ all, some bool }
	cells := map[[2]int]verdict{}
	near := make([]bool, len(d.graph.Nodes))
	for node, p := range d.graph.Nodes {
		lng, lat := p.Degrees()
		key := [2]int{int(lng/cell + 100000), int(lat/cell + 100000)}
		v, seen := cells[key]
		if !seen {
			centre := orb.Point{(float64(key[0]-100000) + 0.5) * cell, (float64(key[1]-100000) + 0.5) * cell}
			v = verdict{within(centre, d.c.Coverage.NearM-cellM), within(centre, d.c.Coverage.NearM+cellM)}
			cells[key] = v
		}
		near[node] = v.all || v.some && within(orb.Point{lng, lat}, d.c.Coverage.NearM)
	}
	return near
}

// notes tell what a reader would not guess.
func (g *ground) notes() []Note {
	if !slices.Contains(g.places, true) {
		return []Note{{"places", "no source lists places, and nothing is told of them"}}
	}
	what := strings.ReplaceAll(strings.Join(g.unknown, ", "), "_", " ")
	switch {
	case what == "":
		return nil
	case g.general:
		return []Note{{"places", "the sources have no or hardly any places of these kinds, and nothing is told of them: " + what}}
	}
	return []Note{{"places", "no source lists all kinds of places, and nothing is told of these: " + what}}
}
