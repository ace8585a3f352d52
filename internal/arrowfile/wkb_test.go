package arrowfile

import (
	"encoding/binary"
	"math"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"github.com/paulmach/orb"
	"github.com/paulmach/orb/encoding/wkb"
	"pgregory.net/rapid"
)

var point = rapid.Custom(func(t *rapid.T) orb.Point {
	return orb.Point{rapid.Float64Range(-180, 180).Draw(t, "x"), rapid.Float64Range(-90, 90).Draw(t, "y")}
})

// geometries are of all types.
var geometries = rapid.Custom(func(t *rapid.T) orb.Geometry {
	line := rapid.Map(rapid.SliceOfN(point, 1, 5), func(p []orb.Point) orb.LineString { return p })
	polygon := rapid.Map(line, func(l orb.LineString) orb.Polygon { return orb.Polygon{orb.Ring(l), orb.Ring(l[:1])} })
	some := []orb.Geometry{
		point.Draw(t, "point"), line.Draw(t, "line"), polygon.Draw(t, "polygon"), orb.MultiPoint(line.Draw(t, "points")),
		orb.MultiLineString(rapid.SliceOfN(line, 1, 3).Draw(t, "lines")), orb.MultiPolygon(rapid.SliceOfN(polygon, 1, 3).Draw(t, "polygons")),
	}
	return rapid.SampledFrom(append(some, orb.Collection(some[:2]))).Draw(t, "geometry")
})

// Types and extents are those that orb finds.
func TestBoundsOf(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := geometries.Draw(t, "g")
		order := rapid.SampledFrom([]binary.ByteOrder{binary.LittleEndian, binary.BigEndian}).Draw(t, "order")
		data, err := wkb.Marshal(g, order)
		if err != nil {
			t.Fatal(err)
		}
		got, name, err := boundsOf(data)
		b := g.Bound()
		if want := (box{b.Min[0], b.Min[1], b.Max[0], b.Max[1]}); err != nil || got != want || name != g.GeoJSONType() {
			t.Fatalf("%s %v, %v; want %s %v", name, got, err, g.GeoJSONType(), want)
		}
		if _, _, err := boundsOf(data[:rapid.IntRange(0, len(data)-1).Draw(t, "cut")]); err == nil {
			t.Fatal("a geometry that was cut short has bounds")
		}
	})
}

func TestBoundsOfOtherGeometries(t *testing.T) {
	pointZ := binary.LittleEndian.AppendUint32([]byte{1}, 1001)
	for _, v := range []float64{-75, 45, 100} {
		pointZ = binary.LittleEndian.AppendUint64(pointZ, math.Float64bits(v))
	}
	if b, name, err := boundsOf(pointZ); err != nil || name != "Point Z" || b != (box{-75, 45, -75, 45}) {
		t.Errorf("%s %v, %v", name, b, err)
	}
	column := array.NewBinaryBuilder(memory.DefaultAllocator, arrow.BinaryTypes.Binary)
	defer column.Release()
	column.Append(pointZ)
	if _, err := wellKnownText(column.NewBinaryArray(), 4); err == nil ||
		!strings.HasPrefix(err.Error(), "geometry of row 5: a Point Z has more than") {
		t.Errorf("as text: %v", err)
	}
	empty, _ := wkb.Marshal(orb.MultiPolygon{}, binary.LittleEndian)
	if b, name, err := boundsOf(empty); err != nil || name != "MultiPolygon" || !b.empty() {
		t.Errorf("%s %v, %v", name, b, err)
	}
	for _, bad := range [][]byte{nil, {1}, {1, 0, 0, 0, 0}, {1, 99, 0, 0, 0}, {1, 2, 0, 0, 0, 255, 255, 255, 255}, append(empty, 0)} {
		if _, _, err := boundsOf(bad); err == nil {
			t.Errorf("%v has bounds", bad)
		}
	}
}

func TestOutward(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.Float64Range(-180, 180).Draw(t, "v")
		low, high := outward(v, false), outward(v, true)
		if float64(low) > v || float64(high) < v || float64(low) != v && math.Nextafter32(low, 200) != high {
			t.Fatalf("%v is not closely between %v and %v", v, low, high)
		}
	})
}

func FuzzBoundsOf(f *testing.F) {
	data, _ := wkb.Marshal(orb.Collection{orb.Point{1, 2}, orb.Polygon{{{0, 0}, {1, 0}, {1, 1}, {0, 0}}}}, binary.LittleEndian)
	f.Add(data)
	for _, g := range []orb.Geometry{
		orb.Point{1, 2}, orb.MultiPoint{{1, 2}, {3, 4}}, orb.LineString{{1, 2}, {3, 4}}, orb.MultiLineString{{{1, 2}, {3, 4}}},
		orb.Polygon{{{0, 0}, {3, 0}, {3, 3}, {0, 0}}, {{1, 1}, {2, 1}, {2, 2}, {1, 1}}}, orb.MultiPolygon{{{{0, 0}, {1, 0}, {1, 1}, {0, 0}}}},
		orb.Collection{orb.Collection{orb.Point{1, 2}}},
	} {
		for _, order := range []binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
			data, err := wkb.Marshal(g, order)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		b, name, err := boundsOf(data)
		if err == nil && (name == "" || !b.empty() && (b[0] > b[2] || b[1] > b[3])) {
			t.Errorf("%s %v", name, b)
		}
	})
}
