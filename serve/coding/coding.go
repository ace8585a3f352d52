// Package coding compresses the bodies of answers.
//
// In: a body, with parts that are stored compressed (pack.Insert), and the Accept-Encoding header of the caller. Out: a Coding, and
// the body in it, in memory of the caller or in pieces.
package coding

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"sync"

	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"quartier/internal/pack"
	"quartier/serve/accept"
)

// minCompressed is the minimum length of a body that is compressed, in bytes: shorter ones fit into one packet.
const minCompressed = 1400

// Coding is a content coding.
type Coding struct {
	Header []string // Content-Encoding
	Suffix string   // of the ETag
	// Compress appends a body in the coding to dst, and asks now and then whether to stop; nil of Identity.
	Compress func(dst, body []byte, stop func() bool) []byte
}

// Identity is no coding.
var Identity = &Coding{}

// Stored is gzip of a body that is stored so.
var Stored = &Coding{[]string{"gzip"}, "-gzip", nil}

var (
	gzipCoding = &Coding{[]string{"gzip"}, "-gzip", compressGzip}
	zstdCoding = &Coding{[]string{"zstd"}, "-zstd", compressZstd}
)

// Choose returns the coding that an Accept-Encoding header prefers for a body of size bytes; of equals zstd, then gzip. Identity
// is the fallback, whether or not the header names it. Where parts are stored in gzip, that is the only other one.
func Choose(header []string, size int, stored bool) *Coding {
	offered := []string{"zstd", "gzip"}
	switch {
	case stored:
		offered = offered[1:]
	case size < minCompressed:
		return Identity
	}
	switch accept.Coding(header, offered...) {
	case "zstd":
		return zstdCoding
	case "gzip":
		return gzipCoding
	}
	return Identity
}

// The writers are large; pools keep about one per processor.
var (
	gzips = pool(func() (*gzip.Writer, error) { return gzip.NewWriterLevel(nil, gzip.BestSpeed) })
	zstds = pool(func() (*zstd.Encoder, error) {
		return zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1))
	})
	flates = pool(func() (*flate.Writer, error) { return flate.NewWriter(nil, flate.BestSpeed) })
)

// pool makes a pool of writers. To make one does not fail: its arguments are constants.
func pool[W any](make func() (W, error)) *sync.Pool {
	return &sync.Pool{New: func() any {
		w, err := make()
		if err != nil {
			panic(err)
		}
		return w
	}}
}

// compressedAtOnce is what is compressed before others may have their turn, in bytes: about 150 µs.
const compressedAtOnce = 32 << 10

// compressGzip compresses a body, and asks now and then whether to stop.
func compressGzip(dst, body []byte, stop func() bool) []byte {
	w := gzips.Get().(*gzip.Writer)
	defer gzips.Put(w)
	out := bytes.NewBuffer(dst)
	w.Reset(out)
	for len(body) > compressedAtOnce && !stop() {
		w.Write(body[:compressedAtOnce]) // a bytes.Buffer takes everything
		body = body[compressedAtOnce:]
	}
	w.Write(body)
	w.Close()
	return out.Bytes()
}

// compressZstd compresses a body at once, which takes less than half as long.
func compressZstd(dst, body []byte, _ func() bool) []byte {
	w := zstds.Get().(*zstd.Encoder)
	defer zstds.Put(w)
	return w.EncodeAll(body, dst)
}

// gzipHeader is that of a stream without name and time (RFC 1952).
var gzipHeader = []byte{0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 4, 0xff}

// Splice appends the pieces of a gzip stream of a body with inserts, which are taken as they are stored. What is made is in
// buffer, whose memory is returned.
//
// Example: of the body "ab" with an insert at 1 the pieces are the header and the blocks of "a", those of the insert, and
// those of "b" with the checksum.
func Splice(buffer, body []byte, inserts []pack.Insert, pieces [][]byte) ([]byte, [][]byte) {
	w := flates.Get().(*flate.Writer)
	defer flates.Put(w)
	out := bytes.NewBuffer(append(buffer[:0], gzipHeader...))
	ends := make([]int, 0, 8) // of the pieces in out
	at, size, sum := 0, len(body), uint32(0)
	for _, in := range inserts {
		w.Reset(out)
		w.Write(body[at:in.At]) // a bytes.Buffer takes everything
		w.Flush()
		ends = append(ends, out.Len())
		sum = crc32.Update(crc32.Update(sum, crc32.IEEETable, body[at:in.At]), crc32.IEEETable, in.Text)
		at, size = in.At, size+len(in.Text)
	}
	w.Reset(out)
	w.Write(body[at:])
	w.Close()
	sum = crc32.Update(sum, crc32.IEEETable, body[at:])
	buffer = binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(out.Bytes(), sum), uint32(size))
	first := 0
	for i, end := range ends {
		pieces = append(pieces, buffer[first:end], inserts[i].Deflated)
		first = end
	}
	return buffer, append(pieces, buffer[first:])
}

// Plain appends the pieces of a body with inserts.
func Plain(body []byte, inserts []pack.Insert, pieces [][]byte) [][]byte {
	at := 0
	for _, in := range inserts {
		pieces = append(pieces, body[at:in.At], in.Text)
		at = in.At
	}
	return append(pieces, body[at:])
}
