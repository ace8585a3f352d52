package vector

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"github.com/paulmach/orb"

	"quartier/ingest/source"
	"quartier/internal/geo"
)

// FuzzShapefile reads any bytes as the two files of a shapefile: reading ends, with an error of the file or with valid features.
func FuzzShapefile(f *testing.F) {
	f.Add(shpFile(polygonShape(5, outerRing(0, 0, 5), holeRing(0, 0, 3)), nullShape), dbfFile(0, nameColumn("a", "b")))
	f.Add(shpFile(polygonShape(15, outerRing(0, 0, 5))),
		dbfFile(0x57, dbfColumn{"N", 'N', 8, []string{"1.0"}}, dbfColumn{"D", 'D', 8, []string{"20210511"}}))
	f.Fuzz(func(t *testing.T, shpBytes, dbfBytes []byte) {
		s := &shapefile{}
		var err error
		if s.shp, err = openSHP(bytes.NewReader(shpBytes), int64(len(shpBytes)), source.Limits{}); err != nil {
			wantBadFile(t, err)
			return
		}
		if s.dbf, err = openDBase(bytes.NewReader(dbfBytes), int64(len(dbfBytes)), nil); err != nil {
			wantBadFile(t, err)
			return
		}
		for row := 1; ; row++ {
			feature, err := s.next()
			if err == io.EOF {
				return
			}
			if err != nil {
				wantBadFile(t, err)
				return
			}
			if feature.Row < row || !feature.Fault.OK() && feature.Geometry != nil {
				t.Fatalf("feature %d: %+v", row, feature)
			}
		}
	})
}

func wantBadFile(t *testing.T, err error) {
	t.Helper()
	if !errors.Is(err, source.ErrBadFile) {
		t.Fatalf("error %v does not wrap source.ErrBadFile", err)
	}
}

// FuzzShape decodes any record; the points it makes room for are there.
func FuzzShape(f *testing.F) {
	f.Add(polygonShape(5, outerRing(0, 0, 5), holeRing(0, 0, 3)))
	f.Add(nullShape)
	f.Fuzz(func(t *testing.T, data []byte) {
		g, err := shape(data)
		if err != nil && g != nil {
			t.Fatalf("%v beside %v", g, err)
		}
		if n := pointCount(g); 16*n > len(data) && n > 1 {
			t.Fatalf("%d points from %d bytes", n, len(data))
		}
	})
}

func pointCount(g orb.Geometry) int {
	n := 0
	geo.Each(g, func(p orb.Point) orb.Point {
		n++
		return p
	})
	return n
}
