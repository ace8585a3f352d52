package vector

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"

	"quartier/ingest/source"
	"quartier/schemas/reason"

	"github.com/paulmach/orb"
)

// shp reads the geometry file of a shapefile.
type shp struct {
	reader *bufio.Reader
	left   int64 // bytes of records not read yet
	record int
	buffer bytes.Buffer
	limits source.Limits
}

const shpHeader = 100 // bytes

// errTruncated is returned for a record that ends within a shape.
var errTruncated = source.UnreadableGeometry.With("truncated")

// openSHP reads the header. size is the size of the file in bytes, which must be at least that of the header.
func openSHP(r io.Reader, size int64, limits source.Limits) (*shp, error) {
	s := &shp{reader: bufio.NewReaderSize(r, 256<<10), limits: limits}
	var head [shpHeader]byte
	if _, err := io.ReadFull(s.reader, head[:]); err != nil {
		return nil, bad("the .shp ends within its header")
	}
	if code := binary.BigEndian.Uint32(head[0:]); code != 9994 {
		return nil, bad("it is not a shapefile: the first number is %d, not 9994", code)
	}
	declared := 2 * int64(binary.BigEndian.Uint32(head[24:]))
	if declared < shpHeader {
		return nil, bad("the .shp has a length of %d bytes in its header", declared)
	}
	if declared > size {
		return nil, bad("the .shp is truncated: it has %d bytes of %d", size, declared)
	}
	s.left = declared - shpHeader
	return s, nil
}

// next reads a record, or returns io.EOF after the last one. fault is why the geometry of a complete record cannot be read.
func (s *shp) next() (g orb.Geometry, fault reason.Reason, err error) {
	if s.left == 0 {
		return nil, fault, io.EOF
	}
	s.record++
	var head [8]byte
	if _, err := io.ReadFull(s.reader, head[:]); err != nil || s.left < int64(len(head)) {
		return nil, fault, bad("the .shp ends within the head of record %d", s.record)
	}
	length := 2 * int64(binary.BigEndian.Uint32(head[4:]))
	if s.left -= 8; length > s.left {
		return nil, fault, bad("the .shp ends within record %d", s.record)
	}
	if length > s.limits.Feature() {
		return nil, fault, s.limits.FeatureTooLarge(fmt.Sprintf("record %d of the .shp", s.record))
	}
	s.left -= length
	s.buffer.Reset()
	if _, err := io.CopyN(&s.buffer, s.reader, length); err != nil { // the buffer grows with the data, not with the claimed length
		return nil, fault, bad("the .shp ends within record %d", s.record)
	}
	g, err = shape(s.buffer.Bytes())
	if err != nil {
		return nil, faultOf(err), nil
	}
	return g, fault, nil
}

// Shape types, modulo ten: types with Z have ten added, types with M twenty.
const (
	shapeNull       = 0
	shapePoint      = 1
	shapeLine       = 3
	shapePolygon    = 5
	shapeMultiPoint = 8
)

// shape decodes the content of a record without Z and M values. A null shape is nil.
func shape(data []byte) (orb.Geometry, error) {
	if len(data) < 4 {
		return nil, source.UnreadableGeometry.With("no shape type")
	}
	kind := binary.LittleEndian.Uint32(data)
	if kind > 28 {
		return nil, source.UnsupportedGeometryType.With(fmt.Sprintf("shape type %d", kind))
	}
	body := data[4:]
	switch kind % 10 {
	case shapeNull:
		return nil, nil
	case shapePoint:
		if len(body) < 16 {
			return nil, errTruncated
		}
		return pointAt(body, 0), nil
	case shapeMultiPoint:
		points, _, err := shapeParts(body, false)
		if err != nil {
			return nil, err
		}
		return orb.MultiPoint(points), nil
	case shapeLine, shapePolygon:
		points, parts, err := shapeParts(body, true)
		if err != nil {
			return nil, err
		}
		if kind%10 == shapeLine {
			lines := make(orb.MultiLineString, len(parts))
			for i, part := range parts {
				lines[i] = orb.LineString(points[part[0]:part[1]:part[1]])
			}
			return lines, nil
		}
		rings := make([]orb.Ring, len(parts))
		for i, part := range parts {
			rings[i] = orb.Ring(points[part[0]:part[1]:part[1]])
		}
		return assemble(rings), nil
	}
	return nil, source.UnsupportedGeometryType.With(fmt.Sprintf("shape type %d", kind))
}

// shapeParts reads the bounding box, the counts, the first point of each part (where parted) and the points.
func shapeParts(body []byte, parted bool) (points []orb.Point, parts [][2]int, err error) {
	const box = 32
	head := box + 4
	if parted {
		head += 4
	}
	if len(body) < head {
		return nil, nil, errTruncated
	}
	partCount := 0
	if parted {
		partCount = int(binary.LittleEndian.Uint32(body[box:]))
	}
	pointCount := int(binary.LittleEndian.Uint32(body[head-4:]))
	if partCount > (len(body)-head)/4 || pointCount > (len(body)-head-4*partCount)/16 {
		return nil, nil, source.UnreadableGeometry.With("more parts or points than the record holds")
	}
	points = make([]orb.Point, pointCount)
	for i := range points {
		points[i] = pointAt(body, head+4*partCount+16*i)
	}
	for i := range partCount {
		begin, end := int(binary.LittleEndian.Uint32(body[head+4*i:])), pointCount
		if i+1 < partCount {
			end = int(binary.LittleEndian.Uint32(body[head+4*i+4:]))
		}
		if begin > end || end > pointCount {
			return nil, nil, source.UnreadableGeometry.With("part outside the points")
		}
		parts = append(parts, [2]int{begin, end})
	}
	return points, parts, nil
}

func pointAt(data []byte, offset int) orb.Point {
	return orb.Point{
		math.Float64frombits(binary.LittleEndian.Uint64(data[offset:])),
		math.Float64frombits(binary.LittleEndian.Uint64(data[offset+8:])),
	}
}
