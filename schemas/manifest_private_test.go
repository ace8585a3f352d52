package schemas

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPrivateManifestComesBack(t *testing.T) {
	digest, dir := strings.Repeat("ab", 32), t.TempDir()
	m := &PrivateManifest{
		Schema: ManifestSchema, History: HistorySchema, Component: Private, AsOf: "2026-11-22", ToolVersion: "v1", Places: digest, Update: 3,
		Requests: digest,
		Files:    []ReleaseFile{{Name: OwnersPack, SHA256: digest, Bytes: 64, Tables: []ReleaseTable{}}},
		Counts:   PrivateCounts{Customers: 2, Geographies: 3, Unbuildable: 1}, Steps: []StepIssue{}, Notes: []string{"none"},
	}
	write := func() {
		t.Helper()
		var err error
		if m.Digest, err = m.ComputeDigest(); err != nil {
			t.Fatal(err)
		}
		data, err := m.Encode()
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, ManifestFile), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write()
	got, err := ReadPrivateManifest(dir)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(m, got); diff != "" {
		t.Error(diff)
	}
	if _, err := ReadManifest(dir); err == nil || !strings.Contains(err.Error(), `"private", not "places"`) {
		t.Errorf("read as places: %v", err)
	}
	m.Places, m.Update = "x", 0
	write()
	if _, err := ReadPrivateManifest(dir); err == nil || !strings.Contains(err.Error(), "places") ||
		!strings.Contains(err.Error(), "update 0") {
		t.Errorf("not valid: %v", err)
	}
}

func TestRequestsComeBack(t *testing.T) {
	path := filepath.Join(t.TempDir(), "requests.json")
	r := &Requests{Schema: RequestsSchema, Update: 2, AsOf: "2026-11-22", Requests: []Request{
		{ID: "a", Customer: "c", Version: 1, Action: PublishRequest, NameEN: "Mill <District>", Type: "NEIGHBORHOOD",
			Boundaries: "POLYGON ((0 0, 1 0, 1 1, 0 0))"},
	}}
	data, err := r.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	got, sum, err := ReadRequests(path)
	if err != nil || sum != sumOf(data) {
		t.Fatalf("%s %v", sum, err)
	}
	if diff := cmp.Diff(r, got); diff != "" {
		t.Error(diff)
	}
	for name, text := range map[string]string{
		"a blank more": string(data) + " ", "unknown": strings.Replace(string(data), `"as_of"`, `"asof"`, 1),
		"schema": strings.Replace(string(data), `"schema": 1`, `"schema": 2`, 1),
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, _, err := ReadRequests(path); err == nil {
			t.Errorf("%s: read", name)
		}
	}
}
