package explore

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"quartier/serve/release"
)

const (
	// patience is how long a request waits for what is prepared in the background, and for its turn.
	patience = 8 * time.Second
	// failedFor is how long a failure is remembered, so that asking again and again does not keep the server busy.
	failedFor = 30 * time.Second
)

// prepared is something made of a release in the background, when it is first asked for, and once for each release. The
// zero value is ready, apart from make and drop.
type prepared[T any] struct {
	make func(context.Context, *release.Release) (T, error)
	drop func(T) // of one that is not needed any more, when nobody uses it; nil: nothing

	mu      sync.Mutex
	last    *preparation[T]
	running sync.WaitGroup
	stop    context.CancelFunc // of the last preparation
	closed  bool
}

// preparation is one of them. What is made is used by one request at a time.
type preparation[T any] struct {
	digest string
	done   chan struct{} // closed when made and err are set
	made   T
	err    error
	failed time.Time
	turn   chan struct{} // has room for the one who uses it
}

// use calls do with what is made of a release, when it is ready and it is the request's turn: errPreparing if that takes
// longer than patience.
func (p *prepared[T]) use(ctx context.Context, r *release.Release, key string, now time.Time, do func(context.Context, T) error) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	one := p.of(r, key, now)
	if one == nil {
		return errPreparing
	}
	select {
	case <-one.done:
	case <-ctx.Done():
		return errPreparing
	}
	if errors.Is(one.err, context.Canceled) { // for another release
		return errPreparing
	}
	if one.err != nil {
		return one.err
	}
	select {
	case one.turn <- struct{}{}:
		defer func() { <-one.turn }()
	case <-ctx.Done():
		return errPreparing
	}
	return do(ctx, one.made)
}

// of returns the preparation of a release, which it begins if there is none; nil after close.
func (p *prepared[T]) of(r *release.Release, key string, now time.Time) *preparation[T] {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil
	}
	if last := p.last; last != nil && last.digest == key {
		select {
		case <-last.done:
			if last.err == nil || now.Sub(last.failed) < failedFor {
				return last
			}
		default:
			return last
		}
	}
	p.abandon()
	next := &preparation[T]{digest: key, done: make(chan struct{}), turn: make(chan struct{}, 1)}
	ctx, cancel := context.WithCancel(context.Background())
	p.last, p.stop = next, cancel
	r.Share()
	p.running.Go(func() {
		defer r.Done()
		defer close(next.done)
		next.failed = now
		next.made, next.err = guarded(func() (T, error) { return p.make(ctx, r) })
	})
	return next
}

// guarded calls what reads mapped files outside of a request. A panic, as of a file that another program shortens meanwhile,
// is an error.
func guarded[T any](make func() (T, error)) (made T, err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return make()
}

// abandon ends the last preparation, and drops what it made after the last request that uses it. p.mu is held.
func (p *prepared[T]) abandon() {
	last := p.last
	if last == nil {
		return
	}
	p.last = nil
	p.stop()
	p.running.Go(func() {
		<-last.done
		last.turn <- struct{}{} // for good
		if last.err == nil && p.drop != nil {
			p.drop(last.made)
		}
	})
}

// close drops everything and waits until nothing runs.
func (p *prepared[T]) close() {
	p.mu.Lock()
	p.closed = true
	p.abandon()
	p.mu.Unlock()
	p.running.Wait()
}
