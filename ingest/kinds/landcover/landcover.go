// Package landcover is the kind for rasters of land cover. It reads a GeoTIFF of class codes, or a folder of them, into rows
// of staged.land_cover_tile, on a grid of longitude and latitude.
package landcover

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"quartier/ingest/formats/geogrid"
	"quartier/ingest/formats/tiff"
	"quartier/ingest/source"
	"quartier/schemas"
	"quartier/schemas/reason"
)

var reasons reason.List

var (
	reprojected = reasons.Noted("cover_reprojected",
		"The raster is projected or rotated: each cell of longitude and latitude has the class at its centre.")
	assumedWGS84 = reasons.Repaired("cover_assumed_wgs84", "The file is on NAD27 and was read as WGS 84, which is up to a hundred metres off.")
	emptyTile    = reasons.Skipped("empty_cover_tile", "The tile has no known class.")
)

// Options of a raster of land cover.
type Options struct {
	Legend  string         `yaml:"legend" values:"worldcover nlcd" doc:"codes of a publisher: worldcover (ESA WorldCover) or nlcd (US National Land Cover Database)"`
	Classes map[int]string `yaml:"classes" unit:"code of a cell" range:"0,255" doc:"code -> class or unknown, where there is no legend or a code of it has another meaning"`
	BBox    source.BBox    `yaml:"bbox" unit:"degrees" range:"-180,180" doc:"[west, south, east, north]; tiles that do not touch it are skipped"`
	NoData  *float64       `yaml:"nodata" unit:"code of a cell" range:"," doc:"code of unknown cells, where the file has none or a wrong one"`
	CRS     string         `yaml:"crs" doc:"reference system of a file that has none or a wrong one, e.g. EPSG:5070"`
}

// unknown is the class of a code that means no data.
const unknown = "unknown"

// legends are the codes of publishers.
var legends = map[string]map[int]string{
	"worldcover": {10: "tree", 20: "shrub", 30: "grass", 40: "crop", 50: "built", 60: "bare", 70: "snow", 80: "water", 90: "wetland",
		95: "wetland", 100: "grass"},
	"nlcd": {
		11: "water", 12: "snow", 21: "developed_open", 22: "developed_low", 23: "developed_medium", 24: "developed_high", 31: "bare",
		41: "tree", 42: "tree", 43: "tree", 51: "shrub", 52: "shrub", 71: "grass", 72: "grass", 73: "grass", 74: "grass", 81: "grass", 82: "crop",
		90: "wetland", 95: "wetland",
		0: unknown, 127: unknown,
	},
}

// stage is one run of the kind.
type stage struct {
	options  Options
	classes  [256]byte  // class numbers by code; 0: unknown
	listed   [256]bool  // codes with a class
	unlisted codeCounts // of the file
}

// Kind is the source kind "land-cover".
var Kind = geogrid.Kind(source.Declaration[stage]{
	Kind:  "land-cover",
	Title: "Rasters of land cover (ESA WorldCover, NLCD)",
	Formats: []string{
		"GeoTIFF of one band of class codes, geographic or projected: strips or tiles, uncompressed, LZW, deflate, PackBits or Zstandard, " +
			"classic or BigTIFF",
		"a folder of such files, including subfolders",
	},
	Yields: []string{"land_cover_tile"},
	Own:    &reasons,
	Notes: "For the score greenery. WorldCover (10 m, the whole Earth) is at esa-worldcover.org, in GeoTIFFs of three degrees; NLCD (30 m, " +
		"United States) at mrlc.gov. " +
		"A tile of three degrees has 1.3 billion cells: set bbox to the region. A raster with one class for all built-up land, such as NALCMS, " +
		"shows no gardens or street trees, and is no source for this score. " +
		"Classes: " + strings.Join(schemas.CoverClasses, ", ") + ". " +
		"A code without a class fails the source, with the number of its cells: the file then has another legend.\n" +
		fmt.Sprintf("A file is divided into tiles of at most %d by %d cells; tiles without known cells are skipped.", geogrid.MaxSide,
			geogrid.MaxSide),
	Options: Options{},
	Decode: func(in source.Input) (*stage, error) {
		s := &stage{}
		return s, in.Configure(&s.options, s.compile)
	},
}, geogrid.Rasters[stage]{
	Extensions: []string{".tif", ".tiff"},
	Open: func(s *stage, path string) (*geogrid.Grid, error) {
		s.unlisted = codeCounts{}
		return geogrid.Open(path, tiff.Options{NoData: s.options.NoData, CRS: s.options.CRS}, geogrid.Nearest)
	},
	BBox: func(s *stage) source.BBox { return s.options.BBox },
	Tile: (*stage).tile,
	Done: func(s *stage, path string) error { return s.unlisted.err(path) },
	Nothing: func(_ *stage, selected bool) string {
		if !selected {
			return "no cells are inside bbox"
		}
		return "it has no cells of a known class"
	},
	Reprojected: reprojected, NAD27: assumedWGS84, Empty: emptyTile,
	First: true,
})

