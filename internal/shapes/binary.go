package shapes

import (
	"encoding/binary"
	"math"

	"github.com/paulmach/orb"
)

// Types of well-known binary.
const (
	typePolygon      = 3
	typeMultiPolygon = 6
)

// Flags of the types of PostGIS, and what ISO adds to them.
const (
	flagZ       = 1 << 31
	flagM       = 1 << 30
	flagSystem  = 1 << 29
	wgs84       = 4326
	isoStep     = 1000 // Z 1000, M 2000, ZM 3000
	isoVariants = 4
)

// binaryReader reads well-known binary.
type binaryReader struct {
	data  []byte
	order binary.ByteOrder
}

func readBinary(data []byte) (orb.MultiPolygon, error) {
	r := binaryReader{data: data}
	kind, numbers, err := r.head()
	if err != nil {
		return nil, err
	}
	var m orb.MultiPolygon
	switch kind {
	case typePolygon:
		m, err = r.appendPolygon(nil, numbers)
	case typeMultiPolygon:
		m, err = r.multiPolygon()
	default:
		return nil, ErrKind
	}
	switch {
	case err != nil:
		return nil, err
	case len(r.data) > 0:
		return nil, wrong(ErrFormat, "%d bytes too many", len(r.data))
	case len(m) == 0:
		return nil, ErrMissing
	}
	return m, nil
}

// head reads byte order, type and reference system, and returns the type without its flags and how many numbers a vertex has.
func (r *binaryReader) head() (kind uint32, numbers int, err error) {
	if len(r.data) < 5 || r.data[0] > 1 {
		return 0, 0, r.short()
	}
	r.order = binary.BigEndian
	if r.data[0] == 1 {
		r.order = binary.LittleEndian
	}
	kind = r.order.Uint32(r.data[1:])
	r.data = r.data[5:]
	numbers = 2
	for _, flag := range []uint32{flagZ, flagM} {
		if kind&flag != 0 {
			numbers++
		}
	}
	if kind&flagSystem != 0 {
		if len(r.data) < 4 {
			return 0, 0, r.short()
		}
		if system := r.order.Uint32(r.data); system != wgs84 && system != 0 {
			return 0, 0, wrong(ErrFormat, "reference system %d, only %d is taken", system, wgs84)
		}
		r.data = r.data[4:]
	}
	kind &^= flagZ | flagM | flagSystem
	if variant := kind / isoStep; variant < isoVariants && numbers == 2 {
		numbers += []int{0, 1, 1, 2}[variant]
		kind %= isoStep
	}
	return kind, numbers, nil
}

func (r *binaryReader) short() error { return wrong(ErrFormat, "binary that is cut short") }

// count reads the number of items that have so many bytes at least.
func (r *binaryReader) count(least int) (int, error) {
	if len(r.data) < 4 {
		return 0, r.short()
	}
	n := r.order.Uint32(r.data)
	r.data = r.data[4:]
	if uint64(n)*uint64(least) > uint64(len(r.data)) {
		return 0, r.short()
	}
	return int(n), nil
}

func (r *binaryReader) multiPolygon() (m orb.MultiPolygon, err error) {
	n, err := r.count(9)
	if err != nil {
		return nil, err
	}
	for range n {
		kind, numbers, err := r.head()
		if err != nil {
			return nil, err
		}
		if kind != typePolygon {
			return nil, ErrKind
		}
		if m, err = r.appendPolygon(m, numbers); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// appendPolygon appends a polygon, unless it is empty.
func (r *binaryReader) appendPolygon(m orb.MultiPolygon, numbers int) (orb.MultiPolygon, error) {
	rings, err := r.count(4)
	if err != nil || rings == 0 {
		return m, err
	}
	var polygon orb.Polygon
	for range rings {
		width := 8 * numbers
		n, err := r.count(width)
		if err != nil {
			return nil, err
		}
		ring := make(orb.Ring, n)
		for i := range ring {
			vertex := r.data[i*width:]
			ring[i] = orb.Point{math.Float64frombits(r.order.Uint64(vertex)), math.Float64frombits(r.order.Uint64(vertex[8:]))}
		}
		r.data = r.data[n*width:]
		polygon = append(polygon, ring)
	}
	return append(m, polygon), nil
}
