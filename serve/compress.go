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
	compress func(c *compressors, dst, body []byte) []byte
}

var (
	identity   = &coding{}
	gzipCoding = &coding{[]string{"gzip"}, "-gzip", (*compressors).compressGzip}
	zstdCoding = &coding{[]string{"zstd"}, "-zstd", (*compressors).compressZstd}
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

// compressors are the writers of a server. They are large; pools keep about one per processor.
type compressors struct{ gzip, zstd sync.Pool }

func (c *compressors) compressGzip(dst, body []byte) []byte {
	w, ok := c.gzip.Get().(*gzip.Writer)
	if !ok {
		var err error
		if w, err = gzip.NewWriterLevel(nil, gzip.BestSpeed); err != nil {
			panic(err) // the level is a constant
		}
	}
	defer c.gzip.Put(w)
	out := bytes.NewBuffer(dst)
	w.Reset(out)
	w.Write(body) // a bytes.Buffer takes everything
	w.Close()
	return out.Bytes()
}

func (c *compressors) compressZstd(dst, body []byte) []byte {
	w, ok := c.zstd.Get().(*zstd.Encoder)
	if !ok {
		var err error
		if w, err = zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1)); err != nil {
			panic(err) // the options are constants
		}
	}
	defer c.zstd.Put(w)
	return w.EncodeAll(body, dst)
}
