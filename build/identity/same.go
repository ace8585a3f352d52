package identity

import (
	"context"
	"fmt"

	"quartier/schemas/calibration"
)

// same reports whether the outlines of an overlap are the same within tolerance.
func (s *succession) same(ctx context.Context, p overlap, m Measurer) (bool, error) {
	return sameBoundary(ctx, s.old[p.old], s.new[p.new], p.new, p.area, m)
}

// sameBoundary reports whether a new outline with the given index is an earlier one within tolerance, given what they share
// by area: calibration.Boundary says what that is.
//
//	old                 new                                               same
//	200 × 200 m         moved by 0.5 m                                    yes: a seam of 0.25 m
//	200 × 200 m         moved by 10 m                                     no: 5 % of it are over 5 m outside the other
//	10 × 10 km          and an empty strip of 80 × 100 m                  yes: IoU 0.9999
//	10 × 10 km          and a tower in it with 0.5 % of all households    no: they changed sides, 80 m from the old border
func sameBoundary(ctx context.Context, o, n Outline, j int, p shares, m Measurer) (bool, error) {
	same, err := withinTolerance(ctx, o, n, j, p, m)
	if err != nil {
		err = fmt.Errorf("compare %s of the previous release with %s: %w", o.Key, n.Key, err)
	}
	return same, err
}

func withinTolerance(ctx context.Context, o, n Outline, j int, p shares, m Measurer) (bool, error) {
	limits := calibration.Standard().Boundary
	similar := p.iou >= limits.IoU
	if !similar {
		perimeter, err := m.PerimeterM(ctx, o.ID, j)
		differs := (o.AreaM2 + n.AreaM2) * (1 - p.iou) / (1 + p.iou)
		if err != nil || differs > limits.SeamM*perimeter {
			return false, err
		}
	}
	near, err := m.Within(ctx, o.ID, j, limits.ApartM)
	if err != nil || similar == near { // both, or neither
		return near, err
	}
	whole, moved, err := m.MovedHomes(ctx, o.ID, j, limits.SeamM)
	if err != nil || whole.Known && whole.Households >= leastHouseholds {
		return moved < limits.MovedShare*whole.Households, err
	}
	if similar {
		return true, nil // hardly any area changes sides
	}
	area, err := m.MovedM2(ctx, o.ID, j, limits.SeamM)
	return area < limits.MovedShare*o.AreaM2, err
}
