package transitlines

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quartier/ingest/source"
	"quartier/ingest/sourcetest"
	"quartier/internal/testenv"
)

func TestConformance(t *testing.T) {
	sourcetest.Run(t, Kind,
		sourcetest.Case{
			Name: "courses and stops of Ottawa in one file",
			Path: testenv.Data("ca-ottawa/octranspo-mapping-stops/octranspo_2023_stops_routes.geojson"), Read: 5939,
			Options: "key: route_id\ndirection: direction_id\nmode: bus\nmode_of: route_id\nmodes: {1-349: light_rail}\nstop_key: id\nstop_name: " +
				"name",
			Rows: map[string]string{
				"SELECT mode, count(*) FROM route GROUP BY 1 ORDER BY 1":                      "bus|193\nlight_rail|1",
				"SELECT count(*), count(DISTINCT route_key), max(part) FROM route_shape":      "373|194|1",
				"SELECT direction, count(*) FROM route_shape GROUP BY 1 ORDER BY 1":           "0|190\n1|183",
				"SELECT name, lng, lat FROM stop WHERE source_key = 'lines:under-test:AA010'": "SUSSEX / RIDEAU FALLS|-75.695435|45.440453",
				"SELECT count(*) FROM stop":     "5566",
				"SELECT partial FROM line_list": "false",
			},
		},
		sourcetest.Case{
			Name: "lists of lines at stops, pieces of courses, defects", Path: "testdata/town.geojson", Read: 14,
			Options: "key: [line, alt]\nname: number\nmode_of: type\nmodes: {B: bus, S: tram, X: skip, Q: skip}\nstop_key: stop\nstop_name: " +
				"label\nlines: routes\nseparator: '|'\npartial: true\nunless: {state: [closed]}\ndirection: direction\nagency: Town Transit",
			Rows: map[string]string{
				"SELECT source_key, name, mode, agency FROM route ORDER BY 1": "lines:under-test:10|10|bus|Town Transit\n" +
					"lines:under-test:7|7 Elm|bus|Town Transit\nlines:under-test:T|T|tram|Town Transit",
				"SELECT route_key, part, direction FROM route_shape ORDER BY 1, 2": "lines:under-test:7|0|N\n" +
					"lines:under-test:7|1|N\nlines:under-test:7|2|∅\nlines:under-test:T|0|∅",
				"SELECT stop_key, route_key, direction, trips_week FROM stop_service ORDER BY 1, 2": "lines:under-test:s1|lines:under-test:10|0|∅\n" +
					"lines:under-test:s1|lines:under-test:7|0|∅",
				"SELECT source_key, name FROM stop ORDER BY 1": "lines:under-test:s1|Elm & 1st\n" +
					"lines:under-test:s2|s2",
				"SELECT partial FROM line_list": "true",
			},
			Issues: map[string]int64{"missing_geometry": 1, "missing_key": 1, "wrong_geometry_type": 1, "excluded_by_option: modes": 2,
				"excluded_by_option: unless": 1, "stop_without_lines": 1},
		},
		sourcetest.Case{
			Name: "stations of Ottawa with their line, a table", Path: testenv.Data("ca-ottawa/open-data/transit_stations.csv"), Read: 56,
			AnyLength: "lines of text",
			Options: "lines: LINE\nmode_of: LINE\nmodes: {Line 1 Confederation: light_rail, Line 2 Trillium: light_rail, Transitway: skip, " +
				"O-Train: skip}\nlng: LONGITUDE\nlat: LATITUDE\nstop_key: NAME\nstop_name: NAME\nunless: {TYPE: Transitway}",
			Rows: map[string]string{
				"SELECT name, count(*) FROM route JOIN stop_service ON route_key = source_key GROUP BY 1 ORDER BY 1": "Line 1 Confederation|7\nLine " +
					"2 Trillium|5",
			},
			Issues: map[string]int64{"excluded_by_option: unless": 30, "excluded_by_option: modes": 1},
		},
	)
}

func TestOptions(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lines.geojson")
	text := `{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"id":"7"},"geometry":{"type":"LineString",` +
		`"coordinates":[[-75,45],[-75,45.01]]}}]}`
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		options, want string
		err           error
	}{
		{"key: id\nmode: bus", "", nil},
		{"mode: bus", "key: is missing", source.ErrBadOptions},
		{"key: id", "mode: is missing", source.ErrBadOptions},
		{"key: id\nmode: omnibus", `"omnibus" is none of bus`, source.ErrBadOptions},
		{"key: id\nmode_of: id", "requires modes", source.ErrBadOptions},
		{"key: id\nmode: bus\nmodes: {7: bus}", "requires mode_of", source.ErrBadOptions},
		{"key: id\nmode_of: id\nmodes: {7: train}", `"train" of "7" is none of bus`, source.ErrBadOptions},
		{"key: id\nkey_text: '{id}'\nmode: bus", "exclude each other", source.ErrBadOptions},
		{"key: id\nmode: bus\nseparator: x", "requires lines", source.ErrBadOptions},
		{"key: line\nmode: bus", "no column line; there are: id", source.ErrBadFile},
		{"key: id\nmode: bus\nlines: routes", "no column routes", source.ErrBadFile},
		{"key: id\nmode: bus\nwhere: {id: 8}", `no feature has id "8"`, source.ErrBadOptions},
	} {
		in := source.Input{Source: "s", Path: path, Options: sourcetest.Options(t, test.options)}
		err := Kind.Check(t.Context(), in)
		if test.err == nil && err != nil || test.err != nil && (!errors.Is(err, test.err) || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%q: %v", test.options, err)
		}
	}
}

