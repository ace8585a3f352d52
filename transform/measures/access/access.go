// Package access computes for every node of the walking network what can be reached from it: the access and proximity
// measures of schemas.Measures, the scores that are access alone (groceries, shopping, schools, vibrant, transit), and
// the shares of errands that other scores are made of. Input: the network and the destinations. Output: channels and
// quantities.
package access

import (
	"context"
	"slices"

	"quartier/internal/extent"
	"quartier/internal/network"
	"quartier/internal/parallel"
	"quartier/internal/rating"
	"quartier/schemas/calibration"
	"quartier/transform/network/channel"
	"quartier/transform/network/destination"
	"quartier/transform/network/drive"
	"quartier/transform/network/edges"
	"quartier/transform/network/street"
)

// Note is a note for the manifest.
type Note struct{ Topic, Text string }

// deriver is what all jobs share.
type deriver struct {
	c        *calibration.Calibration
	walk     *rating.Decay
	net      *street.Network
	graph    *network.Graph
	set      *destination.Set
	cars     *drive.Network // nil if no street is for cars
	m        *channel.Matrix
	s        *channel.Quantities
	known    *Known
	edges    *edges.Edges
	onWalk   *extent.Weight // W
	coverage *coverage
}

// Derive fills the channels of a region, and WalkErrands, BicycleErrands, DriveErrands, RampMin and ArterialMin of s. It
// needs about 500 bytes a node in addition to the networks; net.Walk must not be nil.
func Derive(ctx context.Context, net *street.Network, cars *drive.Network, set *destination.Set, known *Known, e *edges.Edges,
	m *channel.Matrix, s *channel.Quantities, c *calibration.Calibration) ([]Note, error) {
	d := &deriver{c: c, walk: rating.NewDecay(c.Walking), net: net, graph: net.Walk, cars: cars, set: set, known: known, edges: e, m: m, s: s}
	d.onWalk = d.stretched(1)
	d.coverage = newCoverage(d)
	jobs := []func(){d.drive, d.frontage, d.parks, d.vibrant}
	slots := d.newSlots()
	for _, search := range d.searches(slots) {
		jobs = append(jobs, func() { d.run(search) })
	}
	departures := d.newDepartures()
	jobs = append(jobs, departures.jobs()...)
	if err := parallel.Each(ctx, len(jobs), func(i int) { jobs[i]() }); err != nil {
		return nil, err
	}
	slots.finish()
	departures.finish()
	return slices.Concat(known.notes(), slots.notes(), departures.notes()), nil
}

// places are the destinations of some classes as the network takes them, with the number of each one's station or
// place; group is nil if all differ.
func (d *deriver) places(classes []string) (places []network.Place, group []uint32) {
	stations := numbering{}
	for _, class := range classes {
		for _, v := range d.set.Of(class) {
			places, group = append(places, v.Place), append(group, stations.of(v.Station))
		}
	}
	if len(stations) == len(places) {
		group = nil
	}
	return places, group
}

// numbering numbers keys in the order of their first use, from 0.
type numbering map[string]uint32

func (n numbering) of(key string) uint32 {
	number, ok := n[key]
	if !ok {
		number = uint32(len(n))
		n[key] = number
	}
	return number
}
