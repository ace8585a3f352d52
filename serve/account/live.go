package account

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// lookEvery is the interval at which a running server looks for changes of accounts.
	lookEvery = time.Second
	// readEvery is the interval at which all accounts are read although the revision is the same: rows that were changed
	// by hand have no new one.
	readEvery = time.Minute
	// lookWithin limits a look, so that a store that hangs is looked at again.
	lookWithin = 2 * time.Second
	// LateAfter is the age of a copy from which it is an alarm that a revocation may not have been seen.
	LateAfter = 5 * time.Second
)

// ErrStale is returned while the copy of the accounts is older than it may be.
var ErrStale = errors.New("the accounts could not be read for too long")

// Directory is where accounts and keys are kept.
type Directory interface {
	// Revision is another one after every change of the accounts and keys.
	Revision(context.Context) (Revision, error)
	// Accounts are all accounts and keys, as they are at one moment.
	Accounts(context.Context) (*Accounts, error)
}

// Revision identifies a state of a directory.
type Revision struct {
	Number int64  // one more with every change
	Mark   string // random with every change: a directory that was restored can have another state with the same number
}

// Accounts is the content of a directory.
type Accounts struct {
	Revision Revision
	Clients  []*Client    // including revoked ones, by customer and id
	Keys     []Key        // the live signing keys, newest first
	Access   []*AccessKey // including revoked ones, by account
	Damaged  []error      // one for each record that cannot be used, and is in none of the lists
}

// Live is a copy of a directory in memory that follows it. Reads take no lock.
type Live struct {
	// MaxAge is the age of the copy from which it must not be used; 0: any. It is set before Run.
	MaxAge time.Duration

	store   Directory
	log     *slog.Logger
	started time.Time
	current atomic.Pointer[snapshot]
	seen    atomic.Int64 // when the last look that succeeded began, in nanoseconds since started

	looking  sync.Mutex // a look runs
	late     bool       // guarded by looking: reported as late
	reported string     // guarded by looking: damaged records that were reported last

	misses struct {
		sync.Mutex
		running bool
		next    chan struct{}        // closed after the next look; nil: nobody waits
		of      map[string]time.Time // when clients were looked for last, of a few
	}
	failed, restored, missed atomic.Int64
}

type snapshot struct {
	revision Revision
	clients  map[string]*Client
	access   map[string]*Client // of the access keys that can be used, by their ids
	keys     []Key
	damaged  int
	read     time.Time
}

// Follow loads the directory; Run keeps the copy up to date.
func Follow(ctx context.Context, store Directory, log *slog.Logger) (*Live, error) {
	live := &Live{store: store, log: log, started: time.Now()}
	return live, live.Refresh(ctx)
}

// Run follows the store until ctx ends. While the store cannot be read, the last copy is used, until it is older than MaxAge.
func (l *Live) Run(ctx context.Context) {
	ticker := time.NewTicker(lookEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			l.look(ctx)
		}
	}
}

// look refreshes the copy within lookWithin, and reports when it is late and when it is not any more.
func (l *Live) look(ctx context.Context) {
	limited, cancel := context.WithTimeout(ctx, lookWithin)
	defer cancel()
	err := l.Refresh(limited)
	l.looking.Lock()
	defer l.looking.Unlock()
	age := l.age(time.Now())
	switch late := age > LateAfter; {
	case ctx.Err() != nil:
	case late && !l.late:
		l.late = true
		l.log.Error("the accounts cannot be read: revocations are not seen", "age_seconds", age.Seconds(), "max_age", l.MaxAge.String(),
			"error", err)
	case !late && l.late:
		l.late = false
		l.log.Info("the accounts are followed again")
	case err != nil && !l.late:
		l.log.Warn("the accounts cannot be read; continuing with the last known ones", "error", err)
	}
}

// Refresh reads the store if it changed since the last read.
func (l *Live) Refresh(ctx context.Context) error {
	l.looking.Lock()
	defer l.looking.Unlock()
	begun := time.Now()
	if err := l.refresh(ctx, begun); err != nil {
		l.failed.Add(1)
		return err
	}
	l.seen.Store(int64(begun.Sub(l.started)))
	return nil
}

