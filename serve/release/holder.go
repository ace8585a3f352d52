package release

import (
	"context"
	"fmt"
	"log/slog"
	"path/filepath"
	"sync"
	"sync/atomic"

	"quartier/schemas"
)

// Holder has the current release, the one that is served.
type Holder struct {
	dir     string
	log     *slog.Logger
	current atomic.Pointer[Release]

	changing sync.Mutex  // held while current changes, so that Status has what belongs together
	counts   counts      // guarded by changing
	retry    atomic.Bool // the path is to be tried although its files have not changed

	reloading sync.Mutex
	watch     watch  // guarded by reloading
	cause     string // of the last rejection, "" after a success; guarded by reloading
}

// counts is what Status has of earlier releases.
type counts struct {
	loaded, rejected int64
	refused          bool   // what is at the path was rejected, and is not what is served
	damaged          string // digest of the last release that was found damaged while served
}

// NewHolder opens the release at dir, a release folder or a folder of releases with a pointer. It can be a symbolic link
// whose target changes later. Follow verifies it in the background, so that startup takes no longer for a larger release.
// Where there is no valid release, the error is that of Open, and the Holder can be used: it has no current release until
// Follow finds one.
func NewHolder(dir string, log *slog.Logger) (*Holder, error) {
	h := &Holder{dir: dir, log: log}
	h.reloading.Lock()
	defer h.reloading.Unlock()
	_, err := h.attempt(context.Background(), func(context.Context, *Release) error { return nil })
	return h, err
}

// Acquire returns the current release, which the caller must release by Done; nil if there is none: before the first valid
// one, after Close, or after MarkDamaged until there is a valid one.
func (h *Holder) Acquire() *Release {
	for {
		r := h.current.Load()
		if r == nil || r.acquire() {
			return r
		}
	}
}

// Reload makes the release at the path the current one, unless it already is. It is verified first; if it is damaged, not a
// release, or of an earlier generation, Reload fails and the current one stays. After MarkDamaged any valid release is
// accepted, even one of an earlier generation or a repaired copy with the same digest.
func (h *Holder) Reload(ctx context.Context) error {
	_, err := h.reload(ctx)
	return err
}

// reload is Reload. It reports whether an error is another one than that of the last attempt.
func (h *Holder) reload(ctx context.Context) (news bool, err error) {
	h.reloading.Lock()
	defer h.reloading.Unlock()
	return h.attempt(ctx, func(ctx context.Context, next *Release) error {
		current := h.Acquire()
		if current != nil {
			defer current.Done()
		}
		if _, err := next.verify(ctx, current); err != nil {
			return err
		}
		return readingMapped(func() error { next.prepare(); return nil })
	})
}

// attempt serves the release at the path if check accepts it.
func (h *Holder) attempt(ctx context.Context, check func(context.Context, *Release) error) (news bool, err error) {
	h.watch.begin(h.dir)
	next, err := h.open()
	if err == nil && next != nil {
		if err = check(ctx, next); err != nil {
			next.Done()
			err = fmt.Errorf("%w: %w", ErrRejected, err)
		}
	}
	if err != nil && ctx.Err() != nil {
		return false, ctx.Err()
	}
	if err != nil {
		return h.reject(err), err
	}
	h.watch.done()
	h.cause = ""
	h.serve(next)
	return false, nil
}

// reject counts a rejection for another reason than that of the last attempt, and reports whether it is one.
func (h *Holder) reject(err error) (news bool) {
	h.changing.Lock()
	defer h.changing.Unlock()
	news = err.Error() != h.cause
	if h.cause = err.Error(); news {
		h.counts.rejected++
	}
	h.counts.refused = true
	return news
}

// open opens the release at the path; nil if it is the current one.
func (h *Holder) open() (*Release, error) {
	dir, err := filepath.EvalSymlinks(h.dir)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrRejected, err)
	}
	current := h.Acquire()
	if current != nil {
		defer current.Done()
	}
	next, err := open(dir, current)
	if err != nil || current == nil {
		return next, err
	}
	if current.same(next) {
		next.Done()
		return nil, nil
	}
	late := next.Generation < current.Generation || next.Generation == current.Generation && !current.equal(next)
	if late && current.Generation > 0 && next.Generation > 0 {
		next.Done()
		return nil, fmt.Errorf("%w: its generation %d is not after %d of the current release; restart the server to serve it",
			ErrRejected, next.Generation, current.Generation)
	}
	return next, nil
}

// serve makes a release the current one; nil: what is served is at the path. A component of an earlier date is served,
// because the generation decides, and it is logged.
func (h *Holder) serve(next *Release) {
	h.changing.Lock()
	h.counts.refused = false
	if next == nil {
		h.changing.Unlock()
		return
	}
	h.counts.loaded++
	old := h.current.Swap(next)
	h.changing.Unlock()
	h.log.Info("release loaded", "release", next.Manifest.Release, "generation", next.Generation, "components", next.refs())
	if old == nil {
		return
	}
	for _, c := range next.parts {
		if was := old.component(c.Name); was != nil && c.AsOf < was.AsOf {
			h.log.Warn("a component is older than the one before", "component", c.Name, "as_of", c.AsOf, "before", was.AsOf, "generation", next.Generation)
		}
	}
	old.Done()
}

// Status describes a Holder.
type Status struct {
	Release, Digest, AsOf string            // of the component places of the current release; empty without one
	Generation            int64             // of the pointer; 0: served without one
	Components            []ComponentStatus // of the current release, in the order of schemas.Components
	Verified              bool              // all of its packs were read and match the manifests
	Damaged               string            // digest of the release that was served until it was found damaged; "" if there is a current release
	Refused               bool              // what is at the path now was rejected, and is not what is served
	Loaded, Rejected      int64             // releases accepted and rejected since startup
}

// ComponentStatus describes a component of the current release.
type ComponentStatus struct {
	Name, Digest, AsOf string
	Verified           bool // all of its packs were read and match the manifest
	Withdrawn          bool // it or that for which it is made was found damaged, and it is not served
}

// Status returns the present state.
func (h *Holder) Status() Status {
	h.changing.Lock()
	r, counts := h.Acquire(), h.counts
	h.changing.Unlock()
	s := Status{Refused: counts.refused, Loaded: counts.loaded, Rejected: counts.rejected}
	if r == nil {
		s.Damaged = counts.damaged
		return s
	}
	defer r.Done()
	s.Release, s.Digest, s.AsOf, s.Generation, s.Verified = r.Manifest.Release, r.Digest(), r.Manifest.AsOf, r.Generation, true
	for _, name := range schemas.Components {
		component := ComponentStatus{Name: name}
		if c := r.component(name); c != nil {
			component.Digest, component.AsOf, component.Verified = c.Digest, c.AsOf, c.verified.Load()
		} else if ref, ok := r.withdrawnOf(name); ok {
			component.Digest, component.AsOf, component.Withdrawn = ref.Digest, ref.AsOf, true
		} else {
			continue
		}
		s.Verified = s.Verified && component.Verified
		s.Components = append(s.Components, component)
	}
	return s
}

// Close releases the current release. Its files are closed after the last request that uses it.
func (h *Holder) Close() {
	if r := h.current.Swap(nil); r != nil {
		r.Done()
	}
}
