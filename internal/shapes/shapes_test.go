package shapes

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/encoding/ewkb"
	"github.com/paulmach/orb/encoding/wkb"
	"github.com/paulmach/orb/encoding/wkt"

	"quartier/internal/geo"
)

const square = "((0 0,4 0,4 4,0 4,0 0))"

func TestShapes(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       error
		area       float64 // square degrees
	}{
		{"a square", "POLYGON " + square, nil, 16},
		{"lower case, blanks, exponents, signs", " polygon(( 0 0 , 4e0 .0, +4 4.,0 4, -0 0 ) ) ", nil, 16},
		{"a hole", "POLYGON((0 0,4 0,4 4,0 4,0 0),(1 1,1 2,2 2,2 1,1 1))", nil, 15},
		{"a hole that touches its outline", "POLYGON((0 0,4 0,4 4,0 4,0 0),(0 2,1 3,1 1,0 2))", nil, 15},
		{"two holes that touch", "POLYGON((0 0,4 0,4 4,0 4,0 0),(1 1,2 1,2 2,1 2,1 1),(2 2,3 2,3 3,2 3,2 2))", nil, 14},
		{"several polygons", "MULTIPOLYGON(" + square + ",((5 0,6 0,6 1,5 1,5 0)))", nil, 17},
		{"polygons that share an edge", "MULTIPOLYGON(" + square + ",((4 1,6 1,6 2,4 2,4 1)))", nil, 18},
		{"an island in a lake", "MULTIPOLYGON(((0 0,4 0,4 4,0 4,0 0),(1 1,3 1,3 3,1 3,1 1)),((1.5 1.5,2 1.5,2 2,1.5 2,1.5 1.5)))", nil, 12.25},
		{"a noisy common edge", "MULTIPOLYGON(" + square + ",((3.99999999999 1,6 1,6 2,3.99999999999 2,3.99999999999 1)))", nil, 18},
		{"an empty polygon among others", "MULTIPOLYGON(EMPTY," + square + ")", nil, 16},
		{"heights", "POLYGON Z ((0 0 1,4 0 2,4 4 3,0 4 4,0 0 1))", nil, 16},
		{"heights without a word", "POLYGON((0 0 1,4 0 2,4 4 3,0 4 4,0 0 1))", nil, 16},
		{"heights and measures", "MULTIPOLYGON ZM(((0 0 1 9,4 0 2 9,4 4 3 9,0 4 4 9,0 0 1 9)))", nil, 16},
		{"the SRID of WGS 84", "SRID=4326;POLYGON" + square, nil, 16},

		{"nothing", "", ErrMissing, 0},
		{"blanks", "  ", ErrMissing, 0},
		{"EMPTY", "POLYGON EMPTY", ErrMissing, 0},
		{"EMPTY with heights", "MULTIPOLYGON Z EMPTY", ErrMissing, 0},
		{"words", "somewhere", ErrFormat, 0},
		{"another SRID", "SRID=3857;POLYGON" + square, ErrFormat, 0},
		{"cut short", "POLYGON((0 0,4 0,4 4", ErrFormat, 0},
		{"more behind it", "POLYGON" + square + "x", ErrFormat, 0},
		{"one number", "POLYGON((0,1,2,0))", ErrFormat, 0},
		{"vertices of 2 and 3 numbers", "POLYGON((0 0,4 0 1,4 4,0 4,0 0))", ErrFormat, 0},
		{"two numbers with Z", "POLYGON Z" + square, ErrFormat, 0},
		{"decimal commas", "POLYGON((0,5 0,4 0,4 4,0,5 0))", ErrFormat, 0},
		{"NaN", "POLYGON((NaN 0,4 0,4 4,NaN 0))", ErrFormat, 0},
		{"GeoJSON", `{"type":"Polygon"}`, ErrFormat, 0},
		{"a point", "POINT(1 1)", ErrKind, 0},
		{"no points", "POINT EMPTY", ErrKind, 0},
		{"a line", "LINESTRING(0 0,1 1)", ErrKind, 0},
		{"a collection", "GEOMETRYCOLLECTION(POLYGON" + square + ")", ErrKind, 0},
		{"not closed", "POLYGON((0 0,4 0,4 4,0 4))", ErrOpen, 0},
		{"out of range", "POLYGON((0 0,4 0,4 91,0 0))", ErrRange, 0},
		{"too large for a number", "POLYGON((0 0,4 0,4 1e999,0 0))", ErrRange, 0},
		{"metres", "POLYGON((500000 0,500004 0,500004 4,500000 0))", ErrRange, 0},
		{"around the Earth", "POLYGON((-179 0,179 0,179 4,-179 4,-179 0))", ErrWide, 0},
		{"both sides of the antimeridian", "MULTIPOLYGON(((179 0,180 0,180 1,179 1,179 0)),((-180 0,-179 0,-179 1,-180 1,-180 0)))", ErrWide, 0},
		{"a line there and back", "POLYGON((0 0,1 1,2 2,0 0))", ErrRing, 0},
		{"two vertices", "POLYGON((0 0,0 0))", ErrRing, 0},
		{"a bow tie", "POLYGON((0 0,1 1,1 0,0 1,0 0))", ErrRing, 0},
		{"a hole across its outline", "POLYGON((0 0,4 0,4 4,0 4,0 0),(3 1,5 1,5 2,3 2,3 1))", ErrCrossing, 0},
		{"polygons that cross", "MULTIPOLYGON(" + square + ",((3 3,6 3,6 6,3 6,3 3)))", ErrCrossing, 0},
		{"polygons that overlap along an edge", "MULTIPOLYGON(((0 0,2 0,2 1,0 1,0 0)),((1 0,3 0,3 1,1 1,1 0)))", ErrNesting, 0},
		{"the same twice", "MULTIPOLYGON(" + square + "," + square + ")", ErrNesting, 0},
		{"a polygon in another", "MULTIPOLYGON(" + square + ",((1 1,2 1,2 2,1 2,1 1)))", ErrNesting, 0},
		{"a hole elsewhere", "POLYGON((0 0,4 0,4 4,0 4,0 0),(5 5,6 5,6 6,5 6,5 5))", ErrNesting, 0},
		{"a hole in a hole", "POLYGON((0 0,4 0,4 4,0 4,0 0),(1 1,3 1,3 3,1 3,1 1),(1.5 1.5,2 1.5,2 2,1.5 2,1.5 1.5))", ErrNesting, 0},
	} {
		m, err := Read([]byte(c.text))
		if err == nil {
			err = Check(m)
		}
		if !errors.Is(err, c.want) || c.want == nil && err != nil {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
			continue
		}
		if err != nil {
			if Reason(err) != c.want {
				t.Errorf("%s: the reason is %v", c.name, Reason(err))
			}
			continue
		}
		area := 0.0
		for _, polygon := range m {
			for i, ring := range polygon {
				a := math.Abs(geo.SignedArea(ring))
				if i > 0 {
					a = -a
				}
				area += a
			}
		}
		if math.Abs(area-c.area) > 1e-9 && c.name != "a noisy common edge" {
			t.Errorf("%s: area %v, want %v", c.name, area, c.area)
		}
		// Binary of both byte orders and in hexadecimal digits is the same shape.
		for _, order := range []binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
			data, err := wkb.Marshal(m, order)
			if err != nil {
				t.Fatal(err)
			}
			for _, form := range [][]byte{data, []byte(hex.EncodeToString(data)), []byte(strings.ToUpper(hex.EncodeToString(data)))} {
				if got, err := Read(form); err != nil || !got.Equal(m) {
					t.Errorf("%s: as binary %v, %v", c.name, got, err)
				}
			}
			for n := range data {
				if n > 0 && !errors.Is(shapeError(data[:n]), ErrFormat) {
					t.Errorf("%s: cut after %d of %d bytes: %v", c.name, n, len(data), shapeError(data[:n]))
				}
			}
		}
	}
}

