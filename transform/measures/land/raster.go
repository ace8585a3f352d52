package land

import (
	"context"
	"fmt"
	"slices"

	"github.com/paulmach/orb"

	"quartier/internal/coord"
	"quartier/internal/duck"
	"quartier/schemas/calibration"
	"quartier/transform/feature"
	"quartier/transform/measures/raster"
)

// Raster is what the land around nodes is used for or covered with, in cells.
type Raster struct {
	*raster.Classes
	precedence []string
}

// ReadRaster fills cells wherever discs of radius metres around the nodes may reach. Where areas lie on each other the
// class that stands later in Land.Precedence counts; of only some classes, only those are filled (none: all are).
// 4 KB for 2.6 km².
func ReadRaster(ctx context.Context, staged *duck.DB, nodes []coord.Point, radius float64, c *calibration.Land, only ...string) (*Raster, error) {
	g := &Raster{raster.NewClasses(nodes, c.CellM, radius), c.Precedence}
	err := feature.Each(ctx, staged, "land", func(f *feature.Feature) error {
		area, ok := f.Geometry.(orb.MultiPolygon)
		if !ok || len(only) > 0 && !slices.Contains(only, f.Class) {
			return nil
		}
		class := g.class(f.Class)
		if class == 0 {
			return fmt.Errorf("class %s of land is not in the calibration", f.Class)
		}
		g.Fill(area, class)
		return nil
	})
	return g, err
}

// class is the number of a class of land in the cells; 0 for one that there is not.
func (g *Raster) class(name string) uint8 { return uint8(slices.Index(g.precedence, name) + 1) }

// Layer makes layers of lists of classes, to be counted.
func (g *Raster) Layer(lists ...[]string) *raster.Bits {
	sets := make([][]uint8, len(lists))
	for i, list := range lists {
		for _, name := range list {
			sets[i] = append(sets[i], g.class(name))
		}
	}
	return g.Layers(sets...)
}
