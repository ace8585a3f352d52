package inmemory_test

import (
	"os"
	"strings"
	"testing"

	"quartier/internal/testenv/inmemory"
)

func TestUse(t *testing.T) {
	t.Setenv("TMPDIR", "") // and the value before at the end
	t.Setenv("GOTMPDIR", "")
	before := os.TempDir()
	remove := inmemory.Use()
	dir := os.TempDir()
	if dir == before {
		t.Skip("no file system in memory, or too little room")
	}
	if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o755 || !strings.HasPrefix(dir, "/dev/shm/") {
		t.Errorf("%s: %v, %v", dir, info, err)
	}
	inmemory.Use()() // of a program that is started with it
	if os.TempDir() != dir {
		t.Errorf("then files are in %s, want %s", os.TempDir(), dir)
	}
	remove()
	if _, err := os.Stat(dir); err == nil || os.TempDir() != before {
		t.Errorf("%s is left, and files are in %s", dir, os.TempDir())
	}
	t.Setenv("GOTMPDIR", t.TempDir())
	if inmemory.Use()(); os.TempDir() != before {
		t.Errorf("files are in %s, although GOTMPDIR says where they belong", os.TempDir())
	}
}