// compile checks the options and fills the table of codes.
func (s *stage) compile() error {
	o := &s.options
	var f source.Faults
	legend := legends[o.Legend]
	f.Option(o.Legend == "" && len(o.Classes) == 0, "legend", "or classes: is missing; set one of them")
	for _, codes := range []map[int]string{legend, o.Classes} {
		for _, code := range slices.Sorted(maps.Keys(codes)) {
			class := slices.Index(schemas.CoverClasses, codes[code]) + 1
			f.Value(code < 0 || code > 255, "classes", fmt.Sprint(code), "%d is not a code of 0 to 255", code)
			f.Value(class == 0 && codes[code] != unknown, "classes", codes[code], "%q is none of %s, %s", codes[code],
				strings.Join(schemas.CoverClasses, ", "), unknown)
			if code >= 0 && code <= 255 {
				s.classes[code], s.listed[code] = byte(class), true
			}
		}
	}
	f.Add(o.BBox.Check())
	return f.Err()
}

// tile is the classes of a tile; nil where none is known. It counts the codes without a class.
func (s *stage) tile(g *geogrid.Grid, t geogrid.Tile, _ string, _ source.Sink) (source.Row, error) {
	codes := make([]float32, t.Columns*t.Rows)
	if err := g.Window(t.Column, t.Row, t.Columns, t.Rows, codes); err != nil {
		return nil, err
	}
	cells, known := make([]byte, len(codes)), false
	for i, code := range codes {
		if math.IsNaN(float64(code)) {
			continue
		}
		if code < 0 || code > 255 || code != float32(byte(code)) || !s.listed[byte(code)] {
			s.unlisted.add(code)
			continue
		}
		cells[i] = s.classes[byte(code)]
		known = known || cells[i] != 0
	}
	if !known {
		return nil, nil
	}
	return source.LandCoverTile{
		West: t.West, North: t.North, StepLng: g.StepLng, StepLat: g.StepLat, Columns: t.Columns, Rows: t.Rows, Cells: cells,
	}, nil
}

// codeCounts counts cells by a code that has no class, up to maxCodes of them.
type codeCounts map[float32]int

// maxCodes is the number of codes that are counted: a raster with more is not one of classes.
const maxCodes = 20

func (c codeCounts) add(code float32) {
	if _, counted := c[code]; counted || len(c) < maxCodes {
		c[code]++
	}
}

// err names the codes of a file that have no class.
func (c codeCounts) err(path string) error {
	if len(c) == 0 {
		return nil
	}
	var list []string
	for _, code := range slices.Sorted(maps.Keys(c)) {
		list = append(list, fmt.Sprintf("%v (%d cells)", code, c[code]))
	}
	return source.BadFile(path, "codes without a class: %s; is the legend right? Set the option classes", strings.Join(list, ", "))
}
