// Package feature reads the staged points, lines and areas that shape a place without being a destination: water, rails,
// land use, trees, buildings.
package feature

import (
	"context"
	"fmt"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/encoding/wkb"

	"quartier/internal/coord"
	"quartier/internal/duck"
	"quartier/internal/sqlrow"
	"quartier/schemas/staged"
)

// Feature is a row of staged.feature.
type Feature struct {
	Source, Key, Class string
	Year               int     // 0 if missing
	Size               float64 // 0 if missing; schemas.FeatureKinds has its unit
	Bridge             bool
	Geometry           orb.Geometry // orb.Point, orb.LineString or orb.MultiPolygon, depending on the kind
}

// Each visits the features of a kind in a fixed order: by priority of their source, then by key. If several sources have
// the same key, only the feature of the first source is visited.
func Each(ctx context.Context, db *duck.DB, kind string, visit func(*Feature) error) error {
	for row, err := range sqlrow.Select[staged.Feature](ctx, db, `
		SELECT feature.* FROM feature JOIN source USING (source_id)
		WHERE feature.kind = ?
		QUALIFY row_number() OVER (PARTITION BY source_key ORDER BY priority) = 1
		ORDER BY priority, source_key`, kind) {
		if err != nil {
			return fmt.Errorf("read features of kind %s: %w", kind, err)
		}
		f := Feature{Source: row.SourceID, Key: row.SourceKey, Class: row.Class, Year: int(row.Year), Bridge: row.Bridge}
		if row.Size != nil {
			f.Size = *row.Size
		}
		if f.Geometry, err = wkb.Unmarshal(row.Geom); err != nil {
			return fmt.Errorf("read %s %s: %w", kind, f.Key, err)
		}
		if err := visit(&f); err != nil {
			return fmt.Errorf("%s %s: %w", kind, f.Key, err)
		}
	}
	return nil
}

// Shapes visits those features of a kind whose geometry is of type G, in the order of Each.
func Shapes[G orb.Geometry](ctx context.Context, db *duck.DB, kind string, visit func(f *Feature, shape G)) error {
	return Each(ctx, db, kind, func(f *Feature) error {
		if shape, ok := f.Geometry.(G); ok {
			visit(f, shape)
		}
		return nil
	})
}

// Points returns the positions of the features of a kind and class, in the order of Each.
func Points(ctx context.Context, db *duck.DB, kind, class string) (points []coord.Point, err error) {
	err = Shapes(ctx, db, kind, func(f *Feature, p orb.Point) {
		if at, ok := coord.NewPoint(p[0], p[1]); ok && f.Class == class {
			points = append(points, at)
		}
	})
	return points, err
}
