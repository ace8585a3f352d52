package osm

import (
	"bytes"
	"fmt"
	"io"
	"os"

	"quartier/ingest/formats/element"
	"quartier/ingest/formats/osmxml"
	"quartier/ingest/formats/pbf"
	"quartier/ingest/source"
)

// Open opens an OpenStreetMap file. The content decides on the format, not the name. Errors of the file wrap
// source.ErrBadFile.
func Open(path string, limits source.Limits) (element.File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("open OpenStreetMap file: %w", err)
	}
	defer f.Close()
	start := make([]byte, 64)
	n, err := io.ReadFull(f, start)
	switch start = start[:n]; {
	case n == 0 && err == io.EOF:
		return nil, fmt.Errorf("open %s: %w: the file is empty", path, source.ErrBadFile)
	case err != nil && err != io.ErrUnexpectedEOF:
		return nil, fmt.Errorf("open OpenStreetMap file: %w", err)
	case start[0] == 0: // the high byte of the first header's length
		return pbf.Open(path)
	case isXML(start):
		return osmxml.Open(path, limits)
	}
	return nil, fmt.Errorf("open %s: %w: neither OSM PBF nor OSM XML", path, source.ErrBadFile)
}

// isXML reports whether a file starts as XML, with or without a byte order mark, or as gzip or bzip2.
func isXML(start []byte) bool {
	text := bytes.TrimLeft(bytes.TrimPrefix(start, []byte("\ufeff")), " \t\r\n")
	return bytes.HasPrefix(text, []byte("<")) || bytes.HasPrefix(start, []byte{0x1f, 0x8b}) || bytes.HasPrefix(start, []byte("BZh"))
}
