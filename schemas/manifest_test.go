package schemas

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// sample is a manifest with something in every field.
func sample(t testing.TB) *Manifest {
	t.Helper()
	digest := strings.Repeat("ab", 32)
	m := &Manifest{
		Schema: ManifestSchema, History: HistorySchema, Component: Places, Release: "real", AsOf: "2024-05-01", ToolVersion: "v1.0.0",
		Previous:   digest,
		Parameters: []Parameter{{"a", "1"}, {"b", "2"}},
		Regions:    []string{"us-delaware", "ca-ottawa"},
		Sources: []ReleaseSource{{
			Region: "us-delaware", ID: "osm", Kind: "osm", Path: "delaware.osm.pbf", SHA256: digest, Bytes: 10,
			AsOf: "2016-08-10", Licence: "ODbL-1.0", Attribution: "© OpenStreetMap <contributors> & friends",
			URL: "https://example.org/x", RowsRead: 5, RowsStaged: 4,
			Issues: []ReleaseIssue{
				{"rejected", "missing_geometry", "The row has no geometry.", 1, "relation 1", nil},
				{"repaired", "invalid_ring", "A ring crosses itself.", 2, "relation 2", []IssueDetail{{"crossing", 2, "relation 2"}}},
			},
		}},
		Steps: []StepIssue{{"ca-ottawa", "poi", ReleaseIssue{"skipped", "unnamed_poi", "The place has no name.", 3, "osm:node:1", nil}}},
		Files: []ReleaseFile{
			{Name: GeographiesPack, SHA256: digest, Bytes: 64},
			{Name: GeographiesFile, SHA256: digest, Bytes: 4096, Tables: []ReleaseTable{{"coverage", 1, digest}, {"geography", 2, digest}}},
		},
		Counts: ReleaseCounts{Geographies: []LevelCount{{Neighbourhood, 1}, {State, 1}}, POIs: 2, POIsByCategory: []CategoryCount{{"parks", 2}}},
		Notes:  []string{"level 70 is absent"},
	}
	var err error
	if m.Digest, err = m.ComputeDigest(); err != nil {
		t.Fatal(err)
	}
	return m
}

func encoded(t testing.TB, m *Manifest) []byte {
	t.Helper()
	data, err := m.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestManifestComesBack(t *testing.T) {
	m := sample(t)
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, ManifestFile), encoded(t, m), 0o644); err != nil {
		t.Fatal(err)
	}
	got, err := ReadManifest(dir)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(encoded(t, m)), string(encoded(t, got))); diff != "" {
		t.Error(diff)
	}
	if !bytes.Contains(encoded(t, m), []byte("<contributors> & friends")) {
		t.Error("text is escaped where JSON does not ask for it")
	}
	if f, ok := got.File(GeographiesFile); !ok || f.Bytes != 4096 {
		t.Errorf("file %+v %v", f, ok)
	}
	if _, ok := got.File("ghost"); ok {
		t.Error("a file that is not there was found")
	}
	if _, err := ReadManifest(t.TempDir()); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no manifest: %v", err)
	}
}

// Problems of several regions are in the order of the regions.
func TestManifestListsRegionsInOrder(t *testing.T) {
	m := sample(t)
	for _, region := range m.Regions {
		m.Classes = append(m.Classes, RegionClass{Region: region, Class: RatedClasses[0], Verdict: ClassFew})
	}
	m.Digest, _ = m.ComputeDigest()
	data := encoded(t, m)
	for range 20 {
		_, err := DecodeManifest(data)
		if err == nil {
			t.Fatal("regions with one class each are accepted")
		}
		first, second := strings.Index(err.Error(), m.Regions[0]+" has 1 of"), strings.Index(err.Error(), m.Regions[1]+" has 1 of")
		if first < 0 || second < first {
			t.Fatalf("not both regions in order: %v", err)
		}
	}
}

