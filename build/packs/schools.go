package packs

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"

	"quartier/build/released"
	"quartier/internal/pack/schools"
	"quartier/internal/sqlrow"
	"quartier/schemas/release"
)

func writeSchools(ctx context.Context, db *sql.DB, _, to string) error {
	w, err := schools.NewWriter(filepath.Dir(to))
	if err != nil {
		return err
	}
	defer w.Close()
	if err := eachSchool(ctx, db, w.Add); err != nil {
		return err
	}
	return finishPack(to, w.Finish)
}

// eachSchool visits the schools with their catchments, ordered by fid.
func eachSchool(ctx context.Context, db *sql.DB, visit func(*schools.Record) error) error {
	const query = `SELECT school_fid, level, coalesce(program, ''), coalesce(grade, ''), geometry
		FROM school_catchment ORDER BY school_fid, fid`
	catchments, err := newChildRows(db, query, scanCatchment)
	if err != nil {
		return err
	}
	defer catchments.rows.Close()
	for s, err := range sqlrow.Select[release.School](ctx, db, "SELECT * FROM school ORDER BY fid") {
		if err != nil {
			return err
		}
		r := schools.Record{Key: s.Key, SchoolDetails: s.SchoolDetails}
		at, err := released.ReadPoint(s.Geometry)
		if err == nil {
			r.Lng, r.Lat = at[0], at[1]
			r.Catchments, err = catchments.of(s.FID)
		}
		if err == nil {
			err = visit(&r)
		}
		if err != nil {
			return fmt.Errorf("school %s: %w", s.Key, err)
		}
	}
	return catchments.end()
}

func scanCatchment(rows *sql.Rows, school *int64, c *schools.Catchment) (err error) {
	var blob sql.RawBytes
	if err := rows.Scan(school, &c.Level, &c.Program, &c.Grade, &blob); err != nil {
		return err
	}
	c.Geometry, err = released.ReadMultiPolygon(blob)
	return err
}
