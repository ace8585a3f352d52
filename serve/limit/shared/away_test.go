package shared_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"quartier/internal/testenv"
	"quartier/serve/limit"
	"quartier/serve/limit/shared"
)

// run keeps limiters in touch with the store until the end of the test.
func run(t *testing.T, all []*shared.Limiter) {
	ctx, stop := context.WithCancel(context.Background())
	var running sync.WaitGroup
	for _, l := range all {
		running.Go(func() { l.Run(ctx) })
	}
	t.Cleanup(func() {
		stop()
		running.Wait()
	})
}

func waitShared(t *testing.T, all []*shared.Limiter, want float64) {
	t.Helper()
	for _, l := range all {
		testenv.Eventually(t, "the metric says whether limits are shared",
			func() bool { return metric(t, l, "quartier_limits_shared", "") == want })
	}
}

// TestStoreIsAway breaks the way to the store in each way and restores it. While it is away three servers allow a third of the rate
// each, without a call; afterwards they share it again by themselves.
func TestStoreIsAway(t *testing.T) {
	for name, c := range map[string]struct {
		first bool // it is away when the servers start
		fail  func(p *testenv.Proxy)
	}{
		"refused":           {false, (*testenv.Proxy).Refuse},
		"refused at start":  {true, (*testenv.Proxy).Refuse},
		"slow":              {false, func(p *testenv.Proxy) { p.Slow(3 * time.Second) }},
		"slow at the start": {true, func(p *testenv.Proxy) { p.Slow(3 * time.Second) }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var own testenv.Redis // which counts no servers of other tests
			t.Cleanup(own.Stop)
			proxy := testenv.NewProxy(t, own.Address(t))
			clock := newClock()
			if c.first {
				c.fail(proxy)
			}
			all := openAll(t, proxy.Addr, shared.Options{Timeout: hasty, Now: clock.read})
			run(t, all)
			if !c.first {
				waitShared(t, all, 1)
				drive(t, all, clock, t.Name()+" before", 1000, 100)
				c.fail(proxy)
			}
			waitShared(t, all, 0)
			allowed := drive(t, all, clock, t.Name(), 10_000, 50)
			t.Logf("%d of 1050 requests allowed", allowed)
			if allowed < 1050*95/100 {
				t.Errorf("%d of 1050 requests allowed", allowed)
			}
			for _, l := range all {
				if local := metric(t, l, "quartier_limits_local_total", ""); local < 10_000 {
					t.Errorf("%v of 10,000 decisions were local", local)
				}
			}
			one := drive(t, all[:1], clock, t.Name()+" one", 1000, 50)
			if one > 50 || one < 48 { // 16 at once and 33 in two seconds
				t.Errorf("one server allows %d in 2 s", one)
			}
			proxy.Restore(t)
			waitShared(t, all, 1)
			clock.now = clock.now.Add(time.Minute)
			drive(t, all, clock, t.Name()+" after", 1000, 100)
		})
	}
}

// TestConnectionsAreCut cuts all connections again and again, so that servers decide alone and together in turn: no more is
// allowed than the rate and a burst by the store, and as much again by what servers decide alone.
func TestConnectionsAreCut(t *testing.T) {
	proxy := testenv.NewProxy(t, store.Address(t))
	clock := newClock()
	all := openAll(t, proxy.Addr, shared.Options{Timeout: hasty, Now: clock.read})
	run(t, all)
	ctx, stop := context.WithCancel(t.Context())
	var cutting sync.WaitGroup
	cutting.Go(func() {
		for ctx.Err() == nil {
			proxy.Cut()
			time.Sleep(time.Millisecond)
		}
	})
	const steps = 5_000 // of 2 ms
	allowed := drive(t, all, clock, t.Name(), steps, steps*servers)
	stop()
	cutting.Wait()
	if most := 2 * (50 + 50*steps/500); allowed > most || allowed < most/4 {
		t.Errorf("%d requests allowed, at most %d", allowed, most)
	}
	waitShared(t, all, 1)
}

// TestStoreComesAndGoes takes the store away every second for half a second, ten times: what servers allow alone is taken off
// afterwards, so that a burst is there once and not each time.
func TestStoreComesAndGoes(t *testing.T) {
	proxy := testenv.NewProxy(t, store.Address(t))
	clock := newClock()
	all := openAll(t, proxy.Addr, shared.Options{Timeout: patient, Now: clock.read})
	run(t, all)
	began, allowed := clock.now, 0
	for range 10 {
		waitShared(t, all, 1)
		allowed += drive(t, all, clock, t.Name(), 250, 100)
		proxy.Refuse()
		allowed += drive(t, all, clock, t.Name(), 250, 100)
		proxy.Restore(t)
	}
	elapsed := clock.now.Sub(began).Seconds()
	t.Logf("%d allowed in %v s", allowed, elapsed)
	if most := 100 + 50*elapsed*1.05; float64(allowed) > most {
		t.Errorf("%d allowed in %v s, at most %v", allowed, elapsed, most)
	}
}

// TestShareOfFewRequests divides a request a second by a hundred servers that have no store.
func TestShareOfFewRequests(t *testing.T) {
	clock := newClock()
	l := open(t, "127.0.0.1:1", shared.Options{Timeout: hasty, Servers: 100})
	allowed := 0
	for range 1000 {
		clock.now = clock.now.Add(time.Second)
		if l.Allow("a", limit.Rate{PerSecond: 1, Burst: 1}, clock.now).Allowed {
			allowed++
		}
	}
	if allowed != 10 {
		t.Errorf("%d of 10 requests allowed in 1,000 s", allowed)
	}
}
