// Package nces is the kind for the schools of the National Center for Education Statistics: the Common Core of Data (CCD), the
// Private School Universe Survey (PSS), the geocodes of EDGE and the exports of the school search. It reads the tables of a
// file, folder or .zip into rows of staged.school.
package nces

import (
	"context"
	"slices"

	"quartier/ingest/formats/folder"
	"quartier/ingest/formats/table"
	"quartier/ingest/formats/vector"
	"quartier/ingest/grade"
	"quartier/ingest/source"
	"quartier/schemas"
	"quartier/schemas/reason"
)

// Options select schools.
type Options struct {
	States source.List `yaml:"states" doc:"codes of the states whose schools are read; default: that of the region, else all"`
	BBox   source.BBox `yaml:"bbox" unit:"degrees" range:"-180,180" doc:"[west, south, east, north]; schools outside are skipped, those without coordinates are not"`
}

var reasons reason.List

var (
	inactive      = reasons.Skipped("inactive_school", "The school is not in operation this year.")
	future        = reasons.Skipped("future_school", "The school is to open in a later year.")
	withoutSchool = reasons.Skipped("geocode_without_school", "No table of schools of the source has the number of the geocode.")
	invalidID     = reasons.Rejected("invalid_nces_id", "The number is not the 12 digits of a public or the 8 characters of a private school.")
)

// Kind is the source kind "nces".
var Kind = source.Declaration[Options]{
	Kind:  "nces",
	Title: "Schools of the National Center for Education Statistics",
	Formats: []string{
		"CCD: directory (029), membership (052), staff (059), school characteristics (129) and lunch programme (033), as CSV or tab-separated " +
			"text",
		"CCD before 2014: one tab-separated file (sc*_supp.txt)", "PSS: public-use file, or the export of the private school search",
		"EDGE geocodes of public and private schools, as CSV or shapefile", "export of the public school search, as CSV",
		"a file, a folder, or a .zip of these",
	},
	Yields: []string{"school"},
	Own:    &reasons,
	Reasons: slices.Concat(vector.Reasons(), table.Reasons(), grade.Reasons(),
		[]reason.Reason{source.PermanentlyClosed, source.UnusedFile, source.MissingName, source.MissingKey,
			source.MissingGeometry, source.WrongFieldCount, source.OutsideBBox, source.ExcludedByOption, source.CoordinateInMinutes}),
	Notes: "Tables are recognised by their columns, and joined by NCESSCH (PPIN of private schools), which is text with its zeros and " +
		"becomes the id nces:530771003410. " +
		"Missing is absent: -1, -2, -9, M, N, †, ‡ and –. Closed, inactive and future schools are skipped. The grades are those offered, else " +
		"the lowest and highest one. " +
		"Pupils are those without adult education; free and reduced-price lunch those qualified. The student–teacher ratio is the published " +
		"one, else pupils by teachers in full-time equivalents. " +
		"Geocodes alone give no school: their rows are staged without names, for schools of other sources with the same id.",
	Complete: func(o *Options, in source.Input) error {
		f := source.Faults{}
		for _, code := range o.States {
			_, known := schemas.FindState("US", code)
			f.Value(!known, "states", code, "%q is not the code of a state of the United States", code)
		}
		if len(o.States) == 0 && in.State != "" && in.Country == "US" {
			o.States = source.List{in.State}
		}
		f.Add(o.BBox.Check())
		return f.Err()
	},
	Inspect: func(ctx context.Context, in source.Input, _ *Options) error {
		files, err := open(in)
		if err != nil {
			return err
		}
		defer files.Close()
		_, _, err = recognise(ctx, in, files)
		return err
	},
	Read: read,
}

// read reads the tables: first those of figures and geocodes, then those of schools.
func read(ctx context.Context, in source.Input, o *Options, out source.Sink) error {
	files, err := open(in)
	if err != nil {
		return err
	}
	defer files.Close()
	tables, unused, err := recognise(ctx, in, files)
	if err != nil {
		return err
	}
	for _, name := range unused {
		out.Issue(source.UnusedFile, name)
	}
	s := &stager{options: *o, out: out, facts: map[string]*facts{}}
	for _, t := range tables {
		if !t.schools() {
			if err := t.each(ctx, out, func(r row) error { return s.learn(t, r) }); err != nil {
				return err
			}
		}
	}
	for _, t := range tables {
		if t.schools() {
			s.listed = true
			if err := t.each(ctx, out, func(r row) error { return s.stage(r) }); err != nil {
				return err
			}
		}
	}
	return s.geocodes(ctx)
}

func open(in source.Input) (*folder.Folder, error) {
	return folder.Open(in.Path, in.Limits, ".csv", ".txt", ".tsv", ".shp")
}
