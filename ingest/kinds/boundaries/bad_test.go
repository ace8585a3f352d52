package boundaries

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quartier/ingest/formats/vector"
	"quartier/ingest/source"
	"quartier/ingest/sourcetest"
	"quartier/ingest/staging"
	"quartier/internal/testenv"
)

// stageFile runs the kind and returns what became of the rows, and the staged names.
func stageFile(t *testing.T, path, options string) (staging.Summary, []string, error) {
	t.Helper()
	in := source.Input{Source: "towns", Path: path, Country: "CA", Options: sourcetest.Options(t, options)}
	summary, db, err := sourcetest.Stage(t, Kind, in)
	if err != nil {
		return summary, nil, err
	}
	names := sourcetest.Ask(t, db,
		"SELECT concat_ws(' ', source_key, name_en, name_fr, country_code, state_code, population) FROM boundary ORDER BY source_key")
	return summary, strings.Split(names, "\n"), nil
}

// collection writes a GeoJSON file; each feature is its properties, then the coordinates of a polygon or null.
func collection(t *testing.T, features ...string) string {
	t.Helper()
	var texts []string
	for i := 0; i < len(features); i += 2 {
		geometry := "null"
		if features[i+1] != "" {
			geometry = `{"type":"Polygon","coordinates":` + features[i+1] + `}`
		}
		texts = append(texts, `{"type":"Feature","properties":`+features[i]+`,"geometry":`+geometry+`}`)
	}
	path := filepath.Join(t.TempDir(), "towns.geojson")
	text := `{"type":"FeatureCollection","features":[` + strings.Join(texts, ",") + `]}`
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

const (
	square   = `[[[-75,45],[-74.9,45],[-74.9,45.1],[-75,45.1],[-75,45]]]`
	beside   = `[[[-74.9,45],[-74.8,45],[-74.8,45.1],[-74.9,45.1],[-74.9,45]]]`
	unclosed = `[[[-75,45],[-74.9,45],[-74.9,45.1],[-75,45.1]]]`
	crossing = `[[[-75,45],[-74.9,45.1],[-74.9,45],[-75,45.1],[-75,45]]]`
	touching = `[[[-75,45],[-74.8,45],[-74.8,45.2],[-74.9,45],[-75,45.2],[-75,45]]]`
	line     = `[[[-75,45],[-74.9,45.1],[-75,45],[-74.9,45.1],[-75,45]]]`
	swapped  = `[[[45,-75],[45.1,-75],[45.1,-74.9],[45,-75]]]`
	outside  = `[[[-75,45],[-74.9,45],[-74.9,145],[-75,45.1],[-75,45]]]`
)

const plain = "level: 30\nkey: id\nname: name"

// Rejected and repaired rows are counted by reason, with an example, and the others are staged.
func TestBadRows(t *testing.T) {
	path := collection(t,
		`{"id":1,"name":"Good"}`, square,
		`{"id":1,"name":"Twice"}`, beside,
		`{"id":3,"name":"Unclosed"}`, unclosed,
		`{"id":4,"name":"Crossing"}`, crossing,
		`{"id":5,"name":"Touching"}`, touching,
		`{"id":6,"name":"Line"}`, line,
		`{"id":7,"name":"No outline"}`, "",
		`{"id":8,"name":" "}`, square,
		`{"name":"No key"}`, square,
		`{"id":10,"name":"Outside"}`, outside,
		`{"id":11,"name":"Null"}`, `[[[-75,45],[null,45],[-74.9,45.1],[-75,45]]]`,
		`{"id":12,"name":"Swapped"}`, swapped,
	)
	summary, names, err := stageFile(t, path, plain)
	if err != nil {
		t.Fatal(err)
	}
	want := staging.Summary{Read: 12, Staged: 4, Issues: []staging.Issue{
		{Reason: source.CoordinateOutOfRange, Rows: 1, Example: `towns:10 "Outside"`},
		{Reason: source.DuplicateKey, Rows: 1, Example: `towns:1 "Twice"`},
		{Reason: source.InvalidCoordinate, Rows: 1, Example: "feature 11"},
		{Reason: source.MissingGeometry, Rows: 1, Example: `feature 7 "No outline"`},
		{Reason: source.MissingKey, Rows: 1, Example: `feature 9 "No key"`},
		{Reason: source.MissingName, Rows: 1, Example: `towns:8 ""`},
		{Reason: source.OutsideNorthAmerica, Rows: 1, Example: `towns:12 "Swapped"`},
		{Reason: source.ZeroArea, Rows: 1, Example: `towns:6 "Line"`},
		{Reason: source.InvalidGeometryRepaired.With("ring self-intersection"), Rows: 1, Example: `towns:5 "Touching" at -74.9000000 45.0000000`},
		{Reason: source.InvalidGeometryRepaired.With("self-intersection"), Rows: 1, Example: `towns:4 "Crossing" at -74.9500000 45.0500000`},
		{Reason: source.InvalidGeometryRepaired.With("unclosed ring"), Rows: 1, Example: `towns:3 "Unclosed" at -75.0000000 45.0000000`},
	}}
	summary.Where = source.Whereabouts{}
	if diff := cmp.Diff(want, summary); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"towns:1 Good CA", "towns:3 Unclosed CA", "towns:4 Crossing CA", "towns:5 Touching CA"}, names); diff != "" {
		t.Error(diff)
	}
}

