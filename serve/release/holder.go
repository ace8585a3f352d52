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
	verified         atomic.Pointer[string] // digest of the last release that was verified
	damaged          atomic.Pointer[string] // digest of the last release that was found damaged while served
	retry            atomic.Bool            // the path is to be tried although its files have not changed

	reloading sync.Mutex
	tried     []os.FileInfo // files of the last attempt; guarded by reloading
}

// NewHolder opens the release at dir, which can be a symbolic link whose target changes later. Follow verifies it in
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
	h.tried = h.files()
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
	h.log.Info("release loaded", "release", next.Manifest.Release, "digest", next.Digest(), "as_of", next.Manifest.AsOf)
	return nil
}

// open returns the release at the path; nil if it is the current one.
func (h *Holder) open(ctx context.Context) (*Release, error) {
	dir, err := filepath.EvalSymlinks(h.dir)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrRejected, err)
	}
	next, err := Open(dir)
	if err != nil {
		return nil, err
	}
	current := h.current.Load()
	if current == nil && h.loaded.Load() == 0 {
		return next, nil
	}
	if current != nil && current.Digest() == next.Digest() {
		next.Done()
		return nil, nil
	}
	if err := h.checkSuccessor(ctx, current, next); err != nil {
		next.Done()
		return nil, fmt.Errorf("%w: %w", ErrRejected, err)
	}
	h.verified.Store(&next.Manifest.Digest)
	return next, nil
}

// checkSuccessor checks that next can replace current, which may be nil.
func (h *Holder) checkSuccessor(ctx context.Context, current, next *Release) error {
	if current != nil && next.Manifest.AsOf < current.Manifest.AsOf {
		return fmt.Errorf("its date %s is before %s of the current release; restart the server to serve an older release", next.Manifest.AsOf, current.Manifest.AsOf)
	}
	return next.Verify(ctx)
}

// files describes the manifest and the packs at the path, with symbolic links resolved; nil for one that is missing.
func (h *Holder) files() []os.FileInfo {
	var found []os.FileInfo
	for _, name := range append([]string{schemas.ManifestFile}, packs...) {
		info, err := os.Stat(filepath.Join(h.dir, name))
		if err != nil {
			info = nil
		}
		found = append(found, info)
	}
	return found
}

// changed reports whether the path has a manifest, and other files than at the last attempt. A folder that is still
// being copied changes repeatedly.
func (h *Holder) changed() bool {
	if h.retry.Swap(false) {
		return true
	}
	h.reloading.Lock()
	defer h.reloading.Unlock()
	now := h.files()
	return now[0] != nil && !slices.EqualFunc(now, h.tried, sameState)
}

func sameState(a, b os.FileInfo) bool {
	if a == nil || b == nil {
		return a == b
	}
	return os.SameFile(a, b) && a.ModTime().Equal(b.ModTime()) && a.Size() == b.Size()
}

// Status describes a Holder.
type Status struct {
	Release, Digest, AsOf string // of the current release; empty without one
	Verified              bool   // all of its packs were read and match the manifest
	Damaged               string // digest of the release that was served until it was found damaged; "" if there is a current release
	Loaded, Rejected      int64  // releases accepted and rejected since startup
}

// Status returns the present state.
func (h *Holder) Status() Status {
	s := Status{Loaded: h.loaded.Load(), Rejected: h.rejected.Load()}
	if r := h.current.Load(); r != nil {
		s.Release, s.Digest, s.AsOf = r.Manifest.Release, r.Digest(), r.Manifest.AsOf
		if v := h.verified.Load(); v != nil {
			s.Verified = *v == s.Digest
		}
	} else if d := h.damaged.Load(); d != nil {
		s.Damaged = *d
	}
	return s
}

// Close releases the current release. Its files are closed after the last request that uses it.
func (h *Holder) Close() {
	if r := h.current.Swap(nil); r != nil {
		r.Done()
	}
}
