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
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"

	"quartier/internal/signature"
	"quartier/schemas"
)

// ErrRejected is wrapped by every error about a folder that cannot be served.
var ErrRejected = errors.New("release rejected")

// Release is an open release. Its tables can be used between Holder.Acquire and Done.
type Release struct {
	*Places
	Private       *Private // nil: none, or withdrawn
	Market        *Market  // nil: none, or withdrawn
	PrivateMarket *Market  // of Private; nil: none, or withdrawn
	Generation    int64    // of the pointer; 0: opened without one

	parts     []*component           // open, in the order of schemas.Components
	withdrawn []schemas.ComponentRef // found damaged while served, and those beside them

	opening              // of its components
	users   atomic.Int64 // requests that use it, plus one while it is current; closed at 0
}

// opening is how the components of a release are opened.
type opening struct {
	trust   signature.Trust // keys of which one must have signed them and the pointer; none: no signature is needed
	since   int64           // with trust, the earliest generation that is opened
	tiles   bool            // with the archives of tiles, where they have them
	noTiles bool            // of which a folder may lack some
}

// Open opens the release at dir: the components that the pointer in dir names, or the component places in dir. Manifests
// must be valid, and packs must have a valid structure and the sizes and counts of the manifest. Open does not read all
// bytes of the packs, which Verify does.
func Open(dir string) (*Release, error) { return open(dir, nil, opening{}) }

// open is Open. Components that current has, which may be nil, are not opened again; others must be signed as how says.
func open(dir string, current *Release, how opening) (*Release, error) {
	pointer, err := schemas.ReadPointer(dir)
	r := &Release{opening: how}
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

func (r *Release) open(dir string, pointer *schemas.Pointer, current *Release) error {
	if pointer == nil {
		if r.since > 0 {
			return fmt.Errorf("%s is gone, of which generation %d was served; a server of one release needs a --verified file of its own",
				schemas.PointerFile, r.since)
		}
		if _, err := os.Stat(filepath.Join(dir, schemas.ManifestFile)); errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("%s has neither %s nor %s", dir, schemas.PointerFile, schemas.ManifestFile)
		}
		pointer = &schemas.Pointer{Components: []schemas.ComponentRef{{Name: schemas.Places}}}
	}
	if err := r.trusts(dir, pointer); err != nil {
		return err
	}
	r.Generation = pointer.Generation
	for _, ref := range pointer.Components {
		c, err := r.share(ref, current)
		if c == nil && err == nil {
			c, err = openComponent(filepath.Join(dir, filepath.FromSlash(ref.Folder)), ref, r)
		}
		if err != nil {
			return err
		}
		r.add(c)
	}
	return nil
}

// trusts returns an error unless a trusted key signed the pointer in dir and its generation is not one of before. Without that,
// who can write to the folder could bring back what was published once.
func (r *Release) trusts(dir string, p *schemas.Pointer) error {
	if len(r.trust) == 0 || p.Generation == 0 {
		return nil
	}
	digest, err := p.Digest()
	if err == nil {
		err = r.trust.Check(schemas.PointerSignatures(dir, p.Generation), signature.Pointer, digest)
	}
	if err == nil && p.Generation < r.since {
		err = fmt.Errorf("generation %d was followed by %d, which was served: quartier rollback makes a new generation of it",
			p.Generation, r.since)
	}
	return err
}

// share returns a component of current, if it has it.
func (r *Release) share(ref schemas.ComponentRef, current *Release) (*component, error) {
	if current == nil {
		return nil, nil
	}
	c := current.component(ref.Name)
	if c == nil || c.Digest != ref.Digest {
		return nil, nil
	}
	if err := c.fits(r); err != nil || !c.acquire() {
		return nil, err
	}
	return c, nil
}

// add adds an open component, of which r is now a user.
func (r *Release) add(c *component) {
	c.attach(r)
	r.parts = append(r.parts, c)
}

// component is the open component of a name; nil: none.
func (r *Release) component(name string) *component {
	for _, c := range r.parts {
		if c.Name == name {
			return c
		}
	}
	return nil
}

// without is the same release without a damaged component and those beside it; nil where nothing is left, or r is closed.
func (r *Release) without(damaged *component) *Release {
	next := &Release{Generation: r.Generation, withdrawn: slices.Clone(r.withdrawn)}
	for _, c := range r.parts {
		if c == damaged || next.Withdrawn(c.beside) {
			next.withdrawn = append(next.withdrawn, c.ComponentRef)
		} else if c.acquire() {
			next.add(c)
		}
	}
	if next.Places == nil {
		next.close()
		return nil
	}
	next.users.Store(1)
	return next
}

// prepare makes what is otherwise made by the first request that needs it.
func (r *Release) prepare() { r.prepareRegions() }

// Withdrawn reports whether a component was found damaged, or that for which it is made, and is not served any more.
func (r *Release) Withdrawn(name string) bool {
	_, ok := r.withdrawnOf(name)
	return ok
}

func (r *Release) withdrawnOf(name string) (schemas.ComponentRef, bool) {
	return (&schemas.Pointer{Components: r.withdrawn}).Component(name)
}

// Digest identifies the content of the component places, 64 hexadecimal digits.
func (r *Release) Digest() string { return r.Manifest.Digest }

// served names a component in the log.
type served struct {
	Name   string `json:"name"`
	Digest string `json:"digest"`
	AsOf   string `json:"as_of"`
}

// refs are the components that are served.
func (r *Release) refs() []served {
	var list []served
	for _, c := range r.parts {
		list = append(list, served{c.Name, c.Digest, c.AsOf})
	}
	return list
}

// same reports whether two releases are of the same generation and components, all of which are served.
func (r *Release) same(other *Release) bool {
	return len(r.withdrawn) == 0 && r.Generation == other.Generation && r.equal(other)
}

// equal reports whether two releases have the same components, whether or not all are served.
func (r *Release) equal(other *Release) bool {
	for _, name := range schemas.Components {
		if r.digestOf(name) != other.digestOf(name) {
			return false
		}
	}
	return true
}

// digestOf is the digest of a component, served or withdrawn; "": none.
func (r *Release) digestOf(name string) string {
	if c := r.component(name); c != nil {
		return c.Digest
	}
	ref, _ := r.withdrawnOf(name)
	return ref.Digest
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
	for _, c := range r.parts {
		c.done()
	}
}
