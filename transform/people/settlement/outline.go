package settlement

import (
	"fmt"

	"github.com/paulmach/orb"

	"quartier/internal/spatialite"
)

// Parts is the number of parts of the area.
func (d *Division) Parts() int {
	if d.Rest > 0 {
		return len(d.Cells) + 1
	}
	return len(d.Cells)
}

// Shares are those of the parts, which add up to 1: of the cells, and of the rest if there is any.
func (d *Division) Shares() []float64 {
	shares := make([]float64, d.Parts())
	for i := range d.Cells {
		shares[i] = d.Cells[i].Share
	}
	if d.Rest > 0 {
		shares[len(d.Cells)] = d.Rest
	}
	return shares
}

// Outlines are those of the parts, of the area that was divided; it must be valid.
func (d *Division) Outlines(kernel *spatialite.Kernel, area orb.MultiPolygon) (parts []orb.MultiPolygon, err error) {
	if len(d.Cells) == 0 {
		return []orb.MultiPolygon{area}, nil
	}
	var boxes orb.MultiPolygon
	for i, c := range d.Cells {
		box := orb.MultiPolygon{c.Box.ToPolygon()}
		part, err := kernel.Intersection(area, box)
		if err == nil && len(part) == 0 {
			err = fmt.Errorf("no ground in box %v", c.Box)
		}
		if err != nil {
			return nil, fmt.Errorf("cell %d: %w", i, err)
		}
		parts, boxes = append(parts, part), append(boxes, box...)
	}
	if d.Rest == 0 {
		return parts, nil
	}
	cells, err := kernel.Union(boxes)
	if err != nil {
		return nil, err
	}
	rest, err := kernel.Difference(area, cells)
	if err == nil && len(rest) == 0 {
		err = fmt.Errorf("no ground outside of %d cells", len(d.Cells))
	}
	if err != nil {
		return nil, fmt.Errorf("the rest: %w", err)
	}
	return append(parts, rest), nil
}
