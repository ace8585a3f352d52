// Package score computes the composite scores of every node: those made of measures, of quantities and of other scores
// (rating.Composites). Scores of access alone (groceries, shopping, schools, vibrant, transit_friendly) come from package
// access. Input: channels and channel.Quantities. Output: the other score channels, absent where what they need has no
// data.
package score

import (
	"context"
	"math"

	"quartier/internal/parallel"
	"quartier/internal/rating"
	"quartier/schemas/calibration"
	"quartier/transform/network/channel"
)

// Derive fills the composite scores of all nodes. has reports whether the sources of the region know a part (of
// rating.Composite.Parts) at all: such a part is not estimated where the edge of the data hides it, since a score would depend
// on where a file was cut.
func Derive(ctx context.Context, m *channel.Matrix, s *channel.Quantities, has func(part string) bool, c *calibration.Calibration) error {
	quantities := [rating.QuantityCount][]float32{
		rating.NoiseDB: s.NoiseDB, rating.SteepestPct: s.SteepestPct, rating.BikeLanes: s.BikeLanes, rating.LowStress: s.LowStress,
		rating.Green: s.Green, rating.Protected: s.Historic, rating.ParkingShare: s.ParkingShare, rating.DriveErrands: s.DriveErrands,
		rating.WalkErrands: s.WalkErrands, rating.BicycleErrands: s.BicycleErrands,
		rating.RampMin: s.RampMin, rating.ArterialMin: s.ArterialMin, rating.LaneLoad: s.LaneLoad, rating.ActivityKM2: s.ActivityKM2,
	}
	hidden := make([][]func(*rating.Inputs) float64, len(rating.Composites))
	for i := range rating.Composites {
		for _, part := range rating.Composites[i].Parts {
			if has(part.Name) {
				hidden[i] = append(hidden[i], part.Value)
			}
		}
	}
	return parallel.Nodes(ctx, m.Nodes, func(lo, hi int) {
		in := new(rating.Inputs)
		for node := lo; node < hi; node++ {
			for q, values := range &quantities {
				in.Quantities[q] = math.NaN()
				if values != nil {
					in.Quantities[q] = float64(values[node])
				}
			}
			for _, c := range rating.InputMeasures {
				in.Channels[c] = m.Get(node, c)
			}
			for i := range rating.Composites {
				score := &rating.Composites[i]
				v := score.Value(c, in, nil)
				for _, part := range hidden[i] {
					if math.IsNaN(part(in)) {
						v = math.NaN()
					}
				}
				in.Channels[score.Channel] = v
				m.Set(node, score.Channel, v)
			}
		}
	})
}
