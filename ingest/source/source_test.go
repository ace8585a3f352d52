package source

import (
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/paulmach/orb"
	"gopkg.in/yaml.v3"
)

func TestBBoxCheck(t *testing.T) {
	for _, good := range []BBox{nil, {-180, -90, 180, 90}, {1, 2, 3, 4}} {
		if err := good.Check(); err != nil {
			t.Errorf("%v: %v", good, err)
		}
	}
	for _, bad := range []BBox{{}, {1, 2, 3}, {1, 2, 3, 4, 5}, {3, 2, 1, 4}, {1, 4, 3, 2}, {1, 2, 1, 4}, {-181, 2, 3, 4}, {1, 2, 3, 91},
		{math.NaN(), 2, 3, 4}} {
		if err := bad.Check(); err == nil || !strings.Contains(err.Error(), "[west, south, east, north]") {
			t.Errorf("%v: %v", bad, err)
		}
	}
}

func TestBBoxContains(t *testing.T) {
	box := BBox{1, 2, 3, 4}
	for p, want := range map[orb.Point]bool{{2, 3}: true, {1, 2}: true, {3, 4}: true, {0.9, 3}: false, {2, 4.1}: false} {
		if box.Contains(p) != want {
			t.Errorf("%v: %t", p, !want)
		}
	}
	if nowhere := (orb.Point{math.NaN(), 3}); box.Contains(nowhere) || !BBox(nil).Contains(nowhere) {
		t.Error("NaN is in a box, or is not everywhere")
	}
}

func TestList(t *testing.T) {
	for text, want := range map[string]List{"a": {"a"}, "06": {"06"}, "[a, 06]": {"a", "06"}, "[]": nil, "~": nil} {
		var got List
		if err := yaml.Unmarshal([]byte(text), &got); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %q, %v", text, got, err)
		}
	}
	for _, text := range []string{"{a: b}", "[[a]]"} {
		var got List
		if err := yaml.Unmarshal([]byte(text), &got); err == nil || !strings.Contains(err.Error(), "line 1") {
			t.Errorf("%s: %q, %v", text, got, err)
		}
	}
}

