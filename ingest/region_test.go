package ingest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Classes of places that a source is declared to have all of, or only some of.
func TestDeclaredClasses(t *testing.T) {
	for classes, want := range map[string]string{
		"complete: [library], lacks: [daycare]":          "",
		"complete: [library, park], lacks: [park]":       "class park is both in complete and in lacks",
		"complete: [library, library]":                   "complete: class library occurs twice",
		"lacks: [stop]":                                  `lacks: unknown class "stop"`,
		"complete: [library], lacks: [library, daycare]": "class library is both in complete and in lacks",
	} {
		file := filepath.Join(t.TempDir(), "region.yaml")
		text := "region: x\ntitle: X\nsources:\n" +
			"  - {id: a, kind: places, path: a.csv, as_of: 2024-01-01, licence: CC0-1.0, attribution: A, " + classes + "}\n"
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		_, err := ReadRegion(file, func(string) (string, bool) { return "", false }, t.TempDir())
		if want == "" && err != nil || want != "" && (err == nil || strings.Count(err.Error(), want) != 1) {
			t.Errorf("%s: error %v, want %q", classes, err, want)
		}
	}
}

// The address of a box of Overture is checked, and what is fetched is called like its end.
func TestAddressesOfOverture(t *testing.T) {
	text := "region: a\ntitle: A\nsources:\n- {id: o, kind: overture, as_of: 2026-08-19, licence: x, attribution: x,\n" +
		"   sha256: " + strings.Repeat("a", 64) + ", url: 'overture://2026-08-19.0/places/place/BOX'}\n"
	for box, want := range map[string]string{"-75.6,39.7,-75.4,39.9.parquet": "", "-75.4,39.7,-75.6,39.9.parquet": "west < east",
		"-75.6,39.7,-75.4.parquet": "is not a box"} {
		file := filepath.Join(t.TempDir(), "region.yaml")
		if err := os.WriteFile(file, []byte(strings.Replace(text, "BOX", box, 1)), 0o600); err != nil {
			t.Fatal(err)
		}
		region, err := ReadRegion(file, nil, "cache")
		if want == "" && (err != nil || region.Sources[0].Path != "cache/aaaaaaaaaaaaaaaa-"+box) ||
			want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, %v", box, region.Sources[0].Path, err)
		}
	}
}