func TestFilesThatCannotBeUsed(t *testing.T) {
	good := collection(t, `{"id":1,"name":"Good"}`, square)
	for _, test := range []struct {
		name, path, options string
		is                  error
		text                string
	}{
		{"a column that is not there", good, "level: 30\nkey: code\nname: [label, title]", source.ErrBadFile,
			"towns.geojson: bad file: no column code, nor label or title; there are: id, name"},
		{"a French name that is not there", good, plain + "\nname_fr: nom", source.ErrBadFile, "no column nom;"},
		{"a condition that is not there", good, plain + "\nwhere: {kind: town}", source.ErrBadFile, "no column kind;"},
		{"nothing selected", good, plain + "\nwhere: {name: Bad}", source.ErrBadFile, "select none of its 1 features"},
		{"nothing in it", collection(t), plain, source.ErrBadFile, "it has no features"},
		{"no properties at all", collection(t, `null`, square), plain, source.ErrBadFile, "no column id, nor name; it has none"},
		{"metres for degrees", collection(t, `{"id":1,"name":"Far"}`, `[[[7201954,917957],[7201955,917957],[7201955,917958],[7201954,917957]]]`),
			plain,
			vector.ErrWrongCRS, "set the option crs"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, _, err := stageFile(t, test.path, test.options)
			if !errors.Is(err, test.is) || !strings.Contains(err.Error(), test.text) || !strings.Contains(err.Error(), "towns.geojson") {
				t.Errorf("%v\nwant %q", err, test.text)
			}
		})
	}
}

// A file that says it is UTF-8 and is not costs the rows that are not.
func TestNotUTF8(t *testing.T) {
	options := "layout: statcan-pr\nencoding: UTF-8"
	summary, _, err := stageFile(t, testenv.NeedData(t, "ca-national/province_territory_simplified_sp.shp"), options)
	if err != nil || summary.Rejected() == 0 || summary.Issues[0].Code != source.InvalidUTF8.Code {
		t.Errorf("%+v, %v", summary, err)
	}
}

func TestOptionsAreChecked(t *testing.T) {
	good := collection(t, `{"id":1,"name":"Good"}`, square)
	for options, text := range map[string]string{
		"key: id\nname: name":                                       "level: is missing",
		"level: 33\nkey: id\nname: name":                            "level: 33 is none of",
		"level: 30\nname: name":                                     "key: or key_text: is missing",
		"level: 30\nkey: id":                                        "name: or name_text: is missing",
		"level_from: kind\nkey: id\nname: name":                     "level_from: and levels: require each other",
		plain + "\nlevel_from: kind\nlevels: {town: 33}":            "33 is none of",
		plain + "\nkey_text: x":                                     "exclude each other",
		plain + "\nname_text: x":                                    "exclude each other",
		plain + "\ndissolve: true":                                  "dissolve: requires the options key_text and name_text",
		plain + "\ncountry: FR":                                     `"FR" is none of CA, US`,
		plain + "\nstate: OR":                                       `"OR" is not the postal code of a state or province of "CA"`,
		plain + "\nstate: 'ON'\nstate_from: PRUID":                  "exclude each other",
		plain + "\nbbox: [1, 2, 3]":                                 "bbox:",
		plain + "\nbbox: [3, 2, 1, 4]":                              "bbox:",
		plain + "\nname_fr: {a: b}":                                 "expected a text or a list of texts",
		"layout: tiger-planet":                                      "is none of overture, statcan-cd",
		"level: 30\ndissolve: true\nkey_text: '{id}'\nname_text: x": "cannot have attributes",
	} {
		_, _, err := stageFile(t, good, options)
		if !errors.Is(err, source.ErrBadOptions) || !strings.Contains(err.Error(), text) || !strings.Contains(err.Error(), "source towns") {
			t.Errorf("%q: %v, want %q", options, err, text)
		}
	}
}
