package releases

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"quartier/internal/store"
)

// ErrBusy is returned by Push while objects are being removed from the store, and by Retain while some are being sent.
var ErrBusy = errors.New("somebody else works in the store")

const (
	workPointer = "work.json"
	retain      = "retain"       // what is begun by Retain; else it is the digest of a release that is being sent
	forgotten   = 24 * time.Hour // after which what did not end holds nobody back
)

// silence is the time after which a Retain that did not renew what it began is taken for killed.
var silence = 30 * time.Second

// begin says in the store that what is begun now, unless what may not go on beside it did not end: objects are either sent, by
// any number of pushes, or removed, by one process. What a killed process began ends when it is done again, or after a day.
func begin(ctx context.Context, s store.Store, what string) error {
	return work(ctx, s, func(begun map[string]time.Time) error {
		return add(begun, s, what, time.Now().UTC().Truncate(time.Second))
	})
}

// add adds what is begun. ErrBusy.
func add(begun map[string]time.Time, s store.Store, what string, now time.Time) error {
	for other, since := range begun {
		if time.Since(since) > forgotten {
			delete(begun, other)
		} else if (other == retain) != (what == retain) {
			return fmt.Errorf("%w: %s: %.12s, since %s", ErrBusy, s, other, since.Format(time.RFC3339))
		}
	}
	begun[what] = now
	return nil
}

// removing is a Retain under way. It renews what it began, so that another process knows that it goes on.
type removing struct {
	s  store.Store
	at time.Time // what is begun
}

// beginRemoving is begin for a Retain. Where one was begun that did not end, it waits for a sign of it. ErrBusy.
func beginRemoving(ctx context.Context, s store.Store) (*removing, error) {
	r, other := &removing{s: s, at: time.Now().UTC()}, time.Time{}
	err := work(ctx, s, func(begun map[string]time.Time) error {
		if other = begun[retain]; !other.IsZero() {
			return nil
		}
		return add(begun, s, retain, r.at)
	})
	if err != nil || other.IsZero() {
		return r, err
	}
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-time.After(silence):
		r.at = other
		return r, r.renew(ctx)
	}
}

// renew says that the Retain goes on. ErrBusy where another one does.
func (r *removing) renew(ctx context.Context) error {
	now := time.Now().UTC()
	err := work(ctx, r.s, func(begun map[string]time.Time) error {
		if at := begun[retain]; !at.Equal(r.at) {
			return fmt.Errorf("%w: %s: another process removes objects: run this again when it has ended", ErrBusy, r.s)
		}
		begun[retain] = now
		return nil
	})
	r.at = now
	return err
}

// goesOn renews what is begun when it is time. nil: nothing is removed.
func (r *removing) goesOn(ctx context.Context) error {
	if r == nil || time.Since(r.at) < silence/4 {
		return nil
	}
	return r.renew(ctx)
}

// end says that it is done, unless another one does it.
func (r *removing) end(ctx context.Context) error {
	return work(ctx, r.s, func(begun map[string]time.Time) error {
		if begun[retain].Equal(r.at) {
			delete(begun, retain)
		}
		return nil
	})
}

// end says that what is done.
func end(ctx context.Context, s store.Store, what string) error {
	return work(ctx, s, func(begun map[string]time.Time) error {
		delete(begun, what)
		return nil
	})
}

// work changes what is begun, again where another one changed it meanwhile.
func work(ctx context.Context, s store.Store, change func(map[string]time.Time) error) error {
	for {
		begun := map[string]time.Time{}
		value, version, err := s.Read(ctx, workPointer)
		if err == nil {
			err = json.Unmarshal(value, &begun)
		} else if errors.Is(err, store.ErrNotFound) {
			err = nil
		}
		if err == nil {
			err = change(begun)
		}
		if err == nil {
			value, err = canonical(begun)
		}
		if err == nil {
			_, err = s.Swap(ctx, workPointer, version, value)
		}
		if !errors.Is(err, store.ErrChanged) {
			return err
		}
	}
}
