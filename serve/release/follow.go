package release

import (
	"context"
	"os"
	"sync"
	"time"
)

// PollEvery is the interval at which Follow looks for another release at the path.
const PollEvery = 2 * time.Second

// Follow runs until ctx ends. It verifies the release that was opened at startup, and replaces it when the path has
// another one or a signal is received. A release whose files are written to while it is served is verified again, and
// one that is damaged is no longer served. A rejected release is logged, counted, and not tried again until its files
// change or a signal is received.
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
			h.log.Error("release rejected", "path", h.dir, "still_served", h.Status().Digest, "error", err)
		}
	}
}

// inspect verifies the current release again if its files were written to.
func (h *Holder) inspect(ctx context.Context) {
	if r := h.current.Load(); r != nil && r.touched() {
		h.verifyCurrent(ctx)
	}
}

// verifyCurrent verifies the current release, and stops serving it if it is damaged.
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

// MarkDamaged stops the serving of a damaged release. There is no current release until a valid one is at the path,
// where Follow looks soon. Requests that use the damaged one finish. If the release is not the current one, it is only
// logged.
func (h *Holder) MarkDamaged(r *Release, cause error) {
	served := h.current.CompareAndSwap(r, nil)
	h.log.Error("release is damaged; build or fetch it again", "digest", r.Digest(), "was_served", served, "error", cause)
	if served {
		h.damaged.Store(&r.Manifest.Digest)
		h.verified.Store(nil)
		h.retry.Store(true)
		r.Done()
	}
}
