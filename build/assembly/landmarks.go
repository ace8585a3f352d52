package assembly

import (
	"context"
	"fmt"

	"github.com/paulmach/orb"

	"quartier/internal/duck"
	"quartier/internal/geo"
	"quartier/internal/sqlrow"
	"quartier/schemas/derived"
)

// Landmarks visits the landmarks of all regions, by region, kind, source and key. Of one that several regions have, that of
// the first is visited.
func (a *Assembly) Landmarks(ctx context.Context, visit func(region string, l *derived.Landmark, g orb.Geometry) error) error {
	type key struct{ kind, key string }
	seen := map[key]string{}
	return a.EachRegion(func(region string, db *duck.DB) error {
		const query = "SELECT * FROM landmark ORDER BY kind, source_id, source_key"
		for l, err := range sqlrow.Select[derived.Landmark](ctx, db, query) {
			if err != nil {
				return fmt.Errorf("read landmarks: %w", err)
			}
			k := key{l.Kind, l.SourceKey}
			if first, ok := seen[k]; ok && first != region {
				continue
			}
			seen[k] = region
			g, err := geo.Geometry(l.Geom)
			if err == nil {
				err = visit(region, l, g)
			}
			if err != nil {
				return fmt.Errorf("%s %s: %w", l.Kind, l.SourceKey, err)
			}
		}
		return nil
	})
}
