package pmtiles

import (
	"bytes"
	"encoding/binary"
	"io"
	"slices"
	"sync"

	"github.com/klauspost/compress/gzip"
)

// Entry is a line of a directory: Run consecutive tiles from number ID on are the same Length bytes at Offset in the section
// of the tiles. If Run is 0 it is a leaf directory in the section of the leaves, with the entries from ID on.
type Entry struct {
	ID     uint64
	Offset uint64
	Length uint32
	Run    uint32
}

// Limits of a directory that is read, uncompressed. Those of other programs stay far below.
const (
	maxDirectoryBytes = 16 << 20
	maxDirectory      = 1 << 20 // entries
)

// appendDirectory encodes entries in order of ID, uncompressed.
func appendDirectory(b []byte, entries []Entry) []byte {
	b = binary.AppendUvarint(b, uint64(len(entries)))
	var last uint64
	for _, e := range entries {
		b = binary.AppendUvarint(b, e.ID-last)
		last = e.ID
	}
	for _, e := range entries {
		b = binary.AppendUvarint(b, uint64(e.Run))
	}
	for _, e := range entries {
		b = binary.AppendUvarint(b, uint64(e.Length))
	}
	var end uint64
	for i, e := range entries {
		if i > 0 && e.Offset == end {
			b = append(b, 0)
		} else {
			b = binary.AppendUvarint(b, e.Offset+1)
		}
		end = e.Offset + uint64(e.Length)
	}
	return b
}

// columns reads the numbers of an uncompressed directory up to the first error.
type columns struct {
	rest []byte
	err  error
}

func (c *columns) next(limit uint64) uint64 {
	v, n := binary.Uvarint(c.rest)
	if n <= 0 || v > limit {
		if c.err == nil {
			c.err = damaged("a number of a directory is truncated or above %d", limit)
		}
		c.rest = nil
		return 0
	}
	c.rest = c.rest[n:]
	return v
}

// parseDirectory decodes an uncompressed directory and checks that its entries are in order, do not overlap, and are inside
// of the sections.
func parseDirectory(data []byte, h *Header) ([]Entry, error) {
	c := columns{rest: data}
	n := c.next(maxDirectory)
	if c.err == nil && n*4 > uint64(len(c.rest)) { // at least a byte in each column
		return nil, damaged("%d entries in %d bytes", n, len(c.rest))
	}
	entries := make([]Entry, n)
	end := firstOf(MaxZoom + 1)
	var last uint64
	for i := range entries {
		last += c.next(end)
		entries[i].ID = last
		if last >= end || i > 0 && last == entries[i-1].ID {
			return nil, damaged("entry %d of a directory has tile %d", i, last)
		}
	}
	for i := range entries {
		entries[i].Run = uint32(c.next(1<<32 - 1))
		next := end
		if i+1 < len(entries) {
			next = entries[i+1].ID
		}
		if uint64(entries[i].Run) > next-entries[i].ID {
			return nil, damaged("a run of %d tiles from %d, before %d", entries[i].Run, entries[i].ID, next)
		}
	}
	for i := range entries {
		entries[i].Length = uint32(c.next(1<<32 - 1))
	}
	var after uint64
	for i := range entries {
		e := &entries[i]
		if offset := c.next(1 << 62); offset > 0 {
			e.Offset = offset - 1
		} else if i == 0 && c.err == nil {
			return nil, damaged("the first entry of a directory follows none")
		} else {
			e.Offset = after
		}
		section := h.Tiles.Length
		if e.Run == 0 {
			section = h.Leaves.Length
		}
		if c.err == nil && (e.Length == 0 || e.Offset > section || uint64(e.Length) > section-e.Offset) {
			return nil, damaged("%d bytes at %d in a section of %d", e.Length, e.Offset, section)
		}
		after = e.Offset + uint64(e.Length)
	}
	if c.err == nil && len(c.rest) > 0 {
		return nil, damaged("%d bytes after a directory", len(c.rest))
	}
	return entries, c.err
}

// find returns the index of the last entry that begins at a tile or before it; -1: none does.
func find(entries []Entry, id uint64) int {
	at, found := slices.BinarySearchFunc(entries, id, func(e Entry, id uint64) int {
		switch {
		case e.ID < id:
			return -1
		case e.ID > id:
			return 1
		}
		return 0
	})
	if found {
		return at
	}
	return at - 1
}

// Compressor compresses tiles and directories, for one goroutine at a time.
type Compressor struct {
	out bytes.Buffer
	zip *gzip.Writer
}

// NewCompressor returns a Compressor.
func NewCompressor() *Compressor {
	zip, err := gzip.NewWriterLevel(nil, gzip.DefaultCompression)
	if err != nil {
		panic(err) // the level is a constant
	}
	return &Compressor{zip: zip}
}

// Compress returns data compressed by gzip. The same data gives the same bytes. The result is valid until the next call.
func (c *Compressor) Compress(data []byte) []byte {
	c.out.Reset()
	c.zip.Reset(&c.out)
	if _, err := c.zip.Write(data); err != nil {
		panic(err) // a buffer takes everything
	}
	if err := c.zip.Close(); err != nil {
		panic(err)
	}
	return c.out.Bytes()
}

var readers = sync.Pool{New: func() any { return new(gzip.Reader) }}

// Decompress returns what was compressed by gzip, at most limit bytes.
func Decompress(data []byte, limit int64) ([]byte, error) {
	zip := readers.Get().(*gzip.Reader)
	defer readers.Put(zip)
	if err := zip.Reset(bytes.NewReader(data)); err != nil {
		return nil, damaged("gzip: %v", err)
	}
	plain, err := io.ReadAll(io.LimitReader(zip, limit+1))
	if err != nil {
		return nil, damaged("gzip: %v", err)
	}
	if int64(len(plain)) > limit {
		return nil, damaged("more than %d bytes after decompression", limit)
	}
	return plain, nil
}
