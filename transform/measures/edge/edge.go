// Package edge removes measures and quantities of what surrounds a node where too much of it is beyond the edge of the
// streets (docs/methods.md, 0.2). Searches for places are limited in package access. Input and output: channels and
// quantities.
package edge

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"quartier/internal/extent"
	"quartier/internal/parallel"
	"quartier/schemas"
	"quartier/schemas/calibration"
	"quartier/transform/issue"
	"quartier/transform/measures/measure"
	"quartier/transform/network/channel"
)

// surrounding is what a measure or a quantity looks at around a node.
type surrounding struct {
	weight   *extent.Weight
	channels []string
	values   [][]float32 // quantities
}

func surroundings(c *calibration.Calibration, q *channel.Quantities) []surrounding {
	lanes := c.Bicycle.Lanes.RadiusM
	return []surrounding{
		{weight: extent.NewWeight(c.Form.RadiusM, nil), channels: []string{"intersection_density", "local_street_proportion"}},
		{weight: extent.NewWeight(c.Form.Unpleasant.RadiusM, nil), channels: []string{"infrastructure_unpleasant_for_pedestrians"}},
		// The energy of a long line falls with its distance, that of a point with the square: 1.5 is between them.
		{weight: extent.NewWeight(c.Noise.ReachM, func(metres float64) float64 { return math.Pow(max(metres, c.Noise.MinM), -1.5) }),
			channels: []string{"traffic_noise", "interchange_noise", "railway_noise"}, values: [][]float32{q.NoiseDB}},
		{weight: extent.NewWeight(lanes, func(metres float64) float64 { return 1 - metres/lanes }), values: [][]float32{q.BikeLanes}},
		{weight: extent.NewWeight(c.Bicycle.LowStress.RadiusM, nil), values: [][]float32{q.LowStress}},
		{weight: extent.NewWeight(c.Land.ParkingM, nil), values: [][]float32{q.ParkingShare}},
		{weight: extent.NewWeight(c.Land.IdleM, nil), values: [][]float32{q.IdleShare}},
		{weight: extent.NewWeight(c.Scores.Congestion.RadiusM, nil), values: [][]float32{q.LaneLoad, q.ActivityKM2}},
	}
}

// Derive makes absent what looks beyond the edge of the streets.
func Derive(ctx context.Context, r *measure.Region) ([]issue.Issue, error) {
	if r.Edges == nil || r.Edges.Streets == nil {
		return nil, nil
	}
	around := surroundings(r.Calibration, r.Quantities)
	return nil, parallel.Nodes(ctx, r.Channels.Nodes, func(lo, hi int) {
		for node := lo; node < hi; node++ {
			for i := range around {
				if s := &around[i]; !r.Edges.Allows(node, r.Edges.StreetsBeyond(node, s.weight)) {
					s.remove(r.Channels, node)
				}
			}
		}
	})
}

func (s *surrounding) remove(m *channel.Matrix, node int) {
	for _, name := range s.channels {
		m.Set(node, schemas.MustChannel(name), math.NaN())
	}
	for _, values := range s.values {
		if values != nil {
			values[node] = float32(math.NaN())
		}
	}
}

// withoutEdge are the scores of what is around a node that have rules of their own for what is not known.
var withoutEdge = []string{"greenery", "historic"}

// Note counts the nodes near the edge of the data at which a score is absent, by score; "" if there are none.
func Note(r *measure.Region) string {
	var scores []string
	nodes := r.Network.Own().Nodes
	for i, s := range schemas.Scores {
		absent, known := 0, 0
		for _, node := range nodes {
			switch {
			case r.Channels.Row(int(node))[int(schemas.FirstScore)+i] != schemas.AbsentValue:
				known++
			case r.Edges.Affected(int(node)):
				absent++
			}
		}
		if absent > 0 && known > 0 && !slices.Contains(withoutEdge, s.ID) {
			scores = append(scores, fmt.Sprintf("%s at %d", s.ID, absent))
		}
	}
	if scores == nil {
		return ""
	}
	return fmt.Sprintf("absent where what lies beyond the edge of the data could change a value, of %d nodes: %s", len(nodes),
		strings.Join(scores, ", "))
}
