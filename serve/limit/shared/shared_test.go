package shared_test

import (
	"bytes"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/redis/go-redis/v9"
	"pgregory.net/rapid"

	"quartier/internal/testenv"
	"quartier/serve/limit"
	"quartier/serve/limit/shared"
)

var store testenv.Redis

func TestMain(m *testing.M) {
	code := m.Run()
	store.Stop()
	os.Exit(code)
}

const (
	patient = 30 * time.Second       // of a call that must succeed on a slow machine
	hasty   = 250 * time.Millisecond // of one that must fail soon
	servers = 3
)

var fifty = limit.Rate{PerSecond: 50, Burst: 50}

// clock is one for all servers of a test.
type clock struct{ now time.Time }

// newClock is a day after the one before, so that nothing in the store is of its time.
func newClock() *clock {
	return &clock{time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC).AddDate(0, 0, int(clocks.Add(1)))}
}

var clocks atomic.Int64

func (c *clock) read() time.Time { return c.now }

func open(t testing.TB, address string, o shared.Options) *shared.Limiter {
	t.Helper()
	l, err := shared.Open("redis://"+address, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

// openAll opens a limiter for each server.
func openAll(t testing.TB, address string, o shared.Options) (all []*shared.Limiter) {
	t.Helper()
	o.Servers = servers
	for range servers {
		all = append(all, open(t, address, o))
	}
	return all
}

// metric returns the sum of a metric, over its labels or of one result.
func metric(t testing.TB, l *shared.Limiter, name, result string) (sum float64) {
	t.Helper()
	registry := prometheus.NewRegistry()
	registry.MustRegister(l)
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, family := range families {
		if family.GetName() != name {
			continue
		}
		for _, m := range family.GetMetric() {
			if result == "" || m.GetLabel()[0].GetValue() == result {
				sum += m.GetCounter().GetValue() + m.GetGauge().GetValue()
			}
		}
	}
	return sum
}

func calls(t testing.TB, l *shared.Limiter) int {
	t.Helper()
	return int(metric(t, l, "quartier_limits_calls_total", ""))
}

// drive lets every server be asked by key every two milliseconds of the clock, and returns how many requests were allowed. At
// no time are they more than a burst and the rate.
func drive(t testing.TB, all []*shared.Limiter, c *clock, key string, steps, burst int) (allowed int) {
	t.Helper()
	began := c.now
	for range steps {
		c.now = c.now.Add(2 * time.Millisecond)
		for _, l := range all {
			d := l.Allow(key, fifty, c.now)
			if d.Allowed {
				allowed++
			} else if d.Wait <= 0 || d.Wait > 2*time.Second+100*time.Millisecond {
				t.Fatalf("wait %v", d.Wait)
			}
			if d.Remaining < 0 || d.Remaining >= fifty.Burst {
				t.Fatalf("%d remain", d.Remaining)
			}
		}
		if most := float64(burst) + 50*c.now.Sub(began).Seconds() + 1e-6; float64(allowed) > most {
			t.Fatalf("%d requests allowed in %v, at most %v", allowed, c.now.Sub(began), most)
		}
	}
	return allowed
}

// TestThreeServersHoldOneRate asks three servers 500 times a second each for twenty seconds: together they allow a burst of 50
// and 50 a second, no more, and no fewer than that without the leases that are not used up.
func TestThreeServersHoldOneRate(t *testing.T) {
	c := newClock()
	all := openAll(t, store.Address(t), shared.Options{Timeout: patient, Now: c.read})
	allowed := drive(t, all, c, t.Name(), 10_000, 50)
	total := 0
	for _, l := range all {
		total += calls(t, l)
		if local := metric(t, l, "quartier_limits_local_total", ""); local != 0 {
			t.Fatalf("%v decisions without the store", local)
		}
	}
	t.Logf("%d of 1050 requests allowed by %d calls", allowed, total)
	if allowed < 1050-servers*5 {
		t.Errorf("%d of 1050 requests allowed", allowed)
	}
	if total > 30_000/10 {
		t.Errorf("%d calls for 30,000 requests", total)
	}
}

// TestBusyCallerCostsFewCalls sends 500 requests a second of 1,000 allowed.
func TestBusyCallerCostsFewCalls(t *testing.T) {
	c := newClock()
	l := open(t, store.Address(t), shared.Options{Timeout: patient, Now: c.read})
	for i := range 5000 {
		c.now = c.now.Add(2 * time.Millisecond)
		if d := l.Allow(t.Name(), limit.Rate{PerSecond: 1000, Burst: 1000}, c.now); !d.Allowed {
			t.Fatalf("request %d: %+v", i, d)
		}
	}
	if n := calls(t, l); n > 5000/10 {
		t.Errorf("%d calls for 5,000 requests", n)
	}
}

// TestQuietCallersOfManyServers spreads a caller's whole rate over ten servers, so that each has five requests a second: leases
// shrink so far that none is refused for what lies unused elsewhere.
func TestQuietCallersOfManyServers(t *testing.T) {
	c := newClock()
	var all []*shared.Limiter
	for range 10 {
		all = append(all, open(t, store.Address(t), shared.Options{Timeout: patient, Now: c.read}))
	}
	refused := 0
	for i := range 2000 {
		c.now = c.now.Add(20 * time.Millisecond)
		if !all[i%len(all)].Allow(t.Name(), fifty, c.now).Allowed {
			refused++
		}
	}
	t.Logf("%d of 2,000 requests refused", refused)
	if refused > 100 {
		t.Errorf("%d of 2,000 requests at exactly the rate were refused", refused)
	}
}

// TestNeverMoreThanAllowed draws arrivals at random servers, and counts the allowed requests in every window: at most a burst,
// the rate, and what servers had leased before.
func TestNeverMoreThanAllowed(t *testing.T) {
	const early = 1e-3 + 1e-9 // of a request, which gcra.lua grants before its time, and the rounding of sums here
	address, n := store.Address(t), 0
	rapid.Check(t, func(rt *rapid.T) {
		c := newClock()
		n++
		key := fmt.Sprint(t.Name(), n)
		var all []*shared.Limiter
		for range rapid.IntRange(1, 4).Draw(rt, "servers") {
			l, err := shared.Open("redis://"+address, shared.Options{Timeout: patient, Now: c.read})
			if err != nil {
				rt.Fatal(err)
			}
			defer l.Close()
			all = append(all, l)
		}
		rate := limit.Rate{PerSecond: rapid.IntRange(1, 40).Draw(rt, "rate")}
		rate.Burst = rate.PerSecond * rapid.IntRange(1, 3).Draw(rt, "burst")
		var passed []time.Time
		for range rapid.IntRange(1, 200).Draw(rt, "requests") {
			c.now = c.now.Add(time.Duration(rapid.IntRange(0, 100).Draw(rt, "gap")) * time.Millisecond)
			d := rapid.SampledFrom(all).Draw(rt, "server").Allow(key, rate, c.now)
			if d.Allowed {
				passed = append(passed, c.now)
			} else if d.Wait <= 0 || d.Wait > 3*time.Second {
				rt.Fatalf("wait %v", d.Wait)
			}
		}
		for i, from := range passed {
			leased := len(all) * max(1, rate.Burst/10)
			if i == 0 {
				leased = 0
			}
			for j := i; j < len(passed); j++ {
				window := passed[j].Sub(from).Seconds()
				if most := float64(rate.Burst+leased) + window*float64(rate.PerSecond) + early; float64(j-i+1) > most {
					rt.Fatalf("%d requests in %v s at %+v", j-i+1, window, rate)
				}
			}
		}
	})
}

// TestTimeOfTheStore uses the clock of the store, with callers' clocks that are an hour apart, in real time.
func TestTimeOfTheStore(t *testing.T) {
	all := openAll(t, store.Address(t), shared.Options{Timeout: patient})
	began := time.Now()
	var allowed [servers]int
	var callers sync.WaitGroup
	for i, l := range all {
		callers.Go(func() {
			for time.Since(began) < 3*time.Second {
				if l.Allow(t.Name(), fifty, time.Now().Add(time.Duration(i)*time.Hour)).Allowed {
					allowed[i]++
				}
				time.Sleep(time.Millisecond)
			}
		})
	}
	callers.Wait()
	total, elapsed := allowed[0]+allowed[1]+allowed[2], time.Since(began).Seconds()
	t.Logf("%d allowed in %.2f s: a burst of 50 and %.1f a second", total, elapsed, float64(total-50)/elapsed)
	if most := 50 + 50*elapsed*1.05; float64(total) > most || total == 0 {
		t.Errorf("%d allowed in %.2f s", total, elapsed)
	}
}

// TestClockIsSetBack sets the clock of the store back by a day: a caller waits for two bursts at most, not for a day.
func TestClockIsSetBack(t *testing.T) {
	c := newClock()
	l := open(t, store.Address(t), shared.Options{Timeout: patient, Now: c.read})
	caller := c.now // the server's own clock goes on
	for range 60 {
		l.Allow(t.Name(), fifty, caller)
	}
	c.now = c.now.Add(-24 * time.Hour)
	caller = caller.Add(time.Second)
	if d := l.Allow(t.Name(), fifty, caller); d.Allowed || d.Wait > 2*time.Second {
		t.Errorf("%+v", d)
	}
	c.now, caller = c.now.Add(2*time.Second), caller.Add(2*time.Second)
	if d := l.Allow(t.Name(), fifty, caller); !d.Allowed {
		t.Errorf("two seconds later: %+v", d)
	}
}

// TestStoreKeepsNoNames looks at what is in the store.
func TestStoreKeepsNoNames(t *testing.T) {
	address := store.Address(t)
	l := open(t, address, shared.Options{Timeout: patient})
	l.Allow("customer Somebody Inc.", fifty, time.Now())
	client := redis.NewClient(&redis.Options{Addr: address})
	defer client.Close()
	keys, err := client.Keys(t.Context(), "*").Result()
	if err != nil || len(keys) < 2 {
		t.Fatalf("%q %v", keys, err)
	}
	for _, key := range keys {
		if strings.Contains(key, "Somebody") || !strings.HasPrefix(key, "quartier:limit:") {
			t.Errorf("key %q", key)
		}
		if left := client.PTTL(t.Context(), key).Val(); left < 0 || left > 2*time.Minute {
			t.Errorf("key %q expires in %v", key, left)
		}
	}
}

// TestPassword opens a store with the right, a wrong and no password: only the first limits are shared, and no log has one.
func TestPassword(t *testing.T) {
	address := store.Address(t)
	admin := redis.NewClient(&redis.Options{Addr: address})
	defer admin.Close()
	if err := admin.Do(t.Context(), "ACL", "SETUSER", "quartier", "on", ">hush-hush", "~quartier:limit:*", "+@all").Err(); err != nil {
		t.Fatal(err)
	}
	for password, want := range map[string]float64{"hush-hush": 1, "hush-wrong": 0} {
		var log bytes.Buffer
		l := open(t, "quartier:"+password+"@"+address, shared.Options{Timeout: patient, Log: slog.New(slog.NewTextHandler(&log, nil))})
		if got := metric(t, l, "quartier_limits_shared", ""); got != want {
			t.Errorf("shared: %v, want %v: %s", got, want, &log)
		}
		if log.Len() == 0 || strings.Contains(log.String(), "hush") {
			t.Errorf("log: %s", &log)
		}
	}
	for _, url := range []string{"", "redis://u:hush@%zz", "postgres://u:hush@h", "redis://u:hush@h/x", "redis://h:port:hush"} {
		if _, err := shared.Open(url, shared.Options{}); err == nil || strings.Contains(err.Error(), "hush") {
			t.Errorf("%s: %v", url, err)
		}
	}
	if _, err := shared.Open("redis://"+address, shared.Options{Servers: 101}); err == nil || !strings.Contains(err.Error(), "101") {
		t.Errorf("101 servers: %v", err)
	}
}

// TestEncryptedStore reaches a store by TLS: one with a certificate of nobody known is not trusted unless it is to be.
func TestEncryptedStore(t *testing.T) {
	target := store.Address(t)
	certified := httptest.NewTLSServer(nil)
	defer certified.Close()
	listener, err := tls.Listen("tcp", "127.0.0.1:0", &tls.Config{Certificates: certified.TLS.Certificates})
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			server, err := net.Dial("tcp", target)
			if err != nil {
				return
			}
			go func() {
				io.Copy(server, client)
				server.Close()
			}()
			go func() {
				io.Copy(client, server)
				client.Close()
			}()
		}
	}()
	for query, want := range map[string]float64{"": 0, "?skip_verify=true": 1} {
		var log bytes.Buffer
		l, err := shared.Open("rediss://"+listener.Addr().String()+query,
			shared.Options{Timeout: patient, Log: slog.New(slog.NewTextHandler(&log, nil))})
		if err != nil {
			t.Fatal(err)
		}
		if got := metric(t, l, "quartier_limits_shared", ""); got != want || want == 0 && !strings.Contains(log.String(), "certificate") {
			t.Errorf("%q: shared %v, want %v: %s", query, got, want, &log)
		}
		l.Close()
	}
}

// TestServersAreCounted counts four servers, and three when one has left.
func TestServersAreCounted(t *testing.T) {
	// A store of its own: the servers of other tests count for ten seconds.
	var own testenv.Redis
	defer own.Stop()
	address := own.Address(t)
	ctx, stop := context.WithCancel(t.Context())
	var running sync.WaitGroup
	defer running.Wait()
	defer stop()
	count := func(l *shared.Limiter) int { return int(metric(t, l, "quartier_limits_servers", "")) }
	var all []*shared.Limiter
	for range 4 {
		l := open(t, address, shared.Options{Timeout: patient})
		running.Go(func() { l.Run(ctx) })
		all = append(all, l)
	}
	testenv.Eventually(t, "four servers are counted", func() bool { return count(all[0]) == 4 })
	leaves := open(t, address, shared.Options{Timeout: patient})
	testenv.Eventually(t, "five servers are counted", func() bool { return count(all[0]) == 5 })
	leaves.Close()
	testenv.Eventually(t, "four servers are left", func() bool { return count(all[0]) == 4 })
	if got := count(open(t, address, shared.Options{Timeout: patient, Servers: 30})); got != 30 {
		t.Errorf("%d servers of 30 at least", got)
	}
}
