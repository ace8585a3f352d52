package main

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"quartier/bench/wire"
)

// side is one of the compared systems. worker sets up what a goroutine needs and returns a function that answers query i
// and one that releases the resources.
type side struct {
	name   string
	worker func(ctx context.Context) (ask func(i int), done func())
}

// rate runs a side with the given concurrency for a slice of time and returns answers per second.
func (s side) rate(ctx context.Context, queries, concurrency int, slice time.Duration) float64 {
	var count, next atomic.Int64
	var ready sync.WaitGroup
	running, ctx := errgroup.WithContext(ctx)
	begin := make(chan struct{})
	var deadline time.Time
	ready.Add(concurrency)
	for range concurrency {
		work := func() {
			ask, done := func() (func(int), func()) {
				defer ready.Done()
				return s.worker(ctx)
			}()
			defer done()
			<-begin
			for time.Now().Before(deadline) && ctx.Err() == nil {
				ask(int(next.Add(1)-1) % queries)
				count.Add(1)
			}
		}
		running.Go(func() error { return try(work) })
	}
	ready.Wait()
	started := time.Now()
	deadline = started.Add(slice)
	close(begin)
	if err := running.Wait(); err != nil {
		failf("%s: %w", s.name, err)
	}
	return float64(count.Load()) / time.Since(started).Seconds()
}

// kept is a side whose workers are set up once, such as their connections, and stay from round to round until release.
func (s side) kept(ctx context.Context, concurrency int) (kept side, release func()) {
	release = func() {}
	workers := make(chan func(int), concurrency)
	for range concurrency {
		ask, done := s.worker(ctx)
		workers <- ask
		others := release
		release = func() { done(); others() }
	}
	return side{s.name, func(context.Context) (func(int), func()) {
		ask := <-workers
		return ask, func() { workers <- ask }
	}}, release
}

// compare runs all sides in turn, and returns the rates by side and round, after an uncounted warm-up round.
func (b *bench) compare(ctx context.Context, queries, concurrency int, sides ...side) [][]float64 {
	kept := make([]side, len(sides))
	for i, s := range sides {
		var release func()
		kept[i], release = s.kept(ctx, concurrency)
		defer release()
	}
	return b.Repeat(func() (rates []float64) {
		for _, s := range kept {
			rates = append(rates, s.rate(ctx, queries, concurrency, b.slice))
		}
		return rates
	})
}

// against formats the absolute rates of a comparison.
func against(ours, theirs []float64) string {
	return fmt.Sprintf("%.0f/s, theirs %.0f/s", spreadOf(ours).Median, spreadOf(theirs).Median)
}

// httpSide queries a server over HTTP.
func httpSide(name, addr string, requests [][]byte) side {
	return side{name, func(ctx context.Context) (func(int), func()) {
		conn := wire.Dial(ctx, addr)
		return func(i int) { conn.Do(requests[i]) }, conn.Close
	}}
}
