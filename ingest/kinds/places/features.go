package places

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/paulmach/orb"

	"quartier/ingest/formats/geojson"
	"quartier/ingest/source"
	"quartier/internal/spatialite"
)

// features stages a GeoJSON file.
func (s *stager) features(ctx context.Context, path string, r io.Reader) error {
	reader := geojson.NewReader(r)
	known := s.mapping.options.CRS != ""
	err := reader.Each(ctx, filepath.Base(path), s.out, func(f geojson.Feature, where string) error {
		if !known { // the file names its reference system before the first feature
			known = true
			if err := s.project(reader.CRS); errors.Is(err, spatialite.ErrCRS) {
				return fmt.Errorf("%w: %w", source.ErrBadFile, err)
			} else if err != nil {
				return err
			}
		}
		return s.feature(ctx, f, where)
	})
	if err != nil {
		return finish(ctx, path, err)
	}
	return s.flush(ctx)
}

// idColumn is how the mapping names the feature's own id.
const idColumn = "@id"

func (s *stager) feature(ctx context.Context, f geojson.Feature, where string) error {
	properties, err := values(f)
	if err != nil {
		s.out.Issue(source.Uncoded(source.Rejected, "properties that cannot be read"), where)
		return nil
	}
	value := func(column string) string { return properties[column] }
	row := pending{where: where}
	var fault *fault
	if row.poi, fault = s.mapping.poi(value); fault == nil {
		fault = s.place(&row, f.Geometry, value)
	}
	if fault != nil {
		s.out.Issue(source.Uncoded(fault.severity, fault.reason), where)
		return nil
	}
	return s.add(ctx, row)
}

// place takes the columns of coordinates if the options name some, else the geometry.
func (s *stager) place(row *pending, geometry orb.Geometry, value func(string) string) (f *fault) {
	if s.mapping.options.Lng != "" || s.mapping.options.X != "" {
		row.poi.Point, f = s.mapping.point(value)
		return f
	}
	switch g := geometry.(type) {
	case nil:
		return &fault{source.Rejected, "no coordinates"}
	case orb.Point:
		row.poi.Point = g
		return nil
	case orb.MultiPoint:
		if len(g) == 1 {
			row.poi.Point = g[0]
			return nil
		}
	case orb.Polygon:
		row.area = orb.MultiPolygon{g}
		return nil
	case orb.MultiPolygon:
		if len(g) > 0 {
			row.area = g
			return nil
		}
	}
	return &fault{source.Rejected, "geometry is neither a point nor an area"}
}

// values are the scalar properties as text, with the feature's id as @id.
func values(f geojson.Feature) (map[string]string, error) {
	properties, err := f.Values()
	texts := map[string]string{}
	for name, value := range properties {
		texts[name] = geojson.Text(value)
	}
	if f.ID != "" {
		texts[idColumn] = f.ID
	}
	return texts, err
}
