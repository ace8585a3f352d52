// Package catchments is the kind for the outlines of what schools serve: attendance areas of districts, and the national file
// SABS. It reads one file of features into rows of staged.catchment.
package catchments

import (
	"quartier/ingest/formats/vector"
	"quartier/ingest/grade"
	"quartier/ingest/source"
	"quartier/schemas/reason"
)

var reasons reason.List

var openEnrolment = reasons.Skipped("no_school_for_grade", "No school serves the outline for any grade of the options.")

// Kind is the source kind "catchments".
var Kind = vector.Kind(source.Declaration[Options]{
	Kind:  "catchments",
	Title: "Catchments of schools",
	Formats: []string{
		"School Attendance Boundary Survey of NCES (SABS), and attendance areas of districts and cities",
		"ESRI shapefile (.shp with .dbf, .prj and .cpg), plain or in a .zip", "GeoJSON feature collection", "GeoPackage",
		"CSV with well-known text",
	},
	Yields:  []string{"catchment"},
	Own:     &reasons,
	Reasons: append(grade.Reasons(), source.MissingKey, source.MissingGeometry, source.WrongGeometryType),
	Notes: "An outline is joined to its school by school_id, which must be the id that a list of schools has (option id of the kind " +
		"schools, nces:530771003410 of the kind nces), else by name and level. " +
		"An outline with a school for each grade (Philadelphia's GR_ID_K … GR_ID_12) has the option grade_schools, and becomes an outline for " +
		"each school and level. Grades of several levels without a level become an outline for each level. " +
		"Invalid outlines are repaired. Layouts: " + source.LayoutNames(layouts) + ".",
	Complete: func(o *Options, _ source.Input) error {
		return source.Join(source.Complete(o, o.Layout, layouts), o.complete())
	},
}, vector.Features[Options]{
	File: func(o *Options, in source.Input) *vector.File { return o.FileOf(in, o.wanted()...) },
	Text: true,
	Name: func(o *Options, f vector.Feature) string { return f.Value(o.SchoolName) },
	Row:  (*Options).catchments,
})
