package wholefile

import (
	"os"
	"path/filepath"
	"testing"
)

func TestReplace(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	for _, text := range []string{"one", "another", ""} {
		if err := Replace(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != text {
			t.Errorf("%q %v, want %q", got, err, text)
		}
	}
	if info, err := os.Stat(path); err != nil || info.Mode() != 0o600 {
		t.Errorf("%v %v", info.Mode(), err)
	}
	if err := os.MkdirAll(filepath.Join(dir, "folder", "x"), 0o755); err != nil {
		t.Fatal(err)
	}
	if Replace(filepath.Join(dir, "folder"), nil, 0o600) == nil || Replace(filepath.Join(dir, "none", "x"), nil, 0o600) == nil {
		t.Error("it was replaced where it cannot be")
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 2 {
		t.Errorf("left: %v %v", entries, err)
	}
}
