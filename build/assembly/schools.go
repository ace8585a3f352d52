package assembly

import (
	"context"
	"fmt"
	"iter"

	"github.com/paulmach/orb"

	"quartier/internal/geo"
	"quartier/internal/sqlrow"
	"quartier/schemas/derived"
	"quartier/schemas/release"
)

// School is a school of the release.
type School struct {
	FID    int64  `col:"fid"`
	Region string `col:"region"` // whose row was selected
	derived.School
}

// Schools reads the schools ordered by fid.
func (a *Assembly) Schools(ctx context.Context) iter.Seq2[*School, error] {
	return sqlrow.Select[School](ctx, a.conn, query("schools"))
}

// SchoolSources reads the records that became schools of the release, by school.
func (a *Assembly) SchoolSources(ctx context.Context) iter.Seq2[*release.SchoolSource, error] {
	return sqlrow.Select[release.SchoolSource](ctx, a.conn, query("school_sources"))
}

// SchoolCatchment is a catchment of a school of the release.
type SchoolCatchment struct {
	FID       int64  `col:"fid"`
	SchoolFID int64  `col:"school_fid"`
	Region    string `col:"region"`
	derived.SchoolCatchment
}

// ReadSchoolCatchments reads the catchments with fid first to end-1, from 1, in order of school, level, program and grade.
func (a *Assembly) ReadSchoolCatchments(ctx context.Context, first, end int64) iter.Seq2[*SchoolCatchment, error] {
	return sqlrow.Select[SchoolCatchment](ctx, a.conn, query("school_catchments"), first, end)
}

// selectSchools selects one row for each school, drops those that another region merged into one that is kept, and those with
// the number of one in a region before, and numbers the others along a Hilbert curve.
func (a *Assembly) selectSchools(ctx context.Context) error {
	if err := a.exec(ctx, query("select_schools")); err != nil {
		return err
	}
	if err := a.dropMerged(ctx, query("schools_across_regions"), "dropped_school"); err != nil {
		return err
	}
	if err := a.exec(ctx, "DELETE FROM selected_school WHERE school_key IN (SELECT dropped_key FROM dropped_school)"); err != nil {
		return err
	}
	if err := a.placeSchools(ctx); err != nil {
		return err
	}
	return a.exec(ctx, query("order_schools"))
}

// placeSchools writes the positions of the selected schools on a Hilbert curve, by their numbers.
func (a *Assembly) placeSchools(ctx context.Context) error {
	curve, err := a.db.Append(ctx, "school_curve")
	if err != nil {
		return err
	}
	err = a.each(ctx, "SELECT number, school_key, lng, lat FROM selected_school",
		sqlrow.Visit4(func(number int64, key string, lng, lat float64) error {
			p := orb.Point{lng, lat}
			if !geo.Valid(p) {
				return fmt.Errorf("%s is at %v, %v", key, p[0], p[1])
			}
			return curve.Row(number, geo.Hilbert(p))
		}))
	if cerr := curve.Close(); err == nil {
		err = cerr
	}
	return err
}
