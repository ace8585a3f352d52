// Package gazetteer is the kind for lists of named points with further names of geographies: GeoNames, and the divisions of
// Overture Maps. Transform gives their names to the boundaries that they are in.
package gazetteer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"quartier/ingest/formats/vector"
	"quartier/ingest/source"
	"quartier/schemas"
	"quartier/schemas/reason"
)

var own reason.List

var otherFeature = own.Skipped("other_feature",
	"The place is neither a settlement nor an administrative area of a level, or no longer exists.")

// Options of a gazetteer.
type Options struct {
	Countries []string    `yaml:"countries" doc:"two-letter codes: skip places of other countries; default: CA and US"`
	BBox      source.BBox `yaml:"bbox" unit:"degrees" range:"-180,180" doc:"[west, south, east, north]: skip places outside"`
}

// Kind is the source kind "gazetteer".
var Kind = source.Declaration[Options]{
	Kind:  "gazetteer",
	Title: "Further names of geographies",
	Formats: []string{
		"GeoNames: tab-separated text of 19 columns without a header, as allCountries.txt, US.txt, cities15000.txt; plain or the .zip of the " +
			"download",
		"Divisions of Overture Maps (theme=divisions/type=division) as GeoParquet (a file or a folder of .parquet files) or GeoJSON (a " +
			"collection or one feature a line)",
	},
	Yields: []string{"gazetteer_place", "further_name"},
	Own:    &own,
	Reasons: slices.Concat(vector.Reasons(), []reason.Reason{
		source.OtherCountry, source.OutsideBBox, source.WrongFieldCount, source.InvalidCoordinate, source.WrongGeometryType, source.MissingName,
	}),
	Notes: "Names are searched, not shown. " +
		"A place gives its names to the geography that contains it and has one of them: of the level of its feature code (ADM1, ADM2, ADM3 …) " +
		"or subtype, " +
		"a settlement (P) to the municipality, else the county subdivision, borough or neighbourhood of its name. Those that match none are " +
		"skipped and counted. " +
		"GeoNames' alternate names have no language; one that is not UTF-8, has control characters or is too long is left out and counted, the " +
		"others are kept. A line has at most 1 MiB, a place 1,000 names.",
	Complete: func(o *Options, _ source.Input) error {
		if o.Countries == nil {
			o.Countries = schemas.Countries
		}
		var faults source.Faults
		for _, c := range o.Countries {
			faults.Value(len(c) != 2, "countries", c, "%q is not a two-letter code", c)
		}
		faults.Add(o.BBox.Check())
		return faults.Err()
	},
	Inspect: func(ctx context.Context, in source.Input, _ *Options) error {
		if isDivisions(in.Path) {
			return vector.Check(ctx, in.Path, vector.Options{Limits: in.Limits}, divisionAttributes, nil)
		}
		file, err := open(in.Path, in.Limits)
		if err != nil {
			return err
		}
		defer file.Close()
		_, err = newLines(file, in.Path)
		return err
	},
	Read: read,
}

func read(ctx context.Context, in source.Input, o *Options, out source.Sink) error {
	s := stage{*o, out, filepath.Base(in.Path)}
	if isDivisions(in.Path) {
		return s.divisions(ctx, in.Path, in.Limits)
	}
	file, err := open(in.Path, in.Limits)
	if err != nil {
		return err
	}
	defer file.Close()
	err = s.geonames(ctx, file, in.Path)
	switch {
	case err == nil || ctx.Err() != nil:
		return cmp.Or(ctx.Err(), err)
	case errors.Is(err, source.ErrBadFile) && !strings.Contains(err.Error(), in.Path):
		return fmt.Errorf("%s: %w", in.Path, err)
	}
	return err
}

// isDivisions reports whether a path is GeoJSON, GeoParquet or a folder, which has GeoParquet.
func isDivisions(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir() || slices.Contains([]string{".geojson", ".json", ".geojsonl", ".geojsons", ".geojsonseq", ".parquet"},
		strings.ToLower(filepath.Ext(path)))
}

// stage is one run of the kind.
type stage struct {
	options Options
	out     source.Sink
	file    string
}

// put stages a place of the countries and the box.
func (s *stage) put(p source.GazetteerPlace, country, where string) error {
	switch {
	case p.Level == 0:
		s.out.Issue(otherFeature, where)
	case country != "" && !slices.ContainsFunc(s.options.Countries, func(c string) bool { return strings.EqualFold(c, country) }):
		s.out.Issue(source.OtherCountry, where)
	case !s.options.BBox.Contains(p.Point):
		s.out.Issue(source.OutsideBBox, where)
	default:
		return s.out.Row(p)
	}
	return nil
}

// open opens a file, or the only text of an archive beside its readme.
func open(path string, limits source.Limits) (readCloser, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if strings.EqualFold(filepath.Ext(path), ".zip") {
		return openArchive(path, limits)
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	if info.Size() == 0 {
		file.Close()
		return nil, source.BadFile(path, "it is empty")
	}
	return file, nil
}

func where(file string, line int, name string) string {
	return fmt.Sprintf("%s line %d %q", file, line, name)
}
