package fetch

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"path"
	"strings"

	"quartier/ingest/fetch/whole"
)

// form is what a file of an ending must be.
type form struct {
	name   string                               // for messages: "a zip archive"
	least  int64                                // bytes that every such file has
	begins func(head []byte) bool               // whether a file may begin so; head has peekBytes, or the entire file
	check  func(file whole.File, n int64) error // what is wrong with a complete file; nil: nothing is checked
}

// peekBytes are read of an answer before any is kept.
const peekBytes = 4096

// starts returns a test for any of several beginnings.
func starts(with ...string) func([]byte) bool {
	return func(head []byte) bool {
		for _, w := range with {
			if bytes.HasPrefix(head, []byte(w)) {
				return true
			}
		}
		return false
	}
}

// startOfText skips a byte order mark and white space.
func startOfText(head []byte) []byte {
	return bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\ufeff")), " \t\r\n")
}

func textThat(test func([]byte) bool) func([]byte) bool {
	return func(head []byte) bool { return test(startOfText(head)) }
}

// isTable accepts text that is neither markup nor JSON; UTF-16 has zeros and a byte order mark.
func isTable(head []byte) bool {
	wide := starts("\xff\xfe", "\xfe\xff")(head)
	return (wide || isPlain(head)) && !starts("<", `{"`, "[{", "[]", "{}")(startOfText(head))
}

// isPlain accepts bytes without zeros of none of the binary forms.
func isPlain(head []byte) bool { return bytes.IndexByte(head, 0) < 0 && binaryName(head) == "" }

// isPBF accepts an OpenStreetMap extract, whose first block is its header.
func isPBF(head []byte) bool {
	return len(head) > 16 && binary.BigEndian.Uint32(head) < 64<<10 && bytes.HasPrefix(head[4:], []byte("\x0a\x09OSMHeader"))
}

var (
	zipForm    = form{"a zip archive", 22, starts("PK\x03\x04"), whole.Zip}
	zipped     = form{"a zip archive", 22, starts("PK\x03\x04"), nil} // .xlsx, .kmz
	gzForm     = form{"a gzip file", 18, starts("\x1f\x8b"), whole.Gzip}
	tiffForm   = form{"a TIFF image", 16, starts("II*\x00", "MM\x00*", "II+\x00", "MM\x00+"), nil}
	sqliteForm = form{"an SQLite file", 512, starts("SQLite format 3\x00"), whole.SQLite}
	jsonForm   = form{"JSON", 2, textThat(starts("{", "[")), whole.JSON}
	markup     = form{"XML", 8, textThat(starts("<")), nil}
	tableForm  = form{"a table in text", 2, isTable, nil}
)

// forms are those of files by the endings of their names.
var forms = map[string]form{
	".zip": zipForm, ".xlsx": zipped, ".kmz": zipped, ".gz": gzForm, ".tgz": gzForm,
	".bz2": {"a bzip2 file", 14, starts("BZh"), nil}, ".zst": {"a Zstandard file", 9, starts("\x28\xb5\x2f\xfd"), nil},
	".pbf":     {"an OpenStreetMap extract (PBF)", 100, isPBF, whole.PBF},
	".parquet": {"a Parquet file", 12, starts("PAR1"), whole.Parquet},
	".tif":     tiffForm, ".tiff": tiffForm,
	".gpkg": sqliteForm, ".sqlite": sqliteForm, ".mbtiles": sqliteForm,
	".shp": {"a shapefile", 100, starts("\x00\x00\x27\x0a"), nil}, ".fgb": {"a FlatGeobuf file", 12, starts("fgb"), nil},
	".json": jsonForm, ".geojson": jsonForm,
	".ndjson": {"JSON lines", 2, textThat(starts("{")), nil}, ".jsonl": {"JSON lines", 2, textThat(starts("{")), nil},
	".geojsonl": {"JSON lines", 2, textThat(starts("{", "\x1e{")), nil},
	".osm":      markup, ".xml": markup, ".kml": markup, ".gml": markup, ".vrt": markup,
	".csv": tableForm, ".tsv": tableForm, ".dat": tableForm, ".txt": {"text", 1, isPlain, nil}, ".pl": tableForm,
}

// anyForm is that of endings that say nothing.
var anyForm = form{"a file of data", 1, func([]byte) bool { return true }, nil}

// formOf returns the form of a file by its name, or by an ending that is known otherwise.
func formOf(name, ending string) form {
	if f, known := forms[strings.ToLower(path.Ext(name))]; known {
		return f
	}
	if f, known := forms[ending]; known {
		return f
	}
	return anyForm
}

// KnownEnding reports whether a name says what its file must be.
func KnownEnding(name string) bool {
	_, known := forms[strings.ToLower(path.Ext(name))]
	return known
}

// binaryForms are beginnings that say what a file is, for messages.
var binaryForms = []struct{ start, name string }{
	{"PK", "a zip archive"}, {"\x1f\x8b", "a gzip file"}, {"BZh", "a bzip2 file"}, {"PAR1", "a Parquet file"}, {"%PDF", "a PDF document"},
	{"SQLite format 3", "an SQLite file"}, {"7z\xbc\xaf", "a 7-Zip archive"}, {"Rar!", "a RAR archive"}, {"\x89PNG", "an image (PNG)"},
	{"\xff\xd8\xff", "an image (JPEG)"}, {"GIF8", "an image (GIF)"}, {"II*\x00", "a TIFF image"}, {"MM\x00*", "a TIFF image"},
	{"\xd0\xcf\x11\xe0", "an old Office document"}, {"\x00\x00\x27\x0a", "a shapefile"},
}

func binaryName(head []byte) string {
	for _, b := range binaryForms {
		if bytes.HasPrefix(head, []byte(b.start)) {
			return b.name
		}
	}
	return ""
}

// looksLike names what bytes are.
func looksLike(head []byte) string {
	text := startOfText(head)
	switch name := binaryName(head); {
	case name != "":
		return name
	case isPBF(head):
		return "an OpenStreetMap extract (PBF)"
	case isPage(head, ""):
		return "a web page"
	case starts("<")(text):
		return "XML"
	case starts("{", "[")(text):
		return "JSON"
	case isPlain(head):
		return fmt.Sprintf("text that begins with %q", head[:min(len(head), 24)])
	}
	return fmt.Sprintf("bytes that begin with %x", head[:min(len(head), 8)])
}

// isPage reports whether an answer is a page for people.
func isPage(head []byte, contentType string) bool {
	text := bytes.ToLower(startOfText(head))
	if !bytes.HasPrefix(text, []byte("<")) {
		return false
	}
	if strings.HasPrefix(strings.ToLower(contentType), "text/html") && !starts("<?xml", "<osm", "<kml", "<vrtdataset")(text) {
		return true
	}
	return starts("<!doctype html", "<html")(text) || bytes.Contains(text, []byte("<html"))
}
