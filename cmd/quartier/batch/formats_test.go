package batch

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"github.com/paulmach/orb"

	"quartier/internal/arrowfile"
	"quartier/internal/geo"
	"quartier/internal/xlsx/xlsxtest"
	"quartier/serve/enrich"
	"quartier/serve/servetest"
)

// mercator are the coordinates of a point in EPSG:3857.
func mercator(lng, lat float64) (x, y float64) {
	const radius = 6378137
	return radius * lng * math.Pi / 180, radius * math.Log(math.Tan(math.Pi/4+lat*math.Pi/360))
}

// A point is the same in every way in which it is written.
func TestWaysToWriteAPoint(t *testing.T) {
	e := world(t, enrich.Choice{})
	lat, lng := fmt.Sprint(servetest.StreetLat), fmt.Sprint(servetest.Lng)
	x, y := mercator(servetest.Lng, servetest.StreetLat)
	wkb, err := geo.WKB(orb.Point{x, y})
	must(t, err)
	last := func(text string, o Options) string {
		t.Helper()
		o.Out, o.MaxBad = filepath.Join(t.TempDir(), "out.csv"), 1
		_, _, err := run(t, e, text, o)
		if err != nil {
			return err.Error()
		}
		lines := strings.Split(strings.TrimSpace(read(t, o.Out)), "\n")
		_, added, _ := strings.Cut(lines[len(lines)-1], "|")
		return strings.TrimLeft(added, "\",")
	}
	want := last("lat,lng,end\n"+lat+","+lng+",|\n", Options{})
	if !strings.HasSuffix(want, ",ok") {
		t.Fatal(want)
	}
	metres := fmt.Sprintf("%.3f,%.3f", y, x)
	for name, c := range map[string]struct {
		text string
		o    Options
		want string
	}{
		"decimal commas":   {strings.ReplaceAll("lat;lng;end\n"+lat+";"+lng+";|\n", ".", ","), Options{}, want},
		"declared":         {strings.ReplaceAll("lat;lng;end\n"+lat+";"+lng+";|\n", ".", ","), Options{Decimal: ","}, want},
		"metres":           {"y,x,end\n" + metres + ",|\n", Options{CRS: "EPSG:3857"}, want},
		"metres by number": {"y,x,end\n" + metres + ",|\n", Options{CRS: "3857"}, want},
		"metres with commas": {strings.NewReplacer(",", ";", ".", ",").Replace("y,x,end\n" + metres + ",|\n"),
			Options{CRS: "3857", Decimal: ","}, want},
		"ambiguous metres":       {"y;x;end\n5024123,456;-7569123,456;|\n", Options{CRS: "3857"}, "bad_coordinates"},
		"EWKT":                   {"wkt,end\nSRID=4326;POINT(" + lng + " " + lat + "),|\n", Options{}, want},
		"EWKT in metres":         {fmt.Sprintf("wkt,end\nSRID=3857;POINT(%f %f),|\n", x, y), Options{CRS: "EPSG:3857"}, want},
		"EWKT of another system": {fmt.Sprintf("wkt,end\nSRID=3857;POINT(%f %f),|\n", x, y), Options{}, "bad_coordinates"},
		"a polygon":              {"wkt,end\n\"POLYGON((0 0,1 0,1 1,0 0))\",|\n", Options{}, "bad_coordinates"},
		"no such system":         {"y,x,end\n1,2,|\n", Options{CRS: "EPSG:99"}, "unknown coordinate reference system"},
		"degrees as metres":      {"y,x,end\n" + lat + "," + lng + ",|\n", Options{CRS: "EPSG:3857"}, "look like degrees"},
		"NAD83 in degrees":       {"y,x,end\n" + lat + "," + lng + ",|\n", Options{CRS: "EPSG:4269"}, want},
		"UTM far away":           {"y,x,end\n5e99,1e99,|\n", Options{CRS: "EPSG:26918"}, "bad_coordinates"},
	} {
		if got := last(c.text, c.o); !strings.HasSuffix(got, c.want) && !strings.Contains(got, c.want) {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
	if _, err := (locator{system: 3857, foreign: true}).pointIn(wkb); err != nil {
		t.Error(err)
	}
}

// features of two points and a polygon, with properties of all kinds, the first of which has them in another order.
func featuresText() string {
	x, y := servetest.Lng, servetest.StreetLat
	return fmt.Sprintf(`{"type": "FeatureCollection", "features": [
{"type": "Feature", "id": 7, "properties": {"name": "É \"a\"", "rooms": 3, "price": 1.5, "sold": true, "tags": ["x", {"y": null}], "mixed": 1,
  "code": "007", "none": null}, "geometry": {"type": "Point", "coordinates": [%v, %v]}},
{"type": "Feature", "id": 8, "properties": {"rooms": null, "name": "", "price": 2, "mixed": "two", "tags": null},
  "geometry": {"type": "Polygon", "coordinates": [[[%[1]v, %[2]v], [-72.7, 45.1], [-72.8, 45.3], [%[1]v, %[2]v]]]}},
{"type": "Feature", "properties": null, "geometry": null}]}`, x, y)
}

// What a file of features has is there again, and what is added is that of a CSV file.
func TestFeaturesInAndOut(t *testing.T) {
	e, dir := world(t, enrich.Choice{}), t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	must(t, os.WriteFile(path("in.geojson"), []byte(featuresText()), 0o644))
	for _, step := range [][2]string{{"in.geojson", "a.geojson"}, {"in.geojson", "b.gpkg"}, {"b.gpkg", "c.gpkg"}, {"c.gpkg", "d.geojson"},
		{"in.geojson", "e.parquet"}, {"d.geojson", "f.csv"}} {
		s, said, err := run(t, e, "", Options{In: path(step[0]), Out: path(step[1]), MaxBad: 1, Overwrite: true})
		if err != nil || s.Rows != 3 || s.Statuses["ok"] != 1 || !strings.Contains(said, `geometries of column "geometry"`) {
			t.Fatalf("%s: %v, %v, %s", step, err, s, said)
		}
		if len(s.Reasons) != 2 || s.Reasons[0].Reason != errArea.Error() || s.Reasons[1].Reason != errMissing.Error() {
			t.Errorf("%s: reasons %v", step, s.Reasons)
		}
	}
	for _, name := range []string{"a.geojson", "d.geojson"} {
		var got struct {
			Features []struct {
				Properties map[string]any
				Geometry   json.RawMessage
			}
		}
		must(t, json.Unmarshal([]byte(read(t, path(name))), &got))
		p := got.Features[0].Properties
		tags := fmt.Sprint(p["tags"])
		if p["name"] != "É \"a\"" || p["rooms"] != 3.0 || p["price"] != 1.5 || p["sold"] != true || p["mixed"] != "1" || p["code"] != "007" ||
			p["none"] != nil || p["id"] != "7" || !strings.Contains(tags, "x") || p[enrich.StatusName] != "ok" {
			t.Errorf("%s: %v", name, p)
		}
		if _, isList := p["tags"].([]any); isList != (name == "a.geojson") { // a GeoPackage has no lists
			t.Errorf("%s: tags %v", name, p["tags"])
		}
		if g := string(got.Features[1].Geometry); !strings.Contains(g, `"Polygon"`) || !strings.Contains(g, "45.3") {
			t.Errorf("%s: %s", name, g)
		}
		if second := got.Features[1].Properties; second["rooms"] != nil || second["price"] != 2.0 || second["name"] != "" {
			t.Errorf("%s: %v", name, second)
		}
	}
	if text := read(t, path("f.csv")); !strings.Contains(text, `"POLYGON((`) {
		t.Error(text)
	}
	ogrinfo, err := exec.LookPath("ogrinfo")
	if err != nil {
		t.Skip("ogrinfo is not installed")
	}
	for _, name := range []string{"a.geojson", "c.gpkg"} {
		out, err := exec.Command(ogrinfo, "-al", path(name)).CombinedOutput()
		if err != nil || !strings.Contains(string(out), "Feature Count: 3") || strings.Contains(string(out), "Warning") ||
			!strings.Contains(string(out), "007") {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
}

// A GeoPackage and GeoJSON in another reference system are converted.
func TestFeaturesOfAnotherSystem(t *testing.T) {
	if _, err := exec.LookPath("ogr2ogr"); err != nil {
		t.Skip("ogr2ogr is not installed")
	}
	e, dir := world(t, enrich.Choice{Add: []string{"pois"}}), t.TempDir()
	in := filepath.Join(dir, "in.geojson")
	must(t, os.WriteFile(in, []byte(featuresText()), 0o644))
	for _, name := range []string{"metres.gpkg", "metres.parquet"} {
		to := filepath.Join(dir, name)
		if out, err := exec.Command("ogr2ogr", "-t_srs", "EPSG:26918", to, in).CombinedOutput(); err != nil {
			t.Logf("%s: %s", name, out) // a GDAL without Parquet
			continue
		}
		for _, out := range []string{"points.geojson", "points.parquet"} {
			out = filepath.Join(dir, name+out)
			s, _, err := run(t, e, "", Options{In: to, Out: out, MaxBad: 1})
			if err != nil || s.Statuses["ok"] != 1 {
				t.Errorf("%s: %v, %v", out, err, s)
			}
		}
		var got struct {
			Features []struct{ Geometry struct{ Coordinates []any } }
		}
		must(t, json.Unmarshal([]byte(read(t, filepath.Join(dir, name+"points.geojson"))), &got))
		if lng := got.Features[0].Geometry.Coordinates[0].(float64); math.Abs(lng-servetest.Lng) > 1e-6 {
			t.Errorf("%s: not in degrees: %v", name, lng)
		}
	}
}

func TestSheetsOfAWorkbook(t *testing.T) {
	e, dir := world(t, enrich.Choice{}), t.TempDir()
	in := filepath.Join(dir, "in.xlsx")
	book := xlsxtest.Book(t, "notes", fmt.Sprintf("name|lat|lng|since\nA, B|#%v|#%v|d45292\n|#1|#2", servetest.StreetLat, servetest.Lng))
	must(t, os.WriteFile(in, book, 0o644))
	out := filepath.Join(dir, "out.csv")
	s, _, err := run(t, e, "", Options{In: in, Layer: "Sheet2", Out: out, MaxBad: 1})
	if err != nil || s.Rows != 2 || s.Statuses["ok"] != 1 || !strings.Contains(read(t, out), `"A, B",`+fmt.Sprint(servetest.StreetLat)) {
		t.Errorf("%v, %v\n%s", err, s, read(t, out))
	}
	_, _, err = run(t, e, "", Options{In: in, Out: filepath.Join(dir, "x.csv")})
	if err == nil || !strings.Contains(err.Error(), "no columns") {
		t.Errorf("the first sheet: %v", err)
	}
}

// TestOtherEncodings: a CSV of points that is not UTF-8 is refused, because another encoding can be named; texts of Parquet that
// are not, which only a mistake makes, have U+FFFD.
func TestOtherEncodings(t *testing.T) {
	e := world(t, enrich.Choice{})
	if _, _, err := run(t, e, "name,lat,lng\nRen\xe9e,1,2\n", Options{MaxBad: 1}); err == nil || !strings.Contains(err.Error(), "cp1252") {
		t.Error(err)
	}
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in.parquet"), filepath.Join(dir, "out.csv")
	b := array.NewRecordBuilder(memory.DefaultAllocator, arrow.NewSchema([]arrow.Field{{Name: "name", Type: arrow.BinaryTypes.String},
		{Name: "lat", Type: arrow.PrimitiveTypes.Float64}, {Name: "lng", Type: arrow.PrimitiveTypes.Float64}}, nil))
	for i, name := range []string{"Renée", "Ren\xe9e"} {
		b.Field(0).(*array.StringBuilder).Append(name)
		b.Field(1).(*array.Float64Builder).Append(servetest.StreetLat)
		b.Field(2).(*array.Float64Builder).Append(servetest.Lng + float64(i))
	}
	rows := b.NewRecord()
	w, err := arrowfile.Create(in, rows.Schema(), arrowfile.Options{Format: arrowfile.Parquet})
	must(t, err)
	must(t, w.WriteBatch(rows))
	must(t, w.Close(t.Context()))
	s, _, err := run(t, e, "", Options{In: in, Out: out, MaxBad: 1})
	must(t, err)
	got := read(t, out)
	if !strings.Contains(got, "\nRenée,") || !strings.Contains(got, "\nRen\ufffde,") || len(s.Reasons) != 1 || s.Reasons[0].First != 2 {
		t.Errorf("%+v\n%s", s.Reasons, got)
	}
}
