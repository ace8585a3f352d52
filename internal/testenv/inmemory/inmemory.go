// Package inmemory keeps what tests write and remove in memory. Releases, databases and states are flushed to disk at each step
// that must survive a loss of power, which in a test has nothing to survive and takes most of its time.
package inmemory

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"

	"quartier/internal/machine"
)

// folder is a file system in memory that Linux has.
const folder = "/dev/shm"

// enough is the free space, and the free memory, in bytes, without which tests stay on the disk.
const enough = 8 << 30

// Use makes a folder in memory that is that of temporary files, for this process and those that it starts, and returns what
// removes it. It does nothing where TMPDIR or GOTMPDIR, which testing.TB.TempDir prefers, says that files belong elsewhere, or where
// there is no such file system, it may not run programs, or there is too little memory.
func Use() (remove func()) {
	if os.Getenv("TMPDIR") != "" || os.Getenv("GOTMPDIR") != "" || runtime.GOOS != "linux" || !room() {
		return func() {}
	}
	dir, err := os.MkdirTemp(folder, "quartier-tests-*")
	if err != nil {
		return func() {}
	}
	if err := errors.Join(os.Chmod(dir, 0o755), try(dir)); err != nil { // PostgreSQL runs as another user
		os.RemoveAll(dir)
		return func() {}
	}
	os.Setenv("TMPDIR", dir)
	return func() {
		os.Unsetenv("TMPDIR")
		os.RemoveAll(dir)
	}
}

// try runs a program in a folder.
func try(dir string) error {
	program := filepath.Join(dir, "true")
	if err := os.WriteFile(program, []byte("#!/bin/sh\n"), 0o755); err != nil {
		return err
	}
	defer os.Remove(program)
	return exec.Command(program).Run()
}

func room() bool {
	_, space, err := machine.Disk(folder)
	memory, known := machine.Memory()
	return err == nil && space >= enough && known && memory >= enough
}
