package release

import (
	"context"
	"time"
)

// scrub reads the packs that are served again and again at a rate in bytes a second, until ctx ends, and withdraws what is
// damaged: disks lose bits without a write that could be seen.
func (h *Holder) scrub(ctx context.Context, rate int64) {
	pace := func(ctx context.Context, n int, spent time.Duration) {
		h.scrubbed.Add(int64(n))
		wait(ctx, time.Duration(float64(n)/float64(rate)*float64(time.Second))-spent)
	}
	for ctx.Err() == nil {
		if r := h.Acquire(); r != nil {
			h.scrubRelease(ctx, r, pace)
			r.Done()
		}
		wait(ctx, time.Second)
	}
}

// scrubRelease reads the packs of a release until another one is served.
func (h *Holder) scrubRelease(ctx context.Context, r *Release, pace pace) {
	for _, c := range r.parts {
		for _, p := range c.packs {
			if h.current.Load() != r || ctx.Err() != nil {
				return
			}
			if err := p.verify(ctx, nil, pace); err != nil && ctx.Err() == nil {
				h.withdraw(r, c, err)
				return
			}
		}
	}
	h.scrubs.Add(1)
}

// wait waits for a time or until ctx ends.
func wait(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}
