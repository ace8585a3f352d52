package lockfile

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestReleaseBesideAFork releases a lock whose descriptor a child process has, as between fork and the start of its program.
func TestReleaseBesideAFork(t *testing.T) {
	dir := t.TempDir()
	first, err := Acquire(dir, "publish")
	if err != nil {
		t.Fatal(err)
	}
	child, err := syscall.Dup(int(first.file.Fd()))
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Close(child)
	if err := first.Release(); err != nil {
		t.Fatal(err)
	}
	second, err := Acquire(dir, "rollback")
	if err != nil {
		t.Fatal(err)
	}
	second.Release()
}

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
