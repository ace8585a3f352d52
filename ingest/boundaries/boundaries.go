// Package boundaries is the kind for outlines of neighbourhoods, municipalities, postal areas, counties, metros, states
// and countries from shapefiles, GeoJSON and GeoPackage. In goes one file with options that say which attribute is
// what; out come rows of staged.boundary.
package boundaries

import (
	"context"
	"fmt"
	"strings"

	"quartier/ingest/source"
	"quartier/ingest/vector"
	"quartier/internal/spatialite"
)

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
		Notes: "Coordinates are brought to WGS 84 by PROJ from whatever the .prj, crs member or GeoPackage says; a shapefile without .prj needs crs:. " +
			"Polygons that cross themselves are mended and counted as repaired. Layouts: " + strings.Join(layoutNames(), ", ") + ".",
	}
}

// Stage reads the file.
func (Kind) Stage(ctx context.Context, in source.Input, out source.Sink) error {
	o, err := options(in)
	if err != nil {
		return err
	}
	var explicit Options
	if err := in.Decode(&explicit); err != nil {
		return err
	}
	layer, err := vector.Open(in.Path, vector.Options{Layer: o.Layer, CRS: o.CRS, Encoding: o.Encoding})
	if err != nil {
		return err
	}
	defer layer.Close()
	if layer.FieldsKnown {
		if err := o.complain(explicit, layer); err != nil {
			return err
		}
	}
	s := &stage{options: o, out: out}
	if err := layer.Read(ctx, s.feature); err != nil {
		return err
	}
	if s.read == 0 {
		return layer.Bad("there are no features in it")
	}
	if err := o.complain(explicit, layer); err != nil {
		return err
	}
	if s.kept == 0 && s.asked == 0 {
		return layer.Bad("where, unless and bbox leave none of its %d features", s.read)
	}
	return s.finish()
}

// complain names the columns that are missing.
func (o Options) complain(explicit Options, layer *vector.Layer) error {
	missing := o.missing(explicit, layer.Fields)
	if len(missing) == 0 {
		return nil
	}
	there := "it has none"
	if len(layer.Fields) > 0 {
		there = "there are: " + strings.Join(layer.Fields, ", ")
	}
	return layer.Bad("no column %s; %s", strings.Join(missing, ", nor "), there)
}

// stage is one run of the kind.
type stage struct {
	options           Options
	out               source.Sink
	read, asked, kept int
	gathered          []source.Boundary // with merge or dissolve: the boundaries so far
	place             map[string]int    // of a key in gathered
}

// feature stages a feature, or keeps it until the others are read.
func (s *stage) feature(f vector.Feature) error {
	s.read++
	s.out.Read(1)
	if s.options.leftOut(f) == "" {
		s.asked++
	}
	b, ok := s.options.row(f, s.out)
	if !ok {
		return nil
	}
	s.kept++
	if !s.options.Merge && !s.options.Dissolve {
		return s.out.Boundary(b)
	}
	s.gather(b)
	return nil
}

// gather adds the parts of a boundary to those with the same key. People are added up; what differs between the parts
// is left open.
func (s *stage) gather(b source.Boundary) {
	if s.place == nil {
		s.place = map[string]int{}
	}
	i, known := s.place[b.Key]
	if !known {
		s.place[b.Key] = len(s.gathered)
		s.gathered = append(s.gathered, b)
		return
	}
	whole := &s.gathered[i]
	whole.Geometry = append(whole.Geometry, b.Geometry...)
	if whole.State != b.State {
		whole.State = ""
	}
	if whole.Country != b.Country {
		whole.Country = ""
	}
	switch {
	case whole.Population == nil || b.Population == nil:
		whole.Population = nil
	default:
		people := *whole.Population + *b.Population
		whole.Population = &people
	}
}

// finish joins and stages what was gathered, in the order in which the keys came.
func (s *stage) finish() error {
	if len(s.gathered) == 0 {
		return nil
	}
	kernel, err := spatialite.NewKernel()
	if err != nil {
		return err
	}
	defer kernel.Close()
	for _, b := range s.gathered {
		if b.Geometry, err = join(kernel, b); err != nil {
			return fmt.Errorf("join the parts of %s: %w", b.Key, err)
		}
		if err := s.out.Boundary(b); err != nil {
			return err
		}
	}
	return nil
}
