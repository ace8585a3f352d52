package vector

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quartier/ingest/source"
	"quartier/internal/testenv"
)

// mixed are features of several kinds with properties of several types.
const mixed = `{"type": "FeatureCollection", "features": [
{"type": "Feature", "properties": {"name": "Île", "n": 3, "big": 5000000000, "share": 0.5, "open": true, "tags": {"a": 1}},
 "geometry": {"type": "Point", "coordinates": [-75.7, 45.4]}},
{"type": "Feature", "properties": {"name": "park", "n": -4, "big": null, "share": -1.25},
 "geometry": {"type": "Polygon", "coordinates": [[[0, 0], [4, 0], [4, 4], [0, 4], [0, 0]], [[1, 1], [1, 2], [2, 2], [2, 1], [1, 1]]]}},
{"type": "Feature", "properties": {"name": "two"},
 "geometry": {"type": "MultiPolygon", "coordinates": [[[[0, 0], [1, 0], [1, 1], [0, 0]]], [[[5, 5], [6, 5], [6, 6], [5, 5]]]]}},
{"type": "Feature", "properties": {"name": "line"}, "geometry": {"type": "LineString", "coordinates": [[0, 0], [1, 1]]}},
{"type": "Feature", "properties": {"name": "lines"},
 "geometry": {"type": "MultiLineString", "coordinates": [[[0, 0], [1, 1]], [[2, 2], [3, 3], [4, 4]]]}}]}`

// byGDAL converts features with ogr2ogr.
func byGDAL(t testing.TB, name string, more ...string) string {
	t.Helper()
	testenv.NeedProgram(t, "ogr2ogr")
	folder := t.TempDir()
	in, out := filepath.Join(folder, "in.geojson"), filepath.Join(folder, name)
	if err := os.WriteFile(in, []byte(mixed), 0o644); err != nil {
		t.Fatal(err)
	}
	if text, err := exec.Command("ogr2ogr", append(more, out, in)...).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return out
}

