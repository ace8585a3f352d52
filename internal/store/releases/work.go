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

// begin says in the store that what is begun now, unless what may not go on beside it did not end: objects are either sent, by
// any number of pushes, or removed. What a killed process began ends when it is done again, or after a day: two that remove
// objects at once would end together.
func begin(ctx context.Context, s store.Store, what string) error {
	return work(ctx, s, func(begun map[string]time.Time) error {
		for other, since := range begun {
			if time.Since(since) > forgotten {
				delete(begun, other)
			} else if (other == retain) != (what == retain) {
				return fmt.Errorf("%w: %s: %.12s, since %s", ErrBusy, s, other, since.Format(time.RFC3339))
			}
		}
		begun[what] = time.Now().UTC().Truncate(time.Second)
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
