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

// Holder keeps the release that is served now.
type Holder struct {
	dir     string
	log     *slog.Logger
	current atomic.Pointer[Release]

	loaded, refused atomic.Int64
	verified        atomic.Pointer[string] // digest of the last release whose packs were read in full and found good
	damaged         atomic.Pointer[string] // digest of the last release that was found damaged while it was served
	again           atomic.Bool            // the path is to be tried though its files are those that were last tried

	reloading sync.Mutex
	seen      []os.FileInfo // of the files that were last tried. Guarded by reloading.
}

// NewHolder opens the release at dir, which may be a symbolic link that moves later. Its packs are not read in full:
// Follow does that in the background, so that a start takes no longer for a larger release.
func NewHolder(dir string, log *slog.Logger) (*Holder, error) {
	h := &Holder{dir: dir, log: log}
	return h, h.Reload(context.Background())
}

// Acquire returns the current release, to be given back by its Done; nil where there is none: after Close, or while the
// one that was served is known to be damaged and no good one has come.
func (h *Holder) Acquire() *Release {
	for {
		r := h.current.Load()
		if r == nil || r.acquire() {
			return r
		}
	}
}

// Reload opens what is at the path now and serves it from then on. What takes the place of another release is read in
// full first; where it is damaged, older or no release at all the one before stays and the error says why. A release
// that is served already is not opened again. After a damaged one any good release is taken, also a repaired copy of
// the same digest or an older one.
func (h *Holder) Reload(ctx context.Context) error {
	h.reloading.Lock()
	defer h.reloading.Unlock()
	h.seen = h.files()
	next, err := h.open(ctx)
	if err != nil {
		h.refused.Add(1)
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

// open returns the release at the path, nil where it is the current one.
func (h *Holder) open(ctx context.Context) (*Release, error) {
	dir, err := filepath.EvalSymlinks(h.dir)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrRefused, err)
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
	if err := h.succeeds(ctx, current, next); err != nil {
		next.Done()
		return nil, fmt.Errorf("%w: %w", ErrRefused, err)
	}
	h.verified.Store(&next.Manifest.Digest)
	return next, nil
}

// succeeds says why next cannot take the place of current, which may be nil; nil where it can.
func (h *Holder) succeeds(ctx context.Context, current, next *Release) error {
	if current != nil && next.Manifest.AsOf < current.Manifest.AsOf {
		return fmt.Errorf("it is as of %s, older than %s which is served; restart the server to go back", next.Manifest.AsOf, current.Manifest.AsOf)
	}
	return next.Verify(ctx)
}

// files describes the files at the path that are served, symbolic links followed; nil for one that is not there.
func (h *Holder) files() []os.FileInfo {
	var found []os.FileInfo
	for _, name := range []string{schemas.ManifestFile, schemas.AccessPack, schemas.GeographiesPack, schemas.POIsPack} {
		info, err := os.Stat(filepath.Join(h.dir, name))
		if err != nil {
			info = nil
		}
		found = append(found, info)
	}
	return found
}

// changed reports whether the path offers other files than those that were last tried. A folder that is still being
// copied changes again and again, one without a manifest offers nothing.
func (h *Holder) changed() bool {
	if h.again.Swap(false) {
		return true
	}
	h.reloading.Lock()
	defer h.reloading.Unlock()
	now := h.files()
	return now[0] != nil && !slices.EqualFunc(now, h.seen, sameState)
}

func sameState(a, b os.FileInfo) bool {
	if a == nil || b == nil {
		return a == b
	}
	return os.SameFile(a, b) && a.ModTime().Equal(b.ModTime()) && a.Size() == b.Size()
}

// Status is what a Holder tells about itself.
type Status struct {
	Release, Digest, AsOf string // of the current release; empty without one
	Verified              bool   // its packs were read in full and agree with the manifest
	Damaged               string // digest of the release that was served until it was found damaged; "" while there is a good one
	Loaded, Refused       int64  // releases taken and refused since the start
}

// Status is the state now.
func (h *Holder) Status() Status {
	s := Status{Loaded: h.loaded.Load(), Refused: h.refused.Load()}
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

// Close lets go of the current release; requests that hold it finish first.
func (h *Holder) Close() {
	if r := h.current.Swap(nil); r != nil {
		r.Done()
	}
}
