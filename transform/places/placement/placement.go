// Package placement finds sources of which nothing is on the ground of the region: files of another place, and files whose
// longitude and latitude are swapped. Input: the staged tables with a geometry.
package placement

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/encoding/wkb"

	"quartier/internal/sqlrow"
)

// ErrOutside is the error of sources of which nothing is on the ground of the region.
var ErrOutside = errors.New("nothing of the source is in the region")

// Ground is where the states and provinces of a region are.
type Ground interface {
	// Empty reports whether no state or province is known.
	Empty() bool
	// Contains reports whether a point is in a state or province.
	Contains(p orb.Point) bool
	// Touches reports whether a box touches that of a state or province.
	Touches(box orb.Bound) bool
	// Names are the codes of the states and provinces, such as US_OR.
	Names() []string
}

// The box of a row, or its outline, in queries.
const (
	pointColumns = "lng AS west, lat AS south, lng AS east, lat AS north, CAST('' AS BLOB) AS geom"
	shapeColumns = "0.0::DOUBLE AS west, 0.0::DOUBLE AS south, 0.0::DOUBLE AS east, 0.0::DOUBLE AS north, geom"
	gridColumns  = `west, north - step_lat * "rows" AS south, west + step_lng * "columns" AS east, north, CAST('' AS BLOB) AS geom`
)

// tables are the staged tables with positions.
var tables = []struct{ table, rows, columns string }{
	{"boundary", "outlines", shapeColumns},
	{"poi", "places", pointColumns},
	{"(SELECT * FROM school WHERE lng IS NOT NULL)", "schools", pointColumns},
	{"catchment", "catchments", shapeColumns},
	{"stop", "stops", pointColumns},
	{"home", "homes", pointColumns},
	{"(SELECT * FROM job WHERE lng IS NOT NULL)", "places with jobs", pointColumns},
	{"address", "addresses", pointColumns},
	{"street", "streets", shapeColumns},
	{"feature", "features", shapeColumns},
	{"block", "blocks", shapeColumns},
	{"zone", "zones", shapeColumns},
	{"elevation_tile", "elevation tiles", gridColumns},
	{"land_cover_tile", "land cover tiles", gridColumns},
}

// row is the box of a row or, if it has one, its outline.
type row struct {
	West  float64 `col:"west"`
	South float64 `col:"south"`
	East  float64 `col:"east"`
	North float64 `col:"north"`
	Geom  []byte  `col:"geom"`
}

func (r *row) box() (orb.Bound, error) {
	if len(r.Geom) == 0 {
		return orb.Bound{Min: orb.Point{r.West, r.South}, Max: orb.Point{r.East, r.North}}, nil
	}
	g, err := wkb.Unmarshal(r.Geom)
	if err != nil {
		return orb.Bound{}, err
	}
	return g.Bound(), nil
}

// Check returns an ErrOutside that names every source with rows of which none is on the ground. A point must be in a state
// or province; of anything else the bounding box must touch that of one, which finds what is far away.
func Check(ctx context.Context, staged sqlrow.Queryer, ground Ground) error {
	if ground.Empty() {
		return nil
	}
	type source struct {
		ID   string `col:"source_id"`
		Path string `col:"path"`
	}
	sources, err := sqlrow.All[source](ctx, staged, "SELECT source_id, path FROM source ORDER BY priority")
	if err != nil {
		return fmt.Errorf("read sources: %w", err)
	}
	var faults []error
	for _, s := range sources {
		c := counts{}
		for _, table := range tables {
			query := "SELECT " + table.columns + " FROM " + table.table + " WHERE source_id = ?"
			if err := c.add(ctx, staged, ground, table.rows, query, s.ID); err != nil {
				return fmt.Errorf("positions of %s of source %s: %w", table.rows, s.ID, err)
			}
		}
		if !c.inside && c.all > 0 {
			faults = append(faults, fmt.Errorf("%w: source %s, file %s: none of its %s is in %s%s",
				ErrOutside, s.ID, s.Path, strings.Join(c.rows, ", "), strings.Join(ground.Names(), ", "), c.hint()))
		}
	}
	return errors.Join(faults...)
}

// counts are the rows of a source that are not on the ground.
type counts struct {
	inside       bool // a row is
	all, swapped int  // swapped: they would be with longitude and latitude swapped
	rows         []string
}

// firstRows is the number of rows of a source that are looked at first: nearly always one of them is on the ground. The
// driver keeps the result of a query in memory.
const firstRows = " LIMIT 1000"

// add counts the rows of a query unless one is on the ground.
func (c *counts) add(ctx context.Context, staged sqlrow.Queryer, ground Ground, rows, query, id string) error {
	for _, text := range []string{query + firstRows, query} {
		if c.inside {
			return nil
		}
		n, swapped := 0, 0
		for r, err := range sqlrow.Select[row](ctx, staged, text, id) {
			if err != nil {
				return err
			}
			box, err := r.box()
			if err != nil {
				return err
			}
			if c.inside = onGround(ground, box); c.inside {
				return nil
			}
			n++
			if onGround(ground, orb.Bound{Min: orb.Point{box.Min[1], box.Min[0]}, Max: orb.Point{box.Max[1], box.Max[0]}}) {
				swapped++
			}
		}
		if n == 0 {
			return nil
		}
		if text == query {
			c.all, c.swapped = c.all+n, c.swapped+swapped
			c.rows = append(c.rows, fmt.Sprintf("%d %s", n, rows))
		}
	}
	return nil
}

func (c *counts) hint() string {
	if 2*c.swapped < c.all {
		return ""
	}
	return fmt.Sprintf("; with longitude and latitude swapped, %d would be", c.swapped)
}

func onGround(ground Ground, box orb.Bound) bool {
	if box.Min == box.Max {
		return ground.Contains(box.Min)
	}
	return ground.Touches(box)
}
