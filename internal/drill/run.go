// Package drill has checks of builds and servers that run for as long as they are asked to: builds that are killed, releases
// that are damaged, requests that are generated, clients that behave badly, stores that are away. Tests run them for a number of
// steps, and the program soak for a time, with planted faults that they must find.
package drill

import (
	"math/rand/v2"
	"net/http"
	"testing"
	"time"
)

// Run is one run of a drill. A failure ends it, as it ends a test.
type Run struct {
	testing.TB
	Random *rand.Rand
	// More reports whether another step is due after n of them. The first is always done.
	More func(n int) bool
	Span time.Duration // of the run, where it is given a time
}

// Steps is a run of n steps from a seed.
func Steps(tb testing.TB, seed uint64, n int) *Run {
	return &Run{TB: tb, Random: rand.New(rand.NewPCG(seed, 1)), More: func(done int) bool { return done < n }}
}

// Wrap is a planted fault of a server: a handler that answers in place of the right one. nil: none.
type Wrap func(right http.Handler) http.Handler

func (w Wrap) around(h http.Handler) http.Handler {
	if w == nil {
		return h
	}
	return w(h)
}

// Must ends the run by an error.
func (r *Run) Must(err error) {
	r.Helper()
	if err != nil {
		r.Fatal(err)
	}
}

// Pick draws one of some values.
func Pick[T any](random *rand.Rand, of []T) T { return of[random.IntN(len(of))] }

// Part is a run of a part of the time that begins now, with the same draws and failures.
func (r *Run) Part(of int) *Run {
	part := *r
	part.Span = r.Span / time.Duration(of)
	end := time.Now().Add(part.Span)
	part.More = func(int) bool { return time.Now().Before(end) }
	return &part
}
