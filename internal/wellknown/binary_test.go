package wellknown

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"testing"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/encoding/wkb"

	"quartier/internal/testenv"
)

func TestGeoPackage(t *testing.T) {
	point := wkb.MustMarshal(orb.Point{1, 2})
	blob := func(flags byte, envelope int) []byte {
		return append(append([]byte{'G', 'P', 0, flags, 0, 0, 0, 0}, make([]byte, envelope)...), point...)
	}
	for _, test := range []struct {
		name string
		blob []byte
		want orb.Geometry
		ok   bool
	}{
		{"no envelope", blob(0x01, 0), orb.Point{1, 2}, true},
		{"XY envelope", blob(0x03, 32), orb.Point{1, 2}, true},
		{"XYZ envelope", blob(0x05, 48), orb.Point{1, 2}, true},
		{"XYM envelope", blob(0x07, 48), orb.Point{1, 2}, true},
		{"XYZM envelope", blob(0x09, 64), orb.Point{1, 2}, true},
		{"big-endian header", blob(0x00, 0), orb.Point{1, 2}, true},
		{"empty", blob(0x11, 0), nil, true},
		{"envelope of no kind", blob(0x0b, 64), nil, false},
		{"envelope cut short", blob(0x09, 0), nil, false},
		{"extension", blob(0x21, 0), nil, false},
		{"cut short", blob(0x01, 0)[:20], nil, false},
		{"nothing", nil, nil, false},
	} {
		got, err := GeoPackage(test.blob)
		if (err == nil) != test.ok || got != test.want {
			t.Errorf("%s: %v, %v", test.name, got, err)
		}
	}
}

func TestBinary(t *testing.T) {
	square := orb.Polygon{{{0, 0}, {1, 0}, {1, 1}, {0, 0}}}
	for _, g := range []orb.Geometry{
		orb.Point{1, 2}, orb.LineString{{1, 2}, {3, 4}}, square, orb.MultiPoint{{1, 2}, {3, 4}}, orb.MultiLineString{{{1, 2}, {3, 4}}},
		orb.MultiPolygon{square, square}, orb.Collection{orb.Point{1, 2}, square}, orb.MultiPolygon{}, orb.Polygon{},
	} {
		for _, order := range []binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
			data := wkb.MustMarshal(g, order)
			got, err := Read(data)
			if err != nil || !orb.Equal(got, g) {
				t.Errorf("%v: %v, %v", g, got, err)
			}
			for cut := range len(data) {
				if _, err := Read(data[:cut]); err == nil {
					t.Errorf("%v: %d of its %d bytes are taken", g, cut, len(data))
				}
			}
			if _, err := Read(append(data, 0)); err == nil {
				t.Errorf("%v: a byte behind it is taken", g)
			}
		}
	}
}

// Heights and measures, as ISO and PostGIS write them, are left out.
func TestBinaryWithMoreNumbers(t *testing.T) {
	point := func(code uint32, srid bool, numbers ...float64) []byte {
		out := binary.LittleEndian.AppendUint32([]byte{1}, code)
		if srid {
			out = append(out, 0xe6, 0x10, 0, 0)
		}
		for _, n := range numbers {
			out = binary.LittleEndian.AppendUint64(out, math.Float64bits(n))
		}
		return out
	}
	for name, data := range map[string][]byte{
		"ISO Z": point(1001, false, 1, 2, 3), "ISO M": point(2001, false, 1, 2, 3), "ISO ZM": point(3001, false, 1, 2, 3, 4),
		"PostGIS Z": point(0x80000001, false, 1, 2, 3), "PostGIS ZM with SRID": point(0xe0000001, true, 1, 2, 3, 4),
	} {
		if got, err := Read(data); err != nil || got != (orb.Point{1, 2}) {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
}

// Counts that the data do not have, and collections in collections, are refused before there is memory for them.
func TestHostileBinary(t *testing.T) {
	for kind := range uint32(8) {
		data := binary.LittleEndian.AppendUint32([]byte{1}, kind)
		data = append(binary.LittleEndian.AppendUint32(data, math.MaxUint32), make([]byte, 100)...)
		var err error
		if used := testenv.Allocated(func() { _, err = Read(data) }); used > 1<<20 || err == nil && kind != 1 {
			t.Errorf("type %d: %d bytes, %v", kind, used, err)
		}
	}
	nested := bytes.Repeat([]byte{1, 7, 0, 0, 0, 1, 0, 0, 0}, 1<<20)
	if used := testenv.Allocated(func() {
		var fault *Error
		if _, err := Read(nested); !errors.As(err, &fault) || fault.What != Depth || !fault.Unsupported() {
			t.Errorf("nested: %v", err)
		}
	}); used > 1<<20 {
		t.Errorf("nested: %d bytes", used)
	}
}

// FuzzBinary decodes any bytes; what it takes is the same after being written and read again.
func FuzzBinary(f *testing.F) {
	f.Add(wkb.MustMarshal(orb.MultiPolygon{{orb.Ring{{0, 0}, {0, 5}, {5, 5}, {5, 0}, {0, 0}}}}))
	f.Add(wkb.MustMarshal(orb.Collection{orb.Point{1, 2}, orb.LineString{{1, 2}, {3, 4}}}))
	f.Fuzz(func(t *testing.T, data []byte) {
		g, err := Read(data)
		if err != nil {
			return
		}
		written := wkb.MustMarshal(g)
		again, err := Read(written)
		if err != nil || !bytes.Equal(wkb.MustMarshal(again), written) {
			t.Fatalf("%v is read again as %v, %v", g, again, err)
		}
	})
}

// FuzzGeoPackage decodes any geometry blob.
func FuzzGeoPackage(f *testing.F) {
	f.Add(append([]byte{'G', 'P', 0, 3, 0, 0, 0, 0}, append(make([]byte, 32), wkb.MustMarshal(orb.Point{1, 2})...)...))
	f.Fuzz(func(t *testing.T, blob []byte) {
		g, err := GeoPackage(blob)
		if err != nil && g != nil {
			t.Fatalf("%v beside %v", g, err)
		}
		if g != nil && string(blob[:2]) != "GP" {
			t.Fatalf("%v without the mark", g)
		}
	})
}
