// Package elevation is the kind for heights of the ground: GeoTIFF on a grid of longitude and latitude, and the tiles
// of the Shuttle Radar Topography Mission. In goes a file, or a folder of them; out come rows of staged.elevation_tile.
package elevation

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/paulmach/orb"

	"quartier/ingest/source"
	"quartier/schemas/reason"
)

var reasons reason.List

var (
	assumedWGS84   = reasons.Repaired("assumed_wgs84", "The file is on NAD27 and was read as WGS 84, which is up to a hundred metres off.")
	heightsRemoved = reasons.Repaired("implausible_heights_removed", "Heights of the tile are implausible and were removed.")
	emptyTile      = reasons.Skipped("empty_tile", "The tile has no heights.")
)

// Kind is the source kind "elevation".
type Kind struct{}

// Options of an elevation source.
type Options struct {
	BBox   source.BBox `yaml:"bbox" doc:"[west, south, east, north] in degrees; tiles that do not touch it are left out"`
	NoData *float64    `yaml:"nodata" doc:"value that means that the height is not known, where the file says none or a wrong one"`
	Unit   string      `yaml:"unit" doc:"m or ft; what the file says, else m, where absent"`
}

// Info describes the kind.
func (Kind) Info() source.Info {
	return source.Info{
		Kind:  "elevation",
		Title: "Heights of the ground (GeoTIFF, SRTM)",
		Formats: []string{
			"GeoTIFF of one band on a geographic grid (EPSG:4326, 4269, 4617, 4267): strips or tiles, uncompressed, LZW, deflate, PackBits or Zstandard, predictors 1 to 3, classic or BigTIFF",
			"SRTM .hgt of one or three seconds, plain, in a .zip or .gz, named by its corner (N48W125)",
			"a folder of such files, subfolders included",
		},
		Yields:  []string{"elevation_tile"},
		Options: Options{},
		Reasons: append(slices.Clone(reasons), source.OutsideBBox),
		Notes: "A projected grid is refused: gdalwarp -t_srs EPSG:4326 -r bilinear in.tif out.tif makes it fit. " +
			"Scale and offset in the GDAL metadata of a GeoTIFF are applied to what is stored; nodata, the file's or that of the options, is compared before. " +
			"NAD83 and its Canadian realizations are taken as WGS 84 (within two metres), NAD27 too (up to a hundred metres off). " +
			fmt.Sprintf("Heights below %d m or above %d m are made unknown and counted. ", lowest, highest) +
			fmt.Sprintf("A file is cut into tiles of at most %d by %d heights; those without any are left out.", most, most),
	}
}

const (
	lowest, highest = -500, 9000 // metres
	most            = 512        // cells along a side of a tile
	metresInAFoot   = 0.3048
)

// Stage reads the file or every file of the folder.
func (Kind) Stage(ctx context.Context, in source.Input, out source.Sink) error {
	var o Options
	if err := in.Decode(&o); err != nil {
		return err
	}
	if err := o.check(); err != nil {
		return fmt.Errorf("%w of source %s: %w", source.ErrBadOptions, in.Source, err)
	}
	files, err := source.Files(in.Path, ".tif", ".tiff", ".hgt", ".zip", ".gz")
	if err != nil {
		return err
	}
	s := &stage{options: o, out: out}
	for _, path := range files {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := s.file(ctx, path); err != nil {
			return err
		}
	}
	switch {
	case s.touched == 0:
		return source.BadFile(in.Path, "bbox leaves none of its heights")
	case s.known == 0 && s.absurd > 0:
		return source.BadFile(in.Path, "all heights are below %d m or above %d m: wrong nodata or unit?", lowest, highest)
	case s.known == 0:
		return source.BadFile(in.Path, "no height is known in it")
	}
	return nil
}

func (o Options) check() error {
	if o.Unit != "" && o.Unit != "m" && o.Unit != "ft" {
		return fmt.Errorf("unit: %q is neither m nor ft", o.Unit)
	}
	return o.BBox.Check()
}

