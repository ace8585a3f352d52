package released

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/encoding/wkb"

	"quartier/internal/wellknown"
)

// SpatiaLite's geometry blob. The geometry is WKB, except that parts of a multipolygon have a marker in place of the
// byte order. The point (1, 2) in 60 bytes:
//
//	00 01 | E6 10 00 00 | west south east north | 7C | 01 00 00 00 | x y      | FE
//	start   SRID 4326     bounding box, 4 × 8     mark   type point     2 × 8    end
//	order
const (
	blobStart, blobBox, blobMember, blobEnd = 0x00, 0x7C, 0x69, 0xFE

	littleEndian = 1
	wgs84        = 4326
	blobHeader   = 39 // bytes before the geometry's type
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
	mark(blob[blobHeader-1:], m, blobMember)
	return blob
}

// mark sets the byte with which each part of a multipolygon begins in its binary, which begins with byte order and type.
func mark(data []byte, m orb.MultiPolygon, member byte) {
	at := 9
	for _, polygon := range m {
		data[at] = member
		at += 9
		for _, ring := range polygon {
			at += 4 + 16*len(ring)
		}
	}
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

// read decodes a blob.
func read[G orb.Geometry](blob []byte, what string) (g G, err error) {
	if err = checkFrame(blob); err != nil {
		return g, fmt.Errorf("read spatialite %s: %w", what, err)
	}
	found, name, err := wellknown.Binary{ISO: true, SpatiaLite: true}.Read(blob[blobHeader-1 : len(blob)-1])
	g, ok := found.(G)
	if err == nil && (!ok || name != found.GeoJSONType()) {
		err = fmt.Errorf("it is a %s", name)
	}
	if err != nil {
		return g, fmt.Errorf("read spatialite %s: %w", what, err)
	}
	return g, nil
}

// ReadPoint decodes a point in EPSG:4326.
func ReadPoint(blob []byte) (orb.Point, error) { return read[orb.Point](blob, "point") }

// ReadLine decodes a line in EPSG:4326.
func ReadLine(blob []byte) (orb.LineString, error) { return read[orb.LineString](blob, "line") }

// ReadMultiPolygon decodes a multipolygon in EPSG:4326. Its rings are not checked.
func ReadMultiPolygon(blob []byte) (orb.MultiPolygon, error) {
	return read[orb.MultiPolygon](blob, "multipolygon")
}

// checkFrame checks what is around a geometry, except for the values of the bounding box.
func checkFrame(blob []byte) error {
	if len(blob) < blobHeader+5 || blob[0] != blobStart || blob[blobHeader-1] != blobBox || blob[len(blob)-1] != blobEnd {
		return errors.New("invalid header")
	}
	if srid := binary.LittleEndian.Uint32(blob[2:]); blob[1] != littleEndian || srid != wgs84 {
		return fmt.Errorf("byte order %d, srid %d", blob[1], srid)
	}
	return nil
}

// WKB is the well-known binary of a blob, or the blob itself if it is well-known binary in little-endian order already.
func WKB(blob []byte) ([]byte, error) {
	if len(blob) > 0 && blob[0] == littleEndian {
		return blob, nil
	}
	g, err := read[orb.Geometry](blob, "geometry")
	if err != nil {
		return nil, err
	}
	out := append([]byte{littleEndian}, blob[blobHeader:len(blob)-1]...)
	if m, several := g.(orb.MultiPolygon); several {
		mark(out, m, littleEndian)
	}
	return out, nil
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
	for i, v := range []*float64{&b.Min[0], &b.Min[1], &b.Max[0], &b.Max[1]} {
		*v = math.Float64frombits(binary.LittleEndian.Uint64(blob[6+8*i:]))
	}
	return b, nil
}
