package source

import (
	"errors"
	"fmt"
)

// ErrTooLarge is the error of a file with a part beyond a limit. It is an ErrBadFile too.
var ErrTooLarge = errors.New("beyond a limit")

// Limits that no real file reaches. A reader keeps one line, token, element or feature in memory, so that they bound its
// memory whatever a file contains.
const (
	MaxLine        = 8 << 20  // bytes of a row of delimited text
	MaxRowLines    = 1000     // lines of such a row: one of more has an unclosed quote
	MaxColumns     = 20_000   // of delimited text
	MaxToken       = 1 << 20  // bytes of a tag with its attributes, a text or a comment of XML
	MaxXMLDepth    = 64       // nested elements
	MaxParts       = 1 << 20  // tags, nodes or members of an OpenStreetMap element
	MaxPBFHeader   = 64 << 10 // bytes of the header of a block; of the format
	MaxPBFBlob     = 32 << 20 // bytes of a block, packed or not; of the format
	MaxPBFElements = 1 << 21  // of a block; programs write up to 8,000
	MaxPBFParts    = 1 << 22  // texts of a block, or numbers of one list: ids, tags, nodes of a way
	MaxRasterSide  = 1 << 18  // cells
	MaxRasterTile  = 256 << 20
	MaxInnerZip    = 256 << 20 // bytes of an archive in an archive, which is kept in memory
	MaxIndexFile   = 256 << 20
	MaxCountedDays = 2_000_000 // of all detectors of a source: those of 5,000 in a year
)

// Limits are those that real data may reach. A source of a region file can raise them.
type Limits struct {
	FeatureBytes int64 `yaml:"feature_bytes,omitempty" doc:"bytes of a feature, element or row: GeoJSON, Overpass JSON, shapefile, GeoPackage, Parquet"`
	Expansion    int64 `yaml:"expansion,omitempty" doc:"bytes that a compressed byte may become: zip, gzip, bzip2"`
}

// DefaultLimits are the limits where a source does not give its own. The largest feature of the shipped regions has 3 MB;
// timetables and tables expand 5 to 30 times.
var DefaultLimits = Limits{FeatureBytes: 64 << 20, Expansion: 200}

// expandedFreely is the number of decompressed bytes for which Expansion is not checked: small files of blanks or zeros may
// expand a thousand times.
const expandedFreely = 32 << 20

// Feature is the limit of a feature in bytes.
func (l Limits) Feature() int64 {
	if l.FeatureBytes > 0 {
		return l.FeatureBytes
	}
	return DefaultLimits.FeatureBytes
}

// expanded is the limit of the decompressed bytes of packed bytes.
func (l Limits) expanded(packed int64) int64 {
	ratio := l.Expansion
	if ratio <= 0 {
		ratio = DefaultLimits.Expansion
	}
	if packed > (1<<62)/ratio {
		return 1 << 62
	}
	return max(expandedFreely, ratio*packed)
}

// Check returns an error if a limit is negative.
func (l Limits) Check() error {
	if l.FeatureBytes < 0 || l.Expansion < 0 {
		return errors.New("limits: a limit is negative")
	}
	return nil
}

// TooLarge is the error of a part, such as `feature 7`, that has more than most of a unit.
func TooLarge(part string, most int64, unit string) error {
	return tooLarge(fmt.Sprintf("%v: %s has more than %d %s", ErrTooLarge, part, most, unit))
}

// tooLarge is the text of an error that is an ErrTooLarge and, without a word of it, an ErrBadFile.
type tooLarge string

func (e tooLarge) Error() string   { return string(e) }
func (e tooLarge) Unwrap() []error { return []error{ErrBadFile, ErrTooLarge} }

// FeatureTooLarge is TooLarge for a limit that a source can raise.
func (l Limits) FeatureTooLarge(part string) error {
	return fmt.Errorf("%w, which limits: {feature_bytes: …} of the source raises", TooLarge(part, l.Feature(), "bytes"))
}

// DeclaredLimit is a limit as DATA.md lists it.
type DeclaredLimit struct {
	Part, Value, Raise string
}

// DeclaredLimits lists all limits.
func DeclaredLimits() []DeclaredLimit {
	bytes := func(n int64) string {
		switch {
		case n >= 1<<30 && n%(1<<30) == 0:
			return fmt.Sprintf("%d GiB", n>>30)
		case n >= 1<<20 && n%(1<<20) == 0:
			return fmt.Sprintf("%d MiB", n>>20)
		}
		return fmt.Sprintf("%d kiB", n>>10)
	}
	count := func(n int64) string { return fmt.Sprint(n) }
	return []DeclaredLimit{
		{"a feature of GeoJSON or Overpass JSON, a record of a shapefile, a value of a GeoPackage, a row of Parquet",
			bytes(DefaultLimits.FeatureBytes), "`feature_bytes`"},
		{"zip, gzip and bzip2: decompressed bytes for each compressed one, beyond " + bytes(expandedFreely), count(DefaultLimits.Expansion),
			"`expansion`"},
		{"delimited text (census tables, GTFS, places): a row", bytes(MaxLine), ""},
		{"delimited text: lines of a quoted row", count(MaxRowLines), ""},
		{"delimited text: columns", count(MaxColumns), ""},
		{"dBASE: columns; GeoPackage: columns", "2046; 2000", ""},
		{"GTFS: an archive in an archive", bytes(MaxInnerZip), ""},
		{"brand index: a file", bytes(MaxIndexFile), ""},
		{"traffic counts: days of all detectors", count(MaxCountedDays), ""},
		{"OSM XML: a tag with its attributes, a text, a comment", bytes(MaxToken), ""},
		{"OSM XML: nested elements", count(MaxXMLDepth), ""},
		{"OSM XML: tags, nodes or members of an element", count(MaxParts), ""},
		{"JSON: nested arrays and objects", "10000", ""},
		{"OSM PBF: the header of a block", bytes(MaxPBFHeader), ""},
		{"OSM PBF: a block, packed or not", bytes(MaxPBFBlob), ""},
		{"OSM PBF: elements of a block", count(MaxPBFElements), ""},
		{"OSM PBF: texts of a block, or numbers of one list in it", count(MaxPBFParts), ""},
		{"shapefile: rows of the .dbf and bytes of the .shp", "as many as their headers and sizes say", ""},
		{"GeoPackage: rows of a layer", "the bytes of the file", ""},
		{"GeoTIFF: cells along a side", count(MaxRasterSide), ""},
		{"GeoTIFF: a decompressed tile or strip", bytes(MaxRasterTile), ""},
	}
}
