package release

import (
	"context"
	"os"
	"sync"
	"time"
)

// PollEvery is how often Follow looks whether the release at its path is another one.
const PollEvery = 2 * time.Second

// Follow verifies the release of the start in the background and swaps in a new one when the path has one or the signal
// channel asks for it, until ctx ends. A release whose files are written to while it is served is verified again; a
// damaged one is served no more. A refused release is logged, counted, and not tried again until its files
// change or a signal comes.
func (h *Holder) Follow(ctx context.Context, signals <-chan os.Signal) {
	var verifying sync.WaitGroup
	defer verifying.Wait()
	verifying.Go(func() { h.verifyCurrent(ctx) })
	ticker := time.NewTicker(PollEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-signals:
			h.inspect(ctx)
		case <-ticker.C:
			h.inspect(ctx)
			if !h.changed() {
				continue
			}
		}
		if err := h.Reload(ctx); err != nil && ctx.Err() == nil {
			h.log.Error("release refused", "path", h.dir, "still_served", h.Status().Digest, "error", err)
		}
	}
}

// inspect verifies the current release again where its files were written to.
func (h *Holder) inspect(ctx context.Context) {
	if r := h.current.Load(); r != nil && r.touched() {
		h.verifyCurrent(ctx)
	}
}

// verifyCurrent reads the current release in full. A bad one is served no more.
func (h *Holder) verifyCurrent(ctx context.Context) {
	r := h.Acquire()
	if r == nil {
		return
	}
	defer r.Done()
	err := r.Verify(ctx)
	switch {
	case err == nil && h.current.Load() == r:
		h.verified.Store(&r.Manifest.Digest)
	case err != nil && ctx.Err() == nil:
		h.MarkDamaged(r, err)
	}
}

// MarkDamaged ends the serving of a release that turned out to be damaged: there is no current release then until a good
// one is at the path, which Follow tries soon. Requests that use it finish. A release that is not the current one is
// only told of.
func (h *Holder) MarkDamaged(r *Release, cause error) {
	served := h.current.CompareAndSwap(r, nil)
	h.log.Error("release is damaged; build or fetch it again", "digest", r.Digest(), "was_served", served, "error", cause)
	if served {
		h.damaged.Store(&r.Manifest.Digest)
		h.verified.Store(nil)
		h.again.Store(true)
		r.Done()
	}
}
