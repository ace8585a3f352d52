// Package elevation is the kind for terrain elevation: GeoTIFF, and tiles of the Shuttle Radar Topography Mission. It reads
// a file, or a folder of them, into rows of staged.elevation_tile, on a grid of longitude and latitude.
package elevation

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"quartier/ingest/formats/geogrid"
	"quartier/ingest/formats/tiff"
	"quartier/ingest/source"
	"quartier/schemas/reason"
)

var reasons reason.List

var (
	reprojected    = reasons.Noted("grid_reprojected", "The grid is projected or rotated and was interpolated on longitude and latitude.")
	assumedWGS84   = reasons.Repaired("assumed_wgs84", "The file is on NAD27 and was read as WGS 84, which is up to a hundred metres off.")
	heightsRemoved = reasons.Repaired("implausible_heights_removed", "Heights of the tile are implausible and were removed.")
	emptyTile      = reasons.Skipped("empty_tile", "The tile has no heights.")
)

// Kind is the source kind "elevation".
type Kind struct{}

// Options of an elevation source.
type Options struct {
	BBox   source.BBox `yaml:"bbox" unit:"degrees" range:"-180,180" doc:"[west, south, east, north]; tiles that do not touch it are skipped"`
	NoData *float64    `yaml:"nodata" unit:"the unit of the heights" range:"," doc:"value of unknown heights, where the file has none or a wrong one"`
	CRS    string      `yaml:"crs" doc:"reference system of a GeoTIFF that has none or a wrong one, e.g. EPSG:2263"`
	Unit   string      `yaml:"unit" values:"m ft" doc:"unit of the heights; default: the file's unit, or m where it has none"`
}

// Info describes the kind.
func (Kind) Info() source.Info {
	return source.Info{
		Kind:  "elevation",
		Title: "Terrain elevation (GeoTIFF, SRTM)",
		Formats: []string{
			"GeoTIFF of one band, geographic or projected (UTM, state plane, Lambert …): strips or tiles, uncompressed, LZW, deflate, PackBits or Zstandard, predictors 1 to 3, classic or BigTIFF",
			"SRTM .hgt of one or three seconds, plain, in a .zip or .gz, named by its corner (N48W125)",
			"a folder of such files, including subfolders",
		},
		Yields:  []string{"elevation_tile"},
		Options: Options{},
		Reasons: append(slices.Clone(reasons), source.OutsideBBox),
		Notes: "A projected or rotated grid is interpolated at the points of a grid of longitude and latitude with cells of the same size: bilinear between the four nearest heights, of which unknown ones are left out; nothing where the nearest one is unknown. " +
			"Stored values are first compared with nodata, that of the options or else of the file, then scaled and offset by the GDAL metadata of a GeoTIFF. " +
			"NAD83 and its Canadian realizations are read as WGS 84 (within two metres), and so is NAD27 (up to a hundred metres off).\n" +
			fmt.Sprintf("Heights below %d m or above %d m are removed and counted. ", minHeight, maxHeight) +
			fmt.Sprintf("A file is divided into tiles of at most %d by %d heights; tiles without heights are skipped.", geogrid.MaxSide, geogrid.MaxSide),
	}
}

const (
	minHeight, maxHeight = -500, 9000 // metres
	metresPerFoot        = 0.3048
)

// Check checks options and the headers of all files.
func (Kind) Check(ctx context.Context, in source.Input) error {
	o, err := options(in)
	faults := source.Faults(source.Flatten(err))
	files, err := list(in.Path)
	faults.Add(err)
	for _, path := range files {
		if err := ctx.Err(); err != nil {
			return err
		}
		g, err := open(path, o)
		if err == nil {
			err = g.Close()
		}
		faults.Add(err)
	}
	return faults.Err()
}

// list returns the files of a source.
func list(path string) ([]string, error) {
	return source.Files(path, ".tif", ".tiff", ".hgt", ".zip", ".gz")
}

func options(in source.Input) (o Options, err error) {
	err = in.Configure(&o, func() error { return o.check() })
	return o, err
}

