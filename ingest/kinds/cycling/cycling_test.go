package cycling

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/paulmach/orb"
	"gopkg.in/yaml.v3"

	"quartier/ingest/source"
	"quartier/ingest/sourcetest"
	"quartier/internal/geo"
	"quartier/internal/testenv"
	"quartier/schemas"
)

func TestConformance(t *testing.T) {
	sourcetest.Run(t, Kind,
		sourcetest.Case{
			Name: "lines", Path: "testdata/lanes.geojson",
			Options: "classes: {LANE: {Y: painted, YES: painted}, TRACK: {'*': protected, planned: ignore}, SIGN: {'': none, Bike Route: " +
				"shared}}\nlength: FT\nlength_unit: ft\nunless: {STATUS: [PROPOSED]}",
			Read: 11,
			Rows: map[string]string{"SELECT source_key, class, round(length_m, 1) FROM bikeway ORDER BY 1": "1|painted|30.5\n" + // LANE y
				"2|protected|∅\n" + // LANE and TRACK
				"3|shared|∅\n" +
				"4|none|∅\n" + // no value at all
				"5|painted|61\n5:2|painted|∅"},
			Issues: map[string]int64{"excluded_by_option: unless": 1, "excluded_by_option: classes": 1, "missing_geometry": 1,
				"wrong_geometry_type": 1, "zero_length": 1, "invalid_coordinate": 1, "invalid_length_removed": 2},
		},
		sourcetest.Case{
			Name: "points with a length, not quoted", Path: "testdata/pieces.csv",
			Options:   "classes: {TYPE: {path: path, bike lane: painted, trail: none}}\nlength: LENGTH_KM\nlength_unit: km\nlat_lng: COORDINATES",
			Read:      8,
			Rows:      map[string]string{"SELECT source_key, class, length_m FROM bikeway ORDER BY 1": "1|path|1500\n2|painted|40\n3|none|100"},
			Issues:    map[string]int64{"missing_length": 2, "missing_geometry": 1, "wrong_field_count": 1, "outside_north_america": 1},
			AnyLength: "lines of text",
		},
		sourcetest.Case{
			Name: "well-known text", Path: "testdata/wkt.csv",
			Options:   "classes: {kind: {a: path}}\nwkt: shape",
			Read:      3,
			Rows:      map[string]string{"SELECT source_key FROM bikeway ORDER BY 1": "1\n2\n2:2"},
			Issues:    map[string]int64{"unreadable_geometry": 1, "delimiter_found: \";\"": 1},
			AnyLength: "lines of text",
		},
	)
}

func TestLengthsAndEmptyLines(t *testing.T) {
	for _, test := range []struct{ name, file, text, options, lengths, issues string }{
		{"a decimal comma, found", "a.csv", "t;len;lat;lng\na;0,35;45,5;-73,6\na;1,5;45,5;-73,7\n", "lat: lat\nlng: lng", "350,1500,", "map[]"},
		{"decimal commas and points", "a.csv", "t;len;lat;lng\na;0,35;45.5;-73.6\na;1 000;45.5;-73.7\na;1.000,5;45.5;-73.7\n",
			"lat: lat\nlng: lng", "350,", "map[missing_length:2]"},
		{"a thousand by the option", "a.csv", "t;len;lat;lng\na;1,500;45.5;-73.6\n", "lat: lat\nlng: lng\ndecimal: ','", "1500,", "map[]"},
		{"lines with an unusable length", "a.csv",
			"t;len;g\na;long;\"LINESTRING(-73 45, -73 46)\"\na;0;\"LINESTRING(-73 45, -73 46)\"\na;;\"LINESTRING(-73 45, -73 46)\"\n" +
				"a;101;\"LINESTRING(-73 45, -73 46)\"\n", "wkt: g",
			"nil,nil,nil,nil,", "map[invalid_length_removed:3]"},
		{"an empty collection of lines", "a.geojson", `{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"t":"a","len":1},"geometry":{"type":"MultiLineString","coordinates":[]}},
			{"type":"Feature","properties":{"t":"a","len":1},"geometry":{"type":"LineString","coordinates":[[-73,45],[-73,46]]}}]}`, "", "1000,", "map[missing_geometry:1]"},
	} {
		path := filepath.Join(t.TempDir(), test.file)
		if err := os.WriteFile(path, []byte(test.text), 0o600); err != nil {
			t.Fatal(err)
		}
		out, lengths := &sourcetest.Record{}, ""
		in := source.Input{Source: "network", Path: path,
			Options: sourcetest.Options(t, "classes: {t: {a: path}}\nlength: len\nlength_unit: km\n"+test.options)}
		if err := Kind.Stage(t.Context(), in, out); err != nil {
			t.Errorf("%s: %v", test.name, err)
		}
		for _, row := range out.Bikeways {
			if row.LengthM == nil {
				lengths += "nil,"
			} else {
				lengths += fmt.Sprintf("%.0f,", *row.LengthM)
			}
		}
		issues := out.Reasons()
		maps.DeleteFunc(issues, func(code string, _ int) bool { return strings.Contains(code, "_found") })
		if lengths != test.lengths || fmt.Sprint(issues) != test.issues {
			t.Errorf("%s: %s %v, want %s %s", test.name, lengths, issues, test.lengths, test.issues)
		}
	}
}

