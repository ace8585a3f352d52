package admit

import (
	"context"
	"errors"
	"slices"
	"sync"
)

// ErrTurns is returned where a customer has as many calls waiting as it may have.
var ErrTurns = errors.New("the customer has as many calls waiting for their turn as it may have")

// Turns admit some calls at a time to what cannot do more at once, such as writing to a database. Of the calls that wait each
// customer has a line, and the lines take turns: how long a call waits depends on how many others wait, not on how much they
// ask for. It is safe for concurrent use.
type Turns struct {
	most int // calls of a customer that may wait

	mu    sync.Mutex
	free  int     // calls that may begin at once; then no line is there
	lines []*line // that are not empty, in the order of their turns
}

// line has the calls of a customer that wait, in their order. The channel of a call is closed when its turn comes.
type line struct {
	customer string
	calls    []chan struct{}
}

// NewTurns admits calls, as many as given at a time, and lets as many of each customer wait as most says.
func NewTurns(atOnce, most int) *Turns { return &Turns{free: atOnce, most: most} }

// Enter returns when it is the turn of a call; Leave must be called at its end. It fails with ErrTurns, or when ctx ends.
func (t *Turns) Enter(ctx context.Context, customer string) error {
	t.mu.Lock()
	if t.free > 0 {
		t.free--
		t.mu.Unlock()
		return nil
	}
	call, err := t.enqueue(customer)
	t.mu.Unlock()
	if err != nil {
		return err
	}
	select {
	case <-call:
		return nil
	case <-ctx.Done():
		if !t.dequeue(customer, call) { // its turn came at the same time
			t.Leave()
		}
		return ctx.Err()
	}
}

// Leave ends a call, and admits the first one of the line whose turn it is.
func (t *Turns) Leave() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.lines) == 0 {
		t.free++
		return
	}
	first := t.lines[0]
	t.lines = slices.Delete(t.lines, 0, 1)
	close(first.calls[0])
	if first.calls = slices.Delete(first.calls, 0, 1); len(first.calls) > 0 {
		t.lines = append(t.lines, first)
	}
}

// Waiting is the number of calls that wait.
func (t *Turns) Waiting() (n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, l := range t.lines {
		n += len(l.calls)
	}
	return n
}

// enqueue adds a call to the line of its customer.
func (t *Turns) enqueue(customer string) (chan struct{}, error) {
	at := t.find(customer)
	if at < 0 {
		at = len(t.lines)
		t.lines = append(t.lines, &line{customer: customer})
	}
	l := t.lines[at]
	if len(l.calls) >= t.most {
		return nil, ErrTurns
	}
	call := make(chan struct{})
	l.calls = append(l.calls, call)
	return call, nil
}

// dequeue removes a call that waits; false if it does not wait any more.
func (t *Turns) dequeue(customer string, call chan struct{}) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	at := t.find(customer)
	if at < 0 {
		return false
	}
	l := t.lines[at]
	i := slices.Index(l.calls, call)
	if i < 0 {
		return false
	}
	if l.calls = slices.Delete(l.calls, i, i+1); len(l.calls) == 0 {
		t.lines = slices.Delete(t.lines, at, at+1)
	}
	return true
}

// find is the position of the line of a customer; -1 if there is none.
func (t *Turns) find(customer string) int {
	return slices.IndexFunc(t.lines, func(l *line) bool { return l.customer == customer })
}
