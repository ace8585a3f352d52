// Package noise works out how loud it is at every node of a walking network. In go the staged streets, rails, crossings,
// timetables, runways and aerodromes; out come the measures traffic_noise, interchange_noise, railway_noise and
// airport_noise (higher = noisier) and the level of all of them together.
//
// Streets and rails are line sources in pieces of at most 50 m: FHWA's model of 1978 with the traffic of a street's
// class, FTA's general assessment for trains, both falling with 4.5 dB for twice the distance (soft ground). Pieces are
// summed up within a kilometre, those of quiet streets as far as such a street is heard. Rows of houses take from what
// comes from beyond them as closely as buildings are mapped around a node; where none are, it is as loud as in the open.
// Aircraft glide to both ends of a runway.
package noise

import (
	"context"
	"fmt"

	"quartier/internal/duck"
	"quartier/schemas"
	"quartier/schemas/calibration"
	"quartier/transform/feature"
	"quartier/transform/issue"
	"quartier/transform/network/channel"
	"quartier/transform/network/street"
	"quartier/transform/parallel"
)

// Derive sets the four measures of noise and s.NoiseDB for every node of net.Walk: Lden of streets, Ldn of trains, DNL of
// aircraft, as 5·(L-40)/35. Streets tell traffic and interchanges. Where no source of the region tells what lies beside
// the streets (feature.LandCovered), railways and airports are told only where they are heard, and absent elsewhere.
// NoiseDB is the sum of what is known, aircraft with WeightDB more. For a million nodes of a state like Delaware it takes
// 300 MB for a while and 10 s of one processor, in the middle of a city twice as long.
func Derive(ctx context.Context, staged *duck.DB, net *street.Network, m *channel.Matrix, s *channel.Quantities, c *calibration.Calibration) ([]issue.Issue, error) {
	if net.Walk == nil {
		return nil, nil
	}
	d := &deriver{c: &c.Noise, m: m, s: s, net: net, ground: newGround(c.Noise.Soft, c.Noise.MinM, c.Noise.PieceM),
		evening: decibels(c.Noise.Vehicles.EveningDB), background: decibels(c.Noise.BackgroundDB), weight: decibels(c.Noise.Air.WeightDB)}
	if err := d.read(ctx, staged, c); err != nil {
		return nil, fmt.Errorf("noise: %w", err)
	}
	s.NoiseDB = make([]float32, m.Nodes)
	return nil, parallel.Nodes(ctx, m.Nodes, func(lo, hi int) {
		room := []uint64{0}
		for node := lo; node < hi; node++ {
			d.node(node, room)
		}
	})
}

type deriver struct {
	c      *calibration.Noise
	m      *channel.Matrix
	s      *channel.Quantities
	net    *street.Network
	ground *ground
	roads  []*field
	rails  []*field
	sky    *sky
	rows   *rows
	told   bool // what is not heard is not there

	evening, background, weight float64 // energies
}

func (d *deriver) read(ctx context.Context, staged *duck.DB, c *calibration.Calibration) error {
	exits, err := exits(ctx, staged, d.net.Streets)
	if err != nil {
		return err
	}
	d.roads = roads(d.net.Streets, exits.Near, d.ground, c).fields()
	tracks, err := rails(ctx, staged, d.ground, d.c)
	if err != nil {
		return err
	}
	d.rails = tracks.fields()
	paths, err := flights(ctx, staged, &d.c.Air)
	if err != nil {
		return err
	}
	d.sky = newSky(paths, d.c)
	if d.rows, err = newRows(ctx, staged, d.net.Walk.Nodes, d.c); err != nil {
		return err
	}
	d.told, err = feature.LandCovered(ctx, staged)
	return err
}

var (
	traffic, _     = schemas.ChannelOf("traffic_noise")
	interchange, _ = schemas.ChannelOf("interchange_noise")
	railway, _     = schemas.ChannelOf("railway_noise")
	airport, _     = schemas.ChannelOf("airport_noise")
)

func (d *deriver) node(node int, room []uint64) {
	at := d.net.Walk.Nodes[node]
	left := d.rows.at(at, room)
	var road, ramps, rail, none float64
	for _, f := range d.roads {
		f.at(d.ground, at, left, &road, &ramps)
	}
	for _, f := range d.rails {
		f.at(d.ground, at, left, &rail, &none)
	}
	road, ramps = road*d.evening, ramps*d.evening
	air := d.sky.at(at)
	d.m.Set(node, traffic, d.measure(road))
	d.m.Set(node, interchange, d.measure(ramps))
	d.setHeard(node, railway, rail)
	d.setHeard(node, airport, air)
	d.s.NoiseDB[node] = float32(level(d.background + road + rail + air*d.weight))
}

// setHeard sets a measure, or leaves it absent where nothing is heard and nobody says that nothing is there.
func (d *deriver) setHeard(node int, c schemas.Channel, energy float64) {
	if value := d.measure(energy); d.told || value > 0 {
		d.m.Set(node, c, value)
	}
}

// measure is the level of an energy on the scale of 0 to 5.
func (d *deriver) measure(energy float64) float64 { return d.c.Scale.Of(level(energy)) }
