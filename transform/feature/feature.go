// Package feature reads the staged points, lines and areas that shape a place.
package feature

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/encoding/wkb"

	"quartier/internal/duck"
)

// Feature is a row of staged.feature.
type Feature struct {
	Source, Key, Class string
	Name               string  // "" where it has none
	Year               int     // 0: not known
	Size               float64 // 0: not known; see schemas.FeatureKinds for its unit
	Bridge             bool
	Geometry           orb.Geometry // orb.Point, orb.LineString or orb.MultiPolygon, as the kind has it
}

// Each visits the features of a kind in a fixed order: by priority of their source, then by key. Of two sources that
// tell the same key the first one counts.
func Each(ctx context.Context, staged *duck.DB, kind string, visit func(*Feature) error) error {
	rows, err := staged.QueryContext(ctx, `
		SELECT source_id, source_key, class, coalesce(name, ''), coalesce(year, 0), coalesce(size, 0), bridge, geom
		FROM feature JOIN source USING (source_id)
		WHERE feature.kind = ?
		QUALIFY row_number() OVER (PARTITION BY source_key ORDER BY priority) = 1
		ORDER BY priority, source_key`, kind)
	if err != nil {
		return fmt.Errorf("read features of kind %s: %w", kind, err)
	}
	defer rows.Close()
	for rows.Next() {
		var f Feature
		var geom sql.RawBytes
		if err := rows.Scan(&f.Source, &f.Key, &f.Class, &f.Name, &f.Year, &f.Size, &f.Bridge, &geom); err != nil {
			return fmt.Errorf("read features of kind %s: %w", kind, err)
		}
		if f.Geometry, err = wkb.Unmarshal(geom); err != nil {
			return fmt.Errorf("read %s %s: %w", kind, f.Key, err)
		}
		if err := visit(&f); err != nil {
			return fmt.Errorf("%s %s: %w", kind, f.Key, err)
		}
	}
	return rows.Err()
}
