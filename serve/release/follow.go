package release

import (
	"context"
	"fmt"
	"os"
	"sync"
	"time"

	"quartier/schemas"
)

// PollEvery is the usual interval of Follow. A release is loaded when its files did not change for as long.
const PollEvery = time.Second

// Follow runs until ctx ends. It replaces the current release when the path has another one or a signal is received, looking
// at every interval, and first ends the verification that Hold began. A release whose files are written to while it is served is
// verified again, and one that is damaged is no longer served. A rejected release is tried again whenever its files have
// changed and stay the same for an interval, or at once after a signal. What was rejected for another reason than before is
// logged and counted.
func (h *Holder) Follow(ctx context.Context, every time.Duration, signals <-chan os.Signal) {
	if h.scrubAt > 0 {
		var scrubbing sync.WaitGroup
		defer scrubbing.Wait()
		scrubbing.Go(func() { h.scrub(ctx, h.scrubAt) })
	}
	if h.Status().Verifying {
		h.retry.Store(false)
		h.follow(ctx, true)
	}
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	for {
		asked := false
		select {
		case <-ctx.Done():
			return
		case <-signals:
			asked = true
		case <-ticker.C:
		}
		h.inspect(ctx)
		if asked || h.due() {
			h.follow(ctx, asked)
		}
	}
}

// follow serves the release at the path if it is another one and valid.
func (h *Holder) follow(ctx context.Context, asked bool) {
	news, err := h.reload(ctx)
	if err != nil && ctx.Err() == nil && (news || asked) {
		h.log.Error("release rejected", "path", h.dir, "still_served", h.Status().Digest, "error", err)
	}
}

// due reports whether the path has something to be tried.
func (h *Holder) due() bool {
	if h.retry.Swap(false) {
		return true
	}
	h.reloading.Lock()
	defer h.reloading.Unlock()
	return h.watch.due()
}

// inspect verifies the components of the current release again that were written to, and stops serving what is damaged.
func (h *Holder) inspect(ctx context.Context) {
	r := h.Acquire()
	if r == nil {
		return
	}
	defer r.Done()
	parts := r.touched()
	for _, c := range parts {
		c.verified.Store(false)
	}
	damaged, err := r.verify(ctx, parts, h.known, besideRequests)
	if err != nil && ctx.Err() == nil {
		h.withdraw(r, damaged, err)
	}
}

// MarkDamaged stops the serving of a damaged release. There is no current release until a valid one is at the path,
// where Follow looks soon. Requests that use the damaged one finish. If the release is not the current one, it is only
// logged.
func (h *Holder) MarkDamaged(r *Release, cause error) {
	h.withdraw(r, r.component(schemas.Places), cause)
}

// MarkUnreadable stops the serving of the component of a release in which an address cannot be read.
func (h *Holder) MarkUnreadable(r *Release, address uintptr) {
	cause := fmt.Errorf("a page of it cannot be read, at %#x", address)
	for _, c := range r.parts {
		for _, p := range c.packs {
			if p.mapped.Contains(address) {
				h.withdraw(r, c, cause)
				return
			}
		}
	}
	h.MarkDamaged(r, cause)
}

// withdraw stops the serving of a component and of those beside it: of the release, where it is that of places.
func (h *Holder) withdraw(r *Release, damaged *component, cause error) {
	next := r.without(damaged)
	h.changing.Lock()
	served := h.current.CompareAndSwap(r, next)
	if served && next == nil {
		h.counts.damaged = r.Manifest.Digest
	}
	h.changing.Unlock()
	h.reportDamage(damaged, served, cause)
	switch {
	case served:
		h.retry.Store(true)
		r.Done()
	case next != nil:
		next.Done()
	}
}

func (h *Holder) reportDamage(damaged *component, served bool, cause error) {
	h.log.Error("release is damaged; build or fetch it again", "component", damaged.Name, "digest", damaged.Digest, "was_served", served,
		"error", cause)
}
