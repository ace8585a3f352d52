// Package boundaries is the kind for outlines of neighbourhoods, municipalities, postal areas, counties, metropolitan
// areas, states and countries. It reads a shapefile, GeoJSON file or GeoPackage into rows of staged.boundary; options name
// the attributes.
package boundaries

import (
	"context"
	"slices"

	"quartier/ingest/formats/vector"
	"quartier/ingest/source"
	"quartier/schemas/reason"
)

var reasons reason.List

var stateRemoved = reasons.Repaired("unknown_state_removed", "The code of the state or province is not known and was removed.")

// Kind is the source kind "boundaries".
type Kind struct{}

// Info describes the kind.
func (Kind) Info() source.Info {
	return source.Info{
		Kind:    "boundaries",
		Title:   "Outlines of levels 10 to 70 from vector files",
		Formats: []string{"ESRI shapefile (.shp with .dbf, .prj and .cpg), plain or in a .zip", "GeoJSON feature collection", "GeoPackage", "TIGER/Line and cartographic boundary files of the US Census Bureau", "boundary files of Statistics Canada"},
		Yields:  []string{"boundary", "further_name"},
		Options: Options{},
		Reasons: slices.Concat(reasons, vector.Reasons(), []reason.Reason{source.MissingGeometry, source.MissingKey, source.PopulationRemoved,
			source.ZeroArea, source.UnrepairableGeometry, source.InvalidGeometryRepaired}),
		Notes: "Coordinates are converted to WGS 84 by PROJ from the reference system of the .prj, crs member or GeoPackage; a shapefile without .prj needs the option crs. " +
			"Invalid polygons are repaired and counted. In place of an attribute, @id is the feature's own id and @row its number in the file. " +
			"Keys of Statistics Canada's places do not have the vintage of a DGUID, so that a place keeps its key from one census to the next. Layouts and the levels that they make: " + layoutLevels() + ".",
	}
}

// Check checks options, columns and values.
func (Kind) Check(ctx context.Context, in source.Input) error {
	o, err := options(in)
	return source.Join(err, vector.Check(ctx, in.Path, o.file(in.Limits), o.wanted(), o.Where))
}

// Stage reads the file.
func (Kind) Stage(ctx context.Context, in source.Input, out source.Sink) error {
	o, err := options(in)
	if err != nil {
		return err
	}
	layer, err := vector.Open(ctx, in.Path, o.file(in.Limits))
	if err != nil {
		return err
	}
	defer layer.Close()
	selection := vector.Selection{Where: o.Where, Unless: o.Unless, BBox: o.BBox, BBoxCentre: o.BBoxCentre}
	s := &stage{options: o, selection: selection, out: out}
	if o.Merge || o.Dissolve {
		if s.parts, err = newParts(out); err != nil {
			return err
		}
		defer s.parts.kernel.Close()
	}
	err = layer.Stage(ctx, out, o.wanted(), "the options where, unless and bbox select", s.feature)
	if err != nil || s.parts == nil {
		return err
	}
	return s.parts.stage(ctx)
}

// stage is one run of the kind.
type stage struct {
	options   settings
	selection vector.Selection
	out       source.Sink
	parts     *boundaryParts // with merge or dissolve
}

// feature stages a feature, or keeps it until all are read.
func (s *stage) feature(f vector.Feature) (selected bool, err error) {
	if why := s.selection.Skip(f); !why.OK() {
		name, _ := s.options.names(f)
		s.out.Issue(why, f.Where(name))
		return false, nil
	}
	b, ok := s.options.row(f, s.out)
	switch {
	case !ok:
		return true, nil
	case s.parts != nil:
		return true, s.parts.add(b, f.Where(b.NameEN))
	}
	return true, s.out.Row(b)
}
