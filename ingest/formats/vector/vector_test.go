package vector

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/paulmach/orb"

	"quartier/ingest/source"
	"quartier/internal/spatialite"
	"quartier/internal/testenv"
)

// all opens and reads a file.
func all(t testing.TB, path string, o Options) ([]Feature, error) {
	t.Helper()
	layer, err := Open(t.Context(), path, o)
	if err != nil {
		return nil, err
	}
	defer layer.Close()
	return read(t, layer)
}

// read reads a layer to its end or its first error.
func read(t testing.TB, layer *Layer) ([]Feature, error) {
	t.Helper()
	var got []Feature
	err := layer.Read(t.Context(), func(f Feature) error {
		got = append(got, f)
		return nil
	})
	if errors.Is(err, spatialite.ErrUnavailable) {
		testenv.NotInstalled(t, "mod_spatialite")
	}
	return got, err
}

func TestShapefileRings(t *testing.T) {
	far := outerRing(20, 0, 1)
	reversed := func(ring orb.Ring) orb.Ring {
		ring = ring.Clone()
		ring.Reverse()
		return ring
	}
	outer, hole, island := outerRing(0, 0, 5), holeRing(0, 0, 3), outerRing(0, 0, 1)
	touching := orb.Ring{{-5, 0}, {-4, -1}, {-3, 0}, {-4, 1}, {-5, 0}} // a hole with one vertex on the outer ring
	for _, test := range []struct {
		name  string
		rings []orb.Ring
		want  orb.MultiPolygon
	}{
		{"one", []orb.Ring{outer}, orb.MultiPolygon{{outer}}},
		{"one that runs the wrong way", []orb.Ring{hole}, orb.MultiPolygon{{hole}}},
		{"two", []orb.Ring{outer, far}, orb.MultiPolygon{{outer}, {far}}},
		{"a hole before its outer ring", []orb.Ring{hole, far, outer}, orb.MultiPolygon{{far}, {outer, hole}}},
		{"an island in a lake", []orb.Ring{outer, hole, island}, orb.MultiPolygon{{outer, hole}, {island}}},
		{"a lake on the island in a lake", []orb.Ring{outer, hole, island, holeRing(0, 0, 0.5)},
			orb.MultiPolygon{{outer, hole}, {island, holeRing(0, 0, 0.5)}}},
		{"a hole that touches its outer ring", []orb.Ring{outer, touching}, orb.MultiPolygon{{outer, touching}}},
		{"everything runs the wrong way", []orb.Ring{reversed(outer), reversed(hole), far},
			orb.MultiPolygon{{reversed(outer), reversed(hole)}, {far}}},
		{"no ring runs as outer ones do", []orb.Ring{reversed(outer), reversed(far)}, orb.MultiPolygon{{reversed(outer)}, {reversed(far)}}},
	} {
		for _, kind := range []uint32{5, 15, 25} {
			path := folder(t, "a.shp", shpFile(polygonShape(kind, test.rings...)), "a.dbf", dbfFile(0, nameColumn("x")), "a.prj", wgs84PRJ)
			got, err := all(t, path, Options{})
			if err != nil || len(got) != 1 {
				t.Fatalf("%s: %v %v", test.name, got, err)
			}
			if diff := cmp.Diff(orb.Geometry(test.want), got[0].Geometry); diff != "" {
				t.Errorf("%s, type %d (-want +got):\n%s", test.name, kind, diff)
			}
		}
	}
}

