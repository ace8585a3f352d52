// Package elevation is the kind for terrain elevation: GeoTIFF, and tiles of the Shuttle Radar Topography Mission. It reads
// a file, or a folder of them, into rows of staged.elevation_tile, on a grid of longitude and latitude.
package elevation

import (
	"fmt"
	"math"
	"path/filepath"
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

// Options of an elevation source.
type Options struct {
	BBox   source.BBox `yaml:"bbox" unit:"degrees" range:"-180,180" doc:"[west, south, east, north]; tiles that do not touch it are skipped"`
	NoData *float64    `yaml:"nodata" unit:"the unit of the heights" range:"," doc:"value of unknown heights, where the file has none or a wrong one"`
	CRS    string      `yaml:"crs" doc:"reference system of a GeoTIFF that has none or a wrong one, e.g. EPSG:2263"`
	Unit   string      `yaml:"unit" values:"m ft" doc:"unit of the heights; default: the file's unit, or m where it has none"`
}

const (
	minHeight, maxHeight = -500, 9000 // metres
	metresPerFoot        = 0.3048
)

// run is one run of the kind.
type run struct {
	Options
	removed int // implausible heights
}

// Kind is the source kind "elevation".
var Kind = geogrid.Kind(source.Declaration[run]{
	Kind:  "elevation",
	Title: "Terrain elevation (GeoTIFF, SRTM)",
	Formats: []string{
		"GeoTIFF of one band, geographic or projected (UTM, state plane, Lambert …): strips or tiles, uncompressed, LZW, deflate, PackBits or " +
			"Zstandard, predictors 1 to 3, classic or BigTIFF",
		"SRTM .hgt of one or three seconds, plain, in a .zip or .gz, named by its corner (N48W125)",
		"a folder of such files, including subfolders",
	},
	Yields: []string{"elevation_tile"},
	Own:    &reasons,
	Notes: "A projected or rotated grid is interpolated at the points of a grid of longitude and latitude with cells of the same size: " +
		"bilinear between the four nearest heights, of which unknown ones are left out; nothing where the nearest one is unknown. " +
		"Stored values are first compared with nodata, that of the options or else of the file, then scaled and offset by the GDAL metadata of " +
		"a GeoTIFF. NAD83 and its Canadian realizations are read as WGS 84 (within two metres), and so is NAD27 (up to a hundred metres off).\n" +
		fmt.Sprintf("Heights below %d m or above %d m are removed and counted. ", minHeight, maxHeight) +
		fmt.Sprintf("A file is divided into tiles of at most %d by %d heights; tiles without heights are skipped.", geogrid.MaxSide,
			geogrid.MaxSide),
	Options: Options{},
	Decode: func(in source.Input) (*run, error) {
		r := &run{}
		return r, in.Configure(&r.Options, func() error { return r.BBox.Check() })
	},
}, geogrid.Rasters[run]{
	Extensions: []string{".tif", ".tiff", ".hgt", ".zip", ".gz"},
	Open:       func(r *run, path string) (*geogrid.Grid, error) { return open(path, r.Options) },
	BBox:       func(r *run) source.BBox { return r.BBox },
	Tile:       (*run).tile,
	Nothing: func(r *run, selected bool) string {
		switch {
		case !selected:
			return "no heights are inside bbox"
		case r.removed > 0:
			return fmt.Sprintf("all heights are below %d m or above %d m: is nodata or unit wrong?", minHeight, maxHeight)
		}
		return "it has no known heights"
	},
	Reprojected: reprojected, NAD27: assumedWGS84, Empty: emptyTile,
})

// open opens a file by its extension. Errors name the file.
func open(path string, o Options) (*geogrid.Grid, error) {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".tif", ".tiff":
		return geogrid.Open(path, tiff.Options{NoData: o.NoData, CRS: o.CRS}, geogrid.Bilinear)
	case ".hgt", ".zip", ".gz":
		return openHGT(path, o.NoData)
	}
	return nil, source.BadFile(path, "extension %q is none of .tif, .tiff, .hgt, .zip, .gz", filepath.Ext(path))
}

// tile is a tile of a grid; nil where it has no heights.
func (r *run) tile(g *geogrid.Grid, from geogrid.Tile, where string, out source.Sink) (source.Row, error) {
	t := source.ElevationTile{
		West: from.West, North: from.North, StepLng: g.StepLng, StepLat: g.StepLat, Columns: from.Columns, Rows: from.Rows,
		Cells: make([]float32, from.Columns*from.Rows),
	}
	if err := g.Window(from.Column, from.Row, t.Columns, t.Rows, t.Cells); err != nil {
		return nil, err
	}
	unit := 1.0 // metres
	if r.Unit == "ft" || r.Unit == "" && g.Feet {
		unit = metresPerFoot
	}
	known, removed := clean(t.Cells, unit)
	if removed > 0 {
		r.removed += removed
		out.Issue(heightsRemoved, fmt.Sprintf("%s: %d heights", where, removed))
	}
	if known == 0 {
		return nil, nil
	}
	return t, nil
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
