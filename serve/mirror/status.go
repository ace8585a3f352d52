package mirror

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"slices"
	"syscall"
	"time"

	"quartier/internal/store"
	"quartier/internal/store/releases"
	"quartier/serve/release"
)

// States of a Mirror. In those from Away on it tries again, and what is served stays.
const (
	Starting = "starting"
	Followed = "followed" // what is published is served, or read for that
	Fetching = "fetching"
	Rolling  = "rolling"     // all is there, and waits for its turn
	Away     = "store away"  // or slow, cut in the middle, or nothing is published in it
	Wrong    = "wrong bytes" // of a release in the store, or absent ones
	Full     = "disk full"
	Refused  = "refused" // by the Holder: not signed, of an earlier generation, of another layout
	Failed   = "failed"  // otherwise, such as a cache that cannot be written
)

// States are all of them.
var States = []string{Starting, Followed, Fetching, Rolling, Away, Wrong, Full, Refused, Failed}

// errNothing is for a store in which nothing is published.
var errNothing = errors.New("nothing is published in the store")

// stateOf is the state after a look at the store.
func stateOf(err error) string {
	is := func(targets ...error) bool {
		return slices.ContainsFunc(targets, func(target error) bool { return errors.Is(err, target) })
	}
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case err == nil:
		return Followed
	case is(errFull, syscall.ENOSPC, syscall.EDQUOT):
		return Full
	case is(store.ErrDigest, store.ErrNotFound, releases.ErrRecord):
		return Wrong
	case is(release.ErrRejected):
		return Refused
	case is(releases.ErrOccupied), errors.As(err, &path), errors.As(err, &link):
		return Failed
	}
	return Away
}

// Status describes a Mirror.
type Status struct {
	State  string        // one of States
	Served string        // digest of the release of the store that is served; "": none, or not compared with the store yet
	Named  string        // digest of the release that the store named last; "": none since the start
	Age    time.Duration // since the store answered, or since the start
	Failed int64         // looks at the store that failed since the start
}

// Status returns the present state.
func (m *Mirror) Status() Status {
	served := m.Releases.Status()
	m.mu.Lock()
	defer m.mu.Unlock()
	if served.Digest == "" {
		m.status.Served = ""
	} else if m.placed != nil && m.placed.Generation == served.Generation {
		m.status.Served = m.placed.Release
	}
	m.status.Age = time.Since(m.seen)
	return m.status
}

func (m *Mirror) change(do func(*Status)) {
	m.mu.Lock()
	defer m.mu.Unlock()
	do(&m.status)
}

// logAgain is the time after which a failure that stays is logged again.
var logAgain = 10 * time.Minute

// report notes how a look at the store ended. A failure is logged when it is another one than before, and now and then.
func (m *Mirror) report(ctx context.Context, err error) {
	if ctx.Err() != nil {
		return
	}
	now, was := m.Status(), m.reported
	m.reported = stateOf(err)
	m.change(func(s *Status) {
		if s.State = m.reported; err != nil {
			s.Failed++
		}
	})
	switch {
	case err != nil && (m.reported != was || time.Since(m.logged) > logAgain):
		m.logged = time.Now()
		m.o.Log.Error("the store is not followed; what is served stays", "store", m.o.Store.String(), "state", m.reported,
			"served", now.Served, "named", now.Named, "error", err)
	case err == nil && was != Followed && was != "":
		m.o.Log.Info("the store is followed again", "store", m.o.Store.String(), "served", now.Served)
	}
}
