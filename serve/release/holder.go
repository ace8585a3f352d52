package release

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"

	"quartier/schemas"
)

// Holder has the current release, the one that is served.
type Holder struct {
	dir     string
	log     *slog.Logger
	current atomic.Pointer[Release]

	loaded, rejected atomic.Int64
	damaged          atomic.Pointer[string] // digest of the last release that was found damaged while served
	retry            atomic.Bool            // the path is to be tried although its files have not changed

	reloading sync.Mutex
	watched   []string      // files of the last attempt, this and the following; guarded by reloading
	tried     []os.FileInfo // their states
}

// NewHolder opens the release at dir, a release folder or a folder of releases with a pointer. It can be a symbolic link
// whose target changes later. Follow verifies it in
// the background, so that startup takes no longer for a larger release.
func NewHolder(dir string, log *slog.Logger) (*Holder, error) {
	h := &Holder{dir: dir, log: log}
	return h, h.Reload(context.Background())
}

// Acquire returns the current release, which the caller must release by Done; nil if there is none: after Close, or
// after MarkDamaged until there is a valid one.
func (h *Holder) Acquire() *Release {
	for {
		r := h.current.Load()
		if r == nil || r.acquire() {
			return r
		}
	}
}

// Reload makes the release at the path the current one, unless it already is. One that replaces another is verified
// first; if it is damaged or older, or not a release, Reload fails and the current one stays. After MarkDamaged any valid
// release is accepted, even an older one or a repaired copy with the same digest.
func (h *Holder) Reload(ctx context.Context) error {
	h.reloading.Lock()
	defer h.reloading.Unlock()
	h.watched = watched(h.dir)
	h.tried = states(h.watched)
	next, err := h.open(ctx)
	if err != nil {
		h.rejected.Add(1)
		return err
	}
	if next == nil {
		return nil
	}
	old := h.current.Swap(next)
	h.loaded.Add(1)
	if old != nil {
		old.Done()
	}
	for _, c := range next.components() {
		h.log.Info("release loaded", "release", next.Manifest.Release, "generation", next.Generation, "component", c.name, "digest", c.digest, "as_of", c.asOf)
	}
	return nil
}

// open returns the release at the path; nil if it is the current one.
func (h *Holder) open(ctx context.Context) (*Release, error) {
	dir, err := filepath.EvalSymlinks(h.dir)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrRejected, err)
	}
	current := h.Acquire()
	if current != nil {
		defer current.Done()
	}
	next, err := open(dir, current)
	if err != nil {
		return nil, err
	}
	if current == nil && h.loaded.Load() == 0 {
		return next, nil
	}
	if current != nil && current.same(next) && current.Generation == next.Generation && current.Withdrawn == "" {
		next.Done()
		return nil, nil
	}
	if err := h.checkSuccessor(ctx, current, next); err != nil {
		next.Done()
		return nil, fmt.Errorf("%w: %w", ErrRejected, err)
	}
	return next, nil
}

// checkSuccessor checks that next can replace current, which may be nil.
func (h *Holder) checkSuccessor(ctx context.Context, current, next *Release) error {
	const restart = "restart the server to serve an older release"
	switch {
	case current == nil:
	case current.Generation > 0 && next.Generation > 0: // the publisher decides
		if next.Generation < current.Generation || next.Generation == current.Generation && !next.same(current) {
			return fmt.Errorf("its generation %d is not after %d of the current release; %s", next.Generation, current.Generation, restart)
		}
	case next.Manifest.AsOf < current.Manifest.AsOf:
		return fmt.Errorf("its date %s is before %s of the current release; %s", next.Manifest.AsOf, current.Manifest.AsOf, restart)
	}
	_, err := next.verify(ctx, current)
	return err
}

// changed reports whether the path has a pointer or a manifest, and other files than at the last attempt. A folder that is
// still being copied changes repeatedly.
func (h *Holder) changed() bool {
	if h.retry.Swap(false) {
		return true
	}
	h.reloading.Lock()
	defer h.reloading.Unlock()
	now := states(h.watched)
	return (now[0] != nil || now[1] != nil) && !slices.EqualFunc(now, h.tried, sameState)
}

func sameState(a, b os.FileInfo) bool {
	if a == nil || b == nil {
		return a == b
	}
	return os.SameFile(a, b) && a.ModTime().Equal(b.ModTime()) && a.Size() == b.Size()
}

// Status describes a Holder.
type Status struct {
	Release, Digest, AsOf string            // of the component places of the current release; empty without one
	Components            []ComponentStatus // of the current release
	Verified              bool              // all of its packs were read and match the manifests
	Damaged               string            // digest of the release that was served until it was found damaged; "" if there is a current release
	Loaded, Rejected      int64             // releases accepted and rejected since startup
}

// ComponentStatus describes a component of the current release.
type ComponentStatus struct {
	Name, Digest, AsOf string
	Verified           bool // all of its packs were read and match the manifest
	Damaged            bool // it was found damaged and is not served; AsOf is empty
}

// Status returns the present state.
func (h *Holder) Status() Status {
	s := Status{Loaded: h.loaded.Load(), Rejected: h.rejected.Load()}
	r := h.Acquire()
	if r == nil {
		if d := h.damaged.Load(); d != nil {
			s.Damaged = *d
		}
		return s
	}
	defer r.Done()
	s.Release, s.Digest, s.AsOf, s.Verified = r.Manifest.Release, r.Digest(), r.Manifest.AsOf, r.Withdrawn == ""
	for _, c := range r.components() {
		verified := c.verified.Load()
		s.Components = append(s.Components, ComponentStatus{c.name, c.digest, c.asOf, verified, false})
		s.Verified = s.Verified && verified
	}
	if r.Withdrawn != "" {
		s.Components = append(s.Components, ComponentStatus{Name: schemas.Market, Digest: r.Withdrawn, Damaged: true})
	}
	return s
}

// Close releases the current release. Its files are closed after the last request that uses it.
func (h *Holder) Close() {
	if r := h.current.Swap(nil); r != nil {
		r.Done()
	}
}
