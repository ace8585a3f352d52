package tiff

import (
	"encoding/binary"
	"fmt"
	"math"

	"quartier/ingest/source"
)

// image describes how cells are stored: in blocks, which are strips as wide as the image, or tiles.
type image struct {
	*directory
	columns, rows           int
	blockColumns, blockRows int
	across                  int // blocks in a row of blocks
	offsets, lengths        []uint64
	compression, predictor  uint64
	bits, format            uint64
	tiled                   bool
	nodata                  float64 // stored value of unknown cells; NaN: none
	scaling                 scaling // of stored values

	cache map[int][]float32 // decoded blocks
	order []int             // keys of the cache, the oldest first
	kept  int               // cells in the cache
}

const (
	maxKept = 1 << 26 // cells in the cache
)

// Formats of a cell.
const (
	formatUnsigned = 1
	formatSigned   = 2
	formatFloat    = 3
)

// newImage reads the fields that describe the cells; an error where they are not of a supported form.
func newImage(d *directory) (*image, error) {
	p := &image{directory: d, cache: map[int][]float32{}}
	var columns, rows, samples, fill uint64
	for _, wanted := range []struct {
		tag    uint16
		into   *uint64
		absent uint64
	}{
		{tagColumns, &columns, 0}, {tagRows, &rows, 0}, {tagBits, &p.bits, 1}, {tagCompression, &p.compression, 1}, {tagSamples, &samples, 1},
		{tagFillOrder, &fill, 1}, {tagPredictor, &p.predictor, 1}, {tagSampleFormat, &p.format, formatUnsigned},
	} {
		var err error
		if *wanted.into, err = d.integer(wanted.tag, wanted.absent); err != nil {
			return nil, err
		}
	}
	p.columns, p.rows = int(columns), int(rows)
	switch {
	case columns > source.MaxRasterSide || rows > source.MaxRasterSide:
		return nil, source.TooLarge(fmt.Sprintf("its grid of %d by %d", columns, rows), source.MaxRasterSide, "cells along a side")
	case columns < 2 || rows < 2:
		return nil, fmt.Errorf("its grid has %d by %d cells", columns, rows)
	case samples != 1:
		return nil, fmt.Errorf("it has %d bands, not one; extract one with gdal_translate -b 1", samples)
	case fill != 1:
		return nil, fmt.Errorf("its fill order is reversed")
	case !p.supported():
		return nil, fmt.Errorf("cells of %d bits in format %d are not supported", p.bits, p.format)
	case p.predictor < 1 || p.predictor > 3 || p.predictor == 3 && p.format != formatFloat:
		return nil, fmt.Errorf("predictor %d is not supported with cells in format %d", p.predictor, p.format)
	case codecs[p.compression] == nil:
		return nil, fmt.Errorf("compression %d is not supported; convert it with gdal_translate -co COMPRESS=DEFLATE", p.compression)
	}
	return p, p.locateBlocks()
}

// supported reports whether cells are numbers of a supported size.
func (p *image) supported() bool {
	if p.format == formatFloat {
		return p.bits == 32 || p.bits == 64
	}
	return (p.format == formatUnsigned || p.format == formatSigned) && (p.bits == 8 || p.bits == 16 || p.bits == 32)
}

// locateBlocks reads the size and the offsets of the blocks.
func (p *image) locateBlocks() error {
	offsets, lengths := uint16(tagStripOffsets), uint16(tagStripBytes)
	width := uint64(p.columns)
	height, err := p.integer(tagRowsPerStrip, uint64(p.rows))
	if err != nil {
		return err
	}
	height = min(height, uint64(p.rows))
	if _, p.tiled = p.fields[tagTileOffsets]; p.tiled {
		offsets, lengths = tagTileOffsets, tagTileBytes
		if width, err = p.integer(tagTileColumns, 0); err != nil {
			return err
		}
		if height, err = p.integer(tagTileRows, 0); err != nil {
			return err
		}
	}
	if width == 0 || height == 0 {
		return fmt.Errorf("its blocks have %d by %d cells", width, height)
	}
	if width > source.MaxRasterSide || height > source.MaxRasterSide || width*height*p.bits/8 > source.MaxRasterTile {
		return source.TooLarge(fmt.Sprintf("a block of %d by %d cells", width, height), source.MaxRasterTile, "bytes")
	}
	p.blockColumns, p.blockRows = int(width), int(height)
	p.across = (p.columns + p.blockColumns - 1) / p.blockColumns
	blocks := p.across * ((p.rows + p.blockRows - 1) / p.blockRows)
	if p.offsets, err = p.integers(offsets); err != nil {
		return err
	}
	if p.lengths, err = p.integers(lengths); err != nil {
		return err
	}
	if len(p.offsets) != blocks || len(p.lengths) != blocks {
		return fmt.Errorf("it has %d offsets and %d lengths for %d blocks", len(p.offsets), len(p.lengths), blocks)
	}
	for i, at := range p.offsets {
		if at > uint64(p.size) || p.lengths[i] > uint64(p.size)-at {
			return fmt.Errorf("it is truncated: block %d of %d extends beyond byte %d", i+1, blocks, p.size)
		}
	}
	return nil
}

