package geo

import (
	"testing"

	"github.com/paulmach/orb"
	"pgregory.net/rapid"
)

// TestTilesHoldEveryPointOnce tiles a square by shifting the inner lines of a grid, and asks for points that are mostly on
// the edges and corners of the tiles.
func TestTilesHoldEveryPointOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const cells = 3
		var corners [cells + 1][cells + 1]orb.Point
		for x := range cells + 1 {
			for y := range cells + 1 {
				corners[x][y] = orb.Point{float64(x), float64(y)}
				if x%cells != 0 && y%cells != 0 {
					corners[x][y][0] += float64(rapid.IntRange(-1, 1).Draw(t, "dx")) / 4
					corners[x][y][1] += float64(rapid.IntRange(-1, 1).Draw(t, "dy")) / 4
				}
			}
		}
		var tiles []*Prepared
		for x := range cells {
			for y := range cells {
				ring := orb.Ring{corners[x][y], corners[x+1][y], corners[x+1][y+1], corners[x][y+1], corners[x][y]}
				tiles = append(tiles, Prepare(orb.MultiPolygon{{ring}}))
			}
		}
		at := rapid.IntRange(0, 8*cells-1) // eighths, without the upper edges of the square
		p := orb.Point{float64(at.Draw(t, "x")) / 8, float64(at.Draw(t, "y")) / 8}
		held := 0
		for _, tile := range tiles {
			if tile.Holds(p) {
				held++
				if !tile.Contains(p) {
					t.Fatalf("%v is held but not contained", p)
				}
			}
		}
		if held != 1 {
			t.Fatalf("%v is held by %d tiles", p, held)
		}
	})
}
