// Package trial runs checks that are written for tests outside of them, and keeps what they say.
package trial

import (
	"context"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
)

// Trial is one run of a check: what a check needs of testing.TB, and no more of it.
type Trial struct {
	testing.TB // nil: what is not defined here must not be called

	log      io.Writer
	name     string
	dir      string
	folders  int
	ctx      context.Context
	mu       sync.Mutex
	failures []string
	skipped  string
	cleanups []func()
}

func (t *Trial) Helper()                  {}
func (t *Trial) Name() string             { return t.name }
func (t *Trial) Context() context.Context { return t.ctx }

func (t *Trial) Failed() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.failures) > 0
}

func (t *Trial) record(text string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.failures = append(t.failures, strings.TrimSpace(text))
}

func (t *Trial) Logf(format string, args ...any) {
	t.mu.Lock()
	defer t.mu.Unlock()
	fmt.Fprintf(t.log, "    %s: %s\n", t.name, fmt.Sprintf(format, args...))
}
func (t *Trial) Log(args ...any)                   { t.Logf("%s", fmt.Sprint(args...)) }
func (t *Trial) Error(args ...any)                 { t.record(fmt.Sprint(args...)) }
func (t *Trial) Errorf(format string, args ...any) { t.record(fmt.Sprintf(format, args...)) }
func (t *Trial) Fatal(args ...any)                 { t.Error(args...); runtime.Goexit() }
func (t *Trial) Fatalf(format string, args ...any) { t.Errorf(format, args...); runtime.Goexit() }
func (t *Trial) Skip(args ...any)                  { t.skipped = fmt.Sprint(args...); runtime.Goexit() }
func (t *Trial) Skipf(format string, args ...any)  { t.Skip(fmt.Sprintf(format, args...)) }

func (t *Trial) Cleanup(do func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.cleanups = append(t.cleanups, do)
}

func (t *Trial) TempDir() string {
	t.mu.Lock()
	t.folders++
	dir := fmt.Sprintf("%s/%d", t.dir, t.folders)
	t.mu.Unlock()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

// Run runs a check with temporary files in a folder below scratch, cleans up after it, and returns what it said.
func Run(name, scratch string, log io.Writer, check func(tb testing.TB)) *Trial {
	ctx, cancel := context.WithCancel(context.Background())
	t := &Trial{log: log, name: name, ctx: ctx}
	var err error
	if t.dir, err = os.MkdirTemp(scratch, "trial-"); err != nil {
		t.record(err.Error())
	}
	t.do(func() { check(t) })
	cancel()
	for _, do := range slices.Backward(t.cleanups) {
		t.do(do)
	}
	os.RemoveAll(t.dir)
	return t
}

// Failures are what the check found wrong, in order; nil: nothing.
func (t *Trial) Failures() []string { return t.failures }

// Reason is why the check was skipped; "" if it was not.
func (t *Trial) Reason() string { return t.skipped }

// do runs a function in a goroutine that Fatal ends.
func (t *Trial) do(f func()) {
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		defer func() {
			if fault := recover(); fault != nil {
				t.record(fmt.Sprintf("panic: %v", fault))
				stack := make([]byte, 16<<10)
				t.Logf("%s", stack[:runtime.Stack(stack, false)])
			}
		}()
		f()
	}()
	<-ended
}