func TestShapefileAttributes(t *testing.T) {
	long := strings.Repeat("x", 250) + "end"
	path := folder(t, "a.SHP", shpFile(polygonShape(5, outerRing(0, 0, 1)), nullShape),
		"a.DBF", dbfFile(0,
			dbfColumn{"TEXT", 'C', 300, []string{long, "  "}},
			dbfColumn{"NUMBER", 'N', 10, []string{" 12.500", "**********"}},
			dbfColumn{"WHOLE", 'F', 10, []string{"7.000", ""}},
			dbfColumn{"DAY", 'D', 8, []string{"20210511", "00000000"}},
			dbfColumn{"TRUTH", 'L', 1, []string{"T", "?"}},
			dbfColumn{"MEMO", 'M', 10, []string{"12", "13"}},
			dbfColumn{"BINARY", 'I', 4, []string{"\x01\x01\x00\x00", "\xff\xff\xff\xff"}},
		), "a.Prj", wgs84PRJ)
	got, err := all(t, path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := []Feature{
		{Row: 1, Attributes: map[string]string{"TEXT": long, "NUMBER": "12.500", "WHOLE": "7", "DAY": "2021-05-11", "TRUTH": "true",
			"BINARY": "257"},
			Geometry: orb.MultiPolygon{{outerRing(0, 0, 1)}}},
		{Row: 2, Attributes: map[string]string{"BINARY": "-1"}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestShapefileEncodings(t *testing.T) {
	const latin, utf8 = "Montr\xe9al \x96 \x8cuvre", "Montréal – Œuvre"
	for _, test := range []struct {
		name, cpg, option string
		language          byte
		text, want        string
	}{
		{"nothing said, latin", "", "", 0, latin, utf8},
		{"nothing said, UTF-8", "", "", 0, utf8, utf8},
		{"language byte of windows", "", "", 0x57, latin, utf8},
		{"cpg UTF-8", "UTF-8", "", 0, utf8, utf8},
		{"cpg 1252", "1252\r\n", "", 0, latin, utf8},
		{"cpg ANSI 1252", "ANSI 1252", "", 0, latin, utf8},
		{"cpg ISO-8859-1", "ISO-8859-1", "", 0, "Qu\xe9bec", "Québec"},
		{"cpg 88591", "88591", "", 0, "Qu\xe9bec", "Québec"},
		{"the option goes before the cpg", "UTF-8", "windows-1252", 0, latin, utf8},
		{"DOS by language byte", "", "", 0x02, "Qu\x82bec", "Québec"},
		{"latin that claims to be UTF-8 stays for the sink to reject", "UTF-8", "", 0, "Qu\xe9bec", "Qu\xe9bec"},
	} {
		t.Run(test.name, func(t *testing.T) {
			files := []any{"a.shp", shpFile(nullShape), "a.dbf", dbfFile(test.language, nameColumn(test.text)), "a.prj", wgs84PRJ}
			if test.cpg != "" {
				files = append(files, "a.cpg", test.cpg)
			}
			got, err := all(t, folder(t, files...), Options{Encoding: test.option})
			if err != nil || got[0].Attributes["NAME"] != test.want {
				t.Errorf("%+v, %v, want %q", got, err, test.want)
			}
		})
	}
}

func TestArchives(t *testing.T) {
	shp, dbf := shpFile(polygonShape(5, outerRing(0, 0, 1))), dbfFile(0, nameColumn("x"))
	for _, test := range []struct {
		name  string
		files []any
		layer string
		err   string // "" for one feature
	}{
		{"at the top", []any{"a.shp", shp, "a.dbf", dbf, "a.prj", wgs84PRJ}, "", ""},
		{"in a folder, capitals", []any{"x/y/A.SHP", shp, "x/y/A.DBF", dbf, "x/y/A.PRJ", wgs84PRJ, "x/readme.txt", ""}, "", ""},
		{"with macOS's shadows", []any{"a.shp", shp, "a.dbf", dbf, "a.prj", wgs84PRJ, "__MACOSX/._a.shp", "x"}, "", ""},
		{"two, one named", []any{"a.shp", shp, "a.dbf", dbf, "a.prj", wgs84PRJ, "b.shp", "x"}, "a", ""},
		{"two", []any{"b.shp", shp, "a.shp", shp}, "", "it has 2 shapefiles; set the option layer to one of a, b"},
		{"another name", []any{"a.shp", shp}, "c", `no shapefile "c"`},
		{"none", []any{"a.txt", "x"}, "", "it has no shapefile"},
		{"no .dbf", []any{"a.shp", shp, "a.prj", wgs84PRJ}, "", "its .dbf file is missing"},
		{"no .prj", []any{"a.shp", shp, "a.dbf", dbf}, "", "set the option crs"},
	} {
		t.Run(test.name, func(t *testing.T) {
			path := folder(t, "places.zip", archive(t, test.files...))
			got, err := all(t, path, Options{Layer: test.layer})
			wantError(t, err, test.err, "places.zip")
			if test.err == "" && (len(got) != 1 || got[0].Attributes["NAME"] != "x") {
				t.Errorf("%v", got)
			}
		})
	}
}

// wantError wants a bad file's error with a text and the file's name, or none.
func wantError(t *testing.T, err error, text, file string) {
	t.Helper()
	if text == "" {
		if err != nil {
			t.Fatal(err)
		}
		return
	}
	if !errors.Is(err, source.ErrBadFile) || !strings.Contains(err.Error(), text) || !strings.HasPrefix(err.Error(), file+": ") {
		t.Errorf("error %v, want one of %s with %q", err, file, text)
	}
}

func TestBadFiles(t *testing.T) {
	shp, dbf := shpFile(polygonShape(5, outerRing(0, 0, 1)), polygonShape(5, outerRing(3, 0, 1))), dbfFile(0, nameColumn("x", "y"))
	zipped := archive(t, "a.shp", shp, "a.dbf", dbf, "a.prj", wgs84PRJ)
	wide := dbfFile(0, nameColumn("x", "y"))
	wide[32+16] = 200 // the column is wider than the row
	for _, test := range []struct {
		name  string
		files []any
		err   string
	}{
		{"missing .dbf", []any{"a.shp", shp, "a.prj", wgs84PRJ}, "its .dbf file is missing"},
		{"missing .prj", []any{"a.shp", shp, "a.dbf", dbf}, "set the option crs"},
		{"empty .shp", []any{"a.shp", "", "a.dbf", dbf}, "it is empty"},
		{".shp of another kind", []any{"a.shp", strings.Repeat("x", 200), "a.dbf", dbf}, "not a shapefile"},
		{".shp cut in its header", []any{"a.shp", shp[:50], "a.dbf", dbf}, "ends within its header"},
		{".shp cut", []any{"a.shp", shp[:300], "a.dbf", dbf}, "truncated: it has 300 bytes of"},
		{".dbf cut", []any{"a.shp", shp, "a.dbf", dbf[:len(dbf)-20], "a.prj", wgs84PRJ}, "the .dbf is truncated"},
		{".dbf cut in its header", []any{"a.shp", shp, "a.dbf", dbf[:40], "a.prj", wgs84PRJ}, "the .dbf"},
		{"empty .dbf", []any{"a.shp", shp, "a.dbf", "", "a.prj", wgs84PRJ}, "the .dbf ends within its header"},
		{".dbf with a column beyond its rows", []any{"a.shp", shp, "a.dbf", wide, "a.prj", wgs84PRJ}, "extends beyond its rows"},
		{"fewer rows than shapes", []any{"a.shp", shp, "a.dbf", dbfFile(0, nameColumn("x")), "a.prj", wgs84PRJ},
			"the .dbf has 1 rows, the .shp more"},
		{"more rows than shapes", []any{"a.shp", shp, "a.dbf", dbfFile(0, nameColumn("x", "y", "z")), "a.prj", wgs84PRJ},
			"the .dbf has 3 rows, the .shp 2 records"},
		{".prj that is none", []any{"a.shp", shp, "a.dbf", dbf, "a.prj", "somewhere"}, "unknown coordinate reference system"},
		{"encoding that is none", []any{"a.shp", shp, "a.dbf", dbf, "a.prj", wgs84PRJ, "a.cpg", "klingon"}, `encoding "klingon" is not known`},
		{"empty archive", []any{"a.zip", ""}, "it is empty"},
		{"cut archive", []any{"a.zip", zipped[:len(zipped)/2]}, "not a valid .zip"},
		{"another extension", []any{"a.gml", "<gml/>"}, "is none of .shp"},
		{"cut GeoJSON", []any{"a.geojson", `{"type":"FeatureCollection","features":[{"type":"Feature"`}, "GeoJSON"},
		{"no GeoPackage", []any{"a.gpkg", strings.Repeat("no database ", 100)}, "GeoPackage"},
	} {
		t.Run(test.name, func(t *testing.T) {
			path := folder(t, test.files...)
			_, err := all(t, path, Options{})
			wantError(t, err, test.err, filepath.Base(path))
		})
	}
	if _, err := Open(t.Context(), filepath.Join(t.TempDir(), "none.shp"), Options{}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}
	if _, err := Open(t.Context(), t.TempDir(), Options{}); !errors.Is(err, source.ErrBadFile) {
		t.Errorf("a folder: %v", err)
	}
}

// A malformed shape in a valid file is a fault of that feature only.
func TestBrokenShapes(t *testing.T) {
	many := polygonShape(5, outerRing(0, 0, 1))
	many[4+32+4+3] = 0x7f // two milliards of points
	backwards := polygonShape(5, outerRing(0, 0, 1), outerRing(9, 9, 1))
	backwards[4+32+8+4] = 0xff // the second part starts behind the points
	nan := polygonShape(5, orb.Ring{{0, 0}, {math.NaN(), 1}, {1, 1}, {0, 0}})
	multipatch := append([]byte{31}, make([]byte, 39)...)
	path := folder(t, "a.shp", shpFile(many, backwards, nan, multipatch, []byte{5, 0, 0, 0}, polygonShape(5, outerRing(0, 0, 1))),
		"a.dbf", dbfFile(0, nameColumn("1", "2", "3", "4", "5", "6")), "a.prj", wgs84PRJ)
	got, err := all(t, path, Options{})
	if err != nil || len(got) != 6 {
		t.Fatalf("%v, %v", got, err)
	}
	for i, faulty := range []bool{true, true, false, true, true, false} {
		if !got[i].Fault.OK() != faulty || faulty && got[i].Geometry != nil {
			t.Errorf("feature %d: %+v", i+1, got[i])
		}
	}
	if p := Outline(got[2].Geometry)[0][0][1]; !math.IsNaN(p[0]) {
		t.Errorf("NaN became %v", p)
	}
}

func TestWrongCRS(t *testing.T) {
	degrees := shpFile(polygonShape(5, outerRing(-75, 45, 1)))
	metres := shpFile(polygonShape(5, outerRing(7201954, 917957, 100)))
	for _, test := range []struct {
		name, crs string
		shp       []byte
		wrong     bool
	}{
		{"degrees as degrees", "EPSG:4269", degrees, false},
		{"metres as metres", "EPSG:3347", metres, false},
		{"metres as WGS 84", "EPSG:4326", metres, true},
		{"metres as other degrees", "EPSG:4269", metres, true},
		{"degrees as metres", "EPSG:3347", degrees, true},
		{"degrees as feet", "EPSG:2913", degrees, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			path := folder(t, "a.shp", test.shp, "a.dbf", dbfFile(0, nameColumn("x")), "a.prj", "not read")
			_, err := all(t, path, Options{CRS: test.crs})
			if errors.Is(err, ErrWrongCRS) != test.wrong || !test.wrong && err != nil {
				t.Fatal(err)
			}
			if test.wrong {
				wantError(t, err, "set the option crs", "a.shp")
			}
		})
	}
}

func TestGeoJSON(t *testing.T) {
	point := `"geometry":{"type":"Point","coordinates":[-75.5,45.25,60]}`
	for _, test := range []struct {
		name, text string
		want       Feature
	}{
		{"without properties, number as id", `{"type":"Feature","id":12,` + point + `}`,
			Feature{Row: 1, ID: "12", Attributes: map[string]string{}, Geometry: orb.Point{-75.5, 45.25}}},
		{"null properties and geometry", `{"type":"Feature","properties":null,"geometry":null}`,
			Feature{Row: 1, Attributes: map[string]string{}}},
		{"kinds of values",
			`{"type":"Feature","id":"a","properties":{"t":" Été ","n":-12.0,"big":1.25e3,"null":null,"blank":" ","yes":true,"list":[1,"a"]},` +
				point + `}`,
			Feature{Row: 1, ID: "a", Geometry: orb.Point{-75.5, 45.25},
				Attributes: map[string]string{"t": "Été", "n": "-12", "big": "1250", "yes": "true", "list": `[1,"a"]`}}},
		{"null coordinate", `{"type":"Feature","geometry":{"type":"Point","coordinates":[null,1]}}`,
			Feature{Row: 1, Fault: source.InvalidCoordinate}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := all(t, folder(t, "a.geojson", `{"type":"FeatureCollection","features":[`+test.text+`]}`), Options{})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff([]Feature{test.want}, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestGeoJSONReferenceSystems(t *testing.T) {
	for name, want := range map[string]string{
		"": "EPSG:4326", "urn:ogc:def:crs:OGC:1.3:CRS84": "EPSG:4326", "urn:ogc:def:crs:EPSG::4269": "EPSG:4269",
		"EPSG:3347": "EPSG:3347", "urn:ogc:def:crs:EPSG:6.9:2950": "EPSG:2950", "urn:ogc:def:crs:OGC:1.3:CRS83": "EPSG:4269",
	} {
		if got := geoJSONCRS(name); got != want {
			t.Errorf("%q is %q, want %q", name, got, want)
		}
	}
	text := `{"type":"FeatureCollection","crs":{"type":"name","properties":{"name":"urn:ogc:def:crs:EPSG::3347"}},
		"features":[{"type":"Feature","geometry":{"type":"Point","coordinates":[7201954,917957]}}]}`
	got, err := all(t, folder(t, "a.geojson", text), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if p, want := got[0].Geometry.(orb.Point), (orb.Point{-79.679615094, 43.599298074}); math.Hypot(p[0]-want[0], p[1]-want[1]) > 1e-8 {
		t.Errorf("%v, want %v", p, want)
	}
}

func TestReadStopsWhenCancelled(t *testing.T) {
	layer, err := Open(t.Context(), folder(t, "a.geojson", `{"type":"FeatureCollection","features":[{"type":"Feature"},{"type":"Feature"}]}`),
		Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer layer.Close()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := layer.Read(ctx, func(Feature) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
