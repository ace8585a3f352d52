// Package mirror keeps a copy of what a store publishes in a local folder of releases, from which it is served.
//
// In: a store with releases (internal/store/releases). Out: a folder of releases that a release.Holder follows. What is served stays
// until all of another release is there and right and its Holder would take it, and while the store is away, slow or wrong.
package mirror

import (
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"quartier/internal/lockfile"
	"quartier/internal/store"
	"quartier/internal/store/releases"
	"quartier/schemas"
	"quartier/serve/release"
)

const (
	longestPause = 12               // times the usual one, between looks at a store that fails
	answerWithin = 30 * time.Second // of the store, about its pointer and a record
)

// Options of a Mirror.
type Options struct {
	Store store.Store
	Dir   string                          // the cache; no other process uses it
	Keep  int                             // publications in the cache, with the one that is served
	Every time.Duration                   // between looks at the store, give or take a half
	Roll  time.Duration                   // longest wait before another release replaces the one that is served; it is random
	Free  func(dir string) (int64, error) // bytes that the disk of a folder has room for
	Log   *slog.Logger

	Wanted func(releases.File) bool // files that are fetched; nil: all
}

// Mirror follows a store. Its cache is
//
//	<dir>/releases/   folder of releases
//	<dir>/offered/    the same with links to components: what the Holder is asked about before it is published
type Mirror struct {
	// Releases serves Path. It is set before Run.
	Releases *release.Holder

	o        Options
	lock     *lockfile.Lock
	tidied   bool      // nothing is left of what was served before but what is kept
	read     time.Time // when all of the cache was, or was fetched, last
	reported string    // state after the last look at the store
	logged   time.Time // when a failure was, last

	mu     sync.Mutex          // guards what follows
	placed *releases.Published // what Path publishes; nil: not compared with the store yet
	seen   time.Time           // when the store answered last
	status Status
}

// Open locks a cache, and makes it if it is not there.
func Open(o Options) (*Mirror, error) {
	dir, err := filepath.Abs(o.Dir)
	if err == nil {
		err = os.MkdirAll(filepath.Join(dir, "releases"), 0o755)
	}
	if err == nil {
		o.Dir, err = filepath.EvalSymlinks(dir)
	}
	if err != nil {
		return nil, err
	}
	lock, err := lockfile.Acquire(o.Dir, "quartierd")
	return &Mirror{o: o, lock: lock, seen: time.Now(), status: Status{State: Starting}}, err
}

// Close unlocks the cache.
func (m *Mirror) Close() error { return m.lock.Release() }

// Path is the folder of releases, which has no pointer before the first release.
func (m *Mirror) Path() string { return filepath.Join(m.o.Dir, "releases") }

func (m *Mirror) folder(c schemas.ComponentRef) string {
	return filepath.Join(m.Path(), filepath.FromSlash(c.Folder))
}

// Run follows the store until ctx ends.
func (m *Mirror) Run(ctx context.Context) {
	for pause := m.o.Every; ctx.Err() == nil; {
		err := m.follow(ctx)
		m.report(ctx, err)
		if pause = min(2*pause, longestPause*m.o.Every); err == nil || errors.Is(err, errNothing) {
			pause = m.o.Every
		}
		wait(ctx, pause/2+rand.N(pause))
	}
}

// follow makes what is published what is to be served.
func (m *Mirror) follow(ctx context.Context) error {
	named, err := m.named(ctx)
	if err != nil {
		return err
	}
	if damaged := m.suspect(); damaged || !same(named, m.placed) {
		return m.take(ctx, named, damaged)
	}
	if !m.tidied && m.Releases.Status().Generation == named.Generation {
		err = m.retain(m.o.Keep)
		m.tidied = err == nil
	}
	return err
}

func same(a, b *releases.Published) bool {
	return a != nil && b != nil && a.Release == b.Release && a.Generation == b.Generation
}

// named is what is published in the store.
func (m *Mirror) named(ctx context.Context) (*releases.Published, error) {
	limited, cancel := context.WithTimeout(ctx, answerWithin)
	defer cancel()
	named, _, err := releases.Current(limited, m.o.Store)
	if err == nil && named == nil {
		err = errNothing
	}
	if err == nil {
		m.change(func(s *Status) { m.seen, s.Named = time.Now(), named.Release })
	}
	return named, err
}

// take makes a release what is to be served, when all of it is there. After a damage what is there is read first.
func (m *Mirror) take(ctx context.Context, named *releases.Published, damaged bool) error {
	limited, cancel := context.WithTimeout(ctx, answerWithin)
	defer cancel()
	r, err := releases.Read(limited, m.o.Store, named.Release)
	if err == nil && damaged {
		err = m.repair(r)
	}
	if err == nil {
		err = m.room(r)
	}
	if err == nil {
		m.change(func(s *Status) { s.State = Fetching })
		_, _, err = releases.FetchWanted(ctx, m.o.Store, named.Release, m.Path(), m.o.Wanted)
	}
	if err != nil {
		return err
	}
	next := r.Pointer(named.Generation)
	old, err := schemas.ReadPointer(m.Path())
	placed := err == nil && old != nil && old.Generation == next.Generation && slices.Equal(old.Components, next.Components)
	if !placed || damaged {
		if err := m.offer(r, named.Generation); err != nil {
			return err
		}
		if again := m.roll(ctx, named, placed); !same(again, named) {
			return m.take(ctx, again, false)
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err := releases.Install(m.Path(), r, named.Generation); err != nil {
			return err
		}
		m.read, m.tidied = time.Now(), false
		m.o.Log.Info("release fetched", "store", m.o.Store.String(), "digest", named.Release, "generation", next.Generation)
	}
	m.change(func(*Status) { m.placed = named })
	return nil
}

// offer returns why the Holder would not take a release that is there.
func (m *Mirror) offer(r *releases.Release, generation int64) error {
	dir := filepath.Join(m.o.Dir, "offered")
	err := os.RemoveAll(dir)
	for _, c := range r.Components {
		link := filepath.Join(dir, filepath.FromSlash(c.Folder))
		err = errors.Join(err, os.MkdirAll(filepath.Dir(link), 0o755), os.Symlink(m.folder(c.ComponentRef), link))
	}
	if err == nil {
		err = releases.Install(dir, r, generation)
	}
	if err == nil {
		err = m.Releases.Offer(dir)
	}
	return err
}

// roll waits before a release replaces another one, and returns what is published then.
func (m *Mirror) roll(ctx context.Context, named *releases.Published, placed bool) *releases.Published {
	if placed || m.o.Roll <= 0 || m.Releases.Status().Digest == "" {
		return named
	}
	m.change(func(s *Status) { s.State = Rolling })
	wait(ctx, rand.N(m.o.Roll))
	if again, err := m.named(ctx); err == nil {
		return again
	}
	return named
}

// wait waits for a time or until ctx ends.
func wait(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}
