package released

import (
	"fmt"
	"math"

	"quartier/internal/margin"
	"quartier/schemas/demographics"
)

// MaxFigure is the plausible maximum of an estimate and its margin of error: dollars of a country.
const MaxFigure = 1e15

// ParseFigure returns the index of a cell in demographics.Cells and its estimate with margin of error, which is NaN
// where moe is nil. It fails where the cell is unknown or a number is negative or implausible.
func ParseFigure(id string, estimate float64, moe *float64) (cell int, f margin.Figure, err error) {
	cell, ok := demographics.CellOf(id)
	f = margin.Figure{Estimate: estimate, MOE: math.NaN()}
	if moe != nil {
		f.MOE = *moe
	}
	switch {
	case !ok:
		err = fmt.Errorf("unknown cell %q", id)
	case !(estimate >= 0 && estimate <= MaxFigure):
		err = fmt.Errorf("%s is %v", id, estimate)
	case moe != nil && !(*moe >= 0 && *moe <= MaxFigure):
		err = fmt.Errorf("%s has a margin of error of %v", id, *moe)
	}
	return cell, f, err
}