func TestDecode(t *testing.T) {
	type line struct {
		Key string `yaml:"key,omitempty"`
		Own int    `yaml:"own"`
	}
	type options struct {
		Areas  List             `yaml:"areas"`
		Layout string           `yaml:"layout"`
		Lines  map[string]*line `yaml:"lines"`
		hidden int
	}
	for text, want := range map[string]string{
		"areas: a\nlines: {x: {own: 1}}": "",
		"":                               "",
		"aeras: a":                       "bad options of source s: unknown option aeras; there are: areas, layout, lines",
		"lines: {x: {won: 1}}":           "bad options of source s: lines: unknown option won; there are: key, own",
		"hidden: 1\nlines: {x: {own: one}}": "bad options of source s: unknown option hidden; there are: areas, layout, lines; lines: `one` is " +
			"not a whole number",
	} {
		var node yaml.Node
		if err := yaml.Unmarshal([]byte(text), &node); err != nil {
			t.Fatal(err)
		}
		var got options
		err := Input{Source: "s", Options: node}.Decode(&got)
		if err == nil && want != "" || err != nil && (err.Error() != want || !errors.Is(err, ErrBadOptions)) || got.hidden != 0 {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	if err := DecodeYAML([]byte("layout: x\naeras: a"), new(options), "field"); err == nil ||
		err.Error() != "line 2: unknown field aeras; there are: areas, layout, lines" {
		t.Error(err)
	}
}

// TestEmbeddedOptions: options that several kinds share are decoded, checked, listed and completed like a kind's own.
func TestEmbeddedOptions(t *testing.T) {
	type Inner struct {
		Where map[string]List `yaml:"where"`
		Share float64         `yaml:"share" unit:"share" range:"0,1"`
	}
	type Outer struct {
		Layer string `yaml:"layer"`
		Inner `yaml:",inline"`
	}
	type options struct {
		Key   List `yaml:"key"`
		Outer `yaml:",inline"`
	}
	decode := func(text string) (got options, err error) {
		var node yaml.Node
		if err := yaml.Unmarshal([]byte(text), &node); err != nil {
			t.Fatal(err)
		}
		err = Input{Source: "s", Options: node}.Decode(&got)
		return got, err
	}
	for text, want := range map[string]string{
		"share: 2":               "bad options of source s: share: 2 is out of range: share, 0 to 1",
		"wheer: 2":               "bad options of source s: unknown option wheer; there are: key, layer, where, share",
		"share: 0.5\nshare: 0.5": "occurs twice",
	} {
		if _, err := decode(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	got, err := decode("key: k\nlayer: roads\nwhere: {a: 1}")
	if err != nil || got.Layer != "roads" || got.Where["a"][0] != "1" {
		t.Errorf("%+v %v", got, err)
	}
	layouts := ParseLayouts[options]([]byte("city: {key: id, layer: other, where: {b: 2}, share: 0.5}"))
	if err := Complete(&got, "city", layouts); err != nil || got.Key[0] != "k" || got.Layer != "roads" || got.Where["b"] != nil ||
		got.Share != .5 {
		t.Errorf("%+v %v", got, err)
	}
}

func TestFiles(t *testing.T) {
	folder := t.TempDir()
	for _, name := range []string{"b.JSON", "a/c.json", "a/d.txt", "e.geojson"} {
		path := filepath.Join(folder, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, nil, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct {
		path string
		want string
	}{
		{"", "a/c.json b.JSON e.geojson"},
		{"a", "a/c.json"},
		{"a/d.txt", "a/d.txt"},
	} {
		files, err := Files(filepath.Join(folder, test.path), ".json", ".geojson")
		for i, file := range files {
			files[i], _ = filepath.Rel(folder, file)
		}
		if got := strings.Join(files, " "); err != nil || got != test.want {
			t.Errorf("%s: %s, %v", test.path, got, err)
		}
	}
	if _, err := Files(folder, ".pbf", ".osm"); !errors.Is(err, ErrBadFile) ||
		!strings.Contains(err.Error(), "no .pbf or .osm file in this folder") {
		t.Errorf("none there: %v", err)
	}
	if _, err := Files(filepath.Join(folder, "none"), ".json"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no folder: %v", err)
	}
}

// Values and ranges that options declare are enforced, also of the elements of a list, and an option has its faults once.
func TestDeclaredValues(t *testing.T) {
	type options struct {
		Unit   string   `yaml:"unit" values:"m ft"`
		Levels List     `yaml:"levels" values:"bg tract"`
		Level  int      `yaml:"level" unit:"level" values:"10 20 30"`
		Share  *float64 `yaml:"share" unit:"share" range:"0,1"`
		BBox   BBox     `yaml:"bbox" unit:"degrees" range:"-180,180"`
	}
	for text, want := range map[string]string{
		"{unit: m, levels: [bg, tract], level: 30, share: 0.5, bbox: [1, 2, 3, 4]}": "",
		`{unit: "", levels: []}`: "",
		"unit: yd":               `unit: "yd" is none of m, ft`,
		"levels: bloc":           `levels: "bloc" is none of bg, tract`,
		"levels: [bg, x, y]":     `levels: "x" is none of bg, tract; levels: "y" is none of bg, tract`,
		"level: 15":              "level: 15 is none of 10, 20, 30",
		"share: 1.5":             "share: 1.5 is out of range: share, 0 to 1",
		"share: .nan":            "share: NaN is out of range: share, 0 to 1",
		"bbox: [-200, 1, 2, 3]":  "bbox: -200 is out of range: degrees, -180 to 180",
		"bbox: [1, 2, 3]":        "bbox: [1 2 3] is not [west, south, east, north] in degrees",
	} {
		var node yaml.Node
		if err := yaml.Unmarshal([]byte(text), &node); err != nil {
			t.Fatal(err)
		}
		var o options
		err := Input{Source: "s", Options: node}.Configure(&o, func() error { return o.BBox.Check() })
		if want == "" && err != nil || want != "" && (err == nil || err.Error() != "bad options of source s: "+want) {
			t.Errorf("%s: error %v, want %q", text, err, want)
		}
	}
}

func TestDeclaredText(t *testing.T) {
	for want, d := range map[string]Declared{
		"":                           {},
		"share, 0 to 1":              {Unit: "share", Min: "0", Max: "1"},
		"lines, from 0":              {Unit: "lines", Min: "0"},
		"m or ft":                    {Values: []string{"m", "ft"}},
		"level, 10, 20 or 30":        {Unit: "level", Values: []string{"10", "20", "30"}},
		"worldcover, nlcd or corine": {Values: []string{"worldcover", "nlcd", "corine"}},
	} {
		if got := d.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
