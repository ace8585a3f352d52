package pbf

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zlib"
	"github.com/klauspost/compress/zstd"

	"quartier/ingest/source"
)

// frame is the position of one blob in the file.
type frame struct {
	start int64  // offset of the length that precedes the blob's header
	kind  string // "OSMHeader", "OSMData", or "other", which is skipped
	blob  int64  // offset of the blob message
	size  int    // of the blob message
}

func (f frame) end() int64 { return f.blob + int64(f.size) }

func bad(offset int64, format string, args ...any) error {
	return fmt.Errorf("%w: block at byte %d: %w", source.ErrBadFile, offset, fmt.Errorf(format, args...))
}

// readFrame reads the header of the blob at byte start of a file of size bytes.
func readFrame(r io.ReaderAt, start, size int64, scratch []byte) (frame, error) {
	f := frame{start: start}
	if size-start < 4 {
		return f, bad(start, "unexpected end of file in the length of a block")
	}
	if _, err := r.ReadAt(scratch[:4], start); err != nil {
		return f, readError(start, err)
	}
	length := binary.BigEndian.Uint32(scratch)
	if length == 0 || length > source.MaxPBFHeader {
		return f, bad(start, "not a block of an OSM PBF file (header of %d bytes)", length)
	}
	if int64(length) > size-start-4 {
		return f, bad(start, "unexpected end of file in the header of a block")
	}
	head := scratch[:length]
	if _, err := r.ReadAt(head, start+4); err != nil {
		return f, readError(start, err)
	}
	fs, dataSize := fields{rest: head}, uint64(0)
	for fs.next() {
		switch fs.number {
		case 1:
			f.kind = blobKind(fs.data)
		case 3:
			dataSize = fs.value
		}
	}
	if fs.err != nil || f.kind == "" {
		return f, bad(start, "not a block of an OSM PBF file (malformed header)")
	}
	if dataSize > source.MaxPBFBlob {
		return f, bad(start, "blob of %d bytes, the format allows %d", dataSize, source.MaxPBFBlob)
	}
	if dataSize == 0 {
		return f, bad(start, "blob without content")
	}
	f.blob, f.size = start+4+int64(length), int(dataSize)
	if f.end() > size {
		return f, bad(start, "unexpected end of file: the block has %d bytes, %d are left", dataSize, size-f.blob)
	}
	return f, nil
}

func blobKind(name []byte) string {
	switch string(name) {
	case "OSMData":
		return "OSMData"
	case "OSMHeader":
		return "OSMHeader"
	case "":
		return ""
	}
	return "other"
}

func readError(offset int64, err error) error {
	if errors.Is(err, io.EOF) {
		return bad(offset, "unexpected end of file")
	}
	return fmt.Errorf("read block at byte %d: %w", offset, err)
}

var errSize = errors.New("decompressed size differs from that in the header")

// unpacker decompresses blobs. It is for one goroutine.
type unpacker struct {
	zlib   io.ReadCloser // nil before the first blob
	zstd   *zstd.Decoder
	buffer []byte // content of the last compressed blob
}

// open returns the content of a blob message; it is valid until the next call.
func (in *unpacker) open(blob []byte) ([]byte, error) {
	var packed []byte
	packing, size := 0, uint64(0)
	fs := fields{rest: blob}
	for fs.next() {
		switch {
		case fs.number == 2 && fs.wire == wireVarint:
			size = fs.value
		case fs.wire == wireBytes && fs.number >= 1 && fs.number <= 7:
			packing, packed = fs.number, fs.data
		}
	}
	switch {
	case fs.err != nil:
		return nil, fs.err
	case size > source.MaxPBFBlob:
		return nil, fmt.Errorf("content of %d bytes, the format allows %d", size, source.MaxPBFBlob)
	}
	switch packing {
	case 0:
		return nil, errors.New("blob without content")
	case 1:
		return packed, nil
	case 3:
		return in.inflate(packed, int(size))
	case 7:
		return in.unzstd(packed, int(size))
	}
	return nil, fmt.Errorf("compression %d is not supported, only zlib, zstd and none", packing)
}

func (in *unpacker) inflate(packed []byte, size int) ([]byte, error) {
	var err error
	if from := bytes.NewReader(packed); in.zlib == nil {
		in.zlib, err = zlib.NewReader(from)
	} else {
		err = in.zlib.(zlib.Resetter).Reset(from, nil)
	}
	if err != nil {
		return nil, fmt.Errorf("zlib: %w", err)
	}
	out := in.room(size)
	n, err := io.ReadFull(in.zlib, out)
	if err == nil || err == io.EOF || err == io.ErrUnexpectedEOF { // the checksum is compared at the end
		var more int
		switch more, err = in.zlib.Read(make([]byte, 1)); {
		case more > 0:
			err = errSize
		case err == io.EOF && n < size:
			err = fmt.Errorf("%w: %d bytes instead of %d", errSize, n, size)
		case err == io.EOF:
			return out, nil
		}
	}
	return nil, fmt.Errorf("zlib: %w", err)
}

func (in *unpacker) unzstd(packed []byte, size int) ([]byte, error) {
	if in.zstd == nil {
		var err error
		in.zstd, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(source.MaxPBFBlob))
		if err != nil {
			return nil, fmt.Errorf("zstd: %w", err)
		}
	}
	out, err := in.zstd.DecodeAll(packed, in.room(size)[:0])
	if err != nil {
		return nil, fmt.Errorf("zstd: %w", err)
	}
	if len(out) != size {
		return nil, fmt.Errorf("content of %d bytes, the blob header has %d", len(out), size)
	}
	return out, nil
}

func (in *unpacker) room(size int) []byte {
	if cap(in.buffer) < size {
		in.buffer = make([]byte, size+size/8)
	}
	return in.buffer[:size]
}

func (in *unpacker) close() {
	if in.zstd != nil {
		in.zstd.Close()
	}
}
