// Package catchments is the kind for the outlines of what schools serve: attendance areas of districts, and the national file
// SABS. It reads one file of features into rows of staged.catchment.
package catchments

import (
	"context"
	"slices"

	"quartier/ingest/formats/table"
	"quartier/ingest/formats/vector"
	"quartier/ingest/grade"
	"quartier/ingest/source"
	"quartier/schemas/reason"
)

// Kind is the source kind "catchments".
type Kind struct{}

var reasons reason.List

var openEnrolment = reasons.Skipped("no_school_for_grade", "No school serves the outline for any grade of the options.")

// Info describes the kind.
func (Kind) Info() source.Info {
	return source.Info{
		Kind:  "catchments",
		Title: "Catchments of schools",
		Formats: []string{
			"School Attendance Boundary Survey of NCES (SABS), and attendance areas of districts and cities",
			"ESRI shapefile (.shp with .dbf, .prj and .cpg), plain or in a .zip", "GeoJSON feature collection", "GeoPackage", "CSV with well-known text",
		},
		Yields:  []string{"catchment"},
		Options: Options{},
		Reasons: slices.Concat(reasons, vector.Reasons(), table.Reasons(), grade.Reasons(), []reason.Reason{source.MissingKey, source.MissingGeometry, source.WrongGeometryType, source.WrongFieldCount}),
		Notes: "An outline is joined to its school by school_id, which must be the id that a list of schools has (option id of the kind schools, nces:530771003410 of the kind nces), else by name and level. " +
			"An outline with a school for each grade (Philadelphia's GR_ID_K … GR_ID_12) has the option grade_schools, and becomes an outline for each school and level. " +
			"Grades of several levels without a level become an outline for each level. " +
			"Invalid outlines are repaired. Layouts: " + source.LayoutNames(layouts) + ".",
	}
}

// Check checks options, columns and values.
func (Kind) Check(ctx context.Context, in source.Input) error {
	o, err := options(in)
	return source.Join(err, o.file(in).Check(ctx))
}

// Stage reads the file.
func (Kind) Stage(ctx context.Context, in source.Input, out source.Sink) error {
	o, err := options(in)
	if err != nil {
		return err
	}
	label := func(f vector.Feature) string { return f.Value(o.SchoolName) }
	return o.file(in).Stage(ctx, out, label, func(f vector.Feature) (reason.Reason, error) {
		rows, changed, why := o.catchments(in.Source, f)
		for _, c := range changed {
			out.Issue(c, f.Where(label(f)))
		}
		for _, row := range rows {
			if err := out.Row(row); err != nil {
				return why, err
			}
		}
		return why, nil
	})
}