// An entry of a list of lines is a row, so that one that is unmapped does not outweigh the stop and its other lines.
func TestUnmappedLinesOfStops(t *testing.T) {
	text := `{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"r":"1;2;3;4;5;6;7;8;9;X"},"geometry":{"type":"Point","coordinates":[-75,45]}},
		{"type":"Feature","properties":{"r":"X"},"geometry":{"type":"Point","coordinates":[-75,45]}},
		{"type":"Feature","properties":{"r":" ; "},"geometry":{"type":"Point","coordinates":[-75,45]}},
		{"type":"Feature","properties":{},"geometry":{"type":"MultiLineString","coordinates":[]}}]}`
	path := filepath.Join(t.TempDir(), "stops.geojson")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	in := source.Input{Source: "s", Path: path,
		Options: sourcetest.Options(t, "lines: r\nmode_of: r\nmodes: {1: bus, 2: bus, 3: bus, 4: bus, 5: bus, 6: bus, 7: bus, 8: bus, 9: bus}")}
	out := &sourcetest.Record{}
	if err := Kind.Stage(t.Context(), in, out); err != nil {
		t.Fatal(err)
	}
	if got, want := fmt.Sprint(out.Count, out.Reasons()), "15 map[missing_geometry:1 stop_without_lines:1 unknown_mode: X:2]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	err := Kind.Check(t.Context(), in)
	if want := `modes: r "X" has no mode, in 2 rows, first in feature 1 "X"; give it one of bus`; !errors.Is(err, source.ErrBadOptions) ||
		!strings.Contains(err.Error(), want) {
		t.Errorf("%v, want %s", err, want)
	}
}

// The kind of a line is that of the first attribute of which kinds has the value, or a pattern for it.
func TestKindsOfLines(t *testing.T) {
	text := `{"type":"FeatureCollection","features":[
		{"type":"Feature","properties":{"id":"6","color":"#F0"},"geometry":{"type":"LineString","coordinates":[[-75,45],[-75,46]]}},
		{"type":"Feature","properties":{"id":"602","color":"#F0"},"geometry":{"type":"LineString","coordinates":[[-75,45],[-75,46]]}},
		{"type":"Feature","properties":{"id":"75","color":"#00"},"geometry":{"type":"LineString","coordinates":[[-75,45],[-75,46]]}},
		{"type":"Feature","properties":{"r":"6;602;9"},"geometry":{"type":"Point","coordinates":[-75,45]}}]}`
	path := filepath.Join(t.TempDir(), "lines.geojson")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for options, want := range map[string]string{
		"key: id\nmode: bus\nkind_of: [id, color]\nkinds: {'6??': school, '#F0': frequent}": "6 frequent, 602 school, 75 ",
		"lines: r\nmode: bus\nkind_of: r\nkinds: {'6*': shopper, '602': school}":            "6 shopper, 602 school, 9 ",
	} {
		out := &sourcetest.Record{}
		in := source.Input{Source: "s", Path: path, Options: sourcetest.Options(t, options)}
		if err := Kind.Stage(t.Context(), in, out); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, r := range out.Routes {
			got = append(got, r.Name+" "+r.Kind)
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("%s: %s, want %s", options, strings.Join(got, ", "), want)
		}
	}
	for options, want := range map[string]string{
		"key: id\nmode: bus\nkinds: {x: peak}":                "requires kind_of",
		"key: id\nmode: bus\nkind_of: id":                     "requires kinds",
		"key: id\nmode: bus\nkind_of: id\nkinds: {x: often}":  `"often" of "x" is none of frequent`,
		"key: id\nmode: bus\nkind_of: id\nkinds: {'[': peak}": `"[" is no pattern`,
	} {
		err := Kind.Check(t.Context(), source.Input{Source: "s", Path: path, Options: sourcetest.Options(t, options)})
		if !errors.Is(err, source.ErrBadOptions) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", options, err, want)
		}
	}
}

func FuzzStage(f *testing.F) {
	f.Add(`{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"id":"7","r":"1;2"},"geometry":{"type":"Point",` +
		`"coordinates":[-75,45]}}]}`)
	f.Add(`{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"id":7},"geometry":{"type":"MultiLineString",` +
		`"coordinates":[[[-75,45],[-75,46]],[]]}}]}`)
	path := filepath.Join(f.TempDir(), "f.geojson")
	options := sourcetest.Options(f, "key: id\nlines: r\nmode: bus")
	f.Fuzz(func(t *testing.T, text string) {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		out := &sourcetest.Record{}
		err := Kind.Stage(t.Context(), source.Input{Source: "s", Path: path, Options: options}, out)
		if err != nil && !errors.Is(err, source.ErrBadFile) {
			t.Errorf("%v", err)
		}
		for _, r := range out.Routes {
			if r.SourceKey == "" || r.Name == "" || r.Mode != "bus" {
				t.Errorf("line %+v", r)
			}
		}
	})
}