// window reads the values of a rectangle of cells from the blocks that it overlaps.
func (p *image) window(column, row, columns, rows int, into []float32) error {
	for br := row / p.blockRows; br*p.blockRows < row+rows; br++ {
		for bc := column / p.blockColumns; bc*p.blockColumns < column+columns; bc++ {
			block, err := p.block(br*p.across + bc)
			if err != nil {
				return fmt.Errorf("block %d: %w", br*p.across+bc+1, err)
			}
			west, east := max(column, bc*p.blockColumns), min(column+columns, (bc+1)*p.blockColumns)
			for r := max(row, br*p.blockRows); r < min(row+rows, (br+1)*p.blockRows); r++ {
				target := into[(r-row)*columns+west-column : (r-row)*columns+east-column]
				if block == nil {
					fillUnknown(target)
					continue
				}
				copy(target, block[(r-br*p.blockRows)*p.blockColumns+west-bc*p.blockColumns:])
			}
		}
	}
	return nil
}

func fillUnknown(cells []float32) {
	for i := range cells {
		cells[i] = float32(math.NaN())
	}
}

// block returns a decoded block, from the cache where it is there; nil where the file omits it, as sparse files do.
func (p *image) block(i int) ([]float32, error) {
	if p.lengths[i] == 0 {
		return nil, nil
	}
	if cells, ok := p.cache[i]; ok {
		return cells, nil
	}
	rows := p.blockRows
	if !p.tiled { // the last strip ends with the image
		rows = min(rows, p.rows-i*p.blockRows)
	}
	width := int(p.bits / 8)
	length := rows * p.blockColumns * width
	// A block cannot decompress to more than maxRatio times its size, so that a small file cannot allocate much memory.
	if packed := p.lengths[i]; p.compression == 1 && packed < uint64(length) || packed < uint64(length)/maxRatio {
		return nil, fmt.Errorf("%d bytes cannot hold %d cells", p.lengths[i], rows*p.blockColumns)
	}
	packed, err := p.bytes(p.offsets[i], p.lengths[i])
	if err != nil {
		return nil, err
	}
	data, err := codecs[p.compression](packed, length)
	if err != nil {
		return nil, err
	}
	if len(data) < length {
		return nil, fmt.Errorf("it has %d bytes of %d", len(data), length)
	}
	cells := p.cells(data[:length])
	p.keep(i, cells)
	return cells, nil
}

// keep adds a block to the cache and drops the oldest ones where it is full.
func (p *image) keep(i int, cells []float32) {
	for len(p.order) > 0 && p.kept+len(cells) > maxKept {
		p.kept -= len(p.cache[p.order[0]])
		delete(p.cache, p.order[0])
		p.order = p.order[1:]
	}
	p.cache[i] = cells
	p.order = append(p.order, i)
	p.kept += len(cells)
}

// cells undoes the predictor and decodes the bytes of a block.
func (p *image) cells(data []byte) []float32 {
	width := int(p.bits / 8)
	stride := p.blockColumns * width
	order := p.directory.order
	for row := 0; row < len(data); row += stride {
		switch p.predictor {
		case 2:
			undoDifferences(data[row:row+stride], width, order)
		case 3:
			undoFloatPredictor(data[row:row+stride], width, order)
		}
	}
	cells := make([]float32, len(data)/width)
	for i := range cells {
		stored := p.value(data[i*width:], order)
		if math.IsNaN(stored) || float32(stored) == float32(p.nodata) { // nodata is written with fewer digits than a double has
			cells[i] = float32(math.NaN())
		} else {
			cells[i] = p.scaling.apply(stored)
		}
	}
	return cells
}

// value decodes the number at the beginning of data.
func (p *image) value(data []byte, order binary.ByteOrder) float64 {
	switch p.format<<8 | p.bits {
	case formatFloat<<8 | 32:
		return float64(math.Float32frombits(order.Uint32(data)))
	case formatFloat<<8 | 64:
		return math.Float64frombits(order.Uint64(data))
	case formatSigned<<8 | 8:
		return float64(int8(data[0]))
	case formatSigned<<8 | 16:
		return float64(int16(order.Uint16(data)))
	case formatSigned<<8 | 32:
		return float64(int32(order.Uint32(data)))
	case formatUnsigned<<8 | 8:
		return float64(data[0])
	case formatUnsigned<<8 | 16:
		return float64(order.Uint16(data))
	}
	return float64(order.Uint32(data))
}

// undoDifferences undoes predictor 2, which stores every cell of a row as the difference from the one before:
//
//	stored 7 1 1 −2 is 7 8 9 7
func undoDifferences(row []byte, width int, order binary.ByteOrder) {
	switch width {
	case 1:
		for i := 1; i < len(row); i++ {
			row[i] += row[i-1]
		}
	case 2:
		for i := 2; i+2 <= len(row); i += 2 {
			order.PutUint16(row[i:], order.Uint16(row[i:])+order.Uint16(row[i-2:]))
		}
	case 4:
		for i := 4; i+4 <= len(row); i += 4 {
			order.PutUint32(row[i:], order.Uint32(row[i:])+order.Uint32(row[i-4:]))
		}
	case 8:
		for i := 8; i+8 <= len(row); i += 8 {
			order.PutUint64(row[i:], order.Uint64(row[i:])+order.Uint64(row[i-8:]))
		}
	}
}

// undoFloatPredictor undoes predictor 3, which stores a row of floats as planes of bytes, the most significant first, and
// each byte as the difference from the one before:
//
//	numbers ABCD EFGH (bytes from the most significant) are planes AE BF CG DH
func undoFloatPredictor(row []byte, width int, order binary.ByteOrder) {
	undoDifferences(row, 1, order)
	planes := append([]byte(nil), row...)
	n := len(row) / width
	for i := range n {
		for b := range width {
			at := i*width + b
			if order == binary.LittleEndian {
				at = i*width + width - 1 - b
			}
			row[at] = planes[b*n+i]
		}
	}
}
