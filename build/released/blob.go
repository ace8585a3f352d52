package released

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/encoding/wkb"
)

// SpatiaLite's geometry blob. The geometry is WKB, except that parts of a multipolygon have a marker in place of the
// byte order. The point (1, 2) in 60 bytes:
//
//	00 01 | E6 10 00 00 | west south east north | 7C | 01 00 00 00 | x y      | FE
//	start   SRID 4326     bounding box, 4 × 8     mark   type point     2 × 8    end
//	order
const (
	blobStart, blobBox, blobMember, blobEnd = 0x00, 0x7C, 0x69, 0xFE

	littleEndian                                 = 1
	wgs84                                        = 4326
	typePoint, typeLine, typePolygon, typeMultis = 1, 2, 3, 6
	blobHeader                                   = 39 // bytes before the geometry's type
)

// PointBlob encodes a point in EPSG:4326.
func PointBlob(p orb.Point) []byte { return encodeBlob(p) }

// LineBlob encodes a line in EPSG:4326.
func LineBlob(line orb.LineString) []byte {
	if line == nil {
		line = orb.LineString{} // orb has no encoding of nil
	}
	return encodeBlob(line)
}

// MultiPolygonBlob encodes a multipolygon in EPSG:4326, with its rings in the order given.
func MultiPolygonBlob(m orb.MultiPolygon) []byte {
	if m == nil {
		m = orb.MultiPolygon{}
	}
	blob := encodeBlob(m)
	at := blobHeader + 8
	for _, polygon := range m {
		blob[at] = blobMember
		at += 9
		for _, ring := range polygon {
			at += 4 + 16*len(ring)
		}
	}
	return blob
}

// encodeBlob frames the WKB of a geometry.
func encodeBlob(g orb.Geometry) []byte {
	data := wkb.MustMarshal(g, binary.LittleEndian)[1:] // without the byte order
	box := g.Bound()
	out := append(make([]byte, 0, blobHeader+len(data)+1), blobStart, littleEndian)
	out = binary.LittleEndian.AppendUint32(out, wgs84)
	for _, v := range [...]float64{box.Min[0], box.Min[1], box.Max[0], box.Max[1]} {
		out = binary.LittleEndian.AppendUint64(out, math.Float64bits(v))
	}
	return append(append(append(out, blobBox), data...), blobEnd)
}

// blobReader decodes a blob up to the first error.
type blobReader struct {
	rest []byte
	err  error
}

// ReadPoint decodes a point in EPSG:4326.
func ReadPoint(blob []byte) (orb.Point, error) {
	r := openBlob(blob, typePoint)
	p := r.xy()
	return p, r.close("point")
}

// ReadLine decodes a line in EPSG:4326.
func ReadLine(blob []byte) (orb.LineString, error) {
	r := openBlob(blob, typeLine)
	line := make(orb.LineString, r.count(16))
	for i := range line {
		line[i] = r.xy()
	}
	return line, r.close("line")
}

// ReadMultiPolygon decodes a multipolygon in EPSG:4326. Its rings are not checked.
func ReadMultiPolygon(blob []byte) (orb.MultiPolygon, error) {
	r := openBlob(blob, typeMultis)
	polygons := r.count(9)
	m := make(orb.MultiPolygon, 0, polygons)
	for range polygons {
		if member, kind := r.byte(), r.uint32(); r.err == nil && (member != blobMember || kind != typePolygon) {
			r.fail("member %#x of type %d", member, kind)
		}
		rings := r.count(4)
		polygon := make(orb.Polygon, 0, rings)
		for range rings {
			ring := make(orb.Ring, r.count(16))
			for i := range ring {
				ring[i] = r.xy()
			}
			polygon = append(polygon, ring)
		}
		m = append(m, polygon)
	}
	return m, r.close("multipolygon")
}

// openBlob checks the header, except for the values of the bounding box, and returns a reader of the geometry.
func openBlob(blob []byte, kind uint32) *blobReader {
	r := &blobReader{}
	if len(blob) < blobHeader+5 || blob[0] != blobStart || blob[blobHeader-1] != blobBox || blob[len(blob)-1] != blobEnd {
		r.fail("invalid header")
		return r
	}
	if srid := binary.LittleEndian.Uint32(blob[2:]); blob[1] != littleEndian || srid != wgs84 {
		r.fail("byte order %d, srid %d", blob[1], srid)
		return r
	}
	r.rest = blob[blobHeader : len(blob)-1]
	if found := r.uint32(); found != kind {
		r.fail("type %d, want %d", found, kind)
	}
	return r
}

func (r *blobReader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf(format, args...)
	}
	r.rest = nil
}

func (r *blobReader) take(n int) []byte {
	if len(r.rest) < n {
		r.fail("truncated")
		return make([]byte, n)
	}
	taken := r.rest[:n]
	r.rest = r.rest[n:]
	return taken
}

func (r *blobReader) byte() byte     { return r.take(1)[0] }
func (r *blobReader) uint32() uint32 { return binary.LittleEndian.Uint32(r.take(4)) }

// count reads the number of elements that follow, of at least size bytes each. It fails where they cannot fit.
func (r *blobReader) count(size int) int {
	n := r.uint32()
	if uint64(n)*uint64(size) > uint64(len(r.rest)) {
		r.fail("%d parts in %d bytes", n, len(r.rest))
		return 0
	}
	return int(n)
}

func (r *blobReader) xy() orb.Point {
	data := r.take(16)
	return orb.Point{
		math.Float64frombits(binary.LittleEndian.Uint64(data)),
		math.Float64frombits(binary.LittleEndian.Uint64(data[8:])),
	}
}

func (r *blobReader) close(what string) error {
	if r.err == nil && len(r.rest) > 0 {
		r.fail("%d extra bytes", len(r.rest))
	}
	if r.err != nil {
		return fmt.Errorf("read spatialite %s: %w", what, r.err)
	}
	return nil
}

// WKB is the well-known binary of a blob, or the blob itself if it is well-known binary in little-endian order already.
func WKB(blob []byte) ([]byte, error) {
	if len(blob) > 0 && blob[0] == littleEndian {
		return blob, nil
	}
	if len(blob) < blobHeader+4 {
		return nil, errors.New("read spatialite geometry: truncated")
	}
	kind := binary.LittleEndian.Uint32(blob[blobHeader:])
	r := openBlob(blob, kind)
	if r.err != nil {
		return nil, r.close("geometry")
	}
	out := append([]byte{littleEndian}, blob[blobHeader:len(blob)-1]...)
	if kind != typeMultis {
		return out, nil
	}
	begin := len(r.rest)
	for range r.count(9) {
		at := 5 + begin - len(r.rest) // of the member in out, which begins with byte order and type
		if member, of := r.byte(), r.uint32(); r.err == nil && (member != blobMember || of != typePolygon) {
			r.fail("member %#x of type %d", member, of)
		}
		for range r.count(4) {
			r.take(16 * r.count(16))
		}
		if r.err == nil {
			out[at] = littleEndian
		}
	}
	return out, r.close("geometry")
}

// Bound is the bounding box of a blob, or of well-known binary.
func Bound(blob []byte) (b orb.Bound, err error) {
	if len(blob) > 0 && blob[0] == littleEndian {
		g, err := wkb.Unmarshal(blob)
		if err != nil {
			return b, err
		}
		return g.Bound(), nil
	}
	if len(blob) < blobHeader {
		return b, errors.New("read spatialite geometry: truncated")
	}
	r := blobReader{rest: blob[6:]}
	b.Min, b.Max = r.xy(), r.xy()
	return b, r.err
}
