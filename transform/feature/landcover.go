package feature

import (
	"context"
	_ "embed"
	"fmt"

	"quartier/internal/duck"
)

//go:embed landcover.sql
var landCoverSQL string

// LandCovered says whether a source of the region tells the ground beside its streets, so that a railway, an airport or a car
// park that it does not tell is not there: one that has streets, and an area of land or a building for every twenty of
// them at least. A road network file, or an extract of streets alone, does not.
func LandCovered(ctx context.Context, staged *duck.DB) (covered bool, err error) {
	if err := staged.QueryRowContext(ctx, landCoverSQL).Scan(&covered); err != nil {
		return false, fmt.Errorf("ask what sources tell: %w", err)
	}
	return covered, nil
}
