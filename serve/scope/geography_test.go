package scope_test

import (
	"path/filepath"
	"testing"

	"quartier/serve/release"
	"quartier/serve/scope"
	"quartier/serve/servetest"
)

// TestLevelType: a country has the code of no state.
func TestLevelType(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "places")
	if _, err := servetest.Write(dir, servetest.Release{}); err != nil {
		t.Fatal(err)
	}
	opened, err := release.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(opened.Done)
	var r scope.Release
	r.Open(opened, "", nil)
	for id, want := range map[string]string{servetest.Canada: "country", servetest.Quebec: "province", servetest.Vermont: "state"} {
		i, err := r.Geography(id)
		if err != nil {
			t.Fatal(err)
		}
		if got := r.LevelType(i).EN; got != want {
			t.Errorf("%s is a %q, want %q", id, got, want)
		}
	}
}
