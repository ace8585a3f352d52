package limit_test

import (
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"pgregory.net/rapid"

	"quartier/serve/limit"
)

var start = time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)

func perSecond(n int) limit.Rate { return limit.Rate{PerSecond: n, Burst: n} }

func TestBurstThenRate(t *testing.T) {
	m := limit.NewMemory()
	for i := range 5 {
		if v := m.Allow("a", perSecond(5), start); !v.Allowed || v.Remaining != 4-i {
			t.Fatalf("request %d: %+v", i, v)
		}
	}
	v := m.Allow("a", perSecond(5), start)
	if v.Allowed || v.Wait != 200*time.Millisecond {
		t.Fatalf("over the burst: %+v", v)
	}
	if v := m.Allow("b", perSecond(5), start); !v.Allowed {
		t.Fatalf("another client: %+v", v)
	}
	if v := m.Allow("a", perSecond(5), start.Add(v.Wait)); !v.Allowed || v.Remaining != 0 {
		t.Fatalf("after the wait: %+v", v)
	}
	if v := m.Allow("a", perSecond(5), start.Add(time.Hour)); !v.Allowed || v.Remaining != 4 {
		t.Fatalf("after an hour: %+v", v)
	}
}

func TestBurstOverRate(t *testing.T) {
	m, rate := limit.NewMemory(), limit.Rate{PerSecond: 5, Burst: 20}
	for i := range 20 {
		if v := m.Allow("a", rate, start); !v.Allowed || v.Remaining != 19-i {
			t.Fatalf("request %d: %+v", i, v)
		}
	}
	if v := m.Allow("a", rate, start); v.Allowed || v.Wait != 200*time.Millisecond {
		t.Fatalf("over the burst: %+v", v)
	}
	if v := m.Allow("a", rate, start.Add(4*time.Second)); !v.Allowed || v.Remaining != 19 || rate.Window() != 4 {
		t.Fatalf("after 4 s: %+v", v)
	}
}

// TestMemoryIsBounded uses a million keys: the limiter forgets the oldest, and never a key in use.
func TestMemoryIsBounded(t *testing.T) {
	m := limit.NewMemory()
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	now, allowed := start, 0
	for i := range 1_000_000 {
		if i%100 == 0 {
			now = now.Add(time.Millisecond)
			if m.Allow("steady", perSecond(1), now).Allowed {
				allowed++
			}
		}
		m.Allow(strconv.Itoa(i), perSecond(1), now)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if grown := int64(after.HeapAlloc) - int64(before.HeapAlloc); grown > 16<<20 {
		t.Errorf("a million keys take %d bytes", grown)
	}
	if allowed != 10 {
		t.Errorf("%d requests in 10 s at 1 per second, among a million others", allowed)
	}
	runtime.KeepAlive(m)
}

// TestNeverMoreThanAllowed draws arrivals and counts the allowed requests in every window.
func TestNeverMoreThanAllowed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m, rate := limit.NewMemory(), rapid.IntRange(1, 20).Draw(t, "rate")
		now := start
		var passed []time.Time
		for range rapid.IntRange(1, 200).Draw(t, "requests") {
			now = now.Add(time.Duration(rapid.IntRange(0, 300).Draw(t, "gap")) * time.Millisecond)
			v := m.Allow("a", perSecond(rate), now)
			if v.Allowed {
				passed = append(passed, now)
			} else if v.Wait <= 0 || v.Wait > time.Second {
				t.Fatalf("wait %v", v.Wait)
			}
			if v.Remaining < 0 || v.Remaining >= rate {
				t.Fatalf("%d of %d remain", v.Remaining, rate)
			}
		}
		for i, from := range passed {
			for j := i; j < len(passed); j++ {
				window := passed[j].Sub(from).Seconds()
				if most := float64(rate) + window*float64(rate) + 1e-6; float64(j-i+1) > most {
					t.Fatalf("%d requests in %v s at %d per second", j-i+1, window, rate)
				}
			}
		}
	})
}

func TestManyAtOnce(t *testing.T) {
	m := limit.NewMemory()
	var passed atomic.Int64
	var callers sync.WaitGroup
	for range 8 {
		callers.Go(func() {
			for range 1000 {
				if m.Allow("a", perSecond(100), start).Allowed {
					passed.Add(1)
				}
			}
		})
	}
	callers.Wait()
	if passed.Load() != 100 {
		t.Fatalf("%d of 100 passed", passed.Load())
	}
}
