// Package street makes the walking network of a region out of its staged streets: which lines one may walk, where they
// meet, what cannot be crossed between a door and a street.
package street

import (
	"github.com/paulmach/orb"

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
}

// Network is the streets of a region.
type Network struct {
	Streets  []Street // all of them, walkable or not, in a fixed order
	Walk     *network.Graph
	WalkLine []uint32 // the street that line l of Walk is: Streets[WalkLine[Walk.Edges[e].Line]]
	Snapper  *network.Snapper
	Barriers []Barrier
}

// Barrier is a line that one cannot cross off the streets.
type Barrier struct {
	Kind string // 'water', 'motorway', 'railway'
	Line orb.LineString
}
