package edges

import (
	"context"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/paulmach/orb"

	"quartier/internal/duck"
	"quartier/internal/geo"
	"quartier/internal/sqlrow"
	"quartier/schemas/calibration"
)

// contents is where a source has something.
type contents struct {
	cells  cells
	size   int // of the cells: 1 is the smallest, a power of two
	points int
	lines  bool // some are lines, which cover the ground
}

// cells are what is in each square of a grid.
type cells map[[2]int]content

// content is the number of points in a cell, and their box.
type content struct {
	points int
	box    orb.Bound
}

// Limits of the implementation: the smallest cells, in degrees, about a quarter of a kilometre; and the number of cells from
// which they are merged, so that a country takes no more memory than a state.
const (
	cellLat  = 0.00225
	cellLng  = 0.003125
	maxCells = 1 << 20
)

func (c *contents) add(p orb.Point) {
	c.addCell(int(math.Floor(p[0]/cellLng)), int(math.Floor(p[1]/cellLat)), content{1, p.Bound()})
}

// addCell adds what is in a cell of the smallest size.
func (c *contents) addCell(x, y int, in content) {
	larger := bits.TrailingZeros(uint(c.size))
	c.cells.add([2]int{x >> larger, y >> larger}, in)
	c.points += in.points
	if len(c.cells) > maxCells {
		c.cells, c.size = c.cells.merged(), 2*c.size
	}
}

func (c cells) add(cell [2]int, more content) {
	if known, seen := c[cell]; seen {
		more = content{more.points + known.points, more.box.Union(known.box)}
	}
	c[cell] = more
}

// merged are cells of twice the width and height.
func (c cells) merged() cells {
	larger := cells{}
	for cell, in := range c {
		larger.add([2]int{cell[0] >> 1, cell[1] >> 1}, in)
	}
	return larger
}

// readContents reads where the sources have streets, places, schools and stops.
func readContents(ctx context.Context, db *duck.DB) (map[string]*contents, error) {
	found := map[string]*contents{}
	of := finder(found)
	type line struct {
		SourceID string `col:"source_id"`
		Geom     []byte `col:"geom"`
	}
	for row, err := range sqlrow.Select[line](ctx, db, "SELECT source_id, geom FROM street") {
		if err != nil {
			return nil, fmt.Errorf("read extents of streets: %w", err)
		}
		points, err := geo.LineString(row.Geom)
		if err != nil {
			return nil, fmt.Errorf("read extents of streets: %w", err)
		}
		c := of(row.SourceID)
		c.lines = true
		for _, p := range points {
			c.add(p)
		}
	}
	return found, addPoints(ctx, db, of, `SELECT source_id, lng, lat FROM poi
		UNION ALL SELECT source_id, lng, lat FROM school WHERE lng IS NOT NULL UNION ALL SELECT source_id, lng, lat FROM stop`)
}

// finder returns the contents of a source, new ones if there are none.
func finder(found map[string]*contents) func(source string) *contents {
	return func(source string) *contents {
		c := found[source]
		if c == nil {
			c = &contents{cells: cells{}, size: 1}
			found[source] = c
		}
		return c
	}
}

// addPoints adds the points of a query to the contents of their sources. The database counts them by cells, of which there are few.
func addPoints(ctx context.Context, db *duck.DB, of func(source string) *contents, query string) error {
	type row struct {
		SourceID string  `col:"source_id"`
		X        int64   `col:"x"`
		Y        int64   `col:"y"`
		Points   int64   `col:"points"`
		West     float64 `col:"west"`
		South    float64 `col:"south"`
		East     float64 `col:"east"`
		North    float64 `col:"north"`
	}
	counted := "SELECT source_id, floor(lng / ?)::BIGINT AS x, floor(lat / ?)::BIGINT AS y, count(*) AS points, " +
		"min(lng) AS west, min(lat) AS south, max(lng) AS east, max(lat) AS north FROM (" + query + ") GROUP BY source_id, x, y"
	for r, err := range sqlrow.Select[row](ctx, db, counted, cellLng, cellLat) {
		if err != nil {
			return fmt.Errorf("read extents of places: %w", err)
		}
		box := orb.Bound{Min: orb.Point{r.West, r.South}, Max: orb.Point{r.East, r.North}}
		of(r.SourceID).addCell(int(r.X), int(r.Y), content{int(r.Points), box})
	}
	return nil
}

// outline is the hull of the cells in which the source is dense, wider by the distance at which its points lie apart: the
// next one is as likely to be missing as not to exist.
//
// For example, 33 libraries in a hull of 2,700 km² are 9 km apart, and the streets of a city have a vertex every 60 m.
func (c *contents) outline(h *calibration.Hull) orb.MultiPolygon {
	where := c.cells
	if c.lines {
		where = c.cells.dense(h)
	}
	var hull geo.Hull
	for _, in := range where {
		for _, p := range in.box.ToRing()[:4] {
			hull.Add(p)
		}
	}
	ring := hull.Ring()
	if ring == nil {
		return nil
	}
	apart := min(math.Sqrt(geo.Area(orb.MultiPolygon{{ring}})/float64(c.points)), h.MostApartM)
	var wide geo.Hull
	for _, p := range ring {
		plane := geo.NewPlane(p)
		for i := range 8 {
			sin, cos := math.Sincos(float64(i) * math.Pi / 4)
			wide.Add(plane.Point(apart*cos, apart*sin))
		}
	}
	return orb.MultiPolygon{{wide.Ring()}}
}

// dense are the cells where a source of lines is dense: where lines merely leave the ground that was extracted, fewer cells
// have something, and less than inside. They are as small as they can be if most are to be dense, a quarter of a kilometre
// in a city and two in the country; if that is not so with cells of eight, all count.
func (c cells) dense(h *calibration.Hull) cells {
	size := c
	for range 6 {
		found := cells{}
		for cell, in := range size {
			around := size.around(cell)
			if n := len(around); n >= h.DenseCells && float64(in.points) >= h.DenseShare*float64(around[n/2]) {
				found[cell] = in
			}
		}
		if 2*len(found) >= len(size) {
			return found
		}
		size = size.merged()
	}
	return c
}

// around are the points of the 25 cells around a cell that have some, in ascending order.
func (c cells) around(cell [2]int) (points []int) {
	for dx := -2; dx <= 2; dx++ {
		for dy := -2; dy <= 2; dy++ {
			if in, has := c[[2]int{cell[0] + dx, cell[1] + dy}]; has {
				points = append(points, in.points)
			}
		}
	}
	slices.Sort(points)
	return points
}
