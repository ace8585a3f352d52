package main

import (
	"fmt"
	"net/http"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"quartier/internal/testenv"
	"quartier/serve/account"
	"quartier/serve/servetest"
	"quartier/serve/state"
)

var (
	postgres testenv.Postgres
	redis    testenv.Redis
)

// group is several servers that share a state and limits.
type group struct {
	t     *testing.T
	bases []string // http://HOST:PORT
}

// startGroup starts three servers over one release, a state in PostgreSQL and limits in the store at a URL.
func startGroup(t *testing.T, dsn, limits string) *group {
	t.Helper()
	release := filepath.Join(t.TempDir(), "release")
	_, err := servetest.Write(release, servetest.Release{})
	must(t, err)
	g := &group{t: t}
	for range 3 {
		out := start(t, nil, "--release", release, "--state", dsn, "--addr", "127.0.0.1:0", "--limits", limits, "--servers", "3",
			"--limits-timeout", "1s", "--access-log=false", "--drain", "0s")
		t.Cleanup(func() {
			out.Process.Signal(syscall.SIGTERM)
			out.Wait()
			if strings.Contains(out.String(), "hush") || t.Failed() {
				t.Errorf("output: %s", out)
			}
		})
		g.bases = append(g.bases, out.base())
	}
	for _, base := range g.bases {
		testenv.Eventually(t, "ready", func() bool { return status(base+"/readyz", "") == http.StatusOK })
	}
	return g
}

// metric is the sum of a metric over the servers.
func (g *group) metric(name string) (sum float64) {
	g.t.Helper()
	line := regexp.MustCompile(`(?m)^` + name + ` (\S+)$`)
	for _, base := range g.bases {
		found := line.FindStringSubmatch(body(base + "/metrics"))
		if found == nil {
			g.t.Fatalf("no metric %s", name)
		}
		value, err := strconv.ParseFloat(found[1], 64)
		must(g.t, err)
		sum += value
	}
	return sum
}

// press sends requests to all servers at once for a while, and returns how many were not answered 429 and in which time.
func (g *group) press(spent time.Duration, send func(base string) (status int)) (allowed int, elapsed float64) {
	g.t.Helper()
	began := time.Now()
	var passed, others atomic.Int64
	var callers sync.WaitGroup
	for _, base := range g.bases {
		callers.Go(func() {
			for time.Since(began) < spent {
				switch send(base) {
				case http.StatusOK:
					passed.Add(1)
				case http.StatusTooManyRequests:
				default:
					others.Add(1)
				}
				time.Sleep(2 * time.Millisecond)
			}
		})
	}
	callers.Wait()
	if others.Load() > 0 {
		g.t.Errorf("%d requests were answered neither 200 nor 429", others.Load())
	}
	return int(passed.Load()), time.Since(began).Seconds()
}

// within checks a count against a rate, with what servers decided alone on top.
func (g *group) within(what string, allowed int, rate, burst, elapsed, alone float64) {
	g.t.Helper()
	g.t.Logf("%s: %d allowed in %.2f s by three servers, a burst of %v and %.1f a second of %v; %v decisions without the store",
		what, allowed, elapsed, burst, (float64(allowed)-burst)/elapsed, rate, alone)
	if most := burst + rate*elapsed*1.05 + alone; float64(allowed) > most || allowed == 0 {
		g.t.Errorf("%s: %d allowed in %.2f s, at most %.1f", what, allowed, elapsed, most)
	}
}

// TestThreeServers runs three servers as processes over one PostgreSQL and one Redis: a customer has its rate once over all of
// them, a client_id its token requests, and a revocation is seen by all. Without Redis each allows its share.
func TestThreeServers(t *testing.T) {
	dsn := postgres.Database(t)
	proxy := testenv.NewProxy(t, redis.Address(t))
	store, err := state.Open(dsn)
	must(t, err)
	defer store.Close()
	_, credentials, err := store.Create("somebody", account.Agreement{Rate: 40})
	must(t, err)
	g := startGroup(t, dsn, "redis://default:hush@"+proxy.Addr)
	token := grant(t, g.bases[0], credentials)
	const path = "/v3/geographies?lat=45.2&lng=-72.8"
	ask := func(base string) int { return status(base+path, token) }

	allowed, elapsed := g.press(3*time.Second, ask)
	g.within("requests", allowed, 40, 40, elapsed, g.metric("quartier_limits_local_total"))
	tokens, elapsed := g.press(2*time.Second, func(base string) int { return grantStatus(base, credentials) })
	g.within("token requests", tokens, 5, 20, elapsed, g.metric("quartier_limits_local_total"))

	proxy.Refuse()
	testenv.Eventually(t, "the store is away", func() bool { return g.metric("quartier_limits_shared") == 0 })
	allowed, elapsed = g.press(2*time.Second, ask)
	g.within("requests without the store", allowed, 40, 40, elapsed, 0)
	proxy.Restore(t)
	testenv.Eventually(t, "the store is back", func() bool { return g.metric("quartier_limits_shared") == 3 })

	must(t, store.Revoke(credentials.ClientID))
	revoked := time.Now()
	for i, base := range g.bases {
		testenv.Eventually(t, "the revocation is seen", func() bool { return ask(base) == http.StatusForbidden })
		t.Logf("server %d answers 403 %v after the revocation", i, time.Since(revoked).Round(time.Millisecond))
	}
}

// grantStatus is the status of a token request.
func grantStatus(base string, c account.Credentials) int {
	response, err := http.Post(base+"/oauth/token", "application/json",
		strings.NewReader(fmt.Sprintf(`{"client_id":%q,"client_secret":%q}`, c.ClientID, c.ClientSecret)))
	if err != nil {
		return 0
	}
	response.Body.Close()
	return response.StatusCode
}
