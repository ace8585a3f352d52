package released

import (
	"reflect"
	"testing"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/encoding/wkb"
	"pgregory.net/rapid"
)

func TestBlobRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		coordinate := rapid.Float64Range(-90, 90)
		p := orb.Point{coordinate.Draw(t, "lng"), coordinate.Draw(t, "lat")}
		got, err := ReadPoint(PointBlob(p))
		if err != nil || got != p {
			t.Fatalf("%v %v, want %v", got, err, p)
		}
		line := make(orb.LineString, rapid.IntRange(0, 6).Draw(t, "vertices"))
		for i := range line {
			line[i] = orb.Point{coordinate.Draw(t, "line x"), coordinate.Draw(t, "line y")}
		}
		if got, err := ReadLine(LineBlob(line)); err != nil || !reflect.DeepEqual(got, line) {
			t.Fatalf("%v %v, want %v", got, err, line)
		}
		m := make(orb.MultiPolygon, rapid.IntRange(0, 3).Draw(t, "polygons"))
		for i := range m {
			m[i] = make(orb.Polygon, rapid.IntRange(0, 3).Draw(t, "rings"))
			for j := range m[i] {
				m[i][j] = make(orb.Ring, rapid.IntRange(0, 6).Draw(t, "points"))
				for k := range m[i][j] {
					m[i][j][k] = orb.Point{coordinate.Draw(t, "x"), coordinate.Draw(t, "y")}
				}
			}
		}
		back, err := ReadMultiPolygon(MultiPolygonBlob(m))
		if err != nil || !reflect.DeepEqual(back, m) {
			t.Fatalf("%v %v, want %v", back, err, m)
		}
	})
}

// The well-known binary of a blob is that of its geometry, and its box that of the geometry.
func TestWKBOfBlobs(t *testing.T) {
	ring := orb.Ring{{0, 0}, {4, 0}, {4, 4}, {0, 0}}
	m := orb.MultiPolygon{{ring, {{3, 1}, {3, 2}, {3.5, 2}, {3, 1}}}, {ring}}
	for blob, g := range map[string]orb.Geometry{string(PointBlob(orb.Point{1, 2})): orb.Point{1, 2},
		string(LineBlob(orb.LineString{{1, 2}, {3, 4}})): orb.LineString{{1, 2}, {3, 4}}, string(MultiPolygonBlob(m)): m} {
		data, err := WKB([]byte(blob))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := wkb.Unmarshal(data); err != nil || !reflect.DeepEqual(got, g) {
			t.Errorf("%v %v, want %v", got, err, g)
		}
		if again, err := WKB(data); err != nil || !reflect.DeepEqual(again, data) {
			t.Errorf("well-known binary is changed: %v", err)
		}
		for _, of := range [][]byte{[]byte(blob), data} {
			if b, err := Bound(of); err != nil || b != g.Bound() {
				t.Errorf("bound %v %v, want %v", b, err, g.Bound())
			}
		}
		for cut := range len(blob) {
			if _, err := WKB([]byte(blob[:cut])); err == nil {
				t.Errorf("%d of %d bytes are accepted", cut, len(blob))
			}
		}
	}
}

func TestTruncatedBlobsAreRejected(t *testing.T) {
	whole := LineBlob(orb.LineString{{1, 2}, {3, 4}})
	for cut := range whole {
		if _, err := ReadLine(whole[:cut]); err == nil {
			t.Errorf("%d bytes of %d were accepted", cut, len(whole))
		}
	}
}

func FuzzBlob(f *testing.F) {
	triangle := orb.Polygon{{{0, 0}, {1, 0}, {0, 1}, {0, 0}}}
	f.Add(PointBlob(orb.Point{1, 2}))
	f.Add(MultiPolygonBlob(orb.MultiPolygon{triangle}))
	f.Add(MultiPolygonBlob(orb.MultiPolygon{triangle, triangle})[:60])
	f.Add(LineBlob(orb.LineString{{1, 2}, {3, 4}}))
	f.Fuzz(func(t *testing.T, blob []byte) {
		if line, err := ReadLine(blob); err == nil && len(blob) != blobHeader+9+16*len(line) {
			t.Errorf("a line of %d vertices in %d bytes", len(line), len(blob))
		}
		if m, err := ReadMultiPolygon(blob); err == nil {
			if back := MultiPolygonBlob(m); len(back) != len(blob) {
				t.Errorf("%d bytes became %d", len(blob), len(back))
			}
		}
		if _, err := ReadPoint(blob); err == nil && len(blob) != 60 {
			t.Errorf("a point of %d bytes", len(blob))
		}
	})
}
