package vector

import (
	"encoding/binary"
	"fmt"
	"math"

	"quartier/ingest/source"

	"github.com/paulmach/orb"
)

// errTruncated is returned for well-known binary that ends within a geometry.
var errTruncated = source.UnreadableGeometry.With("truncated")

// wkbReader decodes the well-known binary of OGC, ISO and PostGIS in either byte order, without Z and M values. Every count
// is compared with the number of bytes left before memory is allocated.
type wkbReader struct{ data []byte }

// decodeWKB decodes one geometry, which must use all of data.
func decodeWKB(data []byte) (orb.Geometry, error) {
	r := &wkbReader{data}
	g, err := r.geometry(8)
	if err == nil && len(r.data) > 0 {
		err = source.UnreadableGeometry.With("bytes after the geometry")
	}
	if err != nil {
		return nil, err
	}
	return g, nil
}

// wkbHead is the header of a geometry.
type wkbHead struct {
	order binary.ByteOrder
	kind  uint32 // 1 point … 7 collection
	width int    // numbers per point: 2, 3 or 4
}

func (r *wkbReader) head() (wkbHead, error) {
	if len(r.data) < 5 {
		return wkbHead{}, errTruncated
	}
	h := wkbHead{order: binary.BigEndian, width: 2}
	switch r.data[0] {
	case 0:
	case 1:
		h.order = binary.LittleEndian
	default:
		return wkbHead{}, source.UnreadableGeometry.With("unknown byte order")
	}
	code := h.order.Uint32(r.data[1:])
	r.data = r.data[5:]
	for _, flag := range []uint32{0x80000000, 0x40000000} { // PostGIS: Z, M
		if code&flag != 0 {
			h.width++
		}
	}
	if code&0x20000000 != 0 { // PostGIS: a reference system follows
		if len(r.data) < 4 {
			return wkbHead{}, errTruncated
		}
		r.data = r.data[4:]
	}
	code &= 0x0fffffff
	switch code / 1000 { // ISO: 1000 Z, 2000 M, 3000 both
	case 0:
	case 1, 2:
		h.width = 3
	case 3:
		h.width = 4
	default:
		return wkbHead{}, source.UnsupportedGeometryType.With(fmt.Sprintf("WKB type %d", code))
	}
	h.kind = code % 1000
	return h, nil
}

// geometry reads a geometry; depth limits nested collections.
func (r *wkbReader) geometry(depth int) (orb.Geometry, error) {
	if depth == 0 {
		return nil, source.UnsupportedGeometryType.With("nested collections")
	}
	h, err := r.head()
	if err != nil {
		return nil, err
	}
	switch h.kind {
	case 1:
		points, err := r.take(h, 1)
		if err != nil {
			return nil, err
		}
		return points[0], nil
	case 2:
		points, err := r.points(h)
		return orb.LineString(points), err
	case 3:
		return r.polygon(h)
	case 4, 5, 6, 7:
		return r.members(h, depth)
	}
	return nil, source.UnsupportedGeometryType.With(fmt.Sprintf("WKB type %d", h.kind))
}

// members reads the list of a multipoint, multilinestring, multipolygon or collection.
func (r *wkbReader) members(h wkbHead, depth int) (orb.Geometry, error) {
	n, err := r.count(h, 5)
	if err != nil {
		return nil, err
	}
	members := make(orb.Collection, 0, n)
	for range n {
		member, err := r.geometry(depth - 1)
		if err != nil {
			return nil, err
		}
		members = append(members, member)
	}
	switch h.kind {
	case 4:
		return collect(orb.MultiPoint{}, members)
	case 5:
		return collect(orb.MultiLineString{}, members)
	case 6:
		return collect(orb.MultiPolygon{}, members)
	}
	return members, nil
}

// collect converts members to a list of one type.
func collect[M interface {
	~[]G
	orb.Geometry
}, G orb.Geometry](list M, members orb.Collection) (orb.Geometry, error) {
	for _, member := range members {
		g, ok := member.(G)
		if !ok {
			return nil, source.UnreadableGeometry.With(member.GeoJSONType() + " in " + list.GeoJSONType())
		}
		list = append(list, g)
	}
	return list, nil
}

func (r *wkbReader) polygon(h wkbHead) (orb.Geometry, error) {
	n, err := r.count(h, 4)
	if err != nil {
		return nil, err
	}
	polygon := make(orb.Polygon, 0, n)
	for range n {
		points, err := r.points(h)
		if err != nil {
			return nil, err
		}
		polygon = append(polygon, orb.Ring(points))
	}
	return polygon, nil
}

func (r *wkbReader) points(h wkbHead) ([]orb.Point, error) {
	n, err := r.count(h, 8*h.width)
	if err != nil {
		return nil, err
	}
	return r.take(h, n)
}

// count reads the number of elements, each of at least size bytes.
func (r *wkbReader) count(h wkbHead, size int) (int, error) {
	if len(r.data) < 4 {
		return 0, errTruncated
	}
	n := int64(h.order.Uint32(r.data))
	r.data = r.data[4:]
	if n > int64(len(r.data)/size) {
		return 0, errTruncated
	}
	return int(n), nil
}

func (r *wkbReader) take(h wkbHead, n int) ([]orb.Point, error) {
	step := 8 * h.width
	if n > len(r.data)/step {
		return nil, errTruncated
	}
	points := make([]orb.Point, n)
	for i := range points {
		at := r.data[i*step:]
		points[i] = orb.Point{math.Float64frombits(h.order.Uint64(at)), math.Float64frombits(h.order.Uint64(at[8:]))}
	}
	r.data = r.data[n*step:]
	return points, nil
}
