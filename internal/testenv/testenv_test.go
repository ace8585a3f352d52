package testenv

import (
	"os"
	"path/filepath"
	"testing"
)

func TestDataFollowsTheEnvironment(t *testing.T) {
	root := ModuleRoot()
	if _, err := os.Stat(filepath.Join(root, "go.mod")); err != nil {
		t.Fatal(err)
	}
	for folder, want := range map[string]string{
		"":           filepath.Join(root, "../shared/data/us-portland/acs"),
		"testdata":   filepath.Join(root, "testdata/us-portland/acs"),
		"/elsewhere": "/elsewhere/us-portland/acs",
	} {
		t.Setenv("DATA", folder)
		if got := Data("us-portland/acs"); got != want {
			t.Errorf("DATA=%s gives %s, want %s", folder, got, want)
		}
	}
}
