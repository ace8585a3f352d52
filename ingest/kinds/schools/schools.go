// Package schools is the kind for lists of schools of cities, districts and agencies, with a mapping of columns. It reads one
// file into rows of staged.school.
package schools

import (
	"quartier/ingest/formats/table"
	"quartier/ingest/formats/vector"
	"quartier/ingest/grade"
	"quartier/ingest/source"
	"quartier/schemas/reason"
)

// Kind is the source kind "schools".
var Kind = vector.Kind(source.Declaration[mapping]{
	Kind:  "schools",
	Title: "Lists of schools with a column mapping",
	Formats: []string{
		"CSV, with coordinates or without", "GeoJSON feature collection, of points or areas", "GeoPackage",
		"ESRI shapefile (.shp with .dbf, .prj and .cpg), plain or in a .zip",
	},
	Yields:  []string{"school"},
	Reasons: append(grade.Reasons(), source.MissingKey, source.MissingName, source.WrongGeometryType, source.CoordinateInMinutes),
	Notes: "Every text option names a column (a property in GeoJSON), or is a text with columns in braces: \"{NUM} {STREET}\". " +
		"Grades are read as publishers write them, with the dates that spreadsheets make of them (12-Sep of 9-12) restored; where there are " +
		"none, the level counts. " +
		"Categories that are no schools (tutoring, driving, beauty) are left out by levels, where or unless, and counted. " +
		"Rows without coordinates are staged: another source may have them under the same id. Longitude and latitude are exchanged where only " +
		"so they are in the row's state; other rows outside it are rejected. " +
		"A remark in a name such as (interim at Cedar Park) is removed. " +
		"Records of several sources that are one school are merged afterwards: by id, else by name and distance.",
	Options: Options{},
	Decode:  options,
}, vector.Features[mapping]{
	File: (*mapping).file,
	Text: true,
	Name: func(m *mapping, f vector.Feature) string { return source.Compose(m.o.Name, f.Value) },
	Row: func(m *mapping, r vector.Record) (source.Row, reason.Reason) {
		v, changed, why := m.school(r.Feature)
		for _, c := range changed {
			r.Out.Issue(c, r.Where(v.Name)+m.detail(c, r.Feature))
		}
		return v, why
	},
})

// detail is the value that was changed, for messages.
func (m *mapping) detail(changed reason.Reason, f vector.Feature) string {
	column := m.o.LevelOf
	switch changed {
	case grade.Unknown, grade.Reversed, grade.Dated:
		column = m.o.Grades
		if column == "" {
			return ": " + table.Shorten(f.Value(m.o.GradeLow)) + ", " + table.Shorten(f.Value(m.o.GradeHigh))
		}
	case grade.NoType:
		column = m.o.TypeOf
	case grade.Interim:
		column = m.o.Name
	}
	return ": " + table.Shorten(source.Compose(column, f.Value))
}
