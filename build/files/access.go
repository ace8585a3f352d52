package files

import (
	"context"
	"fmt"

	"quartier/build/scores"
	"quartier/internal/duck"
	"quartier/internal/sqlrow"
	"quartier/schemas"
	"quartier/schemas/bundle"
	"quartier/schemas/calibration"
	"quartier/schemas/release"
)

// WriteAccess writes access.sqlite: the streets of all regions and the scores of geographies. The notes are for the
// manifest.
func WriteAccess(ctx context.Context, r *Release, scored []scores.Geography) (notes []string, err error) {
	f, err := r.create(schemas.AccessFile, bundle.Access, bundle.StreetNodeDDL(), bundle.Provenance)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if r.Assembly != nil {
		if notes, err = f.insertStreets(ctx, r); err != nil {
			return nil, err
		}
	}
	if err := f.insertScores(ctx, r, scored); err != nil {
		return nil, err
	}
	c := calibration.Standard()
	row := release.Calibration{Version: c.Version, SHA256: calibration.Digest(), SnapM: c.Walking.SnapM}
	if err := sqlrow.Insert(ctx, f.tx, "calibration", row); err != nil {
		return nil, err
	}
	return notes, f.finish(ctx, &r.Provenance, bundle.AccessColumns)
}

// insertStreets inserts the streets of all regions.
func (f *file) insertStreets(ctx context.Context, r *Release) (notes []string, err error) {
	s := &streets{tx: f.tx, sources: r.Provenance.Sources}
	err = r.Assembly.EachRegion(func(region string, derived *duck.DB) error { return s.copyRegion(ctx, region, derived) })
	if s.duplicates > 0 {
		s.notes = append(s.notes, fmt.Sprintf("typology cells that several regions have: %d", s.duplicates))
	}
	return s.notes, err
}

// insertScores inserts the scores of geographies, and those that superseded geographies had in the previous release.
func (f *file) insertScores(ctx context.Context, r *Release, scored []scores.Geography) error {
	insert := sqlrow.NewInserter[release.GeographyScore](ctx, f.tx, "geography_score")
	for _, g := range scored {
		for s, score := range schemas.Scores {
			if g.Values[s] == schemas.AbsentValue {
				continue
			}
			row := release.GeographyScore{
				GeogID: r.IDs.Versions[g.Index].ID, Score: score.ID, Value: int64(g.Values[s]), Basis: g.Basis, Homes: g.Homes[s],
			}
			if err := insert.Row(row); err != nil {
				return fmt.Errorf("scores of geography %s: %w", row.GeogID, err)
			}
		}
	}
	return copyRows[release.GeographyScore](ctx, f, "geography_score", r.Copied())
}
