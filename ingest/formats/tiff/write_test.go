package tiff

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"math"
	"slices"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// tiffOf describes a TIFF file of a test.
type tiffOf struct {
	columns, rows           int
	heights                 []float64
	order                   binary.AppendByteOrder
	big                     bool
	bits, format            uint64
	blockColumns, blockRows int // 0: one strip
	tiled                   bool
	compression, predictor  uint64
	nodata                  string
	metadata                string
	isPoint                 bool
	keys                    []uint64 // further geo keys, in fours
	geographic              uint64   // EPSG code
	matrix                  bool     // ModelTransformation instead of scale and tie point
	sparse                  int      // number of a block that is omitted, 1 the first
}

// standard describes an uncompressed file with its outer corner at -122.5, 45.5 and cells of a hundredth of a degree.
func standard(columns, rows int, heights []float64) tiffOf {
	return tiffOf{columns: columns, rows: rows, heights: heights, order: binary.LittleEndian, bits: 32, format: formatFloat,
		blockColumns: columns, blockRows: rows, compression: 1, predictor: 1, geographic: 4326}
}

// write encodes the file by the TIFF 6 and GeoTIFF specifications; it shares no code with the reader.
func (w tiffOf) write(t testing.TB) []byte {
	t.Helper()
	var out []byte
	if w.order.String() == "LittleEndian" {
		out = append(out, "II"...)
	} else {
		out = append(out, "MM"...)
	}
	if w.big {
		out = w.order.AppendUint16(w.order.AppendUint16(w.order.AppendUint16(out, 43), 8), 0)
		out = w.order.AppendUint64(out, 0)
	} else {
		out = w.order.AppendUint32(w.order.AppendUint16(out, 42), 0)
	}
	var offsets, lengths []uint64
	for row := 0; row < w.rows; row += w.blockRows {
		for column := 0; column < w.columns; column += w.blockColumns {
			packed := w.pack(t, w.block(column, row))
			if len(offsets)+1 == w.sparse {
				offsets, lengths = append(offsets, 0), append(lengths, 0)
				continue
			}
			offsets, lengths = append(offsets, uint64(len(out))), append(lengths, uint64(len(packed)))
			out = append(out, packed...)
			if len(out)%2 == 1 {
				out = append(out, 0)
			}
		}
	}
	return w.directory(out, offsets, lengths)
}

// block returns the bytes of a block with its predictor applied.
func (w tiffOf) block(column, row int) []byte {
	var data []byte
	width := int(w.bits / 8)
	for r := row; r < row+w.blockRows; r++ {
		if r >= w.rows && !w.tiled {
			break
		}
		var line []byte
		for c := column; c < column+w.blockColumns; c++ {
			v := 0.0
			if r < w.rows && c < w.columns {
				v = w.heights[r*w.columns+c]
			}
			line = w.value(line, v)
		}
		switch w.predictor {
		case 2:
			for i := len(line) - width; i > 0; i -= width {
				w.subtract(line[i:i+width], line[i-width:i])
			}
		case 3:
			line = w.scatter(line, width)
		}
		data = append(data, line...)
	}
	return data
}

func (w tiffOf) value(line []byte, v float64) []byte {
	switch {
	case w.format == formatFloat && w.bits == 32:
		return w.order.AppendUint32(line, math.Float32bits(float32(v)))
	case w.format == formatFloat:
		return w.order.AppendUint64(line, math.Float64bits(v))
	case w.bits == 8:
		return append(line, byte(int(v)))
	case w.bits == 16:
		return w.order.AppendUint16(line, uint16(int(v)))
	}
	return w.order.AppendUint32(line, uint32(int(v)))
}

// subtract subtracts b from a, numbers in the file's byte order, byte by byte with borrow.
func (w tiffOf) subtract(a, b []byte) {
	borrow := 0
	for i := range a {
		at := i // from the lowest byte
		if w.order.String() != "LittleEndian" {
			at = len(a) - 1 - i
		}
		d := int(a[at]) - int(b[at]) - borrow
		borrow = 0
		if d < 0 {
			d, borrow = d+256, 1
		}
		a[at] = byte(d)
	}
}

// scatter writes floats as planes of bytes, the most significant first, each byte as a difference.
func (w tiffOf) scatter(line []byte, width int) []byte {
	var out []byte
	for plane := range width {
		for i := 0; i < len(line); i += width {
			at := plane
			if w.order.String() == "LittleEndian" {
				at = width - 1 - plane
			}
			out = append(out, line[i+at])
		}
	}
	for i := len(out) - 1; i > 0; i-- {
		out[i] -= out[i-1]
	}
	return out
}

func (w tiffOf) pack(t testing.TB, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	switch w.compression {
	case 5:
		return packLZW(data)
	case 8, 32946:
		z := zlib.NewWriter(&b)
		z.Write(data)
		z.Close()
		return b.Bytes()
	case 32773:
		return packBits(data)
	case 50000:
		z, err := zstd.NewWriter(&b)
		if err != nil {
			t.Fatal(err)
		}
		z.Write(data)
		z.Close()
		return b.Bytes()
	}
	return data
}

// packBits encodes runs of the same byte as repeats with padding behind them, and other bytes literally.
func packBits(data []byte) []byte {
	var out []byte
	for len(data) > 0 {
		n := 1
		for n < len(data) && n < 128 && data[n] == data[0] {
			n++
		}
		if n > 2 {
			out, data = append(out, byte(257-n), data[0], 128), data[n:]
			continue
		}
		n = min(len(data), 5)
		out, data = append(append(out, byte(n-1)), data[:n]...), data[n:]
	}
	return out
}

