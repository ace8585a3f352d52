package boundaries

import (
	"errors"

	"github.com/paulmach/orb"

	"quartier/ingest/source"
	"quartier/internal/spatialite"
)

// join is the union of the parts of a boundary. Parts that cannot be mended are passed on, for the sink to reject the
// boundary.
func join(kernel *spatialite.Kernel, b source.Boundary) (orb.MultiPolygon, error) {
	var parts orb.MultiPolygon
	for _, part := range b.Geometry {
		valid, _, err := kernel.MakeValid(orb.MultiPolygon{part})
		switch {
		case errors.Is(err, spatialite.ErrHopeless):
			continue
		case errors.Is(err, spatialite.ErrNotFinite), errors.Is(err, spatialite.ErrUnmendable):
			return b.Geometry, nil
		case err != nil:
			return nil, err
		}
		parts = append(parts, valid...)
	}
	return kernel.Union(parts)
}
