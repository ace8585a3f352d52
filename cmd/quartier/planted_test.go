package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"quartier/schemas"
)

// coordinates rewrites the last two columns of a CSV file, latitude and longitude.
func coordinates(change func(lat, lng float64) (string, string)) func(string) string {
	return func(text string) string {
		lines := strings.Split(text, "\n")
		for i, line := range lines[1:] {
			fields := strings.Split(strings.TrimSuffix(line, "\r"), ",")
			if len(fields) < 3 {
				continue
			}
			n := len(fields)
			lat, _ := strconv.ParseFloat(fields[n-2], 64)
			lng, _ := strconv.ParseFloat(fields[n-1], 64)
			fields[n-2], fields[n-1] = change(lat, lng)
			lines[i+1] = strings.Join(fields, ",")
		}
		return strings.Join(lines, "\n")
	}
}

func decimal(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// TestPlantedFaults plants faults that data have, builds the release on the one before, and wants each refused by its reason
// or held back by its gate, and the release before untouched.
func TestPlantedFaults(t *testing.T) {
	const places, tables, marks, streets = "opendata/port-hollis_licensed-child-care.csv", "acs/acsdt5y2023-b01001.dat", "opendata/vermont_assessments.csv", "osm/port-hollis.osm"
	out := filepath.Join(t.TempDir(), "release")
	if err := os.CopyFS(out, os.DirFS(filepath.Join(townsDir(t), "first"))); err != nil {
		t.Fatal(err)
	}
	before, err := schemas.ReadManifest(out)
	if err != nil {
		t.Fatal(err)
	}
	work := t.TempDir()
	for _, tt := range []struct {
		fault, file string
		plant       func(string) string // nil: the file is removed
		code        int
		says        []string
	}{
		{"missing file", places, nil, exitBadInput, []string{"source child-care", "port-hollis_licensed-child-care.csv"}},
		{"wrong reference system", places, coordinates(func(lat, lng float64) (string, string) { return decimal(lat * 111200), decimal(lng * 78800) }),
			exitBadInput, []string{"14 of 16 rows rejected", "coordinate_out_of_range"}},
		{"latitude and longitude swapped", places, coordinates(func(lat, lng float64) (string, string) { return decimal(lng), decimal(lat) }),
			exitBadInput, []string{"outside Canada and the United States", "with longitude and latitude swapped, 14 of 14"}},
		{"duplicate keys", places, func(text string) string {
			lines := strings.SplitAfter(text, "\n")
			return lines[0] + strings.Repeat(lines[1], 12) + strings.Join(lines[2:], "")
		}, exitBadInput, []string{"11× duplicate_key"}},
		{"negative counts", tables, func(text string) string { return regexp.MustCompile(`\|(\d)`).ReplaceAllString(text, "|-$1") },
			exitBadInput, []string{"source acs-vt", "negative_count", `"-19080"`}},
		{"shares over 1", marks, func(text string) string { return regexp.MustCompile(`,(\d+\.\d)`).ReplaceAllString(text, ",1$1") },
			exitBadInput, []string{"source assessments", "invalid_mark", `"192.4"`}},
		{"no UTF-8", streets, func(text string) string { return strings.ReplaceAll(text, `v="`, "v=\"\xff\xfe") },
			exitBadInput, []string{"port-hollis.osm", "line 5", "invalid UTF-8"}},
		{"half of the rows gone", places, everySecondLine, exitGate, []string{"rows.us-port-hollis/child-care: 50.0 %, limit 30.0 %: 14 → 7"}},
		{"a source gone from the region file", "regions/us-port-hollis.yaml", func(text string) string {
			from := strings.Index(text, "  - id: child-care\n")
			next := strings.Index(text[from+4:], "  - id: ")
			return text[:from] + text[from+4+next:]
		}, exitGate, []string{"rows.us-port-hollis/child-care: 100.0 %, limit 30.0 %: 14 → 0", "licences: 1, limit 0"}},
	} {
		t.Run(tt.fault, func(t *testing.T) {
			sources := worldCopy(t)
			undeclare(t, sources)
			path := filepath.Join(sources, filepath.FromSlash(tt.file))
			if tt.plant == nil {
				if err := os.Remove(path); err != nil {
					t.Fatal(err)
				}
			} else {
				edit(t, path, tt.plant)
			}
			code, _, errs := quartier("build", "--release", filepath.Join(sources, "release.yaml"), "--previous", out, "--out", out, "--force", "--work", work)
			message := lastError(errs)
			for _, text := range tt.says {
				if code != tt.code || !strings.Contains(message, text) {
					t.Errorf("exit code %d, want %d with %q: %s", code, tt.code, text, message)
				}
			}
			if after, err := schemas.ReadManifest(out); err != nil || after.Digest != before.Digest {
				t.Errorf("the last release was touched: %v", err)
			}
		})
	}
}
