package drill

import (
	"context"
	"database/sql"
	"fmt"
	"log/slog"
	"maps"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	_ "github.com/mattn/go-sqlite3" // a program that locks the state

	"quartier/internal/testenv"
	"quartier/serve"
	"quartier/serve/account"
	"quartier/serve/limit"
	"quartier/serve/limit/shared"
	"quartier/serve/servetest"
)

// Stores are servers that drills take away from the server of the API. Stop must be called.
type Stores struct {
	Postgres testenv.Postgres
	Redis    testenv.Redis
}

// Stop ends the servers.
func (s *Stores) Stop() {
	s.Postgres.Stop()
	s.Redis.Stop()
}

// store is a store that can be away.
type store struct {
	name string
	dsn  string // of the state
	// faults are ways in which it is away, each with how it comes back.
	faults map[string]func() (restore func())
	// cut, if it is set, ends what runs for the moment. The store can be called again at once.
	cut func()
}

// behind is a proxy of the server of a DSN, and the DSN by way of it.
func behind(tb testing.TB, dsn string) (string, *testenv.Proxy) {
	before, after, _ := strings.Cut(dsn, "@")
	address, rest, _ := strings.Cut(after, "/")
	proxy := testenv.NewProxy(tb, address)
	return before + "@" + proxy.Addr + "/" + rest, proxy
}

// faultsOf are those of what is called by way of a proxy.
func faultsOf(tb testing.TB, p *testenv.Proxy, slow time.Duration) map[string]func() func() {
	restore := func() { p.Cut(); p.Restore(tb) }
	return map[string]func() func(){
		"refused": func() func() { p.Refuse(); return restore },
		"slow":    func() func() { p.Slow(slow); return restore },
	}
}

// PostgresAway is the state in PostgreSQL.
func (s *Stores) PostgresAway(tb testing.TB) store {
	dsn, proxy := behind(tb, s.Postgres.Database(tb))
	return store{"PostgreSQL", dsn, faultsOf(tb, proxy, 7*time.Second), proxy.Cut}
}

