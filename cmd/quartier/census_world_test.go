package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quartier/schemas"
)

// TestWorldFromDownloadedTables builds the English-speaking town from the tables of data.census.gov, and compares its
// demographics with those from summary files.
func TestWorldFromDownloadedTables(t *testing.T) {
	t.Parallel()
	sources := filepath.Join(townsDir(t), "sources")
	region, err := os.ReadFile(filepath.Join(sources, "regions", "us-port-hollis.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Replace(string(region), "path: ../acs\n", "path: ../acs-downloads\n", 1)
	if text == string(region) {
		t.Fatal("the region has no source ../acs")
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "regions", "us-port-hollis.yaml")
	text = strings.ReplaceAll(text, "path: ../", "path: "+sources+"/")
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	mustRun(t, "build", "--region", path, "--out", filepath.Join(dir, "out"))
	for _, query := range []string{
		"SELECT source_key, cell, estimate, moe FROM small_area JOIN small_area_value ON area = fid WHERE region = 'us-port-hollis' ORDER BY " +
			"source_key, cell",
		"SELECT geog_id, category, variable, value, lower, upper FROM geography_variable WHERE geog_id IN (SELECT geog_id FROM " +
			"geography_vintage WHERE vintage LIKE '2019-2023%') ORDER BY geog_id, category, variable",
		"SELECT code, detail, rows FROM issue WHERE region = 'us-port-hollis' AND source_id = 'acs-vt' AND code <> 'census_form_found' ORDER " +
			"BY code, detail",
	} {
		want, got := rows(t, filepath.Join(townsDir(t), "first", schemas.DemographicsFile), query),
			rows(t, filepath.Join(dir, "out", schemas.DemographicsFile), query)
		if len(want) < 4 {
			t.Errorf("%s: %d rows", query, len(want))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-summary files +downloads):\n%.3000s", query, diff)
		}
	}
}
