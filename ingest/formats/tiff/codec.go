package tiff

import (
	"bytes"
	"compress/zlib"
	"errors"
	"io"

	"github.com/klauspost/compress/zstd"
	"golang.org/x/image/tiff/lzw"

	"quartier/ingest/source"
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

// decodeLZW decodes LZW of TIFF, whose codes grow one code earlier than in GIF. Data may end without the code of their end.
func decodeLZW(packed []byte, length int) ([]byte, error) {
	if len(packed) >= 2 && packed[0] == 0 && packed[1]&1 == 1 {
		return nil, errors.New("LZW of the old style, with reversed bits, is not supported")
	}
	data, err := readUpTo(lzw.NewReader(bytes.NewReader(packed), lzw.MSB, 8), length)
	if err == io.ErrUnexpectedEOF {
		err = nil
	}
	return data, err
}