// grid is a file of heights. window reads columns × rows heights into a slice of that length, in the unit of the file,
// row by row from the north-west; NaN where not known.
type grid struct {
	west, north      float64 // centre of the north-western cell
	stepLng, stepLat float64 // > 0
	columns, rows    int
	unit             float64       // metres
	assumed          reason.Reason // what had to be assumed of the file
	window           func(column, row, columns, rows int, into []float32) error
	close            func() error
}

// open opens a file by its extension. Errors name the file.
func open(path string, nodata *float64) (*grid, error) {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".tif", ".tiff":
		return openGeoTIFF(path, nodata)
	case ".hgt", ".zip", ".gz":
		return openHGT(path, nodata)
	}
	return nil, source.BadFile(path, "extension %q is none of .tif, .tiff, .hgt, .zip, .gz", filepath.Ext(path))
}

// stage is one run of the kind.
type stage struct {
	options        Options
	out            source.Sink
	touched, known int // tiles that bbox leaves, and those of them with heights
	absurd         int // heights that cannot be
}

func (s *stage) file(ctx context.Context, path string) error {
	g, err := open(path, s.options.NoData)
	if err != nil {
		return err
	}
	defer g.close()
	switch s.options.Unit {
	case "m":
		g.unit = 1
	case "ft":
		g.unit = metresInAFoot
	}
	if !g.assumed.OK() {
		s.out.Issue(g.assumed, filepath.Base(path))
	}
	for row, r := range parts(g.rows) {
		for column, c := range parts(g.columns) {
			if err := ctx.Err(); err != nil {
				return err
			}
			where := fmt.Sprintf("%s, tile %d in row %d", filepath.Base(path), column+1, row+1)
			if err := s.tile(g, c, r, where); err != nil {
				return fmt.Errorf("%s: %w", filepath.Base(path), err)
			}
		}
	}
	return nil
}

// parts cuts a length evenly into stretches of at most 512: their beginnings and ends.
func parts(length int) [][2]int {
	n := (length + most - 1) / most
	list := make([][2]int, n)
	for i := range list {
		list[i] = [2]int{i * length / n, (i + 1) * length / n}
	}
	return list
}

// tile stages the cells of some columns and rows.
func (s *stage) tile(g *grid, columns, rows [2]int, where string) error {
	t := source.ElevationTile{
		West: g.west + float64(columns[0])*g.stepLng, North: g.north - float64(rows[0])*g.stepLat, StepLng: g.stepLng, StepLat: g.stepLat,
		Columns: columns[1] - columns[0], Rows: rows[1] - rows[0],
	}
	s.out.Read(1)
	if s.options.BBox != nil && !s.bound().Intersects(extent(t)) {
		s.out.Issue(source.OutsideBBox, where)
		return nil
	}
	s.touched++
	t.Cells = make([]float32, t.Columns*t.Rows)
	if err := g.window(columns[0], rows[0], t.Columns, t.Rows, t.Cells); err != nil {
		return err
	}
	known, absurd := clean(t.Cells, g.unit)
	if absurd > 0 {
		s.absurd += absurd
		s.out.Issue(heightsRemoved, fmt.Sprintf("%s: %d of them", where, absurd))
	}
	if known == 0 {
		s.out.Issue(emptyTile, where)
		return nil
	}
	s.known++
	return s.out.ElevationTile(t)
}

func (s *stage) bound() orb.Bound {
	b := s.options.BBox
	return orb.Bound{Min: orb.Point{b[0], b[1]}, Max: orb.Point{b[2], b[3]}}
}

// extent is the box of a tile's cells, to their outer edges.
func extent(t source.ElevationTile) orb.Bound {
	west, north := t.West-t.StepLng/2, t.North+t.StepLat/2
	return orb.Bound{Min: orb.Point{west, north - float64(t.Rows)*t.StepLat}, Max: orb.Point{west + float64(t.Columns)*t.StepLng, north}}
}

// clean brings heights to metres and makes those unknown that cannot be.
func clean(cells []float32, unit float64) (known, absurd int) {
	nan := float32(math.NaN())
	for i, v := range cells {
		if v != v {
			continue
		}
		v *= float32(unit)
		if !(v >= lowest && v <= highest) {
			cells[i] = nan
			absurd++
			continue
		}
		cells[i] = v
		known++
	}
	return known, absurd
}
