// Package release opens releases for the server, and replaces the current one while requests run. Input: the path of a
// release folder, or of a folder of releases with a pointer. Output: the tables of a release, open until the last request
// that uses them ends.
//
// A release is a set of components. Two releases that have a component in common share its open files, so that one
// component can be replaced without the other.
package release

import (
	"errors"
	"fmt"
	"path/filepath"
	"sync/atomic"

	"quartier/schemas"
)

// ErrRejected is wrapped by every error about a folder that cannot be served.
var ErrRejected = errors.New("release rejected")

// Release is an open release. Its tables can be used between Holder.Acquire and Done.
type Release struct {
	*Places
	Market     *Market // nil: none, or Withdrawn
	Withdrawn  string  // digest of a market that was found damaged while served; "": none
	Generation int64   // of the pointer; 0: opened without one

	users atomic.Int64 // requests that use it, plus one while it is current; closed at 0
}

// Open opens the release at dir: the components that the pointer in dir names, or the component places in dir. Manifests
// must be valid, and packs must have a valid structure and the sizes and counts of the manifest. Open does not read all
// bytes of the packs, which Verify does.
func Open(dir string) (*Release, error) { return open(dir, nil) }

// open is Open. Components that current has, which may be nil, are not opened again.
func open(dir string, current *Release) (*Release, error) {
	pointer, err := schemas.ReadPointer(dir)
	r := &Release{}
	if err == nil {
		err = r.open(dir, pointer, current)
	}
	if err != nil {
		r.close()
		return nil, fmt.Errorf("%w: %w", ErrRejected, err)
	}
	r.users.Store(1)
	return r, nil
}

func (r *Release) open(dir string, pointer *schemas.Pointer, current *Release) (err error) {
	if pointer == nil {
		r.Places, err = openPlaces(dir)
		return err
	}
	r.Generation = pointer.Generation
	for _, ref := range pointer.Components {
		if r.share(ref, current) {
			continue
		}
		folder := filepath.Join(dir, filepath.FromSlash(ref.Folder))
		if ref.Name == schemas.Places {
			r.Places, err = openPlaces(folder)
		} else {
			r.Market, err = openMarket(folder, r.Places)
		}
		if err != nil {
			return err
		}
	}
	for i, c := range r.components() {
		if ref := pointer.Components[i]; c.digest != ref.Digest || c.asOf != ref.AsOf {
			return fmt.Errorf("%s has the component %.12s of %s, %s names %.12s of %s: publish it again",
				c.dir, c.digest, c.asOf, schemas.PointerFile, ref.Digest, ref.AsOf)
		}
	}
	return nil
}

// share takes a component from current, if it has it.
func (r *Release) share(ref schemas.ComponentRef, current *Release) bool {
	if current == nil {
		return false
	}
	for _, c := range current.components() {
		if c.name != ref.Name || c.digest != ref.Digest || !c.acquire() {
			continue
		}
		switch c {
		case &current.Places.component:
			r.Places = current.Places
		default:
			r.Market = current.Market
		}
		return true
	}
	return false
}

// components are the open components: places, then market.
func (r *Release) components() []*component {
	var list []*component
	if r.Places != nil {
		list = append(list, &r.Places.component)
	}
	if r.Market != nil {
		list = append(list, &r.Market.component)
	}
	return list
}

// withoutMarket is the same release without its market, which is damaged.
func (r *Release) withoutMarket() *Release {
	if !r.Places.component.acquire() {
		return nil
	}
	next := &Release{Places: r.Places, Withdrawn: r.Market.component.digest, Generation: r.Generation}
	next.users.Store(1)
	return next
}

// marketDigest is the digest of its market, whether or not it was withdrawn; "" without one.
func (r *Release) marketDigest() string {
	if r.Market != nil {
		return r.Market.component.digest
	}
	return r.Withdrawn
}

// Digest identifies the content of the component places, 64 hexadecimal digits.
func (r *Release) Digest() string { return r.Manifest.Digest }

// same reports whether two releases have the same components.
func (r *Release) same(other *Release) bool {
	return r.Digest() == other.Digest() && r.marketDigest() == other.marketDigest()
}

// acquire adds a user; false if the release is closed.
func (r *Release) acquire() bool { return increase(&r.users) }

// Done removes a user. The last one closes the files that no other release shares.
func (r *Release) Done() {
	if r.users.Add(-1) == 0 {
		r.close()
	}
}

func (r *Release) close() {
	for _, c := range r.components() {
		c.done()
	}
}
