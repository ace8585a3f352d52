// Package wellknown reads geometries in well-known binary, as OGC, ISO, PostGIS and GeoPackages write it, and the parts of
// well-known text. Input: any bytes. Output: geometries with the first two numbers of every vertex, or an error.
//
// Memory is only taken for what the input has: every count is compared with the number of bytes that are left, and
// collections in collections end at a depth of 8.
package wellknown

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/paulmach/orb"
)

// Binary is what well-known binary may be. The zero value takes all that is known, in either byte order.
type Binary struct {
	ISO    bool   // no flags of PostGIS
	Areas  bool   // only polygons and multipolygons; others are of a type that is not read, whatever follows
	System uint32 // the only reference system that is taken, beside 0 and none; 0: any

	SpatiaLite bool // geometries are little-endian, and begin with marks of SpatiaLite in place of byte orders
}

// The marks of SpatiaLite: of the geometry of a blob, and of a member of a list.
const markGeometry, markMember = 0x7C, 0x69

// maxDepth is the depth of geometries in geometries.
const maxDepth = 8

// names are those of GeoJSON by type; suffixes those that ISO adds, by thousands of its types.
var (
	names    = [...]string{1: "Point", "LineString", "Polygon", "MultiPoint", "MultiLineString", "MultiPolygon", "GeometryCollection"}
	suffixes = [...]string{"", " Z", " M", " ZM"}
)

// Read reads one geometry, which must use all of the data. An error is an *Error.
func Read(data []byte) (orb.Geometry, error) {
	g, _, err := Binary{}.Read(data)
	return g, err
}

// Read reads one geometry, which must use all of the data, and the name of its type, such as "MultiPolygon Z". An error is an
// *Error.
func (b Binary) Read(data []byte) (g orb.Geometry, name string, err error) {
	r := reader{b, data}
	h, err := r.head()
	if err == nil {
		name = names[h.kind] + suffixes[h.variant]
		g, err = r.body(h, maxDepth)
	}
	if err == nil && len(r.data) > 0 {
		err = r.fault(More, "bytes after the geometry")
	}
	if err != nil {
		return nil, name, err
	}
	return g, name, nil
}

// reader reads data that are left.
type reader struct {
	Binary
	data []byte
}

// head is the header of a geometry.
type head struct {
	little  bool
	kind    uint32 // 1 point … 7 collection
	variant uint32 // index of suffixes
}

// width is the number of bytes of a vertex: 16, 24, 24, 32.
func (h head) width() int { return 16 + 8*int((h.variant+1)/2) }

func (h head) uint32(at []byte) uint32 {
	if h.little {
		return binary.LittleEndian.Uint32(at)
	}
	return binary.BigEndian.Uint32(at)
}

func (h head) point(at []byte) orb.Point {
	if h.little {
		return orb.Point{math.Float64frombits(binary.LittleEndian.Uint64(at)), math.Float64frombits(binary.LittleEndian.Uint64(at[8:]))}
	}
	return orb.Point{math.Float64frombits(binary.BigEndian.Uint64(at)), math.Float64frombits(binary.BigEndian.Uint64(at[8:]))}
}

// PostGIS has flags in types, the last of which says that a reference system follows.
const (
	flagZ, flagM, flagSystem = 1 << 31, 1 << 30, 1 << 29 // in the highest four bits
	isoStep                  = 1000                      // ISO adds 1000 for Z, 2000 for M, 3000 for both
)

func (r *reader) head() (h head, err error) {
	if len(r.data) < 5 {
		return h, r.short()
	}
	switch mark := r.data[0]; {
	case r.SpatiaLite && (mark == markGeometry || mark == markMember), !r.SpatiaLite && mark == 1:
		h.little = true
	case r.SpatiaLite || mark != 0:
		return h, r.fault(Order, "unknown byte order")
	}
	code := h.uint32(r.data[1:])
	r.data = r.data[5:]
	if flags := code >> 28 << 28; !r.ISO && flags != 0 {
		code &^= flags
		h.variant = flags>>31 | flags>>30&1<<1
		if flags&flagSystem != 0 {
			if err := r.system(h); err != nil {
				return h, err
			}
		}
	}
	if code >= isoStep {
		h.variant = code / isoStep
	}
	h.kind = code % isoStep
	switch {
	case int(h.variant) >= len(suffixes):
		return h, &Error{Type, int64(code), fmt.Sprintf("WKB type %d", code)}
	case h.kind == 0 || int(h.kind) >= len(names) || r.Areas && h.kind != 3 && h.kind != 6:
		return h, &Error{Type, int64(code), fmt.Sprintf("WKB type %d", h.kind)}
	}
	return h, nil
}

// system reads a reference system.
func (r *reader) system(h head) error {
	if len(r.data) < 4 {
		return r.short()
	}
	system := h.uint32(r.data)
	r.data = r.data[4:]
	if r.System != 0 && system != 0 && system != r.System {
		return &Error{System, int64(system), fmt.Sprintf("reference system %d", system)}
	}
	return nil
}

// body reads what follows a header; depth is how many geometries in each other there may be.
func (r *reader) body(h head, depth int) (orb.Geometry, error) {
	switch h.kind {
	case 1:
		if len(r.data) < h.width() {
			return nil, r.short()
		}
		p := h.point(r.data)
		r.data = r.data[h.width():]
		return p, nil
	case 2:
		points, err := r.points(h)
		return orb.LineString(points), err
	case 3:
		return r.polygon(h)
	case 4:
		list, err := members[orb.Point](r, h, depth)
		return orb.MultiPoint(list), err
	case 5:
		list, err := members[orb.LineString](r, h, depth)
		return orb.MultiLineString(list), err
	case 6:
		list, err := members[orb.Polygon](r, h, depth)
		return orb.MultiPolygon(list), err
	}
	list, err := members[orb.Geometry](r, h, depth)
	return orb.Collection(list), err
}

// members reads a list of geometries of one type, or of any.
func members[G orb.Geometry](r *reader, of head, depth int) ([]G, error) {
	n, err := r.count(of, 5)
	if err != nil {
		return nil, err
	}
	if n > 0 && depth == 1 {
		return nil, r.fault(Depth, "nested collections")
	}
	list := make([]G, 0, n)
	for range n {
		h, err := r.head()
		if err != nil {
			return nil, err
		}
		g, err := r.body(h, depth-1)
		if err != nil {
			return nil, err
		}
		member, ok := g.(G)
		if !ok {
			return nil, r.fault(Member, names[h.kind]+" in "+names[of.kind])
		}
		list = append(list, member)
	}
	return list, nil
}

func (r *reader) polygon(h head) (orb.Geometry, error) {
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
		polygon = append(polygon, points)
	}
	return polygon, nil
}

func (r *reader) points(h head) ([]orb.Point, error) {
	width := h.width()
	n, err := r.count(h, width)
	if err != nil {
		return nil, err
	}
	points := make([]orb.Point, n)
	for i := range points {
		points[i] = h.point(r.data[i*width:])
	}
	r.data = r.data[n*width:]
	return points, nil
}

// count reads the number of elements, each of at least size bytes.
func (r *reader) count(h head, size int) (int, error) {
	if len(r.data) < 4 {
		return 0, r.short()
	}
	n := int64(h.uint32(r.data))
	r.data = r.data[4:]
	if n > int64(len(r.data)/size) {
		return 0, r.short()
	}
	return int(n), nil
}
