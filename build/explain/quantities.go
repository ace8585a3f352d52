package explain

import (
	"database/sql"
	"errors"
	"fmt"
	"math"

	"quartier/internal/pack/access"
	"quartier/internal/rating"
	"quartier/internal/sqlrow"
	"quartier/schemas"
	"quartier/schemas/release"
)

// readQuantities sets what composite scores are made of in addition to channels; NaN if there are no data, or if the
// release was built before it had a table of them.
func (l *location) readQuantities(edge access.Edge) error {
	for q := range l.quantities {
		l.quantities[q] = math.NaN()
	}
	l.quantities[rating.Green], l.quantities[rating.Protected] = l.named("greenery")/5, l.named("historic")/5
	var exists int
	err := l.r.db.QueryRowContext(l.ctx, "SELECT 1 FROM sqlite_master WHERE name = 'street_node_part'").Scan(&exists)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read street_node_part: %w", err)
	}
	a, err := l.nodeQuantities(edge.A)
	if err != nil {
		return err
	}
	b, err := l.nodeQuantities(edge.B)
	if err != nil {
		return err
	}
	for q := range a {
		l.quantities[q] = between(a[q], b[q], l.spot.Share)
	}
	return nil
}

// nodeQuantities are the quantities of a node.
func (l *location) nodeQuantities(node uint32) (map[rating.Quantity]float64, error) {
	rows, err := sqlrow.All[release.StreetNodePart](l.ctx, l.r.db, "SELECT * FROM street_node_part WHERE fid = ?", int64(node)+1)
	if err != nil {
		return nil, fmt.Errorf("read street_node_part: %w", err)
	}
	p := append(rows, release.StreetNodePart{})[0]
	if p.Beyond != nil {
		l.pastEdge = max(l.pastEdge, units(p.Beyond))
	}
	return map[rating.Quantity]float64{
		rating.NoiseDB: units(p.NoiseDB), rating.SteepestPct: units(p.SteepestPct), rating.BikeLanes: units(p.BikeLanes),
		rating.LowStress: units(p.LowStress), rating.ParkingShare: units(p.Parking), rating.DriveErrands: units(p.DriveErrands),
		rating.RampMin: units(p.RampMin), rating.ArterialMin: units(p.ArterialMin), rating.LaneLoad: units(p.LaneLoad),
		rating.ActivityKM2: units(p.ActivityKM2),
	}, nil
}

// units converts ten-thousandths; NaN if there are no data.
func units(v *int64) float64 {
	if v == nil {
		return math.NaN()
	}
	return float64(*v) / schemas.UnitValue
}

// between interpolates a value; where one end has none, it is the other's.
func between(a, b, share float64) float64 {
	switch {
	case math.IsNaN(a):
		return b
	case math.IsNaN(b):
		return a
	}
	return a + share*(b-a)
}
