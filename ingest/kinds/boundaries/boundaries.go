// Package boundaries is the kind for outlines of neighbourhoods, municipalities, postal areas, counties, metros, states
// and countries from shapefiles, GeoJSON and GeoPackage. In goes one file with options that say which attribute is
// what; out come rows of staged.boundary.
package boundaries

import (
	"context"
	"slices"
	"strings"

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
		Yields:  []string{"boundary"},
		Options: Options{},
		Reasons: slices.Concat(reasons, vector.Reasons(), []reason.Reason{source.MissingGeometry, source.OutsideNorthAmerica, source.MissingKey, source.PopulationRemoved,
			source.ZeroArea, source.UnrepairableGeometry, source.InvalidGeometryRepaired}),
		Notes: "Coordinates are brought to WGS 84 by PROJ from whatever the .prj, crs member or GeoPackage says; a shapefile without .prj needs crs:. " +
			"Polygons that cross themselves are mended and counted as repaired. Wherever an attribute is named, @id is the feature's own id and @row its place in the file. " +
			"Statistics Canada's places are keyed without the vintage of a DGUID, so that they keep their key from one census to the next. Layouts: " + strings.Join(layoutNames(), ", ") + ".",
	}
}

// Stage reads the file.
func (Kind) Stage(ctx context.Context, in source.Input, out source.Sink) error {
	o, err := options(in)
	if err != nil {
		return err
	}
	layer, err := vector.Open(in.Path, vector.Options{Layer: o.Layer, CRS: o.CRS, Encoding: o.Encoding})
	if err != nil {
		return err
	}
	defer layer.Close()
	selection := vector.Selection{Where: o.Where, Unless: o.Unless, BBox: o.BBox, BBoxCentre: o.BBoxCentre}
	s := &stage{options: o, selection: selection, out: out, layer: layer}
	if o.Merge || o.Dissolve {
		if s.parts, err = newParts(out); err != nil {
			return err
		}
		defer s.parts.close()
	}
	return s.run(ctx)
}

// stage is one run of the kind.
type stage struct {
	options     settings
	selection   vector.Selection
	out         source.Sink
	layer       *vector.Layer
	read, asked int    // features of the file, and those that the options ask for
	parts       *parts // with merge or dissolve
}

func (s *stage) run(ctx context.Context) error {
	if s.layer.FieldsKnown {
		if err := s.layer.Lacking(s.options.wanted()...); err != nil {
			return err
		}
	}
	if err := s.layer.Read(ctx, s.feature); err != nil {
		return err
	}
	if s.read == 0 {
		return s.layer.Bad("there are no features in it")
	}
	if err := s.layer.Lacking(s.options.wanted()...); err != nil {
		return err
	}
	if s.asked == 0 {
		return s.layer.Bad("where, unless and bbox leave none of its %d features", s.read)
	}
	if s.parts != nil {
		return s.parts.stage(ctx)
	}
	return nil
}

// feature stages a feature, or keeps it until the others are read.
func (s *stage) feature(f vector.Feature) error {
	s.read++
	s.out.Read(1)
	if why := s.selection.Skip(f); !why.OK() {
		name, _ := s.options.names(f)
		s.out.Issue(why, f.Where(name))
		return nil
	}
	s.asked++
	b, ok := s.options.row(f, s.out)
	switch {
	case !ok:
		return nil
	case s.parts != nil:
		return s.parts.add(b, f.Where(b.NameEN))
	}
	return s.out.Boundary(b)
}
