// Package noise computes the noise level at every node of a walking network. Input: staged streets, rails, level crossings,
// timetables, runways, aerodromes and buildings; places of nightlife. Output: the measures traffic_noise, interchange_noise, railway_noise
// and
// airport_noise (higher is louder) and the total level.
//
// Streets and rails are line sources, cut into pieces of at most 50 m: FHWA's model of 1978 with the traffic of a street's
// class, FTA's general assessment for trains. Both fall by 4.5 dB with each doubling of distance (soft ground). Pieces
// are summed within the distance at which they are audible, at most a kilometre. Rows of houses shield a node from
// sources behind them, depending on how densely buildings are mapped around it; without buildings sound propagates
// freely. Aircraft descend and climb along the extended runway.
// Places of nightlife are point sources along the streets, and no rows shield from them.
//
// Levels are summed as energy, 10^(dB/10). Two sources of 60 dB make 10·log10(10⁶ + 10⁶) = 63 dB; one of 60 and one of
// 50 dB make 60.4 dB, which is a measure of 5·(60.4 − 40)/35 = 2.91.
package noise

import (
	"context"
	"fmt"
	"math"

	"quartier/internal/coord"
	"quartier/internal/parallel"
	"quartier/internal/rating"
	"quartier/schemas"
	"quartier/schemas/calibration"
	"quartier/transform/issue"
	"quartier/transform/measures/measure"
	"quartier/transform/network/channel"
)

// Derive sets the four measures and Quantities.NoiseDB: Lden of streets, Ldn of trains, DNL of aircraft, as 5·(L−40)/35.
// railway_noise and airport_noise are set where a source knows railways or aerodromes (feature.ReadHeard) and at most a
// hundredth of what is audible is beyond its extent. NoiseDB is the sum of all sources and of nightlife, with a penalty of
// WeightDB for aircraft. It is set where railways and aerodromes are known, or where the region file accepts it without
// them and none is shown within ReachM. A million nodes of a state like Delaware take 300 MB temporarily and 10 s of one
// processor, a city centre twice as long.
func Derive(ctx context.Context, r *measure.Region) ([]issue.Issue, error) {
	c := &r.Calibration.Noise
	d := &deriver{Region: r, c: c, propagation: newPropagation(c.Soft, c.MinM, c.PieceM),
		evening: energyOf(c.Vehicles.EveningDB), background: energyOf(c.BackgroundDB), weight: energyOf(c.Air.WeightDB)}
	if err := d.read(ctx); err != nil {
		return nil, fmt.Errorf("noise: %w", err)
	}
	r.Quantities.NoiseDB = channel.Absent(r.Channels.Nodes)
	return nil, parallel.Nodes(ctx, r.Channels.Nodes, func(lo, hi int) {
		buffer := []uint64{0}
		for node := lo; node < hi; node++ {
			d.node(node, buffer)
		}
	})
}

type deriver struct {
	*measure.Region
	c           *calibration.Noise
	propagation *propagation
	roads       []*sources
	beyond      []*sources // roads.beyond
	ramps       []*sources // roads.ramps
	rails       []*sources
	aircraft    *aircraft
	shielding   *shielding
	bars        *bars
	railways    *heard
	aerodromes  *heard

	evening, background, weight float64 // energies
}

func (d *deriver) read(ctx context.Context) error {
	exits, err := exits(ctx, d.Staged, d.Network.Streets)
	if err != nil {
		return err
	}
	unknown := func(p coord.Point, metres float64) bool { return d.Ground.Known(p.Orb(), metres) < 1 }
	roads := newRoads(d.Network.Streets, junctions{exits.Near, unknown}, d.propagation, d.c)
	d.roads, d.beyond, d.ramps = roads.all.sources(), roads.beyond.sources(), roads.ramps.sources()
	rails, err := rails(ctx, d.Staged, d.propagation, d.c)
	if err != nil {
		return err
	}
	d.rails = rails.sources()
	paths, err := flightPaths(ctx, d.Staged, &d.c.Air)
	if err != nil {
		return err
	}
	d.aircraft = newAircraft(paths, d.c)
	if d.shielding, err = newShielding(ctx, d.Region); err != nil {
		return err
	}
	if d.Destinations != nil {
		d.bars = newBars(d.Destinations.Of("nightlife"), d.c.Night.ReachM)
	}
	classes, err := readHeard(ctx, d.Region)
	if err != nil {
		return err
	}
	d.railways, d.aerodromes = classes[schemas.Railway], classes[schemas.Aerodrome]
	return nil
}

var (
	traffic     = schemas.MustChannel("traffic_noise")
	interchange = schemas.MustChannel("interchange_noise")
	railway     = schemas.MustChannel("railway_noise")
	airport     = schemas.MustChannel("airport_noise")
)

func (d *deriver) node(node int, buffer []uint64) {
	at := d.Network.Walk.Nodes[node]
	factors := d.shielding.at(node, at, buffer)
	hear := func(of []*sources) (all, ramps float64) {
		for _, s := range of {
			s.add(d.propagation, at, factors, &all, &ramps)
		}
		return all, ramps
	}
	road, ramps := hear(d.roads)
	beyond, _ := hear(d.beyond)
	unsure, _ := hear(d.ramps)
	rail, _ := hear(d.rails)
	road, ramps, beyond, unsure = road*d.evening, ramps*d.evening, beyond*d.evening, unsure*d.evening
	air := d.aircraft.at(at)
	cars := d.setUnless(node, traffic, road, road-beyond)
	d.setUnless(node, interchange, ramps, ramps+unsure)
	trains := d.setIfKnown(node, railway, rail, d.railways)
	aircraft := d.setIfKnown(node, airport, air, d.aerodromes)
	if cars && trains && aircraft {
		bars := energyOf(rating.NightlifeDB(&d.c.Night, d.bars.within(at)))
		d.Quantities.NoiseDB[node] = float32(level(d.background + road + rail + air*d.weight + bars))
	}
}

// setUnless sets a measure unless the energy that it may be instead, by what is beyond the edge of the data, makes too much of
// a difference. It reports whether it did.
func (d *deriver) setUnless(node int, c schemas.Channel, energy, other float64) bool {
	value := d.measure(energy)
	if !d.Edges.Settled(node, math.Abs(value-d.measure(other))) {
		return false
	}
	d.Channels.Set(node, c, value)
	return true
}

// setIfKnown sets a measure where its class is known, and reports whether the total level is given as far as it matters.
func (d *deriver) setIfKnown(node int, c schemas.Channel, energy float64, of *heard) bool {
	known, given := of.at(node, d.Network.Walk.Nodes[node], d.c.ReachM)
	if known {
		d.Channels.Set(node, c, d.measure(energy))
	}
	return given
}

// measure converts an energy to a level on the scale of 0 to 5.
func (d *deriver) measure(energy float64) float64 {
	return rating.Noise(d.c, rating.Roads, level(energy), nil)
}
