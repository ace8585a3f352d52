// Package street makes the walking network of a region out of its staged streets: which lines one may walk, where they
// meet, what cannot be crossed between a door and a street. In go staged.street and the water and rails of
// staged.feature; out come a Network, and the derived tables street_node, street_edge and barrier.
package street

import (
	"slices"

	"github.com/paulmach/orb"

	"quartier/internal/coord"
	"quartier/internal/network"
)

// Street is a row of staged.street.
type Street struct {
	Source, Key    string
	Class          string // schemas.StreetClasses
	Name, NameFR   string
	Foot, Bicycle  bool
	Car            string // "no", "both", "forward" or "backward"
	Lanes          int    // 0: not known
	SpeedKMH       float64
	Sidewalk       *bool // nil: not known
	Cycleway       string
	Parking        *bool // nil: not known
	Bridge, Tunnel bool
	Line           orb.LineString
	Nodes          []int64 // one for each vertex: lines meet where they share one; nil: where vertices lie together
}

// Network is the streets of a region.
type Network struct {
	Streets  []Street       // all of them, walkable or not, in a fixed order
	Walk     *network.Graph // nil where nothing can be walked
	WalkLine []uint32       // the street that line l of Walk is: Streets[WalkLine[Walk.Edges[e].Line]]
	Snapper  *network.Snapper
	Barriers []Barrier
}

// Barrier is a line that one cannot cross off the streets.
type Barrier struct {
	Kind string // 'water', 'motorway', 'railway'
	Line orb.LineString
}

// Street is the street that an edge of Walk is a stretch of.
func (n *Network) Street(edge uint32) *Street { return &n.Streets[n.WalkLine[n.Walk.Edges[edge].Line]] }

// HasPaths reports whether any way of the network is for walkers rather than cars.
func (n *Network) HasPaths() bool {
	return slices.ContainsFunc(n.WalkLine, func(line uint32) bool {
		switch n.Streets[line].Class {
		case "footway", "sidewalk", "crossing", "path", "pedestrian", "steps":
			return true
		}
		return false
	})
}

// Points are the vertices of a line as the network keeps them; false where one of them is no place on earth.
func Points(dst []coord.Point, line orb.LineString) ([]coord.Point, bool) {
	dst = dst[:0]
	for _, p := range line {
		point, ok := coord.NewPoint(p[0], p[1])
		if !ok {
			return dst, false
		}
		dst = append(dst, point)
	}
	return dst, true
}
