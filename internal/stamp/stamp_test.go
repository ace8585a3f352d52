package stamp

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestChanges(t *testing.T) {
	before := Inputs{Of("osm", "1"), Of("gtfs", "1"), Of("roads", "1")}
	for _, tt := range []struct {
		after Inputs
		want  string
	}{
		{Inputs{Of("osm", "1"), Of("gtfs", "1"), Of("roads", "1")}, ""},
		{Inputs{Of("osm", "2"), Of("gtfs", "1"), Of("roads", "1")}, "osm changed"},
		{Inputs{Of("osm", "1"), Of("blocks", "1"), Of("roads", "1")}, "blocks added; gtfs removed"},
		{Inputs{Of("gtfs", "1"), Of("osm", "1"), Of("roads", "1")}, "order of inputs changed"},
		{nil, "osm removed; gtfs removed; roads removed"},
	} {
		if got := strings.Join(tt.after.Changes(before), "; "); got != tt.want {
			t.Errorf("%v: %q, want %q", tt.after, got, tt.want)
		}
		if same := tt.after.Digest() == before.Digest(); same != (tt.want == "") {
			t.Errorf("%v: the digest is the same: %v", tt.after, same)
		}
	}
	if Of("a", "b", "c") == Of("a", "bc") || Of("a", "bc") == Of("a", "b\n1:c") {
		t.Error("two lists of values have the same digest")
	}
}

// TestCheck writes a stamp and damages what it is about.
func TestCheck(t *testing.T) {
	ctx, in := context.Background(), Inputs{Of("osm", "1")}
	for _, tt := range []struct {
		name, why string
		damaged   bool
		change    func(dir string) error
	}{
		{"nothing", "", false, func(string) error { return nil }},
		{"no stamp", "not done yet", false, func(dir string) error { return os.Remove(filepath.Join(dir, "stamp")) }},
		{"half a stamp", "its stamp cannot be read", true, func(dir string) error {
			data, err := os.ReadFile(filepath.Join(dir, "stamp"))
			if err != nil {
				return err
			}
			return os.WriteFile(filepath.Join(dir, "stamp"), data[:len(data)/2], 0o644)
		}},
		{"stamp of a program before", "its stamp cannot be read", true, func(dir string) error {
			return os.WriteFile(filepath.Join(dir, "stamp"), []byte("5f3f 0c5f\n"), 0o644)
		}},
		{"flipped byte", "file is damaged: its digest is not the one that it was written with", true, func(dir string) error {
			return os.WriteFile(filepath.Join(dir, "file"), []byte("contenT"), 0o644)
		}},
		{"longer file", "file is damaged: its digest is not the one that it was written with", true, func(dir string) error {
			return os.WriteFile(filepath.Join(dir, "file"), []byte("content\n"), 0o644)
		}},
		{"no file", "file is missing", true, func(dir string) error { return os.Remove(filepath.Join(dir, "file")) }},
	} {
		dir := t.TempDir()
		file, path := filepath.Join(dir, "file"), filepath.Join(dir, "stamp")
		if err := os.WriteFile(file, []byte("content"), 0o644); err != nil {
			t.Fatal(err)
		}
		s, err := New(ctx, in, file)
		if err != nil {
			t.Fatal(err)
		}
		data, err := s.Encode()
		if err == nil {
			err = os.WriteFile(path, data, 0o644)
		}
		if err == nil {
			err = tt.change(dir)
		}
		if err != nil {
			t.Fatal(err)
		}
		v, err := Read(path).Check(ctx, in, file)
		if want := (Verdict{tt.why == "", tt.why, tt.damaged}); err != nil || v != want {
			t.Errorf("%s: %+v, %v, want %+v", tt.name, v, err, want)
		}
		if v, err := s.Check(ctx, Inputs{Of("osm", "2")}, file); err != nil || v.Usable || v.Why != "osm changed" {
			t.Errorf("%s, other inputs: %+v, %v", tt.name, v, err)
		}
	}
}
