// Package access works out for every node of the walking network what can be reached from it: the access and proximity
// measures of schemas.Measures, the scores that are access alone (groceries, shopping, schools, vibrant, transit), and
// quantities that other scores are made of. In go the network and the destinations; out come channels and a Reach.
package access

import (
	"context"
	"math"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"quartier/internal/network"
	"quartier/internal/rating"
	"quartier/schemas"
	"quartier/schemas/calibration"
	"quartier/transform/network/channel"
	"quartier/transform/network/destination"
	"quartier/transform/network/street"
)

// Reach is quantities of every node that scores are made of beside the measures; NaN where there is no ground.
type Reach struct {
	Base        []float32 // 0–1: errands by slots on foot
	BicycleBase []float32 // 0–1: the same by bicycle
	Driven      []float32 // 0–1: the same by a short drive
}

// Note is a row of derived.note.
type Note struct{ What, Text string }

// deriver holds what all jobs share.
type deriver struct {
	c      *calibration.Calibration
	walk   *rating.Walk
	net    *street.Network
	graph  *network.Graph
	set    *destination.Set
	m      *channel.Matrix
	ground *ground
	reach  *Reach
}

// Derive fills the channels of a region. It needs about 500 bytes a node beside the network; net.Walk must not be nil.
func Derive(ctx context.Context, net *street.Network, set *destination.Set, m *channel.Matrix, c *calibration.Calibration) (*Reach, []Note, error) {
	d := &deriver{c: c, walk: rating.NewWalk(c.Walking), net: net, graph: net.Walk, set: set, m: m, reach: &Reach{}}
	d.ground = newGround(d)
	jobs := []func(){d.drive, d.frontage, d.parks, d.vibrant}
	slots := d.newSlots()
	for _, s := range d.searches(slots) {
		jobs = append(jobs, func() { d.run(s) })
	}
	departures := d.newDepartures()
	jobs = append(jobs, departures.jobs()...)
	if err := inParallel(ctx, jobs); err != nil {
		return nil, nil, err
	}
	slots.finish()
	departures.finish()
	return d.reach, append(d.ground.notes(), append(slots.notes(), departures.notes()...)...), nil
}

// inParallel runs jobs on all processors, those that come first first.
func inParallel(ctx context.Context, jobs []func()) error {
	workers, ctx := errgroup.WithContext(ctx)
	workers.SetLimit(runtime.GOMAXPROCS(0))
	for _, job := range jobs {
		workers.Go(func() error {
			if ctx.Err() == nil {
				job()
			}
			return ctx.Err()
		})
	}
	return workers.Wait()
}

// channelOf is the channel of a name of the calibration, which a test holds to be one.
func channelOf(name string) schemas.Channel {
	c, ok := schemas.ChannelOf(name)
	if !ok {
		panic("calibration: no channel " + name)
	}
	return c
}

// places are the destinations of some classes as the network takes them, with the number of each one's station or
// place.
func (d *deriver) places(classes []string) (places []network.Place, group []uint32) {
	number := map[string]uint32{}
	for _, class := range classes {
		for _, v := range d.set.Of(class) {
			n, ok := number[v.Station]
			if !ok {
				n = uint32(len(number))
				number[v.Station] = n
			}
			places, group = append(places, v.Place), append(group, n)
		}
	}
	if len(number) == len(places) {
		group = nil
	}
	return places, group
}

// absent is n numbers that are not known.
func absent(n int) []float32 {
	return slices.Repeat([]float32{float32(math.NaN())}, n)
}
