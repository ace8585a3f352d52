// Package pmtiles writes and reads PMTiles archives of version 3: tiles of a map in one file, which a server can copy from
// mapped memory and a browser can read from any static host by range requests. In goes each tile as it is to be stored; out
// comes the same bytes.
//
// A tile has a number: tiles of lower zooms come first, and those of one zoom follow a Hilbert curve. An archive that this
// package writes:
//
//	offset  bytes   content
//	0       127     header, see Header
//	127     ≤ 16257 root directory, then zeros up to 16,384: a client reads both by one request
//	16384   …       tiles in the order of their numbers; one that was stored before is not stored again
//	…       …       metadata: a JSON object
//	…       …       leaf directories, where the entries do not fit the root
//
// A directory is a list of entries in columns of variable-length numbers, compressed by gzip:
//
//	number of entries
//	numbers of tiles, each as the difference from the one before
//	run lengths: how many consecutive tiles are equal; 0: the entry is a leaf directory
//	lengths in bytes
//	offsets in the section of the tiles or leaves, plus 1; 0: right after the entry before
//
// The format is described at https://github.com/protomaps/PMTiles/blob/main/spec/v3/spec.md.
package pmtiles

import (
	"encoding/binary"
	"errors"
	"fmt"
)

const (
	magic      = "PMTiles"
	version    = 3
	headerSize = 127
	// rootEnd is where the root directory has to end at the latest.
	rootEnd = 16384
	// MaxZoom is the highest zoom of which this package numbers tiles.
	MaxZoom = 26
)

// Compression is how a section is compressed.
type Compression uint8

// Compressions that this package reads; the format has others.
const (
	Uncompressed Compression = 1
	Gzip         Compression = 2
)

// TileType is what tiles are.
type TileType uint8

// MVT are vector tiles of Mapbox.
const MVT TileType = 1

// ErrDamaged is wrapped by every error about the content of an archive.
var ErrDamaged = errors.New("damaged pmtiles archive")

func damaged(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrDamaged, fmt.Sprintf(format, args...))
}

// Section is a part of the file.
type Section struct{ Offset, Length uint64 }

// Position is a point of the map in units of 1e-7 degrees.
type Position struct{ Lng, Lat int32 }

// Header is the head of an archive.
type Header struct {
	Root, Metadata, Leaves, Tiles Section
	Addressed                     uint64 // tiles that the archive has, equal ones counted each; 0 in other programs' archives: not known
	Entries                       uint64 // of directories, leaf directories not counted
	Contents                      uint64 // tiles that are stored, equal ones once
	Clustered                     bool   // tiles are in the order of their numbers
	Internal                      Compression
	TileCompression               Compression
	Type                          TileType
	MinZoom, MaxZoom              uint8
	Min, Max                      Position // bounding box of the tiles' content: south-west and north-east
	CenterZoom                    uint8    // of the view that a map begins with
	Center                        Position
}

// append encodes the header.
func (h *Header) append(b []byte) []byte {
	b = append(append(b, magic...), version)
	for _, s := range []Section{h.Root, h.Metadata, h.Leaves, h.Tiles} {
		b = binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(b, s.Offset), s.Length)
	}
	for _, n := range []uint64{h.Addressed, h.Entries, h.Contents} {
		b = binary.LittleEndian.AppendUint64(b, n)
	}
	clustered := byte(0)
	if h.Clustered {
		clustered = 1
	}
	b = append(b, clustered, byte(h.Internal), byte(h.TileCompression), byte(h.Type), h.MinZoom, h.MaxZoom)
	b = appendPosition(appendPosition(b, h.Min), h.Max)
	return appendPosition(append(b, h.CenterZoom), h.Center)
}

func appendPosition(b []byte, p Position) []byte {
	return binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(b, uint32(p.Lng)), uint32(p.Lat))
}

func position(b []byte) Position {
	return Position{int32(binary.LittleEndian.Uint32(b)), int32(binary.LittleEndian.Uint32(b[4:]))}
}

// parseHeader reads the header and checks that all sections are inside of the file.
func parseHeader(data []byte) (h Header, err error) {
	if len(data) < headerSize || string(data[:len(magic)]) != magic {
		return h, damaged("no header")
	}
	if data[7] != version {
		return h, damaged("version %d, not %d", data[7], version)
	}
	at := 8
	for _, s := range []*Section{&h.Root, &h.Metadata, &h.Leaves, &h.Tiles} {
		s.Offset, s.Length = binary.LittleEndian.Uint64(data[at:]), binary.LittleEndian.Uint64(data[at+8:])
		if size := uint64(len(data)); s.Offset > size || s.Length > size-s.Offset {
			return h, damaged("a section of %d bytes at %d in a file of %d", s.Length, s.Offset, size)
		}
		at += 16
	}
	for _, n := range []*uint64{&h.Addressed, &h.Entries, &h.Contents} {
		*n = binary.LittleEndian.Uint64(data[at:])
		at += 8
	}
	h.Clustered = data[96] == 1
	h.Internal, h.TileCompression, h.Type = Compression(data[97]), Compression(data[98]), TileType(data[99])
	h.MinZoom, h.MaxZoom = data[100], data[101]
	h.Min, h.Max = position(data[102:]), position(data[110:])
	h.CenterZoom, h.Center = data[118], position(data[119:])
	if h.Internal != Uncompressed && h.Internal != Gzip {
		return h, damaged("directories with compression %d", h.Internal)
	}
	if h.MinZoom > h.MaxZoom || h.MaxZoom > MaxZoom {
		return h, damaged("zooms %d to %d", h.MinZoom, h.MaxZoom)
	}
	if h.Root.Offset < headerSize {
		return h, damaged("root directory at %d", h.Root.Offset)
	}
	return h, nil
}
