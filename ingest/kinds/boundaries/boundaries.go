// Package boundaries is the kind for outlines of neighbourhoods, municipalities, postal areas, counties, metropolitan
// areas, states and countries. It reads a shapefile, GeoJSON file, GeoPackage or GeoParquet into rows of staged.boundary; options name
// the attributes.
package boundaries

import (
	"context"
	"slices"
	"strings"

	"quartier/ingest/formats/vector"
	"quartier/ingest/source"
	"quartier/schemas"
	"quartier/schemas/reason"
)

var reasons reason.List

var otherLevel = reasons.Skipped("other_level", "The feature is of a kind that has no level, or of another level than the option level.")

var stateRemoved = reasons.Repaired("unknown_state_removed", "The code of the state or province is not known and was removed.")

// kind has beside a declaration the number of features that a file says.
type kind struct{ source.Declaration[settings] }

// Rows implements source.Counted.
func (k kind) Rows(ctx context.Context, in source.Input) int64 {
	o, err := k.Settings(in)
	if err != nil {
		return 0
	}
	return o.file(in).Rows(ctx)
}

// Kind is the source kind "boundaries".
var Kind = kind{vector.Kind(source.Declaration[settings]{
	Kind:  "boundaries",
	Title: "Outlines of levels 10 to 70 from vector files",
	Formats: []string{"ESRI shapefile (.shp with .dbf, .prj and .cpg), plain or in a .zip",
		"GeoJSON: a feature collection, or a feature a line", "GeoPackage", "GeoParquet, a file or a folder of .parquet files",
		"areas of divisions of Overture Maps (theme=divisions/type=division_area), as GeoParquet or GeoJSON",
		"TIGER/Line and cartographic boundary files of the US Census Bureau", "boundary files of Statistics Canada"},
	Yields: []string{"boundary", "further_name"},
	Own:    &reasons,
	Reasons: []reason.Reason{source.MissingGeometry, source.MissingKey, source.PopulationRemoved, source.OtherCountry,
		source.ZeroArea, source.UnrepairableGeometry, source.InvalidGeometryRepaired},
	Notes: "Coordinates are converted to WGS 84 by PROJ from the reference system of the .prj, crs member or GeoPackage; a shapefile " +
		"without .prj needs the option crs. " +
		"Invalid polygons are repaired and counted. In place of an attribute, @id is the feature's own id and @row its number in the file. " +
		"Keys of Statistics Canada's places do not have the vintage of a DGUID, so that a place keeps its key from one census to the next. " +
		"Layouts and the levels that they make: " + layoutLevels() + ".",
	Options: Options{},
	Decode:  options,
}, vector.Features[settings]{
	File: (*settings).file,
	Name: func(o *settings, f vector.Feature) string {
		name, _ := o.names(f)
		return name
	},
	Stage: run,
})}

func run(ctx context.Context, r vector.Run[settings]) (err error) {
	s := &stage{options: *r.Options, out: r.Out}
	if s.options.Merge || s.options.Dissolve {
		if s.parts, err = newParts(r.Out); err != nil {
			return err
		}
		defer s.parts.kernel.Close()
	}
	if err = r.Each(s.feature); err != nil || s.parts == nil {
		return err
	}
	return s.parts.stage(ctx)
}

// stage is one run of the kind.
type stage struct {
	options settings
	out     source.Sink
	parts   *boundaryParts // with merge or dissolve
}

// feature stages a feature, or keeps it until all are read.
func (s *stage) feature(f vector.Feature) (why reason.Reason, err error) {
	if why := s.skip(f); !why.OK() {
		return why, nil
	}
	b, why := s.options.row(f, s.out)
	switch {
	case !why.OK():
		return why, nil
	case s.parts != nil:
		return why, s.parts.add(b, f.Where(b.NameEN))
	}
	return why, s.out.Row(b)
}

// skip returns why a feature that the options of the file select is not read; the zero Reason where it is.
func (s *stage) skip(f vector.Feature) reason.Reason {
	switch o := s.options; {
	case o.CountryFrom != "" && !slices.Contains(schemas.Countries, strings.ToUpper(f.Value(o.CountryFrom))):
		return source.OtherCountry
	case o.level(f) == 0:
		return otherLevel.With(f.Text(o.LevelFrom, ""))
	}
	return reason.Reason{}
}
