// Package measure defines the steps that compute measures at the nodes of a region's walking network: what each of them
// reads and where it writes its results. A new measure is a package with a Derive function and a line in
// transform/measures/measures.go.
package measure

import (
	"context"

	"quartier/internal/duck"
	"quartier/schemas/calibration"
	"quartier/transform/issue"
	"quartier/transform/network/channel"
	"quartier/transform/network/destination"
	"quartier/transform/network/drive"
	"quartier/transform/network/edges"
	"quartier/transform/network/street"
)

// Region is the input and output of a step.
type Region struct {
	Staged       *duck.DB
	Derived      *duck.DB        // its POIs are written; nil in tests
	Network      *street.Network // Walk is not nil
	Drive        *drive.Network  // nil if no street is for cars
	Destinations *destination.Set
	Edges        *edges.Edges            // nil: the sources have no end
	Ground       *edges.StreetGround     // nil: streets are known everywhere
	Known        func(class string) bool // whether the sources know a class of places; nil: none
	Calibration  *calibration.Calibration

	Channels   *channel.Matrix     // output: measures, 0–5
	Quantities *channel.Quantities // output: physical quantities that scores need
}

// NewRegion is a region whose channels and quantities are all absent.
func NewRegion(staged *duck.DB, net *street.Network, c *calibration.Calibration) *Region {
	return &Region{Staged: staged, Network: net, Calibration: c, Channels: channel.NewMatrix(len(net.Walk.Nodes)),
		Quantities: &channel.Quantities{}}
}

// Derive sets some channels or quantities of every node of a region. It leaves absent what it has no data for, and
// returns the counts of data that it skipped or changed.
type Derive func(context.Context, *Region) ([]issue.Issue, error)
