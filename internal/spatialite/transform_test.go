package spatialite

import (
	"errors"
	"math"
	"testing"

	"github.com/paulmach/orb"
)

const (
	statCanWKT = `PROJCS["PCS_Lambert_Conformal_Conic",GEOGCS["GCS_North_American_1983",DATUM["D_North_American_1983",SPHEROID["GRS_1980",` +
		`6378137.0,298.257222101]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]],PROJECTION["Lambert_Conformal_Conic"],` +
		`PARAMETER["False_Easting",6200000.0],PARAMETER["False_Northing",3000000.0],PARAMETER["Central_Meridian",-91.8666666666667],` +
		`PARAMETER["Standard_Parallel_1",49.0],PARAMETER["Standard_Parallel_2",77.0],PARAMETER["Latitude_Of_Origin",63.390675],UNIT["Meter",1.0]]`
	albersWKT = `PROJCS["USA_Contiguous_Albers_Equal_Area_Conic",GEOGCS["GCS_North_American_1983",DATUM["D_North_American_1983",` +
		`SPHEROID["GRS_1980",6378137.0,298.257222101]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]],PROJECTION["Albers"],` +
		`PARAMETER["False_Easting",0.0],PARAMETER["False_Northing",0.0],PARAMETER["Central_Meridian",-96.0],PARAMETER["Standard_Parallel_1",` +
		`29.5],PARAMETER["Standard_Parallel_2",45.5],PARAMETER["Latitude_Of_Origin",37.5],UNIT["Meter",1.0]]`
	wgs84WKT = `GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137,298.257223563]],PRIMEM["Greenwich",0],UNIT["Degree",` +
		`0.017453292519943295]]`
)

// The expected values are gdaltransform's (GDAL 3.6), to 1e-8 of a degree, a millimetre.
func TestTransform(t *testing.T) {
	k := kernel(t)
	for _, test := range []struct {
		name, from string
		in, want   orb.Point
	}{
		{"WKT without a code", statCanWKT, orb.Point{7201954, 917957}, orb.Point{-79.679615094, 43.599298074}},
		{"the same by code", "EPSG:3347", orb.Point{7201954, 917957}, orb.Point{-79.679615094, 43.599298074}},
		{"ESRI Albers, which is not EPSG:5070", albersWKT, orb.Point{-2121773.261, 1110035.062393}, orb.Point{-123.191208866, 44.689792326}},
		{"PROJ string", "+proj=utm +zone=18 +datum=WGS84", orb.Point{445000, 5030000}, orb.Point{-75.703006004, 45.421357887}},
		{"NAD 83 is WGS 84 without grids", "EPSG:4269", orb.Point{-122.1234567, 45.1234567}, orb.Point{-122.1234567, 45.1234567}},
	} {
		t.Run(test.name, func(t *testing.T) {
			from, err := k.Resolve(test.from)
			if err != nil {
				t.Fatal(err)
			}
			points := []orb.Point{test.in}
			if lost, err := k.Transform(points, from, WGS84); err != nil || lost != 0 {
				t.Fatalf("lost %d, %v", lost, err)
			}
			if math.Abs(points[0][0]-test.want[0]) > 1e-8 || math.Abs(points[0][1]-test.want[1]) > 1e-8 {
				t.Errorf("%.9f, want %.9f", points[0], test.want)
			}
		})
	}
}

func TestTransformThereAndBack(t *testing.T) {
	k := kernel(t)
	var points []orb.Point
	for lng := -130.0; lng < -60; lng += 1.7 {
		for lat := 30.0; lat < 70; lat += 1.3 {
			points = append(points, orb.Point{lng, lat})
		}
	}
	moved := append([]orb.Point(nil), points...)
	for _, step := range [][2]string{{WGS84, "EPSG:3347"}, {"EPSG:3347", WGS84}} {
		if lost, err := k.Transform(moved, step[0], step[1]); err != nil || lost != 0 {
			t.Fatalf("lost %d, %v", lost, err)
		}
	}
	for i := range points {
		if math.Hypot(points[i][0]-moved[i][0], points[i][1]-moved[i][1]) > 1e-8 {
			t.Fatalf("%v became %v", points[i], moved[i])
		}
	}
}

func TestTransformCountsWhatIsLost(t *testing.T) {
	k := kernel(t)
	points := []orb.Point{{500, 500}, {-75, 45}, {math.NaN(), 45}, {-75, math.Inf(1)}, {-74, 45}}
	lost, err := k.Transform(points, WGS84, "EPSG:3347")
	if err != nil {
		t.Fatal(err)
	}
	if lost != 3 {
		t.Errorf("lost %d of %v, want 3", lost, points)
	}
	if !finite(points[1]) || !finite(points[4]) {
		t.Errorf("valid points were lost with the invalid ones: %v", points)
	}
}

func TestResolve(t *testing.T) {
	k := kernel(t)
	if got, err := k.Resolve(wgs84WKT); err != nil || got != WGS84 {
		t.Errorf("WKT of WGS 84: %q, %v", got, err)
	}
	for _, bad := range []string{"", "nonsense", "EPSG:999999", `PROJCS["half`, "+proj=none"} {
		if _, err := k.Resolve(bad); !errors.Is(err, ErrCRS) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func BenchmarkTransform(b *testing.B) {
	k := kernel(b)
	points := make([]orb.Point, 10_000)
	for b.Loop() {
		for i := range points {
			points[i] = orb.Point{7201954 + float64(i), 917957}
		}
		if _, err := k.Transform(points, statCanWKT, WGS84); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(points)), "ns/point")
}
