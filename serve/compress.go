package serve

import (
	"bytes"
	"strings"
	"sync"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// minCompressed is the minimum length of a body that is compressed, in bytes: shorter ones fit into one packet.
const minCompressed = 1400

// coding is a content coding.
type coding struct {
	header   []string // Content-Encoding
	suffix   string   // of the ETag
	compress func(dst, body []byte) []byte
}

var (
	identity   = &coding{}
	gzipCoding = &coding{[]string{"gzip"}, "-gzip", compressGzip}
	zstdCoding = &coding{[]string{"zstd"}, "-zstd", compressZstd}
)

// chooseCoding returns the coding that an Accept-Encoding header prefers; of equals zstd, then gzip. Identity is the
// fallback, whether or not the header names it.
func chooseCoding(accept []string) *coding {
	if len(accept) == 0 {
		return identity
	}
	named := map[string]float64{}
	for _, line := range accept {
		for entry := range strings.SplitSeq(line, ",") {
			name, weight := qualityOf(entry)
			named[strings.ToLower(name)] = weight
		}
	}
	weight := func(name string) float64 {
		if w, ok := named[name]; ok {
			return w
		}
		return named["*"]
	}
	if z, g := weight("zstd"), weight("gzip"); z > 0 && z >= g && z >= named["identity"] {
		return zstdCoding
	} else if g > 0 && g >= named["identity"] {
		return gzipCoding
	}
	return identity
}

// Writers are large; pools keep about one per processor.
var (
	gzipWriters = sync.Pool{New: func() any {
		w, err := gzip.NewWriterLevel(nil, gzip.BestSpeed)
		if err != nil {
			panic(err) // the level is a constant
		}
		return w
	}}
	zstdWriters = sync.Pool{New: func() any {
		w, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1))
		if err != nil {
			panic(err) // the options are constants
		}
		return w
	}}
)

func compressGzip(dst, body []byte) []byte {
	out := bytes.NewBuffer(dst)
	w := gzipWriters.Get().(*gzip.Writer)
	defer gzipWriters.Put(w)
	w.Reset(out)
	w.Write(body) // a bytes.Buffer takes everything
	w.Close()
	return out.Bytes()
}

func compressZstd(dst, body []byte) []byte {
	w := zstdWriters.Get().(*zstd.Encoder)
	defer zstdWriters.Put(w)
	return w.EncodeAll(body, dst)
}
