package releases

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"quartier/internal/store"
)

// Retention says what Retain keeps.
type Retention struct {
	Keep        int  // as many of the last published releases, at least 1
	Unpublished bool // those that were never published are removed too
	Dry         bool // nothing is removed
}

// Retained is what becomes of a release of a store.
type Retained struct {
	Digest, AsOf string // of the release; of its component places
	Bytes        int64
	Remove       bool
	Why          string
}

// Retain removes the releases of a store that were published and are not among the last, and then the objects that no other one
// lists, which it counts. ErrBusy while a release is being sent, or another process removes some: what is being sent is safe. What a
// killed one began is known after silence, and done again.
func Retain(ctx context.Context, s store.Store, o Retention) (list []Retained, objects, bytes int64, err error) {
	if o.Keep < 1 {
		return nil, 0, 0, fmt.Errorf("keep %d: at least the published release is kept", o.Keep)
	}
	var under *removing // nil: nothing is removed
	if !o.Dry {
		if under, err = beginRemoving(ctx, s); err != nil {
			return nil, 0, 0, err
		}
		defer func() { err = errors.Join(err, under.end(context.WithoutCancel(ctx))) }()
	}
	list, needed, err := judge(ctx, s, o, under)
	if err != nil {
		return nil, 0, 0, err
	}
	for _, r := range list {
		if r.Remove && !o.Dry {
			if err := under.goesOn(ctx); err != nil {
				return nil, 0, 0, err
			}
			if err := s.Delete(ctx, Record(r.Digest)); err != nil {
				return nil, 0, 0, err
			}
		}
	}
	for o1, err := range s.List(ctx, "objects/") {
		if err = errors.Join(err, under.goesOn(ctx)); err != nil {
			return nil, 0, 0, err
		}
		if digest := store.DigestOf(o1.Name); digest == "" || needed[digest] {
			continue
		}
		if objects, bytes = objects+1, bytes+o1.Bytes; !o.Dry {
			if err := s.Delete(ctx, o1.Name); err != nil {
				return nil, 0, 0, err
			}
		}
	}
	return list, objects, bytes, nil
}

// judge says what becomes of each release, by digest, and which objects those have that are kept.
func judge(ctx context.Context, s store.Store, o Retention, under *removing) (list []Retained, needed map[string]bool, err error) {
	p, _, err := Current(ctx, s)
	if err != nil {
		return nil, nil, err
	}
	var published []string // the latest first, each once
	if p != nil {
		for _, digest := range append([]string{p.Release}, p.Before...) {
			if !slices.Contains(published, digest) {
				published = append(published, digest)
			}
		}
	}
	digests, err := List(ctx, s)
	if err != nil {
		return nil, nil, err
	}
	needed = map[string]bool{}
	for _, digest := range digests {
		r, err := Read(ctx, s, digest)
		if err = errors.Join(err, under.goesOn(ctx)); err != nil {
			return nil, nil, err
		}
		one := Retained{Digest: digest, AsOf: r.Components[0].AsOf}
		switch i := slices.Index(published, digest); {
		case i == 0:
			one.Why = "published"
		case i < 0:
			one.Remove, one.Why = o.Unpublished, "never published"
		default:
			one.Remove, one.Why = i >= o.Keep, fmt.Sprintf("published %d before", i)
		}
		for _, c := range r.Components {
			for _, f := range c.Files {
				one.Bytes += f.Bytes
				needed[f.SHA256] = needed[f.SHA256] || !one.Remove
			}
		}
		list = append(list, one)
	}
	return list, needed, nil
}
