package release

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"quartier/internal/signature"
	"quartier/schemas"
)

// Options of a Holder.
type Options struct {
	Dir      string          // a release folder or a folder of releases with a pointer, or a symbolic link whose target changes later
	Log      *slog.Logger    // of what is served, refused and withdrawn
	Patience time.Duration   // after which Hold leaves the verification of the first release to Follow; 0: never
	Record   string          // file that remembers which packs were verified, for the next start; "": none
	Trust    signature.Trust // keys of which one must have signed every component and the pointer; none: no signature is needed
	Tiles    bool            // archives of tiles are opened and verified, too
	NoTiles  bool            // with Tiles: a folder may lack them, although its manifest lists them
	Scrub    int64           // bytes a second at which Follow reads what is served again; 0: it does not
}

// Holder has the current release, the one that is served.
type Holder struct {
	dir     string
	log     *slog.Logger
	scrubAt int64
	known   *record
	opening opening
	current atomic.Pointer[Release]

	changing         sync.Mutex   // held while current changes, so that Status has what belongs together
	counts           counts       // guarded by changing
	retry            atomic.Bool  // the path is to be tried although its files have not changed
	scrubbed, scrubs atomic.Int64 // bytes read again, and releases of which all was

	reloading sync.Mutex
	watch     watch  // guarded by reloading
	cause     string // of the last rejection, "" after a success; guarded by reloading
}

// counts is what Status has of earlier releases.
type counts struct {
	loaded, rejected int64
	refused          bool   // what is at the path was rejected, and is not what is served
	damaged          string // digest of the last release that was found damaged while served, or as the first one
	verifying        bool   // nothing is served, and what is at the path is being verified
}

// NewHolder is Hold with the other options absent.
func NewHolder(dir string, log *slog.Logger) (*Holder, error) {
	return Hold(Options{Dir: dir, Log: log})
}

// Hold opens the release at a path, verifies it and makes it the current one. If that takes longer than o.Patience there is
// no current release until Follow has verified it. Where there is no valid release, the error is that of Open, and the
// Holder can be used: it has no current release until Follow finds one.
func Hold(o Options) (*Holder, error) {
	known, err := openRecord(o.Record)
	if err != nil {
		o.Log.Warn("the record of verified packs cannot be read; they are read again", "error", err)
	}
	h := &Holder{dir: o.Dir, log: o.Log, scrubAt: o.Scrub, known: known, opening: opening{trust: o.Trust, tiles: o.Tiles, noTiles: o.NoTiles}}
	ctx, cancel := context.Background(), context.CancelFunc(func() {})
	if o.Patience > 0 {
		ctx, cancel = context.WithTimeout(ctx, o.Patience)
	}
	defer cancel()
	if _, err = h.reload(ctx); errors.Is(err, context.DeadlineExceeded) {
		h.change(func(c *counts) { c.verifying = true })
		h.retry.Store(true)
		return h, nil
	}
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
// accepted, a repaired copy with the same digest, or unless Options.Trust is set even one of an earlier generation.
func (h *Holder) Reload(ctx context.Context) error {
	_, err := h.reload(ctx)
	return err
}

// reload is Reload. It reports whether an error is another one than that of the last attempt.
func (h *Holder) reload(ctx context.Context) (news bool, err error) {
	h.reloading.Lock()
	defer h.reloading.Unlock()
	h.watch.begin(h.dir)
	next, err := h.open(h.dir)
	if err == nil && next != nil {
		h.change(func(c *counts) { c.verifying = true })
		if next, err = h.check(ctx, next); err != nil {
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
	h.counts.refused, h.counts.verifying = true, false
	return news
}

// change changes what Status has.
func (h *Holder) change(do func(*counts)) {
	h.changing.Lock()
	defer h.changing.Unlock()
	do(&h.counts)
}

// check verifies a release that is to be served, beside requests or, while there is nothing to serve, with all processors.
// The first release of a server is accepted without components that are damaged, as long as that of places is not. Of a
// release that is not accepted the files are closed.
func (h *Holder) check(ctx context.Context, next *Release) (*Release, error) {
	current := h.Acquire()
	pace := besideRequests
	if current == nil {
		pace = nil
	} else {
		defer current.Done()
	}
	first := false
	h.change(func(c *counts) { first = c.loaded == 0 })
	for {
		damaged, err := next.verify(ctx, next.beyond(current), h.known, pace)
		if err == nil {
			err = readingMapped(func() error { next.prepare(); return nil })
		}
		if err == nil {
			return next, nil
		}
		var rest *Release
		if first && damaged != nil && ctx.Err() == nil {
			h.reportDamage(damaged, false, err)
			if rest = next.without(damaged); rest == nil {
				h.change(func(c *counts) { c.damaged = damaged.Digest })
			}
		}
		next.Done()
		if rest == nil {
			return nil, err
		}
		next = rest
	}
}

// Offer returns the error with which Reload would reject the release at another path before it reads its packs; nil: none.
func (h *Holder) Offer(dir string) error {
	next, err := h.open(dir)
	if next != nil {
		next.Done()
	}
	return err
}

// open opens the release at a path; nil if it is the current one.
func (h *Holder) open(dir string) (*Release, error) {
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrRejected, err)
	}
	current := h.Acquire()
	if current != nil {
		defer current.Done()
	}
	how := h.opening
	if len(how.trust) > 0 {
		how.since = h.known.generation()
	}
	next, err := open(dir, current, how)
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
	h.counts.refused, h.counts.verifying = false, false
	if next == nil {
		h.changing.Unlock()
		return
	}
	h.counts.loaded++
	old := h.current.Swap(next)
	h.changing.Unlock()
	if len(next.withdrawn) > 0 {
		h.retry.Store(true) // so that it is refused as it is
	}
	if err := h.known.keep(next.packs(), next.Generation); err != nil {
		h.log.Warn("the record of verified packs cannot be written; the next start reads them again", "error", err)
	}
	h.log.Info("release loaded", "release", next.Manifest.Release, "generation", next.Generation, "components", next.refs())
	if old == nil {
		return
	}
	for _, c := range next.parts {
		if was := old.component(c.Name); was != nil && c.AsOf < was.AsOf {
			h.log.Warn("a component is older than the one before", "component", c.Name, "as_of", c.AsOf, "before", was.AsOf, "generation",
				next.Generation)
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
	// digest of the release that was served until it was found damaged; "" if there is a current release
	Damaged          string
	Verifying        bool  // nothing is served yet: what is at the path is being verified
	Refused          bool  // what is at the path now was rejected, and is not what is served
	Loaded, Rejected int64 // releases accepted and rejected since startup
	Scrubbed, Scrubs int64 // bytes that were read again since startup, and how often all of the release was
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
	s := Status{Refused: counts.refused, Loaded: counts.loaded, Rejected: counts.rejected, Scrubbed: h.scrubbed.Load(),
		Scrubs: h.scrubs.Load()}
	if r == nil {
		s.Damaged, s.Verifying = counts.damaged, counts.verifying
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
