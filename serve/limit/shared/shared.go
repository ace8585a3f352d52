// Package shared limits the requests that several servers answer together, through a store that all of them call: Redis or
// Valkey. Input: who makes a request, the rate, the time. Output: a decision, made by all servers together while the store
// answers, and by each for its share of the rate while it does not.
//
// A server takes leases: several requests of a busy caller for one call. The store keeps a time for each caller, by the
// algorithm of gcra.lua and on the store's clock, so that the clocks of the servers need not agree. It has no name of a
// caller, only a digest.
package shared

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"

	"quartier/serve/limit"
)

// Options configure a Limiter.
type Options struct {
	Servers int              // how many share the limits, at least, 1 to MaxServers; the store counts more; 0: DefaultServers
	Timeout time.Duration    // of one call, above which a decision is made without the store; 0: DefaultTimeout
	Log     *slog.Logger     // nil: discarded
	Now     func() time.Time // clock of the allowances; nil: that of the store
}

// The defaults and limits of Options.
const (
	DefaultServers = 2 // who shares limits has another server
	MaxServers     = 100
	DefaultTimeout = 5 * time.Millisecond
)

const (
	joinEvery   = 500 * time.Millisecond // at which a server calls the store to be counted, and to notice that it answers again
	joinTimeout = time.Second            // of these calls, which may open a connection
	lifetime    = 10 * time.Second       // for which a server counts after its last call
	maxFailures = 3                      // of calls one after the other, after which the store is taken to be away
	leases      = 10                     // a lease is at most this part of a burst
	prefix      = "quartier:limit:"
)

var (
	//go:embed gcra.lua
	gcraSource string
	//go:embed join.lua
	joinSource string

	gcra = redis.NewScript(gcraSource)
	join = redis.NewScript(joinSource)
)

// Limiter is a limit.Limiter that shares its limits. It is made by Open and safe for concurrent use.
type Limiter struct {
	store   *redis.Client
	timeout time.Duration
	log     *slog.Logger
	now     func() time.Time // nil: the clock of the store
	id      string           // of this server
	least   int              // servers that share the limits

	allowances table
	servers    atomic.Int64 // at the last count
	failures   atomic.Int64 // of calls, since the last one that was answered
	away       atomic.Bool
	metrics    metrics
}

func init() { redis.SetLogger(silent{}) } // what it would write is in errors, and its format is not that of our log

type silent struct{}

func (silent) Printf(context.Context, string, ...any) {}

// Open makes a limiter over the store at a URL, redis://user:password@host:port/database, or rediss:// for TLS. It waits a
// second at most for the store, which need not answer yet. Run must be called, and Close at the end.
func Open(url string, o Options) (*Limiter, error) {
	config, err := redis.ParseURL(url)
	if err != nil {
		return nil, errors.New("not a URL such as redis://user:password@host:6379/0 or rediss://host:6379") // err may have the password
	}
	l := &Limiter{timeout: o.Timeout, log: o.Log, now: o.Now, id: rand.Text(), least: o.Servers}
	if l.least == 0 {
		l.least = DefaultServers
	}
	if l.least < 1 || l.least > MaxServers {
		return nil, fmt.Errorf("%d servers: 1 to %d can share limits", l.least, MaxServers)
	}
	if l.timeout == 0 {
		l.timeout = DefaultTimeout
	}
	if l.log == nil {
		l.log = slog.New(slog.DiscardHandler)
	}
	config.MaxRetries, config.DialerRetries, config.DialerRetryTimeout = -1, 1, time.Millisecond
	config.DialTimeout, config.ReadTimeout, config.WriteTimeout = joinTimeout, max(joinTimeout, l.timeout), max(joinTimeout, l.timeout)
	config.ContextTimeoutEnabled = true
	config.ConnMaxIdleTime = time.Minute // some networks drop idle connections in silence
	config.DisableIdentity = true
	config.MaintNotificationsConfig = &maintnotifications.Config{Mode: maintnotifications.ModeDisabled}
	l.store = redis.NewClient(config)
	l.allowances.init()
	l.metrics.init(l)
	l.away.Store(true)
	l.servers.Store(int64(l.least))
	if err := l.join(context.Background()); err != nil {
		l.warn(err)
	}
	return l, nil
}

// Run keeps this server counted and notices that the store answers again, until ctx ends.
func (l *Limiter) Run(ctx context.Context) {
	ticker := time.NewTicker(joinEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			l.join(ctx)
		}
	}
}

// Close takes this server off the count and closes the connections.
func (l *Limiter) Close() error {
	if !l.away.Load() {
		ctx, cancel := context.WithTimeout(context.Background(), l.timeout)
		defer cancel()
		join.Run(ctx, l.store, []string{prefix + "servers"}, l.id, 0) // without it the count drops later
	}
	return l.store.Close()
}

// join counts the servers. A store that takes longer than a call may take is away too.
func (l *Limiter) join(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, max(joinTimeout, l.timeout))
	defer cancel()
	began := time.Now()
	count, err := join.Run(ctx, l.store, []string{prefix + "servers"}, l.id, lifetime.Milliseconds()).Int64()
	if spent := time.Since(began); err == nil && spent > l.timeout {
		err = fmt.Errorf("an answer took %v", spent)
	}
	if err != nil {
		l.failed(err)
		return err
	}
	l.servers.Store(min(max(count, int64(l.least)), MaxServers))
	l.failures.Store(0)
	if l.away.CompareAndSwap(true, false) {
		l.log.Info("limits are shared", "servers", count)
	}
	return nil
}

// failed counts a call that was not answered. One alone may have been lost on the way.
func (l *Limiter) failed(err error) {
	l.metrics.failed.Inc()
	if l.failures.Add(1) >= maxFailures && l.away.CompareAndSwap(false, true) {
		l.warn(err)
	}
}

func (l *Limiter) warn(err error) {
	l.log.Warn("limits are local: their store does not answer", "error", err, "servers", l.servers.Load())
}

// lease is what the store grants.
type lease struct {
	granted   int
	remaining int           // further ones, for all servers
	wait      time.Duration // until as many as were asked for are there again
}

// call asks the store for requests of a caller, of which owed were made without asking.
func (l *Limiter) call(key string, rate limit.Rate, asked, owed int) (lease, error) {
	ctx, cancel := context.WithTimeout(context.Background(), l.timeout)
	defer cancel()
	clock := ""
	if l.now != nil {
		clock = micros(l.now().Sub(time.Unix(1_700_000_000, 0)))
	}
	interval := max(rate.Interval(), time.Microsecond)
	answer, err := gcra.Run(ctx, l.store, []string{name(key)}, micros(interval), micros(time.Duration(rate.Burst)*interval), asked, owed,
		clock).Int64Slice()
	if err == nil && len(answer) != 3 {
		err = fmt.Errorf("%d values", len(answer))
	}
	if err != nil {
		l.failed(err)
		return lease{}, err
	}
	l.failures.Store(0)
	return lease{int(answer[0]), int(answer[1]), time.Duration(answer[2]) * time.Microsecond}, nil
}

// name is the key of a caller in the store.
func name(key string) string {
	sum := sha256.Sum256([]byte(key))
	return prefix + base64.RawURLEncoding.EncodeToString(sum[:16])
}

// micros is a duration in microseconds.
func micros(d time.Duration) string {
	return strconv.FormatFloat(float64(d)/float64(time.Microsecond), 'f', 3, 64)
}
