package arrowfile

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"quartier/internal/testenv"
)

// An independent reader, hyparquet, finds the rows that were written, the metadata, the geometries and their extents.
func TestHyparquetReadsFiles(t *testing.T) {
	testenv.NeedProgram(t, "node")
	if _, err := os.Stat(filepath.Join("hyparquet", "node_modules", "hyparquet")); err != nil {
		testenv.NotInstalled(t, "a package of internal/arrowfile/hyparquet/package-lock.json (npm ci)")
	}
	path := filepath.Join(t.TempDir(), "file.parquet")
	writeFile(t, path, Options{Format: GeoParquet, Geometry: "geometry", GroupRows: 300, Metadata: map[string]string{"release": "vt"}}, 0,
		1000, 250)
	command := exec.Command("node", "--max-old-space-size=500", "read.js", path)
	command.Dir = "hyparquet"
	var failure bytes.Buffer
	command.Stderr = &failure
	out, err := command.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, failure.Bytes())
	}
	lines := bytes.Split(bytes.TrimSpace(out), []byte("\n"))
	var file struct {
		Rows, Groups int
		Metadata     map[string]string
	}
	if err := json.Unmarshal(lines[0], &file); err != nil || file.Rows != 1000 || file.Groups != 4 || file.Metadata["release"] != "vt" ||
		file.Metadata[GeoKey] == "" || len(lines) != 1001 {
		t.Fatalf("%d lines, %+v, %v", len(lines), file, err)
	}
	type point struct {
		Type        string
		Coordinates [2]float64
	}
	type row struct {
		N        int
		Name     *string
		Score    *float64
		People   *float64
		Day      *string
		Geometry *point
		Bbox     *struct{ Xmin, Ymin, Xmax, Ymax float64 }
	}
	for i, line := range lines[1:] {
		var got row
		if err := json.Unmarshal(line, &got); err != nil {
			t.Fatal(err)
		}
		if got.Bbox != nil {
			p := testPoint(i)
			if b := got.Bbox; b.Xmin > p[0] || b.Ymin > p[1] || b.Xmax < p[0] || b.Ymax < p[1] {
				t.Fatalf("row %d: the extent %v does not contain %v", i, *b, p)
			}
		}
		want := row{N: i}
		if i%7 != 3 {
			name, score, people, day := fmt.Sprintf(`Rue n° %d, "B"`, i%50), float64(i-50000)/10000, float64(i)/3, fmt.Sprintf("1970-01-%02d", i+1)
			want = row{N: i, Name: &name, Score: &score, People: &people, Day: &day, Geometry: &point{"Point", testPoint(i)}, Bbox: got.Bbox}
			if i < 31 && (got.Day == nil || (*got.Day)[:10] != day) {
				t.Errorf("row %d: day %s", i, line)
			}
			want.Day = got.Day
			if got.Bbox == nil {
				t.Errorf("row %d has no extent", i)
			}
		}
		if diff := cmp.Diff(want, got, cmpopts.EquateApprox(0, 1e-9)); diff != "" {
			t.Fatalf("row %d: %s\n%s", i, line, diff)
		}
	}
}
