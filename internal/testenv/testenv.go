// Package testenv locates what some tests need and a plain checkout lacks: real data of publishers, other programs and
// libraries. A test that lacks them is skipped with the reason. In continuous integration (CI=true) a missing program or
// library fails the test.
package testenv

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// Data returns the path of a file or folder of real data, such as "us-portland/acs"; "" is the folder of all. The
// environment variable DATA names that folder, relative to the module root; without it, it is ../shared/data.
func Data(name string) string { return filepath.Join(dataFolder(), filepath.FromSlash(name)) }

// NeedData returns the same path, and skips the test where it does not exist.
func NeedData(tb testing.TB, name string) string {
	tb.Helper()
	path := Data(name)
	SkipWithoutData(tb, path)
	return path
}

// SkipWithoutData skips the test if path is in the folder of real data and does not exist.
func SkipWithoutData(tb testing.TB, path string) {
	tb.Helper()
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) && strings.HasPrefix(path, dataFolder()) {
		tb.Skipf("shared/data is absent: %s", path)
	}
}

// NeedProgram skips the test where a program is not installed.
func NeedProgram(tb testing.TB, name string) {
	tb.Helper()
	if _, err := exec.LookPath(name); err != nil {
		NotInstalled(tb, name)
	}
}

// NotInstalled skips the test because a program or library is not installed, or fails it in continuous integration.
func NotInstalled(tb testing.TB, name string) {
	tb.Helper()
	if os.Getenv("CI") == "true" {
		tb.Fatalf("%s is not installed", name)
	}
	tb.Skipf("%s is not installed", name)
}

// Few is n, and a tenth of it with -short: what tests repeat, or draw, has few races that a tenth of it has not.
func Few(n int) int {
	if testing.Short() {
		return (n + 9) / 10
	}
	return n
}

// SkipIfShort skips a test that runs a browser with -short: tests without one have what the server does for it.
func SkipIfShort(tb testing.TB) {
	tb.Helper()
	if testing.Short() {
		tb.Skip("runs a browser")
	}
}

func dataFolder() string {
	folder := os.Getenv("DATA")
	if folder == "" {
		folder = "../shared/data"
	}
	if filepath.IsAbs(folder) {
		return filepath.Clean(folder)
	}
	return filepath.Join(ModuleRoot(), folder)
}

// ModuleRoot is the folder of go.mod, at or above the working directory.
func ModuleRoot() string {
	dir, err := os.Getwd()
	for ; err == nil; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil || dir == filepath.Dir(dir) {
			return dir
		}
	}
	return "."
}

// Allocated is the number of bytes that do allocates in total, freed ones included: an upper bound of the memory it needs.
func Allocated(do func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	do()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// Endless repeats a text without end, for readers that must stop by themselves.
func Endless(text string) io.Reader { return &endless{text: text} }

type endless struct {
	text string
	at   int
}

func (e *endless) Read(b []byte) (n int, err error) {
	for n < len(b) {
		m := copy(b[n:], e.text[e.at:])
		n, e.at = n+m, (e.at+m)%len(e.text)
	}
	return n, nil
}

// patience is how long Eventually waits: longer than any machine that is busy with other work needs.
const patience = 5 * time.Minute

// BeforeDeadline is the context of a test that ends a minute before go test ends all of them, so that what a program has printed
// until then is in the log.
func BeforeDeadline(t *testing.T) context.Context {
	deadline, limited := t.Deadline()
	if !limited {
		return t.Context()
	}
	ctx, cancel := context.WithDeadline(t.Context(), deadline.Add(-time.Minute))
	t.Cleanup(cancel)
	return ctx
}

// Eventually waits until a condition holds, and fails the test if it does not within minutes. A test that waits for a process or
// for another goroutine uses it, so that it does not depend on the speed of the machine.
func Eventually(tb testing.TB, what string, holds func() bool) {
	tb.Helper()
	pause := time.Millisecond
	for deadline := time.Now().Add(patience); !holds(); time.Sleep(pause) {
		if time.Now().After(deadline) {
			tb.Fatalf("it did not happen within %v: %s", patience, what)
		}
		pause = min(2*pause, 50*time.Millisecond)
	}
}
