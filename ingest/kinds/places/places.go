// Package places is the kind for lists of places of cities and agencies, as CSV or GeoJSON with a mapping of columns. POIs
// have quartier's category ids.
package places

import (
	"bufio"
	"bytes"
	"context"
	"os"
	"slices"

	"quartier/ingest/formats/geojson"
	"quartier/ingest/formats/table"
	"quartier/ingest/source"
	"quartier/schemas/reason"
)

// Kind is the source kind "places".
var Kind = source.Declaration[mapping]{
	Kind:  "places",
	Title: "Lists of places with a column mapping",
	Formats: []string{
		"CSV with a header line, with or without lines of title before it: comma, semicolon, tab, pipe or another delimiter, quoted or not, " +
			"lines ending in LF, CRLF or CR; UTF-8 (with or without mark), UTF-16, Latin-1, Windows-1252",
		"GeoJSON, a collection or one feature a line: points, or areas, which are staged as a point inside with their size",
	},
	Yields: []string{"poi"},
	Reasons: slices.Concat(geojson.Reasons(), table.Reasons(),
		[]reason.Reason{source.MalformedProperties, source.MissingGeometry, source.WrongGeometryType, source.ZeroArea,
			source.OutsideBBox, source.ExcludedByOption, source.MissingKey, source.WrongFieldCount, source.CoordinateInMinutes,
			source.AssumedWindows1252}),
	Notes: "Every text option names a column (a property in GeoJSON), or is a text with columns in braces: \"{NUM} {STREET}\". " +
		"Give either lng and lat, in degrees, or x and y with a crs that PROJ knows; GeoJSON needs neither; its crs is that of the file, if it " +
		"has one. Scheme quartier: classes are ids of the 41 categories. " +
		"Without key, the key of a row is made of its name and position, and changes only with these. " +
		"Of a CSV, delimiter, line ends, title lines, decimal commas and separators between thousands (1 017 449, 1,017,449, 1.017.449) are " +
		"found, and those other than comma, line feed and point are reported. " +
		"A column in which every number is like 1,234 may be read in two ways and fails the source unless the option decimal is set; " +
		"longitudes and latitudes are then decimal numbers. " +
		"Where several columns have the name X, X#1 is the first of them and X#2 the second. " +
		"Rows that are not UTF-8 are read as Windows-1252, unless the option encoding is set. " +
		"Rows with a wrong number of fields, no coordinates or no key are rejected and counted, and so are coordinates in degrees and minutes. " +
		"Lists of licensed child care (category daycares) are published by the licensing agency of a state or province, and in the open data " +
		"of cities.",
	Options: Options{},
	Decode: func(in source.Input) (*mapping, error) {
		var o Options
		m := &mapping{source: in.Source, country: in.Country, state: in.State}
		return m, in.Configure(&o, func() error { return m.compile(o) })
	},
	Inspect: inspect,
	Read:    read,
}

// read reads the file row by row.
func read(ctx context.Context, in source.Input, m *mapping, out source.Sink) error {
	file, buffered, err := open(in.Path)
	if err != nil {
		return err
	}
	defer file.Close()
	s, err := newStager(m.options.CRS, m, out)
	if err != nil {
		return err
	}
	defer s.close()
	if looksLikeJSON(buffered) {
		return s.features(ctx, in.Path, buffered)
	}
	return s.table(ctx, in.Path)
}

func open(path string) (*os.File, *bufio.Reader, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	info, err := file.Stat()
	switch {
	case err != nil:
	case info.IsDir():
		err = source.BadFile(path, "it is a folder")
	case info.Size() == 0:
		err = source.BadFile(path, "it is empty")
	default:
		return file, bufio.NewReaderSize(file, 64<<10), nil
	}
	file.Close()
	return nil, nil, err
}

// looksLikeJSON reports whether the first character is that of a JSON object.
func looksLikeJSON(r *bufio.Reader) bool {
	head, _ := r.Peek(512)
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\ufeff")), " \t\r\n")
	return len(head) > 0 && head[0] == '{'
}
