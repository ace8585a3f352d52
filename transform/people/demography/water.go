package demography

import (
	"context"
	"fmt"
	"slices"

	"github.com/paulmach/orb"

	"quartier/internal/coord"
	"quartier/internal/duck"
	"quartier/internal/geo"
	"quartier/internal/spatialite"
	"quartier/internal/sqlrow"
	"quartier/schemas/derived"
)

// minWater is the area in m² from which water is left out of the ground, and of the small areas on it.
const minWater = 10_000

// minDryM2 is the area in m² of a piece between water and the edge of an outline that is land, and not a difference between
// two outlines of one shore.
const minDryM2 = 100

// water is the known water of a region. Parts of small areas that it cuts are kept, since they are read several times.
type water struct {
	outlines []orb.MultiPolygon
	index    *coord.BoxIndex
	kernel   *spatialite.Kernel
	cut      map[string][]byte // outlines of parts without water, by key
}

// readWater reads the known water.
func (d *deriver) readWater(ctx context.Context) (err error) {
	type row struct {
		Geom []byte `col:"geom"`
	}
	var boxes []orb.Bound
	for row, err := range sqlrow.Select[row](ctx, d.staged, query("water.sql", false)) {
		var outline orb.MultiPolygon
		if err == nil {
			outline, err = geo.MultiPolygon(row.Geom)
		}
		if err != nil {
			return fmt.Errorf("read water: %w", err)
		}
		if geo.Area(outline) >= minWater {
			d.water.outlines, boxes = append(d.water.outlines, outline), append(boxes, outline.Bound())
		}
	}
	d.water.index, d.water.cut = coord.NewBoxIndex(boxes), map[string][]byte{}
	if len(boxes) > 0 {
		d.water.kernel, err = spatialite.NewKernel()
	}
	return err
}

// writeWater writes the known water.
func (d *deriver) writeWater(ctx context.Context) error {
	return duck.WriteEach(ctx, d.derived, "water", d.water.outlines, func(i int, outline orb.MultiPolygon) (derived.Water, error) {
		geom, err := geo.WKB(outline)
		return derived.Water{Water: int32(i), Geom: geom}, err
	})
}

// dry is the outline of a part of a small area without water, on which nobody lives; the outline itself where no water cuts
// it, or all of it is water.
func (w *water) dry(key string, geom []byte) ([]byte, error) {
	if known, ok := w.cut[key]; ok {
		return known, nil
	}
	if len(w.outlines) == 0 {
		return geom, nil
	}
	outline, err := geo.MultiPolygon(geom)
	if err != nil {
		return nil, err
	}
	land := outline
	w.index.Search(outline.Bound(), func(i int) bool {
		land, err = w.kernel.Difference(land, w.outlines[i])
		return err == nil && len(land) > 0
	})
	land = slices.DeleteFunc(slices.Clone(land), func(p orb.Polygon) bool { return geo.Area(orb.MultiPolygon{p}) < minDryM2 })
	if err != nil || len(land) == 0 || geo.Area(outline)-geo.Area(land) < minDryM2 {
		return geom, err
	}
	w.cut[key], err = geo.WKB(land)
	return w.cut[key], err
}

func (w *water) close() {
	if w.kernel != nil {
		w.kernel.Close()
	}
}
