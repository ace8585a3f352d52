package schemas

import (
	"os"
	"path/filepath"
	"testing"
)

// TestCustomLevels checks that every type has a level in both countries, and where they differ.
func TestCustomLevels(t *testing.T) {
	for _, kind := range CustomGeographyTypes {
		ca, us := CustomLevel(kind, "CA"), CustomLevel(kind, "US")
		if !ca.Valid() || !us.Valid() || (ca != us) != (kind == "TOWNSHIP") {
			t.Errorf("%s is of level %d in Canada and %d in the United States", kind, ca, us)
		}
	}
	if CustomLevel("TOWNSHIP", "US") != CountySubdivision || CustomLevel("TOWNSHIP", "CA") != Municipality ||
		CustomLevel("PLANET", "US") != 0 {
		t.Error("levels of townships")
	}
}

// FuzzRequests reads any bytes as a requests file: what is read is valid, and is written as it was.
func FuzzRequests(f *testing.F) {
	good := &Requests{Schema: RequestsSchema, Update: 3, AsOf: "2026-05-01", Requests: []Request{
		{ID: "0b0e", Customer: "acme", Version: 2, Action: KeepRequest, NameEN: "Mill", NameFR: "Moulin", Type: "REGION",
			Boundaries: "POLYGON ((0 0, 1 0, 1 1, 0 0))", GeogID: "g38_aaaaaaaaaa"},
	}}
	data, err := good.Encode()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add([]byte(`{"schema":1}`))
	f.Add([]byte("{}{}"))
	path := filepath.Join(f.TempDir(), "requests.json")
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		r, _, err := ReadRequests(path)
		if err != nil {
			return
		}
		if err := r.Check(); err != nil {
			t.Error(err)
		}
		if again, err := r.Encode(); err != nil || string(again) != string(data) {
			t.Errorf("%q is written as %q, %v", data, again, err)
		}
	})
}
