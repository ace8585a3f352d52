package releases

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"quartier/internal/store"
	"quartier/schemas"
)

// ErrEarlier is returned by Publish for a release whose signed generation is not after that which is published.
var ErrEarlier = errors.New("its signed generation is not after that which is published")

// mostBefore is how many earlier publications the pointer has.
const mostBefore = 200

// Published is the value of the pointer of a store.
type Published struct {
	Schema     int      `json:"schema"`
	Generation int64    `json:"generation"` // from 1, more with every publication; of the pointer of a signed release
	Release    string   `json:"release"`    // its digest
	Before     []string `json:"before"`     // what was published before, the latest first
}

// Current reads the pointer of a store and its version; nil and "" where nothing is published. ErrRecord.
func Current(ctx context.Context, s store.Store) (p *Published, version string, err error) {
	data, version, err := s.Read(ctx, schemas.PointerFile)
	if errors.Is(err, store.ErrNotFound) {
		return nil, "", nil
	}
	if err != nil {
		return nil, "", err
	}
	if p, err = decodePublished(data); err != nil {
		return nil, "", fmt.Errorf("%s in %s: %w", schemas.PointerFile, s, err)
	}
	return p, version, nil
}

func decodePublished(data []byte) (*Published, error) {
	p := new(Published)
	if err := decode(data, p); err != nil {
		return nil, err
	}
	valid := p.Schema == schema && p.Generation >= 1 && p.Before != nil && len(p.Before) <= mostBefore
	for _, digest := range append([]string{p.Release}, p.Before...) {
		valid = valid && len(digest) == 64 && store.DigestOf(store.Blob(digest)) == digest
	}
	if !valid {
		return nil, fmt.Errorf("%w: schema %d, generation %d, release %q", ErrRecord, p.Schema, p.Generation, p.Release)
	}
	return p, nil
}

// Publish makes a release of a store the one that its pointer names, if the pointer is at a version that Current returned.
// Publishing what is published changes nothing. store.ErrChanged where somebody else published meanwhile, store.ErrNotFound,
// ErrEarlier.
func Publish(ctx context.Context, s store.Store, digest, version string) (*Published, error) {
	r, err := Read(ctx, s, digest)
	if err != nil {
		return nil, err
	}
	old, at, err := Current(ctx, s)
	switch {
	case err != nil:
		return nil, err
	case at != version:
		return nil, fmt.Errorf("%w: %s of %s", store.ErrChanged, schemas.PointerFile, s)
	case old != nil && old.Release == digest:
		return old, nil
	}
	next := &Published{Schema: schema, Generation: 1, Release: digest, Before: []string{}}
	if old != nil {
		next.Generation = old.Generation + 1
		next.Before = slices.Insert(old.Before, 0, old.Release)
		next.Before = next.Before[:min(len(next.Before), mostBefore)]
	}
	if r.Signed != nil {
		if r.Signed.Generation < next.Generation && old != nil {
			return nil, fmt.Errorf("%w: generation %d, and %d is published: publish it as a new one in its folder of releases and push that",
				ErrEarlier, r.Signed.Generation, old.Generation)
		}
		next.Generation = r.Signed.Generation
	}
	value, err := canonical(next)
	if err != nil {
		return nil, err
	}
	_, err = s.Swap(ctx, schemas.PointerFile, version, value)
	return next, err
}
