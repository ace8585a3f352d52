package land

import (
	"context"
	"fmt"
	"math"

	"github.com/paulmach/orb"

	"quartier/internal/duck"
	"quartier/internal/parallel"
	"quartier/internal/rating"
	"quartier/internal/sqlrow"
	"quartier/schemas"
	"quartier/schemas/calibration"
	"quartier/schemas/staged"
	"quartier/transform/measures/measure"
	"quartier/transform/measures/raster"
	"quartier/transform/network/channel"
)

// coverGreen sets Quantities.Green to the green share of the land by rasters of land cover, at the nodes where these know
// most of the land around. Where rasters overlap, the first source with a class counts.
func coverGreen(ctx context.Context, r *measure.Region) error {
	g, nodes := &r.Calibration.Land.Green, r.Network.Walk.Nodes
	classes := raster.NewClasses(nodes, r.Calibration.Land.CellM, g.RadiusM)
	tiles, err := sampleCover(ctx, r.Staged, classes)
	if err != nil || tiles == 0 {
		return err
	}
	layers := classes.Layers(eachCoverClass()...)
	if r.Quantities.Green == nil {
		r.Quantities.Green = channel.Absent(len(nodes))
	}
	green := greenOf(g)
	return parallel.Nodes(ctx, len(nodes), func(lo, hi int) {
		counts := make([]int, len(schemas.CoverClasses))
		for node := lo; node < hi; node++ {
			clear(counts)
			cells := layers.Disc(nodes[node].Orb(), g.RadiusM, counts)
			if share := rating.CoverShare(g, green, counts, cells); !math.IsNaN(share) {
				r.Quantities.Green[node] = float32(share)
			}
		}
	})
}

// eachCoverClass returns a set of each class alone, in the order of schemas.CoverClasses.
func eachCoverClass() [][]uint8 {
	sets := make([][]uint8, len(schemas.CoverClasses))
	for i := range sets {
		sets[i] = []uint8{uint8(i + 1)}
	}
	return sets
}

// greenOf is the green share of each class in the order of schemas.CoverClasses, NaN of water.
func greenOf(g *calibration.Green) []float64 {
	shares := make([]float64, len(schemas.CoverClasses))
	for i, class := range schemas.CoverClasses {
		if shares[i] = g.Cover[class]; class == "water" {
			shares[i] = math.NaN()
		}
	}
	return shares
}

// sampleCover gives cells the class of the staged cell that contains their centre, and returns the number of tiles read.
func sampleCover(ctx context.Context, db *duck.DB, classes *raster.Classes) (tiles int, err error) {
	for t, err := range sqlrow.Select[staged.LandCoverTile](ctx, db, `
		SELECT t.* FROM land_cover_tile AS t JOIN source USING (source_id) ORDER BY priority, tile`) {
		if err != nil {
			return 0, fmt.Errorf("read land cover tiles: %w", err)
		}
		if len(t.Cells) != int(t.Columns)*int(t.Rows) || !(t.StepLng > 0 && t.StepLat > 0) {
			return 0, fmt.Errorf("read land cover tiles: a tile of %d by %d cells has %d bytes", t.Columns, t.Rows, len(t.Cells))
		}
		tiles++
		classes.Sample(coverBound(t), func(p orb.Point) uint8 {
			column, row := int(math.Floor((p[0]-t.West)/t.StepLng+.5)), int(math.Floor((t.North-p[1])/t.StepLat+.5))
			column, row = min(max(column, 0), int(t.Columns)-1), min(max(row, 0), int(t.Rows)-1) // rounding at the edge
			return t.Cells[row*int(t.Columns)+column]
		})
	}
	return tiles, nil
}

// coverBound is the box of the cells of a tile, to their outer edges.
func coverBound(t *staged.LandCoverTile) orb.Bound {
	west, north := t.West-t.StepLng/2, t.North+t.StepLat/2
	return orb.Bound{Min: orb.Point{west, north - float64(t.Rows)*t.StepLat}, Max: orb.Point{west + float64(t.Columns)*t.StepLng, north}}
}
