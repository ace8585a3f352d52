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
