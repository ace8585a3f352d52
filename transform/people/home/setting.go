package home

import (
	"context"

	"github.com/paulmach/orb"

	"quartier/internal/coord"
	"quartier/internal/parallel"
	"quartier/schemas/calibration"
	"quartier/transform/network/channel"
)

// Setting is how many dwellings are around any point of a region: those of the blocks, else their people by the size of
// a household, and where no blocks are counted those that the length of residential streets lets expect.
type Setting struct {
	c       *calibration.Setting
	blocks  *Density // nil: none is counted
	streets *Density // of residential streets where none is counted; nil: there are none
}

func (d *deriver) newSetting(ctx context.Context, edges []uint32, at []orb.Point) (*Setting, error) {
	s := &Setting{c: &d.c.Traffic.Setting, blocks: d.result.Density}
	var samples []sample
	for i, e := range edges {
		samples = append(samples, sample{at: at[i], streetM: d.net.Walk.Edges[e].Length.Metres()})
	}
	if len(samples) == 0 {
		return s, nil
	}
	s.streets = newDensity(samples, d.c.Homes)
	expected := make([]float64, len(samples))
	err := parallel.Nodes(ctx, len(samples), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			along := &samples[i]
			if metres := s.streets.around(along.at, s.c.RadiusM).streetM; metres > 0 {
				expected[i] = s.c.ByStreets(metres) * along.streetM / metres
			}
		}
	})
	for i := range samples {
		samples[i].dwellings = expected[i]
	}
	return s, err
}

// Dwellings is the number of dwellings within some metres of p. Without counts it is that of the streets within
// calibration.Setting.RadiusM; in a larger disc every street has those that are expected along it.
//
// In a village of 4 km of residential street without counts, 5 km² being a dwelling each, there
// are 5 · 4² = 80.
func (s *Setting) Dwellings(p orb.Point, radiusM float64) (dwellings float64) {
	if s.blocks != nil {
		dwellings = s.blocks.around(p, radiusM).dwellings
	}
	switch {
	case s.streets == nil:
	case radiusM == s.c.RadiusM:
		dwellings += s.c.ByStreets(s.streets.around(p, radiusM).streetM)
	default:
		dwellings += s.streets.around(p, radiusM).dwellings
	}
	return dwellings
}

// Fill sets the number of dwellings around every node.
func (s *Setting) Fill(ctx context.Context, nodes []coord.Point, q *channel.Quantities) error {
	q.Dwellings = make([]float32, len(nodes))
	return parallel.Nodes(ctx, len(nodes), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			q.Dwellings[i] = float32(s.Dwellings(nodes[i].Orb(), s.c.RadiusM))
		}
	})
}
