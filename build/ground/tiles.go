package ground

import (
	"context"
	"math"

	"github.com/paulmach/orb"
)

// Sides of tiles in degrees: of those into which a state is cut first, of the grid, and of the smallest ones.
const (
	firstTile    = 8.0
	largestTile  = 1.0
	smallestTile = 1.0 / 16
)

// tile is the ground in a square, which is given by its south-western corner.
type tile struct {
	ground orb.MultiPolygon
	corner orb.Point
	side   float64 // degrees
}

// grid divides an outline into the tiles of the grid: into squares of firstTile, these into four, and so on.
func (d *divider) grid(ctx context.Context, outline orb.MultiPolygon) (tiles []tile, err error) {
	bound := outline.Bound()
	first := func(v float64) float64 { return math.Floor(v/firstTile) * firstTile }
	for lng := first(bound.Min[0]); lng < bound.Max[0]; lng += firstTile {
		for lat := first(bound.Min[1]); lat < bound.Max[1]; lat += firstTile {
			if tiles, err = d.split(ctx, tiles, outline, orb.Point{lng, lat}, firstTile); err != nil {
				return nil, err
			}
		}
	}
	return tiles, nil
}

// split appends the tiles of the grid that are in a square.
func (d *divider) split(ctx context.Context, tiles []tile, around orb.MultiPolygon, corner orb.Point, side float64) ([]tile, error) {
	t, err := d.cut(around, corner, side)
	if err == nil {
		err = ctx.Err()
	}
	if err != nil || len(t.ground) == 0 {
		return tiles, err
	}
	if side <= largestTile {
		return append(tiles, t), nil
	}
	for _, quarter := range t.quarters() {
		if tiles, err = d.split(ctx, tiles, t.ground, quarter, side/2); err != nil {
			return nil, err
		}
	}
	return tiles, nil
}

// cut is the ground in a square.
func (d *divider) cut(around orb.MultiPolygon, corner orb.Point, side float64) (tile, error) {
	box := orb.Bound{Min: corner, Max: orb.Point{corner[0] + side, corner[1] + side}}
	if bound := around.Bound(); box.Contains(bound.Min) && box.Contains(bound.Max) {
		return tile{around, corner, side}, nil
	}
	ground, err := d.kernel.Intersection(around, orb.MultiPolygon{box.ToPolygon()})
	return tile{ground, corner, side}, err
}

// quarters are the corners of the four squares of a tile.
func (t *tile) quarters() [4]orb.Point {
	west, south, half := t.corner[0], t.corner[1], t.side/2
	return [4]orb.Point{{west, south}, {west + half, south}, {west, south + half}, {west + half, south + half}}
}
