package batch

import (
	"fmt"
	"io"
	"slices"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"github.com/paulmach/orb"
	"github.com/uber/h3-go/v4"

	"quartier/internal/geo"
	"quartier/serve/enrich"
)

// Limits of grids: finer ones have cells without a centre of what the release is known by.
const (
	maxH3           = 10
	maxGeohashCells = 8
	knownChars      = 7 // of the geohashes in which a release has residents or streets
	finerChars      = 8 // of their parts, for cells of H3 about as large as they are
	firstFine       = 9 // resolution of H3 from which parts are needed
)

// The columns of a grid.
const (
	cellColumn = "cell"
	latColumn  = "lat"
	lngColumn  = "lng"
)

var gridSchema = arrow.NewSchema([]arrow.Field{
	{Name: cellColumn, Type: arrow.BinaryTypes.String, Nullable: true},
	{Name: latColumn, Type: arrow.PrimitiveTypes.Float64, Nullable: true},
	{Name: lngColumn, Type: arrow.PrimitiveTypes.Float64, Nullable: true},
}, nil)

// grid is the cells of a grid in which a release has residents or streets, with their centres, as the rows of a file.
type grid struct {
	cells  []cell
	block  int // rows that Next returns
	passed int
}

type cell struct {
	name   string
	centre orb.Point
}

// newGrid has the cells of H3 with a resolution, or else those of geohashes.
func newGrid(e *enrich.Enricher, o *Options, block int) *grid {
	g := &grid{block: block}
	if o.H3 != nil {
		g.addH3(e, *o.H3)
	} else {
		e.Cells(func(name string) bool {
			g.addGeohashes(name, o.GeohashCells)
			return true
		})
	}
	return g
}

// addGeohashes adds the geohash of a length that contains a cell, unless it was added last, or those inside of it.
func (g *grid) addGeohashes(name string, chars int) {
	if chars <= len(name) {
		name = name[:chars]
		if n := len(g.cells); n > 0 && g.cells[n-1].name == name {
			return
		}
		g.cells = append(g.cells, cell{name, centreOf(name)})
		return
	}
	for _, digit := range "0123456789bcdefghjkmnpqrstuvwxyz" {
		g.addGeohashes(name+string(digit), chars)
	}
}

// centreOf is the centre of a geohash.
func centreOf(name string) orb.Point {
	box, err := geo.GeohashCell(name)
	if err != nil {
		panic(err) // made of its digits
	}
	return box.Center()
}

// addH3 adds the cells of a resolution that contain the centre of a geohash with residents or streets, by their numbers.
func (g *grid) addH3(e *enrich.Enricher, resolution int) {
	chars := knownChars
	if resolution >= firstFine {
		chars = finerChars
	}
	var all []h3.Cell
	var parts grid
	e.Cells(func(name string) bool {
		parts.cells = parts.cells[:0]
		parts.addGeohashes(name, chars)
		for _, p := range parts.cells {
			c := h3.LatLngToCell(h3.NewLatLng(p.centre[1], p.centre[0]), resolution)
			if n := len(all); n == 0 || all[n-1] != c {
				all = append(all, c)
			}
		}
		return true
	})
	slices.Sort(all)
	for _, c := range slices.Compact(all) {
		at := c.LatLng()
		g.cells = append(g.cells, cell{c.String(), orb.Point{at.Lng, at.Lat}})
	}
}

func (g *grid) Schema() *arrow.Schema { return gridSchema }
func (g *grid) Rows() int64           { return int64(len(g.cells)) }
func (g *grid) Close() error          { return nil }

func (g *grid) Share() float64 {
	if len(g.cells) == 0 {
		return 1
	}
	return float64(g.passed) / float64(len(g.cells))
}

func (g *grid) Next() (arrow.Record, error) {
	rows := g.cells[g.passed:min(g.passed+g.block, len(g.cells))]
	if len(rows) == 0 {
		return nil, io.EOF
	}
	g.passed += len(rows)
	b := array.NewRecordBuilder(memory.DefaultAllocator, gridSchema)
	defer b.Release()
	for _, c := range rows {
		b.Field(0).(*array.StringBuilder).Append(c.name)
		b.Field(1).(*array.Float64Builder).Append(c.centre[1])
		b.Field(2).(*array.Float64Builder).Append(c.centre[0])
	}
	return b.NewRecord(), nil
}

// gridName is the grid that takes the place of an input; "" if there is none.
func (o *Options) gridName() string {
	switch {
	case o.H3 != nil:
		return fmt.Sprintf("cells of H3 of resolution %d", *o.H3)
	case o.GeohashCells > 0:
		return fmt.Sprintf("geohashes of %d characters", o.GeohashCells)
	}
	return ""
}

// checkGrid checks the options of a grid.
func (o *Options) checkGrid() error {
	switch {
	case o.In != "" || o.H3 != nil && o.GeohashCells > 0:
		return fmt.Errorf("%w: give one of --in, --h3 and --geohash-cells", ErrInput)
	case o.H3 != nil && (*o.H3 < 0 || *o.H3 > maxH3):
		return fmt.Errorf("%w: a resolution of H3 is from 0 to %d", ErrInput, maxH3)
	case o.H3 == nil && o.GeohashCells > maxGeohashCells:
		return fmt.Errorf("%w: geohashes have 1 to %d characters", ErrInput, maxGeohashCells)
	case o.Lat != "" || o.Lng != "" || o.Geometry != "" || o.Geohash != "" || o.Polygons != "":
		return fmt.Errorf("%w: the points of a grid are the centres of its cells", ErrInput)
	}
	return nil
}
