package files

import (
	"context"
	"fmt"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/encoding/wkb"

	"quartier/build/released"
	"quartier/internal/sqlrow"
	"quartier/schemas"
	"quartier/schemas/bundle"
	"quartier/schemas/release"
)

// WriteSchools writes schools.sqlite.
func WriteSchools(ctx context.Context, r *Release) error {
	f, err := r.create(schemas.SchoolsFile, bundle.Schools, bundle.Provenance)
	if err != nil {
		return err
	}
	defer f.Close()
	schools := sqlrow.NewInserter[release.School](ctx, f.tx, "school")
	for s, err := range r.Assembly.Schools(ctx) {
		if err != nil {
			return fmt.Errorf("read schools: %w", err)
		}
		row := release.School{FID: s.FID, Key: s.Key, Region: s.Region, SourceID: s.SourceID,
			Geometry: released.PointBlob(orb.Point{s.Lng, s.Lat}), SchoolDetails: s.SchoolDetails}
		if err := schools.Row(row); err != nil {
			return fmt.Errorf("school %s of region %s: %w", s.Key, s.Region, err)
		}
	}
	sources := sqlrow.NewInserter[release.SchoolSource](ctx, f.tx, "school_source")
	for s, err := range r.Assembly.SchoolSources(ctx) {
		if err != nil {
			return fmt.Errorf("read records of schools: %w", err)
		}
		if err := sources.Row(*s); err != nil {
			return fmt.Errorf("record %s of school %s: %w", s.SourceKey, s.SchoolKey, err)
		}
	}
	if err := f.insertCatchments(ctx, r); err != nil {
		return err
	}
	return f.finish(ctx, &r.Provenance, bundle.SchoolColumns,
		"CREATE UNIQUE INDEX school_by_key ON school (school_key)",
		"CREATE INDEX school_source_by_key ON school_source (school_key)",
		"CREATE INDEX school_catchment_by_school ON school_catchment (school_fid)")
}

// catchmentChunk is the number of catchments that are in memory.
const catchmentChunk = 2000

func (f *file) insertCatchments(ctx context.Context, r *Release) error {
	insert := sqlrow.NewInserter[release.SchoolCatchment](ctx, f.tx, "school_catchment")
	for first, more := int64(1), true; more; first += catchmentChunk {
		more = false
		for c, err := range r.Assembly.ReadSchoolCatchments(ctx, first, first+catchmentChunk) {
			if err != nil {
				return fmt.Errorf("read catchments: %w", err)
			}
			g, err := wkb.Unmarshal(c.Geom)
			outline, ok := g.(orb.MultiPolygon)
			if err != nil || !ok {
				return fmt.Errorf("outline of catchment %s of school %s: a %T: %w", c.SourceKey, c.SchoolKey, g, err)
			}
			row := release.SchoolCatchment{FID: c.FID, SchoolFID: c.SchoolFID, Region: c.Region, SourceID: c.SourceID, SourceKey: c.SourceKey,
				Level: c.Level, Program: c.Program, Grade: c.Grade, Reason: c.Reason, Geometry: released.MultiPolygonBlob(outline)}
			if err := insert.Row(row); err != nil {
				return fmt.Errorf("catchment %s of school %s: %w", c.SourceKey, c.SchoolKey, err)
			}
			more = true
		}
	}
	return nil
}