func (l *Live) refresh(ctx context.Context, now time.Time) error {
	old := l.current.Load()
	if old != nil && now.Sub(old.read) < readEvery {
		revision, err := l.store.Revision(ctx)
		if err != nil || revision == old.revision {
			return err
		}
	}
	all, err := l.store.Accounts(ctx)
	if err != nil {
		return err
	}
	if len(all.Keys) == 0 {
		return errors.Join(append([]error{errors.New("there is no signing key")}, all.Damaged...)...)
	}
	next := &snapshot{revision: all.Revision, clients: make(map[string]*Client, len(all.Clients)), keys: all.Keys, damaged: len(all.Damaged),
		read: now}
	for _, c := range all.Clients {
		if old != nil && reflect.DeepEqual(old.clients[c.ID], c) {
			c = old.clients[c.ID] // of which servers keep more
		}
		next.clients[c.ID] = c
	}
	next.access = make(map[string]*Client, len(all.Access))
	for _, k := range all.Access {
		c := k.client(next.clients[k.ClientID])
		if c == nil {
			continue
		}
		if old != nil && reflect.DeepEqual(old.access[k.ID], c) {
			c = old.access[k.ID]
		}
		next.access[k.ID] = c
	}
	l.current.Store(next)
	l.report(old, next, all.Damaged)
	return nil
}

// report logs what an operator has to know of a copy.
func (l *Live) report(old, next *snapshot, damaged []error) {
	if text := fmt.Sprint(damaged); text != l.reported {
		l.reported = text
		for _, err := range damaged {
			l.log.Error("a record of the state is damaged and not used", "error", err)
		}
	}
	if old == nil {
		return
	}
	if was, is := old.revision, next.revision; is.Number < was.Number || is.Number == was.Number && is.Mark != was.Mark {
		l.restored.Add(1)
		l.log.Warn("the state has an earlier revision than before: it was restored or replaced", "revision", is.Number, "before", was.Number)
	}
}

// Client returns a client by id; nil if it does not exist or is revoked.
func (l *Live) Client(id string) *Client {
	c := l.current.Load().clients[id]
	if c == nil || c.RevokedAt != "" {
		return nil
	}
	return c
}

// Access returns the account as a publishable key or the id of a signing key may use it; nil if there is none that is not revoked.
func (l *Live) Access(key string) *Client {
	if c := l.current.Load().access[AccessID(key)]; c != nil && c.Key.holds(key) {
		return c
	}
	return nil
}

// Keys returns the live signing keys; the first one signs.
func (l *Live) Keys() []Key { return l.current.Load().keys }

// Fresh returns ErrStale if the copy is older than MaxAge.
func (l *Live) Fresh(now time.Time) error {
	if l.MaxAge > 0 && l.age(now) > l.MaxAge {
		return ErrStale
	}
	return nil
}

// age is how long ago the copy was that of the store.
func (l *Live) age(now time.Time) time.Duration {
	return max(0, now.Sub(l.started)-time.Duration(l.seen.Load()))
}

// Health describes how well a copy follows its directory.
type Health struct {
	Age                      time.Duration // since the copy was that of the store
	Late, Stale              bool          // it is older than LateAfter, and than MaxAge
	Revision                 int64
	Accounts                 int   // that are not revoked
	AccessKeys               int   // that can be used
	Damaged                  int   // records that are not used
	Failed, Restored, Missed int64 // looks that failed, earlier revisions that were found, and looks for unknown accounts, since startup
}

// Health returns the present state.
func (l *Live) Health() Health {
	now, s := time.Now(), l.current.Load()
	age := l.age(now)
	h := Health{Age: age, Late: age > LateAfter, Stale: l.Fresh(now) != nil, Revision: s.revision.Number, Damaged: s.damaged,
		Failed: l.failed.Load(), Restored: l.restored.Load(), Missed: l.missed.Load()}
	h.AccessKeys = len(s.access)
	for _, c := range s.clients {
		if c.RevokedAt == "" {
			h.Accounts++
		}
	}
	return h
}