// packLZW encodes LZW with a map of strings, as the specification describes it.
func packLZW(data []byte) []byte {
	var out []byte
	var window, bits uint64
	width := uint64(9)
	table := map[string]uint64{}
	reset := func() {
		clear(table)
		for i := range 256 {
			table[string([]byte{byte(i)})] = uint64(i)
		}
		table["clear"], table["end"] = 0, 0 // so that the next code is the number of entries
		width = 9
	}
	put := func(code uint64) {
		window, bits = window<<width|code, bits+width
		for bits >= 8 {
			out = append(out, byte(window>>(bits-8)))
			bits -= 8
		}
	}
	reset()
	put(256)
	current := ""
	for _, b := range data {
		longer := current + string([]byte{b})
		if _, known := table[longer]; known && len(longer) > 0 {
			current = longer
			continue
		}
		put(table[current])
		table[longer] = uint64(len(table))
		switch len(table) {
		case 512, 1024, 2048:
			width++
		case 4095:
			put(256)
			reset()
		}
		current = string([]byte{b})
	}
	put(table[current])
	if len(table)+1 == 1<<width { // the reader adds a string for this code too
		width++
	}
	put(257)
	if bits > 0 {
		out = append(out, byte(window<<(8-bits)))
	}
	return out
}

// entry is a field of the directory.
type entry struct {
	tag, kind uint16
	count     int
	data      []byte
}

func (w tiffOf) directory(out []byte, offsets, lengths []uint64) []byte {
	var entries []entry
	shorts := func(tag uint16, values ...uint64) {
		e := entry{tag: tag, kind: 3, count: len(values)}
		for _, v := range values {
			e.data = w.order.AppendUint16(e.data, uint16(v))
		}
		entries = append(entries, e)
	}
	longs := func(tag uint16, values ...uint64) {
		e := entry{tag: tag, kind: 4, count: len(values)}
		for _, v := range values {
			e.data = w.order.AppendUint32(e.data, uint32(v))
		}
		if w.big {
			e.kind, e.data = 16, nil
			for _, v := range values {
				e.data = w.order.AppendUint64(e.data, v)
			}
		}
		entries = append(entries, e)
	}
	doubles := func(tag uint16, values ...float64) {
		e := entry{tag: tag, kind: 12, count: len(values)}
		for _, v := range values {
			e.data = w.order.AppendUint64(e.data, math.Float64bits(v))
		}
		entries = append(entries, e)
	}
	shorts(tagColumns, uint64(w.columns))
	longs(tagRows, uint64(w.rows))
	shorts(tagBits, w.bits)
	shorts(tagCompression, w.compression)
	shorts(tagSamples, 1)
	shorts(tagPredictor, w.predictor)
	shorts(tagSampleFormat, w.format)
	if w.tiled {
		shorts(tagTileColumns, uint64(w.blockColumns))
		shorts(tagTileRows, uint64(w.blockRows))
		longs(tagTileOffsets, offsets...)
		longs(tagTileBytes, lengths...)
	} else {
		longs(tagStripOffsets, offsets...)
		longs(tagRowsPerStrip, uint64(w.blockRows))
		longs(tagStripBytes, lengths...)
	}
	const step, west, north = 0.01, -122.5, 45.5
	if w.matrix {
		doubles(tagTransformation, step, 0, 0, west, 0, -step, 0, north, 0, 0, 0, 0, 0, 0, 0, 1)
	} else {
		doubles(tagPixelScale, step, step, 0)
		doubles(tagTiepoints, 1, 2, 0, west+step, north-2*step, 0)
	}
	raster := uint64(1)
	if w.isPoint {
		raster = rasterIsPoint
	}
	keys := append([]uint64{1, 1, 0, 0, keyModel, 0, 1, modelGeographic, keyRaster, 0, 1, raster, keyGeographic, 0, 1, w.geographic},
		w.keys...)
	keys[3] = uint64(len(keys)/4 - 1)
	shorts(tagGeoKeys, keys...)
	if w.metadata != "" {
		entries = append(entries, entry{tagMetadata, 2, len(w.metadata) + 1, append([]byte(w.metadata), 0)})
	}
	if w.nodata != "" {
		entries = append(entries, entry{tagNoData, 2, len(w.nodata) + 1, append([]byte(w.nodata), 0)})
	}
	slices.SortFunc(entries, func(a, b entry) int { return int(a.tag) - int(b.tag) })
	return w.append(out, entries)
}

// append adds the directory after the blocks and writes its offset into the header.
func (w tiffOf) append(out []byte, entries []entry) []byte {
	room := 4
	if w.big {
		room = 8
	}
	number := func(out []byte, v int) []byte {
		if w.big {
			return w.order.AppendUint64(out, uint64(v))
		}
		return w.order.AppendUint32(out, uint32(v))
	}
	var places []int
	for _, e := range entries {
		places = append(places, len(out))
		if len(e.data) > room {
			out = append(out, e.data...)
		}
	}
	at := len(out)
	copy(out[room:], number(nil, at))
	if w.big {
		out = w.order.AppendUint64(out, uint64(len(entries)))
	} else {
		out = w.order.AppendUint16(out, uint16(len(entries)))
	}
	for i, e := range entries {
		out = number(w.order.AppendUint16(w.order.AppendUint16(out, e.tag), e.kind), e.count)
		if len(e.data) > room {
			out = number(out, places[i])
			continue
		}
		out = append(out, append(e.data, make([]byte, room-len(e.data))...)...)
	}
	return number(out, 0)
}
