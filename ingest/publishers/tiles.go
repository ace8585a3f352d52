package publishers

import (
	"fmt"
	"math"

	"github.com/paulmach/orb"
)

// TileRule says how a raster of the world is cut and how its tiles are named.
type TileRule struct {
	Degrees float64                      // side of a tile
	Name    func(west, south int) string // of a tile by its south-west corner, in degrees
}

// Tiles are the rules of names: north-west-1 is that of the US Geological Survey, whose tiles of a degree are named by their
// north-west corner (42.5 N 122.3 W is in n43w123); south-west-3 that of WorldCover, whose tiles of three degrees are named by
// their south-west corner (45.42 N 75.70 W is in N45W078).
var Tiles = map[string]TileRule{
	"north-west-1": {1, func(west, south int) string { return fmt.Sprintf("n%02dw%03d", south+1, -west) }},
	"south-west-3": {3, func(west, south int) string {
		return letter(south, "N", "S", 2) + letter(west, "E", "W", 3)
	}},
}

// letter is a number of degrees after the letter of its side.
func letter(degrees int, plus, minus string, width int) string {
	if degrees < 0 {
		return fmt.Sprintf("%s%0*d", minus, width, -degrees)
	}
	return fmt.Sprintf("%s%0*d", plus, width, degrees)
}

// Tile is a tile with its name.
type Tile struct {
	Name string
	Box  orb.Bound
}

// In returns the tiles that have a part of a box, from south to north and then from west to east.
func (r TileRule) In(box orb.Bound) (list []Tile) {
	corner := func(v float64) float64 { return r.Degrees * math.Floor(v/r.Degrees) }
	for south := corner(box.Min[1]); south < box.Max[1]; south += r.Degrees {
		for west := corner(box.Min[0]); west < box.Max[0]; west += r.Degrees {
			list = append(list, Tile{r.Name(int(west), int(south)),
				orb.Bound{Min: orb.Point{west, south}, Max: orb.Point{west + r.Degrees, south + r.Degrees}}})
		}
	}
	return list
}
