package channel

import (
	"context"
	"math"

	"quartier/internal/duck"
	"quartier/schemas"
	"quartier/schemas/derived"
)

// Write writes the quantities of some nodes that composite scores are made of to street_node_part.
func (q *Quantities) Write(ctx context.Context, db *duck.DB, nodes []uint32) error {
	return duck.WriteEach(ctx, db, "street_node_part", nodes, func(i int, node uint32) (derived.StreetNodePart, error) {
		return derived.StreetNodePart{Node: int32(i), NodeParts: derived.NodeParts{
			NoiseDB: part(q.NoiseDB, node), SteepestPct: part(q.SteepestPct, node), BikeLanes: part(q.BikeLanes, node),
			LowStress: part(q.LowStress, node), Parking: part(q.ParkingShare, node), DriveErrands: part(q.DriveErrands, node),
			DensityKM2: part(q.DensityKM2, node),
			RampMin:    part(q.RampMin, node), ArterialMin: part(q.ArterialMin, node), LaneLoad: part(q.LaneLoad, node),
			ActivityKM2: part(q.ActivityKM2, node), Beyond: part(q.Beyond, node),
		}}, nil
	})
}

// part is a quantity in ten-thousandths, nil if there are no data.
func part(values []float32, node uint32) *int64 {
	if values == nil || math.IsNaN(float64(values[node])) {
		return nil
	}
	v := int64(math.Round(float64(values[node]) * schemas.UnitValue))
	return &v
}
