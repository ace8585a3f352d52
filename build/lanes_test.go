package build

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"quartier/build/publish"
	"quartier/schemas"
)

// TestStepsReadWhatTheySay runs each step in a folder that has nothing but what it uses, so that it could run beside all others: the
// release is the same. The region has no ground of its own, whose map is made of files of the release.
func TestStepsReadWhatTheySay(t *testing.T) {
	m, o := built(t, "", peopled())
	o.Out = filepath.Join(t.TempDir(), "alone", "out")
	dir, err := publish.Open(publish.Target{Out: o.Out}, publish.OS)
	must(t, err)
	defer dir.Close()
	all, err := Steps(o, dir)
	must(t, err)
	kept := filepath.Join(t.TempDir(), "kept")
	must(t, os.MkdirAll(kept, 0o755))
	var notes []string
	done := map[string]bool{}
	for _, s := range all.Steps {
		if done[s.ID] || s.ID == "publish" {
			continue
		}
		done[s.ID] = true
		for _, folder := range []string{dir.Release(), dir.Scratch()} {
			must(t, os.RemoveAll(folder))
			must(t, os.Mkdir(folder, 0o755))
		}
		for _, path := range s.Uses {
			if inside(dir, path) {
				must(t, os.Link(filepath.Join(kept, filepath.Base(path)), path))
			}
		}
		more, err := Alone(t.Context(), o, dir, s.ID, notes)
		if err != nil {
			t.Fatalf("%s: %v", s.ID, err)
		}
		notes = append(notes, more...)
		for _, path := range s.Writes {
			must(t, os.Rename(path, filepath.Join(kept, filepath.Base(path))))
		}
	}
	again, err := schemas.ReadManifest(kept)
	must(t, err)
	if again.Digest != m.Digest || !slices.Equal(again.Notes, m.Notes) {
		t.Errorf("digest %s with the notes %q, want %s with %q", again.Digest, again.Notes, m.Digest, m.Notes)
	}
}

// inside reports whether a step writes a path, which is not of a region.
func inside(dir *publish.Dir, path string) bool {
	return slices.Contains([]string{dir.Release(), dir.Scratch()}, filepath.Dir(path))
}
