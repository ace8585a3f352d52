package osm

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quartier/ingest/source"
	"quartier/ingest/sourcetest"
	"quartier/ingest/staging"
	"quartier/internal/spatialite"
	"quartier/internal/testenv"
	"quartier/schemas/reason"
	"quartier/schemas/staged"
)

// town writes OSM XML of ten streets in Gatineau, each with two nodes of its own. place returns lat and lon of a node.
func town(t *testing.T, place func(id int, lat, lon float64) (string, string)) string {
	t.Helper()
	var text strings.Builder
	text.WriteString("<osm version=\"0.6\">\n")
	for id := 1; id <= 20; id++ {
		lat, lon := place(id, 45.4+0.001*float64(id%2), -75.7+0.001*float64(id/2))
		fmt.Fprintf(&text, "<node id=\"%d\" lat=\"%s\" lon=\"%s\"/>\n", id, lat, lon)
	}
	for id := 1; id <= 19; id += 2 {
		fmt.Fprintf(&text, "<way id=\"%d\"><nd ref=\"%d\"/><nd ref=\"%d\"/><tag k=\"highway\" v=\"residential\"/></way>\n", id, id, id+1)
	}
	text.WriteString("</osm>\n")
	path := filepath.Join(t.TempDir(), "town.osm")
	if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func degrees(lat, lon float64) (string, string) { return fmt.Sprint(lat), fmt.Sprint(lon) }

// oneAt moves the first node.
func oneAt(lat, lon string) func(int, float64, float64) (string, string) {
	return func(id int, y, x float64) (string, string) {
		if id == 1 {
			return lat, lon
		}
		return degrees(y, x)
	}
}

// stageTown stages a file into a new database.
func stageTown(t *testing.T, path string) (staging.Summary, error) {
	t.Helper()
	f, err := staging.Create(filepath.Join(t.TempDir(), "staged.duckdb"))
	if errors.Is(err, spatialite.ErrUnavailable) {
		testenv.NotInstalled(t, "mod_spatialite")
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	about := staging.Source{Source: staged.Source{SourceID: "town", Kind: "osm", Path: path, SHA256: strings.Repeat("ab", 32), Bytes: 7,
		AsOf: "2021-05-11", Licence: "CC0-1.0", Attribution: "nobody"}}
	in := source.Input{Source: "town", Path: path, Country: "CA", State: "QC", Options: sourcetest.Options(t, "ground: false")}
	summary, err := f.Stage(t.Context(), about, func(out source.Sink) error {
		return Kind.Stage(t.Context(), in, out)
	})
	return summary, err
}

// One node in a wrong place makes its street invalid and no other row.
func TestOneMisplacedNode(t *testing.T) {
	for _, test := range []struct{ lat, lon, reason string }{
		{"52.5", "13.4", "outside_north_america"},
		{"-75.7", "45.4", "outside_north_america"},
		{"46.4", "-75.7", "segment_too_long"},
		{"45.4", "1e9", "coordinate_out_of_range"},
		{"45.4", "nan", "coordinate_out_of_range"},
	} {
		t.Run(test.lat+" "+test.lon, func(t *testing.T) {
			summary, err := stageTown(t, town(t, oneAt(test.lat, test.lon)))
			if err != nil {
				t.Fatal(err)
			}
			var rejected []staging.Issue
			for _, issue := range summary.Issues {
				if issue.Severity == reason.Rejected {
					rejected = append(rejected, issue)
				}
			}
			if len(rejected) != 1 || rejected[0].Rows != 1 || rejected[0].Reason.String() != test.reason || summary.Staged != 9 {
				t.Errorf("%+v, want one street rejected for %q and the others staged", summary, test.reason)
			}
		})
	}
}

func TestSwappedExtractIsRefused(t *testing.T) {
	path := town(t, func(_ int, lat, lon float64) (string, string) { return degrees(lon, lat) })
	summary, err := stageTown(t, path)
	if !errors.Is(err, source.ErrOutside) || !strings.Contains(err.Error(), "with longitude and latitude swapped") {
		t.Fatalf("%v, %+v", err, summary)
	}
}
