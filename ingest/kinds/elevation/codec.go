package elevation

import (
	"bytes"
	"compress/zlib"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
)

// mostPacked is how many bytes a packed byte may stand for at most.
const mostPacked = 1 << 15

// codecs unpack a block into at most length bytes, by the number of their compression. Those that end early leave the
// rest out; the caller says that it is missing.
var codecs = map[uint64]func(packed []byte, length int) ([]byte, error){
	1:     func(packed []byte, _ int) ([]byte, error) { return packed, nil },
	5:     unpackLZW,
	8:     unpackDeflate,
	32946: unpackDeflate,
	32773: unpackBits,
	50000: unpackZstd,
}

func unpackDeflate(packed []byte, length int) ([]byte, error) {
	reader, err := zlib.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	return readMost(reader, length)
}

func unpackZstd(packed []byte, length int) ([]byte, error) {
	reader, err := zstd.NewReader(bytes.NewReader(packed), zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxBlock))
	if err != nil {
		return nil, err
	}
	defer reader.Close()
	return readMost(reader, length)
}

// readMost reads up to length bytes; what follows does not matter.
func readMost(reader io.Reader, length int) ([]byte, error) {
	var data bytes.Buffer
	_, err := io.CopyN(&data, reader, int64(length))
	if err == io.EOF {
		err = nil
	}
	return data.Bytes(), err
}

// unpackBits undoes PackBits: a byte n up to 127 says that n+1 bytes follow as they are, one above 128 that the next is
// repeated 257-n times.
func unpackBits(packed []byte, length int) ([]byte, error) {
	var data []byte
	for len(packed) > 0 && len(data) < length {
		n := int(packed[0])
		packed = packed[1:]
		switch {
		case n < 128:
			if n+1 > len(packed) {
				return nil, errors.New("PackBits that end within a run")
			}
			data, packed = append(data, packed[:n+1]...), packed[n+1:]
		case n > 128:
			if len(packed) == 0 {
				return nil, errors.New("PackBits that end within a run")
			}
			for range 257 - n {
				data = append(data, packed[0])
			}
			packed = packed[1:]
		}
	}
	return data, nil
}

// LZW as TIFF has it: codes of 9 to 12 bits from the high end of the bytes, which grow one code early.
const (
	lzwClear = 256
	lzwEnd   = 257
	lzwFirst = 258
	lzwCodes = 1 << 12
)

// lzw is the table of strings: each is another one and a byte.
type lzw struct {
	prefix [lzwCodes]uint16
	suffix [lzwCodes]byte
	length [lzwCodes]int32
	next   int
	last   int // the code before; -1: none
}

// unpackLZW undoes LZW.
func unpackLZW(packed []byte, length int) ([]byte, error) {
	if len(packed) >= 2 && packed[0] == 0 && packed[1]&1 == 1 {
		return nil, errors.New("LZW of the old kind, with its bits the other way round")
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

// put writes the string of a code and learns the one before it with one byte more.
func (t *lzw) put(data []byte, code int) ([]byte, error) {
	begin := len(data)
	switch {
	case t.last < 0 && code > 255, code > t.next, code == t.next && t.last < 0, code == lzwEnd:
		return nil, fmt.Errorf("LZW with a code %d that says nothing", code)
	case code == t.next && t.next < lzwCodes: // the string that is just being learnt
		data = t.write(data, t.last)
		data = append(data, data[begin])
	case code >= t.next:
		return nil, fmt.Errorf("LZW with a code %d that says nothing", code)
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

// write appends the string of a code.
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
