// Package inmemory keeps what tests write and remove in memory. Releases, databases and states are flushed to disk at each step
// that must survive a loss of power, which in a test has nothing to survive and takes most of its time.
package inmemory

import (
	"os"
	"runtime"

	"quartier/internal/machine"
)

// folder is a file system in memory that Linux has.
const folder = "/dev/shm"

// enough is the free space, and the free memory, in bytes, that tests find there: several times what they were seen to use at once.
const enough = 8 << 30

// Use makes a folder in memory that is that of temporary files, for this process and those that it starts, and returns what
// removes it. It does nothing where TMPDIR says that files belong elsewhere, or where there is no such file system or too
// little memory. Programs are still linked where they were, as a file system in memory may not run any.
func Use() (remove func()) {
	if os.Getenv("TMPDIR") != "" || runtime.GOOS != "linux" || !room() {
		return func() {}
	}
	dir, err := os.MkdirTemp(folder, "quartier-tests-*")
	if err != nil {
		return func() {}
	}
	if os.Getenv("GOTMPDIR") == "" {
		os.Setenv("GOTMPDIR", os.TempDir())
	}
	os.Chmod(dir, 0o755) // PostgreSQL runs as another user
	os.Setenv("TMPDIR", dir)
	return func() {
		os.Unsetenv("TMPDIR")
		os.RemoveAll(dir)
	}
}

func room() bool {
	_, space, err := machine.Disk(folder)
	memory, known := machine.Memory()
	return err == nil && space >= enough && known && memory >= enough
}
