package files

import (
	"context"

	"quartier/build/measures"
	"quartier/internal/sqlrow"
	"quartier/schemas"
	"quartier/schemas/bundle"
	"quartier/schemas/release"
)

// WriteTravel writes travel.sqlite: jobs, and what is reached from homes. Superseded geographies have the medians of the previous
// release.
func WriteTravel(ctx context.Context, r *Release, rows *measures.Rows) error {
	f, err := r.create(schemas.TravelFile, bundle.Travel, bundle.Provenance)
	if err != nil {
		return err
	}
	defer f.Close()
	for _, err := range []error{
		sqlrow.Insert(ctx, f.tx, "job_place", rows.Jobs...),
		sqlrow.Insert(ctx, f.tx, "travel_ground", rows.Grounds...),
		sqlrow.Insert(ctx, f.tx, "travel_cell", rows.Cells...),
		sqlrow.Insert(ctx, f.tx, "travel_node", rows.Nodes...),
		sqlrow.Insert(ctx, f.tx, "travel_measure", rows.Measures...),
		sqlrow.Insert[release.GeographyTravel](ctx, f.tx, "geography_travel", rows.Geographies...),
		copyRows[release.GeographyTravel](ctx, f, "geography_travel", r.Copied()),
	} {
		if err != nil {
			return err
		}
	}
	return f.finish(ctx, &r.Provenance, bundle.TravelColumns)
}
