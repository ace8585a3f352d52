package edges

import (
	"context"
	"math"
	"slices"

	"github.com/paulmach/orb"

	"quartier/internal/duck"
	"quartier/internal/geo"
	"quartier/internal/outline"
	"quartier/schemas/calibration"
	"quartier/transform/network/street"
)

// StreetGround is the ground within the extents of the sources of streets for cars.
type StreetGround struct {
	extents []*Extent // none: all ground
	land    Land
}

// ReadStreetGround reads the extents of the sources of some streets.
func ReadStreetGround(ctx context.Context, db *duck.DB, streets []street.Street, land Land, c *calibration.Hull) (*StreetGround, error) {
	extents, err := Read(ctx, db, c)
	if err != nil {
		return nil, err
	}
	sources := map[string]bool{}
	for i := range streets {
		if streets[i].Car != "no" {
			sources[streets[i].Source] = true
		}
	}
	return &StreetGround{extents.of(sources), land}, nil
}

// Known is the share of a disc, 0–1, that is within the extents, or on water or foreign ground: looked at in 3 rings of
// equal area and 16 directions. It is 1 on nil.
func (g *StreetGround) Known(centre orb.Point, radiusM float64) float64 {
	const rings, directions = 3, 16
	if g == nil || len(g.extents) == 0 {
		return 1
	}
	plane, known := geo.NewPlane(centre), 0
	for ring := range rings {
		r := radiusM * math.Sqrt((float64(ring)+.5)/rings)
		for i := range directions {
			sin, cos := math.Sincos(2 * math.Pi * (float64(i) + float64(ring)/rings) / directions)
			p := plane.Point(r*cos, r*sin)
			if slices.ContainsFunc(g.extents, func(e *Extent) bool { return e.Contains(p) }) || outline.At(p) == "" || !g.land(p) {
				known++
			}
		}
	}
	return float64(known) / (rings * directions)
}
