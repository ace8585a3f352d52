package tiff

import (
	"bytes"
	"compress/zlib"
	"errors"
	"fmt"
	"io"

	"quartier/ingest/source"

	"github.com/klauspost/compress/zstd"
)

// maxRatio bounds how many bytes one compressed byte can decompress to.
const maxRatio = 1 << 15

// codecs decompress a block, by the number of the compression. They return about length bytes, or fewer where the block
// ends early, which the caller checks.
var codecs = map[uint64]func(packed []byte, length int) ([]byte, error){
	1:     func(packed []byte, _ int) ([]byte, error) { return packed, nil },
	5:     decodeLZW,
	8:     decodeDeflate,
	32946: decodeDeflate,
	32773: decodePackBits,
	50000: decodeZstd,
}

var errTruncatedRun = errors.New("PackBits data end within a run")

func decodeDeflate(packed []byte, length int) ([]byte, error) {
	reader, err := zlib.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	return readUpTo(reader, length)
}

func decodeZstd(packed []byte, length int) ([]byte, error) {
	reader, err := zstd.NewReader(bytes.NewReader(packed), zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(source.MaxRasterTile))
	if err != nil {
		return nil, err
	}
	defer reader.Close()
	return readUpTo(reader, length)
}

// readUpTo reads up to length bytes and ignores what follows.
func readUpTo(reader io.Reader, length int) ([]byte, error) {
	var data bytes.Buffer
	_, err := io.CopyN(&data, reader, int64(length))
	if err == io.EOF {
		err = nil
	}
	return data.Bytes(), err
}

// decodePackBits decodes PackBits: a byte n up to 127 is followed by n+1 literal bytes, one above 128 by a byte to repeat
// 257−n times; 128 is padding.
func decodePackBits(packed []byte, length int) ([]byte, error) {
	var data []byte
	for len(packed) > 0 && len(data) < length {
		n := int(packed[0])
		packed = packed[1:]
		switch {
		case n < 128:
			if n+1 > len(packed) {
				return nil, errTruncatedRun
			}
			data, packed = append(data, packed[:n+1]...), packed[n+1:]
		case n > 128:
			if len(packed) == 0 {
				return nil, errTruncatedRun
			}
			for range 257 - n {
				data = append(data, packed[0])
			}
			packed = packed[1:]
		}
	}
	return data, nil
}

// LZW of TIFF: codes of 9 to 12 bits, most significant bit first, which grow one code earlier than in GIF.
const (
	lzwClear = 256
	lzwEnd   = 257
	lzwFirst = 258
	lzwCodes = 1 << 12
)

// lzw is the table of strings: each is a shorter one and a byte.
type lzw struct {
	prefix [lzwCodes]uint16
	suffix [lzwCodes]byte
	length [lzwCodes]int32
	next   int
	last   int // previous code; −1: none
}

// decodeLZW decodes LZW.
func decodeLZW(packed []byte, length int) ([]byte, error) {
	if len(packed) >= 2 && packed[0] == 0 && packed[1]&1 == 1 {
		return nil, errors.New("LZW of the old style, with reversed bits, is not supported")
	}
	t := &lzw{next: lzwFirst, last: -1}
	for i := range 256 {
		t.suffix[i], t.length[i] = byte(i), 1
	}
	var data []byte
	var window uint32
	bits, width := 0, 9
	for _, b := range packed {
		window, bits = window<<8|uint32(b), bits+8
		if bits < width {
			continue
		}
		code := int(window >> (bits - width) & (1<<width - 1))
		bits -= width
		switch {
		case code == lzwEnd || len(data) >= length:
			return data, nil
		case code == lzwClear:
			t.next, t.last, width = lzwFirst, -1, 9
			continue
		}
		var err error
		if data, err = t.put(data, code); err != nil {
			return nil, err
		}
		for width < 12 && t.next >= 1<<width-1 {
			width++
		}
	}
	return data, nil
}

// put appends the string of a code and adds a string to the table: that of the previous code and the first byte of this
// one. A code that is not in the table yet is that new string.
func (t *lzw) put(data []byte, code int) ([]byte, error) {
	begin := len(data)
	switch {
	case t.last < 0 && code > 255, code > t.next, code == t.next && t.last < 0, code == lzwEnd:
		return nil, fmt.Errorf("invalid LZW code %d", code)
	case code == t.next && t.next < lzwCodes:
		data = t.write(data, t.last)
		data = append(data, data[begin])
	case code >= t.next:
		return nil, fmt.Errorf("invalid LZW code %d", code)
	default:
		data = t.write(data, code)
	}
	if t.last >= 0 && t.next < lzwCodes {
		t.prefix[t.next], t.suffix[t.next], t.length[t.next] = uint16(t.last), data[begin], t.length[t.last]+1
		t.next++
	}
	t.last = code
	return data, nil
}

// write appends the string of a code, from its last byte to its first.
func (t *lzw) write(data []byte, code int) []byte {
	n := int(t.length[code])
	begin := len(data)
	data = append(data, make([]byte, n)...)
	for i := begin + n - 1; i >= begin; i-- {
		data[i] = t.suffix[code]
		code = int(t.prefix[code])
	}
	return data
}
