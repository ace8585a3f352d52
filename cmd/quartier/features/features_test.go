package features

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quartier/internal/arrowfile"
)

func geoJSONFile(t testing.TB, text string) (arrowfile.Reader, error) {
	path := filepath.Join(t.TempDir(), "in.geojson")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return OpenGeoJSON(path, arrowfile.ReadOptions{Rows: 2, Bytes: 1 << 20})
}

// Values have the types of their columns, and rows come in blocks.
func TestGeoJSONTypes(t *testing.T) {
	in, err := geoJSONFile(t, `{"type": "FeatureCollection", "crs": {"properties": {"name": "urn:ogc:def:crs:EPSG::3347"}}, "features": [
{"type": "Feature", "properties": {"i": 1, "f": 1, "big": 12345678901234567890, "b": true, "s": "x", "m": true, "o": {"a": 1}}},
{"type": "Feature", "properties": {"i": -7, "f": 2.5e3, "m": 1, "late": null}, "geometry": {"type": "Point", "coordinates": [null, 2]}},
{"type": "Feature", "geometry": {"type": "Point", "coordinates": [1, 2, 3]}}]}`)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	var kinds []string
	for _, f := range in.Schema().Fields() {
		kinds = append(kinds, f.Name+" "+f.Type.Name())
	}
	want := "i int64,f float64,big utf8,b bool,s utf8,m utf8,o utf8,late utf8,geometry binary"
	if got := strings.Join(kinds, ","); got != want {
		t.Errorf("columns %s, want %s", got, want)
	}
	if _, crs, err := arrowfile.PrimaryGeometry(in.Schema()); crs != "EPSG:3347" || err != nil {
		t.Errorf("reference system %q, %v", crs, err)
	}
	var rows []string
	for {
		r, err := in.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		for row := range int(r.NumRows()) {
			var cells []string
			for c := range int(r.NumCols()) - 1 {
				cells = append(cells, r.Column(c).ValueStr(row))
			}
			rows = append(rows, strings.Join(cells, ","))
		}
		r.Release()
	}
	text := strings.Join(rows, "|")
	if text != `1,1,12345678901234567890,true,x,true,{"a": 1},(null)|-7,2500,(null),(null),(null),1,(null),(null)|`+
		"(null),(null),(null),(null),(null),(null),(null),(null)" || in.Rows() != 3 {
		t.Error(text)
	}
}

func TestGeoJSONThatCannotBeRead(t *testing.T) {
	for text, want := range map[string]string{
		"": "not GeoJSON", `{"type": "FeatureCollection", "features": [{"type": "Feature"`: "unexpected end of file",
		`{"type": "Feature", "properties": {"Geometry": 1}, "geometry": null}`: `property "Geometry"`,
	} {
		if _, err := geoJSONFile(t, text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// FuzzGeoJSON reads any text, and writes again what could be read.
func FuzzGeoJSON(f *testing.F) {
	f.Add(`{"type": "Feature", "id": 1, "properties": {"a": [1], "b": 1e400, "a": "x"}, "geometry": {"type": "Point", "coordinates": [1, 2]}}`)
	f.Add(`{"type": "FeatureCollection", "features": [{"properties": {"n": -0, "m": 1.0, "k": null}}, {"properties": {"n": ""}}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		in, err := geoJSONFile(t, text)
		if err != nil {
			return
		}
		defer in.Close()
		var out bytes.Buffer
		if err := WriteGeoJSON(t.Context(), &out, in, Geometry, nil, nil); err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		again, err := geoJSONFile(t, out.String())
		if err != nil {
			t.Fatalf("%q became %q: %v", text, out.String(), err)
		}
		defer again.Close()
		if again.Rows() != in.Rows() {
			t.Errorf("%d rows became %d", in.Rows(), again.Rows())
		}
	})
}

// FuzzBlob takes the header off any geometry of a GeoPackage.
func FuzzBlob(f *testing.F) {
	f.Add([]byte("GP\x00\x01\xe6\x10\x00\x00\x01\x01\x00\x00\x00"))
	f.Fuzz(func(t *testing.T, blob []byte) {
		if rest := withoutHeader(blob); len(rest) > len(blob)-8 && rest != nil {
			t.Errorf("%d bytes of %d", len(rest), len(blob))
		}
	})
}
