// Package odef is the kind for the Open Database of Educational Facilities of Statistics Canada, of any version. It reads one
// table into rows of staged.school.
package odef

import (
	"context"
	"slices"

	"quartier/ingest/formats/table"
	"quartier/ingest/formats/vector"
	"quartier/ingest/grade"
	"quartier/ingest/source"
	"quartier/schemas/reason"
)

// Options select rows.
type Options struct {
	vector.FileOptions `yaml:",inline"`
}

var reasons reason.List

var adults = reasons.Skipped("adult_education", "The facility is of post-secondary or adult education alone (ISCED 4 and above).")

// Kind is the source kind "odef".
var Kind = source.Declaration[Options]{
	Kind:  "odef",
	Title: "Open Database of Educational Facilities (Statistics Canada)",
	Formats: []string{"CSV of version 3 (31 columns), 2.1 (28 columns) and 2 (with or without identifiers and addresses in parts), and of " +
		"version 1 (LODE, lower-case columns, y and n), plain or in a .zip; UTF-8 or Windows-1252"},
	Yields: []string{"school"},
	Own:    &reasons,
	Reasons: append(slices.Concat(vector.Reasons(), table.Reasons(), grade.Reasons()), source.MissingName, source.WrongFieldCount,
		source.CoordinateInMinutes),
	Notes: "Levels are by ISCED: 010 and 020 preschool, 1 elementary, 2 middle, 3 secondary; a file with a column grade_range, or min_grade " +
		"and max_grade, has grades too. The provider's identifier, text with its zeros, has the province as its scheme: on:019186. " +
		"Facilities of ISCED 4 and above alone are skipped. Coordinates that are not the provider's own are those of addresses, and another " +
		"source's have precedence if they are far off. " +
		"The file has all of Canada: select the rows of a region by where (CSDNAME: Ottawa; csdname: ottawa in version 1) or bbox.",
	Complete: func(o *Options, _ source.Input) error { return o.Check() },
	Inspect: func(ctx context.Context, in source.Input, o *Options) error {
		file, _, err := o.file(in)
		if err != nil {
			return err
		}
		return file.Check(ctx)
	},
	Read: read,
}

func read(ctx context.Context, in source.Input, o *Options, out source.Sink) error {
	file, columns, err := o.file(in)
	if err != nil {
		return err
	}
	return file.Stage(ctx, out, columns.name, func(f vector.Feature) (reason.Reason, error) {
		if !f.Fault.OK() {
			return f.Fault, nil
		}
		v, changed, why := columns.school(f)
		if !why.OK() {
			return why, nil
		}
		for _, c := range changed {
			detail := columns.value(f, "facility_type")
			if c != grade.NoType {
				detail = columns.grades(f)
			}
			out.Issue(c, f.Where(v.Name)+": "+table.Shorten(detail))
		}
		return why, out.Row(v)
	})
}

// file returns the file of a source and its columns.
func (o *Options) file(in source.Input) (*vector.File, columns, error) {
	t, err := table.Open(in.Path, table.Dialect{Encoding: o.Encoding})
	if err != nil {
		return nil, nil, err
	}
	defer t.Close()
	c := columnsOf(t.Columns)
	if err := c.check(in.Path, t.Columns); err != nil {
		return nil, nil, err
	}
	tables := vector.TableOptions{WKT: c["geometry"], Lng: c["longitude"], Lat: c["latitude"], FileOptions: o.FileOptions}
	file := tables.FileOf(in)
	file.Columns.Bare, file.Columns.Nulls = true, []string{".."}
	return file, c, nil
}
