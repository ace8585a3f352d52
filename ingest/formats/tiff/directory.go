package tiff

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"strings"
)

// Tags of a TIFF directory.
const (
	tagColumns        = 256
	tagRows           = 257
	tagBits           = 258
	tagCompression    = 259
	tagFillOrder      = 266
	tagStripOffsets   = 273
	tagSamples        = 277
	tagRowsPerStrip   = 278
	tagStripBytes     = 279
	tagPredictor      = 317
	tagTileColumns    = 322
	tagTileRows       = 323
	tagTileOffsets    = 324
	tagTileBytes      = 325
	tagSampleFormat   = 339
	tagPixelScale     = 33550
	tagTiepoints      = 33922
	tagTransformation = 34264
	tagGeoKeys        = 34735
	tagGeoDoubles     = 34736
	tagMetadata       = 42112
	tagNoData         = 42113
)

// directory is the first directory of a TIFF file, which describes the image at full resolution.
type directory struct {
	file   io.ReaderAt
	size   int64
	order  binary.ByteOrder
	fields map[uint16]field
}

// field is an entry of a directory: its values, or the offset at which they are.
type field struct {
	kind   uint16
	count  uint64
	inline []byte // the last four or eight bytes of the entry
}

// kindSizes is the size in bytes of a value by its kind: byte, text, short, long, rational …
var kindSizes = map[uint16]uint64{1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 6: 1, 7: 1, 8: 2, 9: 4, 10: 8, 11: 4, 12: 8, 13: 4, 16: 8, 17: 8, 18: 8}

// readDirectory reads the header of a classic TIFF or a BigTIFF and its first directory.
func readDirectory(file io.ReaderAt, size int64) (*directory, error) {
	d := &directory{file: file, size: size, fields: map[uint16]field{}}
	head, err := d.bytes(0, 8)
	if err != nil {
		return nil, err
	}
	switch string(head[:2]) {
	case "II":
		d.order = binary.LittleEndian
	case "MM":
		d.order = binary.BigEndian
	default:
		return nil, fmt.Errorf("it is not a TIFF file")
	}
	switch version := d.order.Uint16(head[2:]); version {
	case 42:
		return d, d.readEntries(uint64(d.order.Uint32(head[4:])), false)
	case 43:
		rest, err := d.bytes(8, 8)
		if err != nil {
			return nil, err
		}
		if d.order.Uint16(head[4:]) != 8 {
			return nil, fmt.Errorf("it is a BigTIFF file with offsets of %d bytes, not 8", d.order.Uint16(head[4:]))
		}
		return d, d.readEntries(d.order.Uint64(rest), true)
	default:
		return nil, fmt.Errorf("it is not a TIFF file: its version is %d", version)
	}
}

// readEntries reads the fields of the directory at an offset: a count, then for each field tag, kind, count of values and
// the values or their offset.
func (d *directory) readEntries(at uint64, big bool) error {
	countSize, entrySize, valueAt := uint64(2), uint64(12), 8
	if big {
		countSize, entrySize, valueAt = 8, 20, 12
	}
	head, err := d.bytes(at, countSize)
	if err != nil {
		return err
	}
	count := uint64(d.order.Uint16(head))
	if big {
		count = d.order.Uint64(head)
	}
	if count > 1<<16 {
		return fmt.Errorf("its directory has %d fields", count)
	}
	entries, err := d.bytes(at+countSize, count*entrySize)
	if err != nil {
		return err
	}
	for ; len(entries) > 0; entries = entries[entrySize:] {
		f := field{kind: d.order.Uint16(entries[2:]), inline: entries[valueAt:entrySize]}
		f.count = uint64(d.order.Uint32(entries[4:]))
		if big {
			f.count = d.order.Uint64(entries[4:])
		}
		d.fields[d.order.Uint16(entries)] = f
	}
	return nil
}

// bytes reads length bytes at an offset; an error where the file ends before.
func (d *directory) bytes(at, length uint64) ([]byte, error) {
	if at > uint64(d.size) || length > uint64(d.size)-at {
		return nil, fmt.Errorf("it is truncated: it has %d bytes, but %d are needed at offset %d", d.size, length, at)
	}
	data := make([]byte, length)
	if _, err := d.file.ReadAt(data, int64(at)); err != nil {
		return nil, err
	}
	return data, nil
}

// raw returns the bytes of a field and the size of each value; nil where the file does not have the field.
func (d *directory) raw(tag uint16) (data []byte, each uint64, err error) {
	f, ok := d.fields[tag]
	if !ok {
		return nil, 0, nil
	}
	each, ok = kindSizes[f.kind]
	if !ok || f.count > uint64(d.size) {
		return nil, 0, fmt.Errorf("field %d has %d values of kind %d", tag, f.count, f.kind)
	}
	length := each * f.count
	if length <= uint64(len(f.inline)) {
		return f.inline[:length], each, nil
	}
	at := uint64(d.order.Uint32(f.inline))
	if len(f.inline) == 8 {
		at = d.order.Uint64(f.inline)
	}
	data, err = d.bytes(at, length)
	return data, each, err
}

// integers returns the values of a field of integers; nil where the file does not have it.
func (d *directory) integers(tag uint16) ([]uint64, error) {
	data, each, err := d.raw(tag)
	if err != nil || data == nil {
		return nil, err
	}
	values := make([]uint64, 0, len(data)/int(each))
	for ; len(data) > 0; data = data[each:] {
		switch each {
		case 1:
			values = append(values, uint64(data[0]))
		case 2:
			values = append(values, uint64(d.order.Uint16(data)))
		case 4:
			values = append(values, uint64(d.order.Uint32(data)))
		default:
			values = append(values, d.order.Uint64(data))
		}
	}
	return values, nil
}

// integer returns the first value of a field of integers, or absent where the file does not have it.
func (d *directory) integer(tag uint16, absent uint64) (uint64, error) {
	values, err := d.integers(tag)
	if err != nil || len(values) == 0 {
		return absent, err
	}
	return values[0], nil
}

// doubles returns the values of a field of doubles; nil where the file does not have it.
func (d *directory) doubles(tag uint16) ([]float64, error) {
	data, each, err := d.raw(tag)
	if err != nil || data == nil {
		return nil, err
	}
	if d.fields[tag].kind != 12 {
		return nil, fmt.Errorf("field %d does not hold doubles", tag)
	}
	values := make([]float64, 0, len(data)/int(each))
	for ; len(data) > 0; data = data[each:] {
		values = append(values, math.Float64frombits(d.order.Uint64(data)))
	}
	return values, nil
}

// text returns a field of text without padding; "" where the file does not have it.
func (d *directory) text(tag uint16) (string, error) {
	data, _, err := d.raw(tag)
	return strings.Trim(string(data), " \x00"), err
}