// SQLiteAway is the state in a file.
func SQLiteAway(tb testing.TB) store {
	path := filepath.Join(tb.TempDir(), "state.sqlite")
	db, err := sql.Open("sqlite3", path)
	if err != nil {
		tb.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	tb.Cleanup(func() { db.Close() })
	must := func(err error) {
		if err != nil {
			tb.Fatal(err)
		}
	}
	run := func(statement string) { _, err := db.Exec(statement); must(err) }
	return store{"SQLite", "sqlite:" + path, map[string]func() func(){
		"locked": func() func() { run("BEGIN EXCLUSIVE"); return func() { run("ROLLBACK") } },
		"removed": func() func() {
			must(os.Rename(path, path+".away"))
			return func() { must(os.Rename(path+".away", path)) }
		},
	}, nil}
}

// customRequest is a request for a custom geography.
const customRequest = `{"name_en":"Glebe","type":"NEIGHBOURHOOD","boundaries":"POLYGON((-72.81 45.19,-72.79 45.19,-72.79 45.21,-72.81 ` +
	`45.21,-72.81 45.19))"}`

// away is a server whose state and limits can be away.
type away struct {
	*Run
	*Server
	right string // the body of what is read
	state store
}

func (r *Run) startAway(st store, wrap Wrap, change ...func(*serve.Options)) *away {
	r.Helper()
	root := r.TempDir()
	r.Must(WriteWorld(root, servetest.Release{}, nil))
	agreements := map[string]account.Agreement{
		"full":    {CustomGeographies: true, Rate: 1_000_000, OpenRequests: 1_000_000},
		"metered": {Rate: meteredRate},
	}
	a := &away{Run: r, state: st, Server: Start(r, st.dsn, root, slog.New(slog.DiscardHandler), agreements, change...)}
	a.Handler = wrap.around(a.Handler)
	a.right = a.Get("full", "/v3/enhanced-pois?"+north).Body
	if got := a.write(); got.Status/100 != 2 {
		r.Fatalf("%s: a write: %d %s", st.name, got.Status, got.Body)
	}
	return a
}

func (a *away) write() Answer {
	return a.Call("full", http.MethodPost, "/v3/geographies/custom", customRequest, "Content-Type: application/json")
}

// reads checks that what is read from the release is answered as always.
func (a *away) reads(fault string) {
	a.Helper()
	for range 3 {
		if got := a.Get("full", "/v3/enhanced-pois?"+north); got.Status != 200 || got.Body != a.right {
			a.Fatalf("%s is %s: reading: %d %.200s", a.state.name, fault, got.Status, got.Body)
		}
	}
	if got := a.Get("", "/readyz"); got.Status != 200 || !strings.Contains(got.Body, `"ready"`) && !strings.Contains(got.Body, `"status"`) {
		a.Fatalf("%s is %s: readyz: %d %s", a.state.name, fault, got.Status, got.Body)
	}
}

// refused checks the answer of a write that cannot be done.
func (a *away) refused(fault string, got Answer) {
	a.Helper()
	if got.Status != 503 || got.Body != `{"message":"Service Unavailable"}` || got.Header.Get("Retry-After") == "" {
		a.Fatalf("%s is %s: a write: %d %s %v", a.state.name, fault, got.Status, got.Body, got.Header)
	}
}

// takeAway takes the state away in one way and brings it back.
func (a *away) takeAway(fault string) {
	restore := a.state.faults[fault]()
	begun := time.Now()
	got := a.write()
	a.refused(fault, got)
	if spent := time.Since(begun); spent > 2*time.Minute {
		a.Errorf("%s is %s: a write is answered after %v", a.state.name, fault, spent)
	}
	a.reads(fault)
	restore()
	testenv.Eventually(a, "a write succeeds again", func() bool { return a.write().Status/100 == 2 })
}

// cutWrites cuts all connections at drawn moments while callers write, also in the middle of statements. A write is done and
// answered, or refused as one that cannot be done; one that was answered is there afterwards, and one that was sent twice under
// one key is there once.
func (a *away) cutWrites(random *rand.Rand, cuts int) (writes int) {
	type made struct{ key, id string }
	var mu sync.Mutex
	var answered []made
	unknown := map[string]bool{} // keys of writes that were refused
	stop := make(chan struct{})
	var callers sync.WaitGroup
	prefix := fmt.Sprint(random.Uint64())
	for worker := range 3 {
		callers.Go(func() {
			for i := 0; ; i++ {
				select {
				case <-stop:
					return
				default:
				}
				key := fmt.Sprintf("%s-%d-%d", prefix, worker, i)
				got := a.writeOnce(key)
				mu.Lock()
				if writes++; got.Status/100 == 2 {
					answered = append(answered, made{key, memberOf(got.Body, "geo_entity_id")})
				} else {
					unknown[key] = true
				}
				mu.Unlock()
				if got.Status/100 != 2 && got.Status != 503 {
					a.Errorf("a write while connections are cut: %d %s", got.Status, got.Body)
					return
				}
			}
		})
	}
	for range cuts {
		time.Sleep(time.Duration(random.Int64N(int64(20 * time.Millisecond))))
		a.state.cut()
		a.reads("cut")
	}
	close(stop)
	callers.Wait()
	testenv.Eventually(a, "a write succeeds again", func() bool { return a.write().Status/100 == 2 })
	for _, m := range answered {
		if got := a.Get("full", "/v3/geographies/custom/"+m.id); got.Status != 200 {
			a.Fatalf("a write that was answered is not there: %s: %d %s", m.id, got.Status, got.Body)
		}
		if again := a.writeOnce(m.key); memberOf(again.Body, "geo_entity_id") != m.id {
			a.Fatalf("the same write again: %d %s, want %s", again.Status, again.Body, m.id)
		}
	}
	for key := range unknown { // it was done or not: once more, it is done once
		first, second := a.writeOnce(key), a.writeOnce(key)
		if id := memberOf(first.Body, "geo_entity_id"); first.Status/100 != 2 || memberOf(second.Body, "geo_entity_id") != id {
			a.Fatalf("a write that was cut, again: %d %s, %d %s", first.Status, first.Body, second.Status, second.Body)
		}
	}
	return writes
}

// writeOnce makes a request under a key.
func (a *away) writeOnce(key string) Answer {
	return a.Call("full", http.MethodPost, "/v3/geographies/custom", customRequest, "Content-Type: application/json", "Idempotency-Key: "+key)
}

// StateAway takes the state away in every way and cuts its connections. It returns how often, and how many writes met a cut.
func StateAway(r *Run, st store, wrap Wrap) (faults, writes int) {
	a := r.startAway(st, wrap)
	names := slices.Sorted(maps.Keys(st.faults))
	for ; faults == 0 || r.More(faults); faults++ {
		if at := faults % (len(names) + 1); at > 0 {
			a.takeAway(names[at-1])
		} else if st.cut != nil {
			writes += a.cutWrites(r.Random, 10)
		}
	}
	if body := a.Get("", "/metrics").Body; !strings.Contains(body, "\nquartier_state_age_seconds ") ||
		!strings.Contains(body, "\nquartier_state_stale 0\n") {
		r.Errorf("metrics: %s", body)
	}
	return faults, writes
}

// meteredRate is the rate of the customer by which limits are measured.
const meteredRate = 50

// Limiter is what LimitsAway makes of the shared limits: the same, or a planted fault.
type Limiter func(limit.Limiter) limit.Limiter

// LimitsAway takes the store of shared limits away in every way, with a customer that asks for more than its rate: limits degrade to
// those of the server alone, and never open. It returns how often it was away and how many requests were refused.
func (s *Stores) LimitsAway(r *Run, plant Limiter) (faults, refused int) {
	proxy := testenv.NewProxy(r, s.Redis.Address(r))
	limits, err := shared.Open("redis://"+proxy.Addr, shared.Options{Timeout: 250 * time.Millisecond})
	r.Must(err)
	defer limits.Close()
	ctx, stop := context.WithCancel(r.Context())
	var running sync.WaitGroup
	running.Go(func() { limits.Run(ctx) })
	defer running.Wait()
	defer stop()
	var limiter limit.Limiter = limits
	if plant != nil {
		limiter = plant(limits)
	}
	a := r.startAway(SQLiteAway(r), nil, func(o *serve.Options) { o.Limiter = limiter })
	ways := faultsOf(r, proxy, 3*time.Second)
	ways["cut"] = func() func() { proxy.Cut(); return func() {} }
	names := slices.Sorted(maps.Keys(ways))
	for ; faults == 0 || r.More(faults); faults++ {
		name := names[faults%len(names)]
		restore := ways[name]()
		a.reads(name)
		begun, allowed := time.Now(), 0
		for range 6 * meteredRate {
			switch got := a.Get("metered", "/v3/geographies?"+north); {
			case got.Status == 200:
				allowed++
			case got.Status == 429 && got.Header.Get("Retry-After") != "":
				refused++
			default:
				r.Fatalf("limits are %s: %d %s %v", name, got.Status, got.Body, got.Header)
			}
		}
		// A burst by the store, one by the server alone, and the rate since.
		if most := 2*meteredRate + 2 + int(2*meteredRate*time.Since(begun).Seconds()); allowed > most {
			r.Fatalf("limits are %s: %d of %d requests at %d a second are allowed within %v, at most %d", name, allowed, 6*meteredRate, meteredRate,
				time.Since(begun), most)
		}
		restore()
		testenv.Eventually(r, "requests are allowed again", func() bool { return a.Get("metered", "/v3/geographies?"+north).Status == 200 })
	}
	return faults, refused
}

// Open is a planted fault: a limiter that allows everything that the store does not decide.
func Open(of limit.Limiter) limit.Limiter { return open{of} }

type open struct{ limit.Limiter }

func (o open) Allow(string, limit.Rate, time.Time) limit.Decision {
	return limit.Decision{Allowed: true}
}

// Unshaped is a planted fault: what the state cannot do is answered with 500.
func Unshaped(right http.Handler) http.Handler {
	return altering(right, func(a *Answer) {
		if a.Status == http.StatusServiceUnavailable {
			a.Status, a.Body = http.StatusInternalServerError, "{}"
		}
	})
}