// What GDAL writes has the features of the GeoJSON that it was made of.
func TestFlatGeobuf(t *testing.T) {
	in := filepath.Join(t.TempDir(), "in.geojson")
	if err := os.WriteFile(in, []byte(mixed), 0o644); err != nil {
		t.Fatal(err)
	}
	want, err := all(t, in, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, more := range [][]string{{"-lco", "SPATIAL_INDEX=NO"}, {"-lco", "SPATIAL_INDEX=YES"}} {
		got, err := all(t, byGDAL(t, "f.fgb", more...), Options{})
		if err != nil {
			t.Fatal(err)
		}
		byName := map[string]Feature{}
		for _, f := range got {
			byName[f.Attributes["name"]] = f
		}
		for _, w := range want {
			f := byName[w.Attributes["name"]]
			delete(w.Attributes, "tags") // GDAL writes them with other blanks
			delete(f.Attributes, "tags")
			if diff := cmp.Diff([]any{w.Attributes, w.Geometry}, []any{f.Attributes, f.Geometry}); diff != "" {
				t.Errorf("%v: %s", more, diff)
			}
		}
	}
	// coordinates are converted, and without a reference system it is asked for
	got, err := all(t, byGDAL(t, "m.fgb", "-t_srs", "EPSG:3857"), Options{})
	if err != nil || len(got) != 5 {
		t.Errorf("%d features, %v", len(got), err)
	}
	if _, err = all(t, byGDAL(t, "n.fgb", "-a_srs", "None"), Options{}); err == nil {
		t.Log("this GDAL writes a reference system all the same")
	}
}

func TestFlatGeobufThatIsCut(t *testing.T) {
	data, err := os.ReadFile(byGDAL(t, "f.fgb"))
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{3, 9, 200, len(data) - 300, len(data) - 1} {
		path := filepath.Join(t.TempDir(), "f.fgb")
		if err := os.WriteFile(path, data[:n], 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := all(t, path, Options{}); err == nil {
			t.Errorf("%d of %d bytes are read", n, len(data))
		} else {
			wantBadFile(t, err)
		}
	}
}

// FuzzFlatGeobuf reads any bytes, which end or are an error of the file.
func FuzzFlatGeobuf(f *testing.F) {
	if _, err := exec.LookPath("ogr2ogr"); err == nil {
		data, err := os.ReadFile(byGDAL(f, "f.fgb"))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add([]byte(fgbMagic + "\x00\x04\x00\x00\x00\x00\x00\x00\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		g := &flatGeobuf{in: bufio.NewReader(bytes.NewReader(data)), size: int64(len(data))}
		if g.begin(&Layer{}) != nil {
			return
		}
		for range len(data) {
			if _, err := g.next(); err == io.EOF {
				return
			} else if err != nil {
				wantBadFile(t, err)
				return
			}
		}
	})
}

const placemarks = `<?xml version="1.0" encoding="UTF-8"?>
<kml xmlns="http://www.opengis.net/kml/2.2"><Document><Style id="x"/><Folder><name>not a placemark</name>
<Placemark id="p1"><name>Caf&eacute; &amp; bar</name><description><![CDATA[<b>open</b>]]></description>
 <ExtendedData><Data name="seats"><displayName>Seats</displayName><value>12</value></Data>
  <SchemaData schemaUrl="#s"><SimpleData name="class">food</SimpleData></SchemaData></ExtendedData>
 <Point><altitudeMode>clampToGround</altitudeMode><coordinates> -75.7,45.4,60 </coordinates></Point></Placemark></Folder>
<Placemark><name>park</name><Polygon><innerBoundaryIs><LinearRing><coordinates>1,1 1,2 2,2 1,1</coordinates></LinearRing></innerBoundaryIs>
 <outerBoundaryIs><LinearRing><coordinates>0,0,1 4,0,1
 4,4,1 0,0,1</coordinates></LinearRing></outerBoundaryIs></Polygon></Placemark>
<Placemark><name>way</name><MultiGeometry><LineString><coordinates>0,0 1,1</coordinates></LineString>
 <MultiGeometry><LineString><coordinates>2,2 3,3</coordinates></LineString></MultiGeometry></MultiGeometry></Placemark>
<Placemark><name>none</name></Placemark>
<Placemark><name>bad</name><Point><coordinates>-75.7</coordinates></Point></Placemark>
<Placemark><name>mixture</name><MultiGeometry><Point><coordinates>1,1</coordinates></Point>
 <LineString><coordinates>0,0 1,1</coordinates></LineString></MultiGeometry></Placemark>
</Document></kml>`

func TestKML(t *testing.T) {
	kmz := archive(t, "images/a.png", "png", "doc.kml", placemarks)
	for name, data := range map[string][]byte{"a.kml": []byte(placemarks), "a.kmz": kmz} {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		features, err := all(t, path, Options{})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range features {
			got = append(got, fmt.Sprintf("%s%v %v %s", f.ID, f.Attributes, f.Geometry, f.Fault.Code))
		}
		want := []string{
			"p1map[class:food description:<b>open</b> name:Café & bar seats:12] [-75.7 45.4] ",
			"map[name:park] [[[0 0] [4 0] [4 4] [0 0]] [[1 1] [1 2] [2 2] [1 1]]] ",
			"map[name:way] [[[0 0] [1 1]] [[2 2] [3 3]]] ", "map[name:none] <nil> ", "map[name:bad] <nil> invalid_coordinate",
			"map[name:mixture] <nil> unsupported_geometry_type",
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestKMLThatCannotBeRead(t *testing.T) {
	for text, want := range map[string]string{
		"<html><body/></html>":               "its first element is html",
		"<kml><Placemark><name>a</name>":     "placemark 1",
		strings.Repeat("<a>", 5):             "its first element is a",
		"<kml>" + strings.Repeat("<a>", 999): "elements in elements",
		`<kml><NetworkLink><Link><href>http://x/</href></Link></NetworkLink></kml>`: "only links to other files",
	} {
		path := filepath.Join(t.TempDir(), "a.kml")
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := all(t, path, Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40s: %v, want %q", text, err, want)
		} else {
			wantBadFile(t, err)
		}
	}
}

// FuzzKML reads any text.
func FuzzKML(f *testing.F) {
	f.Add(placemarks)
	f.Add("<kml><Placemark><Polygon/><MultiGeometry><MultiGeometry/></MultiGeometry></Placemark></kml>")
	f.Fuzz(func(t *testing.T, text string) {
		k := &kml{layer: &Layer{seen: map[string]bool{}}, limits: source.Limits{}}
		k.begin(strings.NewReader(text))
		for {
			feature, err := k.next()
			if err == io.EOF {
				return
			}
			if err != nil {
				wantBadFile(t, err)
				return
			}
			if !feature.Fault.OK() && feature.Geometry != nil {
				t.Fatalf("%+v", feature)
			}
		}
	})
}