// Stage reads the file or every file of the folder.
func (Kind) Stage(ctx context.Context, in source.Input, out source.Sink) error {
	o, err := options(in)
	if err != nil {
		return err
	}
	files, err := list(in.Path)
	if err != nil {
		return err
	}
	s := &stage{options: o, out: out}
	for _, path := range files {
		if err := ctx.Err(); err != nil {
			return err
		}
		out.Part(filepath.Base(path))
		if err := s.file(ctx, path); err != nil {
			return err
		}
	}
	switch {
	case s.selected == 0:
		return source.BadFile(in.Path, "no heights are inside bbox")
	case s.known == 0 && s.removed > 0:
		return source.BadFile(in.Path, "all heights are below %d m or above %d m: is nodata or unit wrong?", minHeight, maxHeight)
	case s.known == 0:
		return source.BadFile(in.Path, "it has no known heights")
	}
	return nil
}

func (o Options) check() error {
	var f source.Faults
	f.Add(o.BBox.Check())
	return f.Err()
}

// grid is an open file of heights.
type grid struct {
	*geogrid.Grid
	unit  float64       // metres
	found reason.Reason // what was found or assumed of the file
}

// open opens a file by its extension. Errors name the file.
func open(path string, o Options) (*grid, error) {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".tif", ".tiff":
		return openGeoTIFF(path, o)
	case ".hgt", ".zip", ".gz":
		return openHGT(path, o.NoData)
	}
	return nil, source.BadFile(path, "extension %q is none of .tif, .tiff, .hgt, .zip, .gz", filepath.Ext(path))
}

func openGeoTIFF(path string, o Options) (*grid, error) {
	from, err := geogrid.Open(path, tiff.Options{NoData: o.NoData, CRS: o.CRS}, geogrid.Bilinear)
	if err != nil {
		return nil, err
	}
	g := &grid{Grid: from, unit: 1}
	switch {
	case from.Reprojected:
		g.found = reprojected.With(from.CRS)
	case from.NAD27:
		g.found = assumedWGS84
	}
	if from.Feet {
		g.unit = metresPerFoot
	}
	return g, nil
}

// stage is one run of the kind.
type stage struct {
	options         Options
	out             source.Sink
	selected, known int // tiles inside bbox, and those of them with heights
	removed         int // implausible heights
}

func (s *stage) file(ctx context.Context, path string) error {
	g, err := open(path, s.options)
	if err != nil {
		return err
	}
	defer g.Close()
	switch s.options.Unit {
	case "m":
		g.unit = 1
	case "ft":
		g.unit = metresPerFoot
	}
	if !g.found.OK() {
		s.out.Issue(g.found, filepath.Base(path))
	}
	return g.Tiles(func(t geogrid.Tile) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		return s.tile(g, t, fmt.Sprintf("%s, tile %d in row %d", filepath.Base(path), t.Number[0], t.Number[1]))
	})
}

// tile stages a tile of a grid.
func (s *stage) tile(g *grid, from geogrid.Tile, where string) error {
	s.out.Read(1)
	if !s.options.BBox.Touches(g.Bound(from)) {
		s.out.Issue(source.OutsideBBox, where)
		return nil
	}
	s.selected++
	t := source.ElevationTile{
		West: from.West, North: from.North, StepLng: g.StepLng, StepLat: g.StepLat, Columns: from.Columns, Rows: from.Rows,
		Cells: make([]float32, from.Columns*from.Rows),
	}
	if err := g.Window(from.Column, from.Row, t.Columns, t.Rows, t.Cells); err != nil {
		return err
	}
	known, removed := clean(t.Cells, g.unit)
	if removed > 0 {
		s.removed += removed
		s.out.Issue(heightsRemoved, fmt.Sprintf("%s: %d heights", where, removed))
	}
	if known == 0 {
		s.out.Issue(emptyTile, where)
		return nil
	}
	s.known++
	return s.out.Row(t)
}

// clean converts heights to metres and replaces implausible ones by NaN. It returns how many are known and how many were
// replaced.
func clean(cells []float32, unit float64) (known, removed int) {
	nan := float32(math.NaN())
	for i, v := range cells {
		if v != v {
			continue
		}
		v *= float32(unit)
		if !(v >= minHeight && v <= maxHeight) {
			cells[i] = nan
			removed++
			continue
		}
		cells[i] = v
		known++
	}
	return known, removed
}
