package main

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

// side is one of the compared systems. worker sets up what a goroutine needs and returns a function that answers query i
// and one that releases the resources.
type side struct {
	name   string
	worker func(ctx context.Context) (ask func(ctx context.Context, i int) error, done func(), err error)
}

// rate runs a side with the given concurrency for a slice of time and returns answers per second.
func (s side) rate(ctx context.Context, queries, concurrency int, slice time.Duration) (float64, error) {
	var count, next atomic.Int64
	var failed atomic.Pointer[error]
	var ready, running sync.WaitGroup
	begin := make(chan struct{})
	var deadline time.Time
	for range concurrency {
		ready.Add(1)
		running.Add(1)
		go func() {
			defer running.Done()
			ask, done, err := s.worker(ctx)
			ready.Done()
			if err != nil {
				failed.Store(&err)
				return
			}
			defer done()
			<-begin
			for time.Now().Before(deadline) && failed.Load() == nil {
				i := int(next.Add(1)-1) % queries
				if err := ask(ctx, i); err != nil {
					failed.Store(&err)
					return
				}
				count.Add(1)
			}
		}()
	}
	ready.Wait()
	started := time.Now()
	deadline = started.Add(slice)
	close(begin)
	running.Wait()
	if err := failed.Load(); err != nil {
		return 0, fmt.Errorf("%s: %w", s.name, *err)
	}
	return float64(count.Load()) / time.Since(started).Seconds(), nil
}

// compare runs all sides in turn, round after round, and returns the rates by side and round, after an uncounted warm-up
// round.
func (b *bench) compare(ctx context.Context, queries, concurrency int, sides ...side) ([][]float64, error) {
	rates := make([][]float64, len(sides))
	for round := range b.rounds + 1 {
		for i, s := range sides {
			rate, err := s.rate(ctx, queries, concurrency, b.slice)
			if err != nil {
				return nil, err
			}
			if round > 0 {
				rates[i] = append(rates[i], rate)
			}
		}
	}
	return rates, nil
}

// ratios divides the rates of two sides round by round.
func ratios(ours, theirs []float64) spread {
	values := make([]float64, len(ours))
	for i := range ours {
		values[i] = ours[i] / theirs[i]
	}
	return spreadOf(values)
}
