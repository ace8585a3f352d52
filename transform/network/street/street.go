// Package street builds the walking network of a region from its staged streets. Input: staged.street, and the water and
// rails of staged.feature. Output: a Network and the derived tables street_node, street_edge and barrier.
package street

import (
	"slices"

	"github.com/paulmach/orb"

	"quartier/internal/coord"
	"quartier/internal/network"
	"quartier/schemas/calibration"
)

// Street is a row of staged.street. Empty texts and zero numbers mean missing.
type Street struct {
	Source, Key    string
	Class          string // schemas.StreetClasses
	Name, NameFR   string
	Foot, Bicycle  bool
	Car            string // "no", "both", "forward" or "backward"
	Lanes          int
	SpeedKMH       float64
	Sidewalk       *bool // nil if missing
	Cycleway       string
	Parking        *bool // nil if missing
	Bridge, Tunnel bool
	NoFootpaths    bool // its source does not have all footpaths
	Line           orb.LineString
	Nodes          []int64 // OSM node of each vertex: streets meet at common nodes; nil: they meet at equal positions

	network string // "": that of OpenStreetMap; by nameNetworks

	Flow Flow // set by package traffic
}

// Flow is the traffic of a street as it is mapped: that of a one-way carriageway is its own. AADT 0: none.
type Flow struct {
	calibration.Road
	Beyond float64 // of AADT, what is there only if the street leads somewhere beyond the edge of the data
	Count  string  // source and key of the count that it is from, with a colon between; "": assumed for class and setting
}

// Network is the streets of a region and the graph of those open to pedestrians.
type Network struct {
	Streets  []Street       // all, in a fixed order
	Walk     *network.Graph // nil if no street is open to pedestrians
	WalkLine []uint32       // index in Streets of each line of Walk: the street of edge e is Streets[WalkLine[Walk.Edges[e].Line]]
	Snapper  *network.Snapper
	Barriers []Barrier
	Bounded  bool // some streets are of sources without footpaths: ways from them are bounded by the straight line

	own *Own
}

// Barrier is a line that cannot be crossed off the streets.
type Barrier struct {
	Kind string // 'water', 'motorway', 'railway'
	Line orb.LineString
	Lent bool // by a neighbouring region
}

// Street is the street of an edge of Walk.
func (n *Network) Street(edge uint32) *Street { return &n.Streets[n.WalkLine[n.Walk.Edges[edge].Line]] }

// HasPaths reports whether the network has ways for pedestrians in addition to roads.
func (n *Network) HasPaths() bool {
	return slices.ContainsFunc(n.WalkLine, func(line uint32) bool {
		switch n.Streets[line].Class {
		case "footway", "sidewalk", "crossing", "path", "pedestrian", "steps":
			return true
		}
		return false
	})
}

// Points appends the vertices of a line to dst[:0]; false if one of them is not a valid position.
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
