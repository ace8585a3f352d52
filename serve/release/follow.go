package release

import (
	"context"
	"fmt"
	"os"
	"sync"
	"time"

	"quartier/schemas"
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
	damaged, err := r.verify(ctx, nil)
	if err != nil && ctx.Err() == nil {
		h.withdraw(r, damaged, err)
	}
}

// MarkDamaged stops the serving of a damaged release. There is no current release until a valid one is at the path,
// where Follow looks soon. Requests that use the damaged one finish. If the release is not the current one, it is only
// logged.
func (h *Holder) MarkDamaged(r *Release, cause error) { h.withdraw(r, &r.Places.component, cause) }

// MarkUnreadable stops the serving of the component of a release in which an address cannot be read.
func (h *Holder) MarkUnreadable(r *Release, address uintptr) {
	cause := fmt.Errorf("a page of it cannot be read, at %#x", address)
	for _, c := range r.components() {
		for _, file := range c.files {
			if file.Contains(address) {
				h.withdraw(r, c, cause)
				return
			}
		}
	}
	h.MarkDamaged(r, cause)
}

// withdraw stops the serving of a component: of market alone, or of the release.
func (h *Holder) withdraw(r *Release, damaged *component, cause error) {
	var next *Release
	if damaged.name == schemas.Market {
		next = r.withoutMarket()
	}
	served := h.current.CompareAndSwap(r, next)
	h.log.Error("release is damaged; build or fetch it again", "component", damaged.name, "digest", damaged.digest, "was_served", served, "error", cause)
	switch {
	case served:
		if next == nil {
			h.damaged.Store(&r.Manifest.Digest)
		}
		h.retry.Store(true)
		r.Done()
	case next != nil:
		next.Done()
	}
}