func TestManifestRefusesBadContent(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(*Manifest)
		want   string
	}{
		{"an older schema", func(m *Manifest) { m.Schema = 1 }, "rebuild the release with this program"},
		{"a newer schema", func(m *Manifest) { m.Schema = ManifestSchema + 1 }, "a newer program is required"},
		{"release name", func(m *Manifest) { m.Release = "../x" }, "release name"},
		{"day", func(m *Manifest) { m.AsOf = "2024-5-1" }, "is not a date"},
		{"no such day", func(m *Manifest) { m.AsOf = "2024-02-30" }, "is not a date"},
		{"tool", func(m *Manifest) { m.ToolVersion = "" }, "tool_version"},
		{"previous", func(m *Manifest) { m.Previous = "abc" }, "previous"},
		{"no regions", func(m *Manifest) { m.Regions = nil }, "no regions"},
		{"region twice", func(m *Manifest) { m.Regions = append(m.Regions, m.Regions[0]) }, "is duplicated"},
		{"parameters", func(m *Manifest) { m.Parameters[0].Name = "z" }, "parameters not in order"},
		{"source twice", func(m *Manifest) { m.Sources = append(m.Sources, m.Sources[0]) }, "id is duplicated"},
		{"source of no region", func(m *Manifest) { m.Sources[0].Region = "x" }, "region is not in the release"},
		{"source path", func(m *Manifest) { m.Sources[0].Path = "/home/me/x.pbf" }, "not a base name"},
		{"source path up", func(m *Manifest) { m.Sources[0].Path = ".." }, "not a base name"},
		{"source digest", func(m *Manifest) { m.Sources[0].SHA256 = strings.Repeat("AB", 32) }, "sha256"},
		{"source newer than the release", func(m *Manifest) { m.Sources[0].AsOf = "2025-01-01" }, "as_of"},
		{"source of fewer than no rows", func(m *Manifest) { m.Sources[0].RowsRead = -1 }, "negative count"},
		{"issues", func(m *Manifest) { m.Sources[0].Issues[0].Severity = "z" }, "issues not in order"},
		{"issue of no rows", func(m *Manifest) { m.Sources[0].Issues[0].Rows = 0 }, "of 0 rows"},
		{"step of no region", func(m *Manifest) { m.Steps[0].Region = "x" }, "of step poi"},
		{"no files", func(m *Manifest) { m.Files = nil }, "no files"},
		{"files", func(m *Manifest) { m.Files[0], m.Files[1] = m.Files[1], m.Files[0] }, "files not in order"},
		{"a file outside", func(m *Manifest) { m.Files[0].Name = "../geographies.pack" }, "not a valid file name"},
		{"a file below", func(m *Manifest) { m.Files[0].Name = "a/geographies.pack" }, "not a valid file name"},
		{"a file with a drive", func(m *Manifest) { m.Files[0].Name = `c:\x.pack` }, "not a valid file name"},
		{"a hidden file", func(m *Manifest) { m.Files[0].Name = ".pack" }, "not a valid file name"},
		{"itself", func(m *Manifest) { m.Files[1].Name = ManifestFile }, "not a valid file name"},
		{"file digest", func(m *Manifest) { m.Files[0].SHA256 = "" }, "sha256"},
		{"file size", func(m *Manifest) { m.Files[0].Bytes = -1 }, "-1 bytes"},
		{"tables", func(m *Manifest) { m.Files[1].Tables[0].Name = "z" }, "tables not in order"},
		{"table digest", func(m *Manifest) { m.Files[1].Tables[0].Digest = "x" }, "table coverage"},
		{"level", func(m *Manifest) { m.Counts.Geographies[0].Level = 11 }, "level 11"},
		{"category count", func(m *Manifest) { m.Counts.POIsByCategory[0].Rows = 3 }, `"parks"`},
		{"count", func(m *Manifest) { m.Counts.Brands = -1 }, "negative count"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := sample(t)
			tt.change(m)
			m.Digest, _ = m.ComputeDigest()
			if _, err := DecodeManifest(encoded(t, m)); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want %q", err, tt.want)
			}
		})
	}
}

func TestManifestRefusesOtherSpellings(t *testing.T) {
	good := string(encoded(t, sample(t)))
	for name, data := range map[string]string{
		"empty":             "",
		"cut":               good[:len(good)/2],
		"unknown field":     strings.Replace(good, `"release":`, `"extra": 1, "release":`, 1),
		"field twice":       strings.Replace(good, ` "release": "real",`, ` "release": "real",`+"\n"+` "release": "real",`, 1),
		"another case":      strings.Replace(good, `"release":`, `"Release":`, 1),
		"another space":     strings.Replace(good, `"release": `, `"release":`, 1),
		"null list":         strings.Replace(good, `"notes": [`+"\n"+`  "level 70 is absent"`+"\n ]", `"notes": null`, 1),
		"more after":        good + "{}",
		"no newline":        strings.TrimSpace(good),
		"digest of another": strings.Replace(good, `"level 70 is absent"`, `"level 70 is there"`, 1),
		"not JSON":          "\x00\x01",
		"a list":            "[]",
	} {
		if data == good {
			t.Fatalf("%s: nothing was changed", name)
		}
		if _, err := DecodeManifest([]byte(data)); err == nil {
			t.Errorf("%s: taken", name)
		}
	}
}

func FuzzManifest(f *testing.F) {
	good := encoded(f, sample(f))
	f.Add(good)
	f.Add(good[:len(good)-2])
	f.Add([]byte(`{"schema": 1}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := DecodeManifest(data)
		if err != nil {
			return
		}
		again, err := m.Encode()
		if err != nil || !bytes.Equal(again, data) {
			t.Errorf("taken, but it comes back as %s", again)
		}
	})
}
