// Package measures lists the steps that compute measures from what surrounds each node of the walking network. Measures of
// what can be reached from a node (access) and the scores that combine measures have packages of their own.
package measures

import (
	"quartier/transform/measures/congestion"
	"quartier/transform/measures/cycling"
	"quartier/transform/measures/land"
	"quartier/transform/measures/measure"
	"quartier/transform/measures/noise"
	"quartier/transform/measures/streetform"
	"quartier/transform/measures/terrain"
)

// Step is a named step.
type Step struct {
	Name   string
	Derive measure.Derive
}

// Steps are independent of each other.
var Steps = []Step{
	{"noise", noise.Derive},
	{"terrain", terrain.Derive},
	{"street form", streetform.Derive},
	{"cycling", cycling.Derive},
	{"land", land.Derive},
	{"congestion", congestion.Derive},
}
