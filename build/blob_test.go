package build

import (
	"reflect"
	"testing"

	"github.com/paulmach/orb"
	"pgregory.net/rapid"
)

func TestBlobsComeBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		coordinate := rapid.Float64Range(-90, 90)
		p := orb.Point{coordinate.Draw(t, "lng"), coordinate.Draw(t, "lat")}
		got, err := blobPoint(pointBlob(p))
		if err != nil || got != p {
			t.Fatalf("%v %v, want %v", got, err, p)
		}
		line := make(orb.LineString, rapid.IntRange(0, 6).Draw(t, "vertices"))
		for i := range line {
			line[i] = orb.Point{coordinate.Draw(t, "line x"), coordinate.Draw(t, "line y")}
		}
		if got, err := blobLine(lineBlob(line)); err != nil || !reflect.DeepEqual(got, line) {
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
		back, err := blobMultiPolygon(multiPolygonBlob(m))
		if err != nil || !reflect.DeepEqual(back, m) {
			t.Fatalf("%v %v, want %v", back, err, m)
		}
	})
}

func FuzzBlob(f *testing.F) {
	f.Add(pointBlob(orb.Point{1, 2}))
	f.Add(multiPolygonBlob(rectangle(0, 0, 1, 1)))
	f.Add(multiPolygonBlob(append(rectangle(0, 0, 1, 1), rectangle(2, 2, 3, 3)...))[:60])
	f.Add(lineBlob(orb.LineString{{1, 2}, {3, 4}}))
	f.Fuzz(func(t *testing.T, blob []byte) {
		if line, err := blobLine(blob); err == nil && len(blob) != blobHeader+9+16*len(line) {
			t.Errorf("a line of %d vertices in %d bytes", len(line), len(blob))
		}
		if m, err := blobMultiPolygon(blob); err == nil {
			if back := multiPolygonBlob(m); len(back) != len(blob) {
				t.Errorf("%d bytes came back as %d", len(blob), len(back))
			}
		}
		if _, err := blobPoint(blob); err == nil && len(blob) != 60 {
			t.Errorf("a point of %d bytes", len(blob))
		}
	})
}
