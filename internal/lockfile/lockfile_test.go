package lockfile

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestOneAtATime(t *testing.T) {
	dir := t.TempDir()
	first, err := Acquire(dir, "publish")
	if err != nil {
		t.Fatal(err)
	}
	_, err = Acquire(dir, "retain")
	host, _ := os.Hostname()
	if !errors.Is(err, ErrHeld) || !strings.Contains(err.Error(), fmt.Sprintf("publish, process %d on %s since ", os.Getpid(), host)) {
		t.Errorf("second: %v", err)
	}
	if err := os.WriteFile(filepath.Join(dir, Name), []byte(`{"host":`), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err = Acquire(dir, "retain"); !errors.Is(err, ErrHeld) || !strings.Contains(err.Error(), "its process is not known") {
		t.Errorf("while the holder writes: %v", err)
	}
	if err := first.Release(); err != nil {
		t.Fatal(err)
	}
	again, err := Acquire(dir, "retain")
	if err != nil {
		t.Fatalf("after it was released: %v", err)
	}
	again.Release()
	if _, err := Acquire(filepath.Join(dir, "none"), "retain"); err == nil || errors.Is(err, ErrHeld) {
		t.Errorf("no folder: %v", err)
	}
}