func shapeError(data []byte) error {
	_, err := Read(data)
	return err
}

// Binary of PostGIS has a reference system, and heights by flags or by ISO numbers.
func TestBinaryDialects(t *testing.T) {
	m := orb.MultiPolygon{{{{0, 0}, {4, 0}, {4, 4}, {0, 0}}}}
	for system, want := range map[int]error{4326: nil, 26918: ErrFormat} {
		data, err := ewkb.Marshal(m, system)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := Read(data); !errors.Is(err, want) || want == nil && !got.Equal(m) {
			t.Errorf("system %d: %v, %v", system, got, err)
		}
	}
	for _, kind := range []uint32{1003, 3 | 1<<31} {
		data := binary.LittleEndian.AppendUint32([]byte{1}, kind)
		data = binary.LittleEndian.AppendUint32(data, 1)
		data = binary.LittleEndian.AppendUint32(data, 4)
		for _, p := range m[0][0] {
			for _, number := range []float64{p[0], p[1], 7} {
				data = binary.LittleEndian.AppendUint64(data, math.Float64bits(number))
			}
		}
		if got, err := Read(data); err != nil || !got.Equal(m) {
			t.Errorf("type %d: %v, %v", kind, got, err)
		}
	}
	if _, err := Read([]byte{1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}); !errors.Is(err, ErrKind) {
		t.Errorf("a point: %v", err)
	}
}

// FuzzRead reads any bytes: there is a reason, or a shape that is the same when it is written and read again.
func FuzzRead(f *testing.F) {
	for _, text := range []string{
		"POLYGON" + square, "MULTIPOLYGON(" + square + ",EMPTY)", "POLYGON Z((0 0 1,4 0 2,4 4 3,0 4 4,0 0 1))",
		"SRID=4326;polygon((0 0,1e1 .5,-2. +3,0 0))",
		"POLYGON((0 0,4 0,4 4,0 4,0 0),(1 1,1 2,2 2,2 1,1 1))", "MULTIPOLYGON Z EMPTY", "POINT(1 1)",
	} {
		f.Add([]byte(text))
		if m, err := Read([]byte(text)); err == nil {
			for _, order := range []binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
				data, err := wkb.Marshal(m, order)
				if err != nil {
					f.Fatal(err)
				}
				f.Add(data)
				f.Add([]byte(hex.EncodeToString(data)))
			}
			data, err := ewkb.Marshal(m, wgs84)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := Read(data)
		if err == nil {
			err = Check(m)
		}
		if err != nil {
			if Reason(err) == err && !errors.Is(err, ErrMissing) && !errors.Is(err, ErrKind) && !errors.Is(err, ErrOpen) &&
				!errors.Is(err, ErrWide) {
				t.Fatalf("%v has no reason", err)
			}
			return
		}
		for _, form := range []string{wkt.MarshalString(m)} {
			again, err := Read([]byte(form))
			if err != nil || !again.Equal(m) {
				t.Fatalf("%q is %v, then %v, %v", data, m, again, err)
			}
		}
	})
}
