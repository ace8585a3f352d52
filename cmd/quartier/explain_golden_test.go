package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quartier/build/explain"
	"quartier/cmd/quartier/explained"
	"quartier/internal/wording"
	"quartier/schemas"
)

// TestExplainTransit compares what explains transit_friendly where most lines run, in English and in French, with files that
// were read by eye; -update rewrites them.
func TestExplainTransit(t *testing.T) {
	release := filepath.Join(townsDir(t), "first")
	node := rows(t, filepath.Join(release, schemas.AccessFile),
		"SELECT hex(geometry) FROM street_node ORDER BY transit_friendly DESC, fid LIMIT 1")
	lng, lat := pointOf(t, node[0][0])
	reader, err := explain.Open(release)
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	for name, language := range map[string]wording.Language{"en": wording.English, "fr": wording.French} {
		report, err := reader.In(language).Explain(t.Context(), lng, lat, []schemas.Channel{schemas.MustChannel("transit_friendly")})
		if err != nil {
			t.Fatal(err)
		}
		report.Notes, report.Sources = nil, nil
		compareText(t, "explain_transit_"+name, report)
	}
}

// compareText compares the text of a report with a golden file.
func compareText(t *testing.T, name string, report *explain.Report) {
	t.Helper()
	var out strings.Builder
	if err := explained.Report(&out, report); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join("testdata", "golden", name+".txt")
	if *update {
		if err := os.WriteFile(file, []byte(out.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), out.String()); diff != "" {
		t.Errorf("%s (-want +got):\n%s", file, diff)
	}
}
