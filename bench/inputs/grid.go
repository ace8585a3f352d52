// Package inputs writes generated inputs of measurements: texts about places, and squares over which listings are.
package inputs

import (
	"fmt"
	"math"
	"os"
	"path/filepath"

	"github.com/paulmach/orb"

	"quartier/bench/fail"
	"quartier/fixtures/resofile"
	"quartier/internal/pack"
	"quartier/internal/pack/geographies"
	"quartier/schemas"
)

// The squares over which generated listings are: a state of gridSide degrees, divided by each level into squares of its own.
const (
	gridWest, gridSouth, gridSide = -80.0, 40.0, 10.0
	gridGeographies               = 100_000
)

// gridLevels are the levels with the squares along a side, of gridGeographies in all.
var gridLevels = map[schemas.Level]int{schemas.Neighbourhood: 240, schemas.PostalArea: 160, schemas.Municipality: 120, schemas.County: 40,
	schemas.Metro: 20}

// GridSpot is where listings are, over nearly the whole state.
var GridSpot = resofile.Spot{Lng: gridWest + gridSide/2, Lat: gridSouth + gridSide/2, State: "VT"}

// GridSpread is how far from GridSpot listings are, in degrees.
const GridSpread = gridSide / 2.001

// Grid writes what quartier market needs of a release with about so many geographies: geographies.pack, and the manifest
// of another release.
func Grid(dir, manifestOf string, count int) {
	fail.Check(os.MkdirAll(dir, 0o755))
	fail.Check(os.WriteFile(filepath.Join(dir, schemas.ManifestFile), fail.Must(os.ReadFile(filepath.Join(manifestOf, schemas.ManifestFile))),
		0o644))
	w := fail.Must(geographies.NewWriter(dir))
	defer w.Close()
	add := func(level schemas.Level, side, column, row int) {
		width := gridSide / float64(side)
		west, south := gridWest+float64(column)*width, gridSouth+float64(row)*width
		box := orb.Bound{Min: orb.Point{west, south}, Max: orb.Point{west + width, south + width}}
		name := schemas.Text{EN: fmt.Sprintf("Square %d %d of level %d", column, row, level)}
		name.FR = name.EN
		fail.Check(w.Add(&geographies.Record{ID: fmt.Sprintf("g%d_%010d", level, row*side+column), Level: level, Name: name, CountryCode: "US",
			StateCodes: []string{"US_VT"}, AreaM2: 1e10 * width * width, BBox: box, Centroid: box.Center(),
			Geometry: orb.MultiPolygon{box.ToPolygon()}}))
	}
	add(schemas.State, 1, 0, 0)
	for level, side := range gridLevels {
		side = max(int(math.Round(float64(side)*math.Sqrt(float64(count)/gridGeographies))), 1)
		for n := range side * side {
			add(level, side, n%side, n/side)
		}
	}
	out := fail.Must(pack.Create(filepath.Join(dir, schemas.GeographiesPack)))
	fail.Check(w.Finish(out))
	fail.Check(out.Close())
}
