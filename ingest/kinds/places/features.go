package places

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/paulmach/orb"

	"quartier/ingest/formats/geojson"
	"quartier/ingest/formats/table"
	"quartier/ingest/source"
	"quartier/internal/spatialite"
	"quartier/schemas/reason"
)

// features stages a GeoJSON file.
func (s *stager) features(ctx context.Context, path string, r io.Reader) error {
	reader := geojson.NewReader(r, s.mapping.limits)
	known := s.mapping.options.CRS != ""
	err := reader.Each(ctx, filepath.Base(path), s.out, func(f geojson.Feature, where string) error {
		if !known { // the reference system is known before the first feature
			known = true
			if err := s.projectFile(reader.CRS); err != nil {
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

// projectFile sets the reference system of the file.
func (s *stager) projectFile(crs string) error {
	err := s.project(crs)
	if errors.Is(err, spatialite.ErrCRS) {
		err = fmt.Errorf("%w: %w", source.ErrBadFile, err)
	}
	return err
}

// idColumn is the name of the feature's id in the options.
const idColumn = "@id"

func (s *stager) feature(ctx context.Context, f geojson.Feature, where string) error {
	properties, err := values(f)
	if err != nil {
		s.out.Issue(source.MalformedProperties, where)
		return nil
	}
	value := func(column string) string { return properties[column] }
	row := pending{where: where}
	var why reason.Reason
	detail := ""
	if row.poi, why = s.mapping.poi(value); why.OK() {
		why, detail = s.place(&row, f.Geometry, value)
	}
	if !why.OK() {
		s.out.Issue(why, where+detail)
		return nil
	}
	return s.add(ctx, row)
}

// place sets the point or area of a row: from the coordinate columns in the options, else the geometry.
func (s *stager) place(row *pending, geometry orb.Geometry, value func(string) string) (why reason.Reason, detail string) {
	if s.mapping.xy[0] != "" {
		row.poi.Point, why, detail = s.mapping.point(value,
			func(column string) (float64, bool) { return table.ParseNumber([]byte(value(column)), '.') })
		return why, detail
	}
	switch g := geometry.(type) {
	case nil:
		return source.MissingGeometry, ""
	case orb.Point:
		row.poi.Point = g
		return why, ""
	case orb.MultiPoint:
		if len(g) == 1 {
			row.poi.Point = g[0]
			return why, ""
		}
	case orb.Polygon:
		row.area = orb.MultiPolygon{g}
		return why, ""
	case orb.MultiPolygon:
		if len(g) > 0 {
			row.area = g
			return why, ""
		}
	}
	return source.WrongGeometryType, ""
}

// values returns the scalar properties as text, with the feature's id as @id.
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
