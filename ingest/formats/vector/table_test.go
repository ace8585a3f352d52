package vector

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/paulmach/orb"

	"quartier/ingest/formats/table"
	"quartier/ingest/source"
)

// textFile writes a table and opens it.
func textFile(t *testing.T, text string, o Options) (*Layer, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "table.csv")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	layer, err := Open(t.Context(), path, o)
	if err == nil {
		t.Cleanup(func() { layer.Close() })
	}
	return layer, err
}

func TestTablesHaveGeometriesInColumns(t *testing.T) {
	for _, test := range []struct {
		name, text string
		options    Options
		want       []orb.Geometry
		faults     string
	}{
		{"a latitude and longitude that are not quoted",
			"ID,COORDINATES\n1,45.5,-75.7\n2,\"45.6,-75.8\"\n3,(45.7 -75.9)\n4,\n5,45.5\n6,45°30'N,75°42'W\n",
			Options{Columns: &Columns{LatLng: "COORDINATES"}},
			[]orb.Geometry{orb.Point{-75.7, 45.5}, orb.Point{-75.8, 45.6}, orb.Point{-75.9, 45.7}, nil, nil, nil},
			",,,,invalid_coordinate,coordinate_in_minutes"},
		{"well-known text that is not quoted", "id,geom\n1,LINESTRING (1 2, 3 4)\n2,MULTILINESTRING((1 2,3 4),(5 6,7 8))\n",
			Options{Columns: &Columns{WKT: "geom"}},
			[]orb.Geometry{orb.LineString{{1, 2}, {3, 4}}, orb.MultiLineString{{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}}}, ","},
		{"in quotes, in the first column",
			"geom;n\n\"POINT ZM (1 2 3 4)\";5\n\"LINESTRING (1 2, x 4)\";6\nCURVE (1 2);7\nPOINT (1 2);8;9\nPOINT EMPTY;10\n",
			Options{Columns: &Columns{WKT: "geom"}},
			[]orb.Geometry{orb.Point{1, 2}, nil, nil, nil, nil}, ",unreadable_geometry,unsupported_geometry_type,wrong_field_count,"},
		{"degrees with a decimal comma", "lon;lat\n-75,75;45,5\n;\n", Options{Columns: &Columns{Lng: "lon", Lat: "lat"}},
			[]orb.Geometry{orb.Point{-75.75, 45.5}}, ""},
		{"a title", "Cycling,,\nx,y,name\n-75.5,45.5,a\n", Options{Columns: &Columns{Lng: "x", Lat: "y", Wanted: []string{"name"}}},
			[]orb.Geometry{orb.Point{-75.5, 45.5}}, ""},
	} {
		layer, err := textFile(t, test.text, test.options)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		var got []orb.Geometry
		var faults []string
		if err := layer.Read(t.Context(), func(f Feature) error {
			got, faults = append(got, f.Geometry), append(faults, f.Fault.Code)
			return nil
		}); err != nil {
			t.Errorf("%s: %v", test.name, err)
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s: %s", test.name, diff)
		}
		if text := strings.Join(faults, ","); text != test.faults {
			t.Errorf("%s: faults %q, want %q", test.name, text, test.faults)
		}
	}
}

func TestTablesAreProjected(t *testing.T) {
	layer, err := textFile(t, "x,y\n-8427000,5693000\n", Options{CRS: "EPSG:3857", Columns: &Columns{Lng: "x", Lat: "y"}})
	if err != nil {
		t.Fatal(err)
	}
	if err := layer.Read(t.Context(), func(f Feature) error {
		if p := f.Geometry.(orb.Point); p[0] > -75.6 || p[0] < -75.8 || p[1] < 45.4 || p[1] > 45.6 || f.Where("") != "line 2" {
			t.Errorf("%s at %v", f.Where(""), p)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
}

func TestTablesNeedTheirColumns(t *testing.T) {
	for _, test := range []struct {
		text    string
		options Options
		want    string
	}{
		{"a,b\n1,2\n", Options{}, ".csv"},
		{"a,b\n1,2\n", Options{Columns: &Columns{}}, "set the option wkt"},
		{"a,b\n1,2\n", Options{Columns: &Columns{WKT: "geom"}}, "no column geom; there are: a, b"},
		{"", Options{Columns: &Columns{WKT: "geom"}}, "empty"},
	} {
		if _, err := textFile(t, test.text, test.options); !errors.Is(err, source.ErrBadFile) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%+v: %v", test.options.Columns, err)
		}
	}
}

func FuzzWKT(f *testing.F) {
	for _, text := range []string{"POINT (1 2)", "LINESTRING Z (1 2 3, 4 5 6)",
		"SRID=4326;MULTIPOLYGON (((1 2, 3 4, 5 6, 1 2)), ((1 2, 3 4)))", "MULTIPOINT ((1 2), (3 4))", "POINT EMPTY", "LINESTRING ("} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		g, why := parseWKT(text)
		if g != nil && !why.OK() {
			t.Fatalf("%q is %v and %s", text, g, why.Code)
		}
	})
}

// A table is read once for its numbers when it is opened, which a context can stop.
func TestTableIsOpenedWithAContext(t *testing.T) {
	path := filepath.Join(t.TempDir(), "table.csv")
	if err := os.WriteFile(path, []byte("lon;lat;km\n-75,75;45,5;1 200,50\n-75,75;45,5;many\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	o := Options{Columns: &Columns{Lng: "lon", Lat: "lat", Numbers: map[string]table.Meaning{"km": table.AnyNumber, "miles": table.AnyNumber}}}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	if layer, err := Open(stopped, path, o); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, %v", layer, err)
	}
	got, err := all(t, path, o)
	if err != nil || len(got) != 2 || got[0].Geometry != (orb.Point{-75.75, 45.5}) {
		t.Fatalf("%+v, %v", got, err)
	}
	if km, ok := got[0].Number("km", ""); !ok || km != 1200.5 {
		t.Errorf("%g, %t", km, ok)
	}
	if km, ok := got[1].Number("km", ""); ok {
		t.Errorf("%q is %g", "many", km)
	}
}