// TestLayoutsOfSixCities reads the networks of six cities with their layouts, and compares the kilometres of the lines with
// those that the publishers state.
func TestLayoutsOfSixCities(t *testing.T) {
	for layout, test := range map[string]struct {
		path, pieces string
		issues       map[string]int
	}{
		"ottawa": {"ca-ottawa/open-data/cycling_network.csv",
			"path: 5586, 0, 1144\nprotected: 300, 0, 67\npainted: 1322, 0, 339\nshared: 5105, 0, 1234\nnone: 3397, 0, 1725",
			map[string]int{"missing_length": 8}},
		"toronto": {"ca-cities/cycling/toronto_cycling-network-4326.geojson",
			"path: 775, 355, 0\nprotected: 112, 76, 0\npainted: 157, 105, 0\nlocal: 42, 22, 0\nshared: 518, 205, 0",
			map[string]int{"excluded_by_option: classes": 163}},
		"montreal": {"ca-cities/cycling/montreal_reseau_cyclable.geojson",
			"path: 1225, 269, 269\nprotected: 228, 72, 72\npainted: 387, 171, 171\nshared: 337, 136, 136", nil},
		"vancouver": {"ca-cities/cycling/vancouver_bikeways.geojson",
			"protected: 622, 65, 0\npainted: 395, 39, 0\nlocal: 2246, 175, 0\nshared: 123, 11, 0", nil},
		"calgary": {"ca-cities/cycling/calgary_CALGIS_TRAN_BIKEWAY.geojson",
			"protected: 15, 1, 1\npainted: 132, 36, 36\nlocal: 13, 10, 10\nshared: 1324, 401, 401",
			map[string]int{"excluded_by_option: classes": 16, "missing_geometry": 1}},
		"washington": {"us-dc/open-data/Bicycle_Lanes.geojson", "protected: 282, 25, 0\npainted: 1908, 138, 0",
			map[string]int{"excluded_by_option: classes": 20}},
	} {
		t.Run(layout, func(t *testing.T) {
			in := source.Input{Source: "network", Path: testenv.NeedData(t, test.path), Options: sourcetest.Options(t, "layout: "+layout)}
			if err := Kind.Check(t.Context(), in); err != nil {
				t.Fatal(err)
			}
			out := &sourcetest.Record{}
			if err := Kind.Stage(t.Context(), in, out); err != nil {
				t.Fatal(err)
			}
			if got := summary(out.Bikeways); got != test.pieces {
				t.Errorf("class: pieces, km of lines, km as published\n%s\nwant\n%s", got, test.pieces)
			}
			if diff := cmp.Diff(test.issues, out.Reasons()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// summary lists the classes with the number of pieces, and the kilometres of lines and of published lengths.
func summary(rows []source.Bikeway) string {
	var lines []string
	for _, class := range schemas.BikewayClasses {
		pieces, drawn, published := 0, 0.0, 0.0
		for _, row := range rows {
			if row.Class != class.ID {
				continue
			}
			pieces++
			if line, ok := row.Geometry.(orb.LineString); ok {
				for i := 1; i < len(line); i++ {
					drawn += geo.Distance(line[i-1], line[i])
				}
			}
			if row.LengthM != nil {
				published += *row.LengthM
			}
		}
		if pieces > 0 {
			lines = append(lines, fmt.Sprintf("%s: %d, %.0f, %.0f", class.ID, pieces, drawn/1000, published/1000))
		}
	}
	return strings.Join(lines, "\n")
}

func TestValuesWithoutAClassAreErrors(t *testing.T) {
	const table = "type,len,lat_lng\nPath,5,\"45.4,-75.7\"\nPaht,5,\"45.4,-75.7\"\n,5,\"45.4,-75.7\"\nPAHT,5,\"45.4,-75.7\"\npaht " +
		",5,\"45.4,-75.7\"\n"
	path := filepath.Join(t.TempDir(), "network.csv")
	if err := os.WriteFile(path, []byte(table), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ options, want string }{
		{"classes: {type: {Path: path}}",
			`type "Paht" has no class, in 3 rows, first in line 3; give it one of path, protected, painted, local, shared, none, or ignore; ` +
				`classes: no value in type ("") has no class, in 1 rows, first in line 4`},
		{"classes: {type: {Path: path, Paht: ignore, '': none}}", ""},
		{"classes: {type: {Path: path, '*': ignore, '': ignore}}", ""},
		{"classes: {type: {Path: road}}", `"road" of type "Path" is none of path`},
		{"classes: {type: {Path: path, path: shared}}", `type "path" is path and shared`},
		{"classes: {kind: {Path: path}}", "no column kind; there are: type, len, lat_lng"},
		{"classes: {type: {Path: path}}\nwhere: {type: Trail}", `no feature has type "Trail"`},
		{"classes: {type: {'*': path}}\nlng: len", "lng: and lat: require each other"},
		{"classes: {type: {'*': path}}\nlength_unit: yd", `length_unit: "yd" is none of m`},
		{"", "classes: is missing"},
		{"layout: paris", `"paris" is none of calgary, montreal`},
	} {
		in := source.Input{Source: "network", Path: path, Options: sourcetest.Options(t, test.options+"\nlength: len")}
		if !strings.Contains(test.options, "lng") {
			in.Options = sourcetest.Options(t, test.options+"\nlength: len\nlat_lng: lat_lng")
		}
		err := Kind.Check(t.Context(), in)
		switch {
		case test.want == "" && err != nil, test.want != "" && err == nil, err != nil && !strings.Contains(err.Error(), test.want):
			t.Errorf("%s: %v, want %q", test.options, err, test.want)
		case strings.Contains(test.want, "no class"):
			if again := Kind.Stage(t.Context(), in, &sourcetest.Record{}); again == nil || again.Error() != err.Error() ||
				!errors.Is(err, source.ErrBadOptions) {
				t.Errorf("staged: %v, checked: %v", again, err)
			}
		}
	}
}

func FuzzStage(f *testing.F) {
	f.Add("type,at\nPath,45.4,-75.7\n", "type: {Path: path}")
	f.Add("type;at\n;\n", "type: {'': ignore, '*': none}")
	f.Fuzz(func(t *testing.T, text, classes string) {
		path := filepath.Join(t.TempDir(), "network.csv")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		var options yaml.Node
		if yaml.Unmarshal([]byte("lat_lng: at\nclasses: {"+classes+"}"), &options) != nil {
			t.Skip()
		}
		in := source.Input{Source: "network", Path: path, Options: options}
		checked, staged := Kind.Check(t.Context(), in), Kind.Stage(t.Context(), in, &sourcetest.Record{})
		if (checked == nil) != (staged == nil) {
			t.Errorf("checked: %v, staged: %v", checked, staged)
		}
	})
}
