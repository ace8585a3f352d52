package feature

import (
	"context"
	_ "embed"
	"fmt"

	"quartier/internal/duck"
)

//go:embed landcover.sql
var landCoverSQL string

// HasLandCover reports whether a source of the region maps land use and buildings next to its streets, so that a
// railway, airport or car park that it does not have does not exist. A road network file or an extract of streets alone
// does not: there must be at least one area of land or building for every twenty streets.
func HasLandCover(ctx context.Context, staged *duck.DB) (has bool, err error) {
	if err := staged.QueryRowContext(ctx, landCoverSQL).Scan(&has); err != nil {
		return false, fmt.Errorf("check land cover: %w", err)
	}
	return has, nil
}
