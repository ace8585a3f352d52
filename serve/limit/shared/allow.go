package shared

import (
	"time"

	"quartier/serve/limit"
)

// Allow decides on one request: by the lease that the server has of the caller, by a call of the store, or where the store
// is away by the server's share of the rate.
func (l *Limiter) Allow(key string, rate limit.Rate, now time.Time) limit.Decision {
	a := l.allowances.of(key, now)
	share := shareOf(rate, int(l.servers.Load()))
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.stock > 0 && !now.Before(a.expires) {
		a.stock = 0
	}
	if a.stock > 0 {
		return a.take(share, now)
	}
	if l.away.Load() {
		return l.allowAlone(a, share, now)
	}
	if now.Before(a.ask) {
		return limit.Decision{Wait: a.ask.Sub(now)}
	}
	if err := l.refill(a, key, rate, share, now); err != nil {
		return l.allowAlone(a, share, now)
	}
	if a.stock == 0 {
		l.metrics.denied.Inc()
		return limit.Decision{Wait: max(1, a.ask.Sub(now))}
	}
	l.metrics.granted.Inc()
	return a.take(share, now)
}

// refill takes the next lease. It is twice the last one if that was used up in its time, and half of it if not, so that
// many servers with few requests each leave nothing unused, and a busy one makes a call for a tenth of a burst.
func (l *Limiter) refill(a *allowance, key string, rate limit.Rate, share share, now time.Time) error {
	if now.Before(a.expires) {
		a.lease *= 2
	} else {
		a.lease /= 2
	}
	a.lease = max(1, min(a.lease, rate.Burst/leases))
	got, err := l.call(key, rate, a.lease, min(a.owed, a.missing(share, now)))
	if err != nil {
		return err
	}
	a.owed, a.stock, a.remaining = 0, got.granted, got.remaining
	a.expires = now.Add(max(time.Second, time.Duration(rate.Burst)*rate.Interval()))
	a.ask = now
	if got.granted < a.lease {
		a.ask = now.Add(got.wait)
	}
	return nil
}

// allowAlone decides without the store.
func (l *Limiter) allowAlone(a *allowance, share share, now time.Time) limit.Decision {
	l.metrics.local.Inc()
	full := later(a.full, now)
	if ahead := full.Add(share.interval).Sub(now); ahead > share.tolerance {
		return limit.Decision{Wait: ahead - share.tolerance}
	}
	a.full = full.Add(share.interval)
	a.owed++
	return limit.Decision{Allowed: true, Remaining: int((now.Sub(a.full) + share.tolerance) / share.interval)}
}

// share is a server's part of a rate: a request becomes available in interval, tolerance is that of all it can have at once.
type share struct{ interval, tolerance time.Duration }

// shareOf divides a rate by the servers. Example: of 50 requests a second in bursts of 50, one of three servers has 16.7 a
// second and 16 at once; of 1 a second it has one in three seconds.
func shareOf(rate limit.Rate, servers int) share {
	interval := rate.Interval() * time.Duration(servers)
	return share{interval, max(interval, time.Duration(rate.Burst)*rate.Interval())}
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
