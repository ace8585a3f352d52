package entry

import (
	"errors"
	"sync/atomic"
	"time"

	"quartier/serve/admit"
	"quartier/serve/limit"
	"quartier/serve/state"
)

// Stranger is a kind of requests that is limited by address, because it needs no credential or has none that is known.
type Stranger struct {
	name string
	rate limit.Rate
	err  error
}

// The kinds that endpoints limit.
var (
	PageCopy     = &Stranger{"page", limit.Rate{PerSecond: 5, Burst: 50}, ErrTooManyCopies} // /docs takes five
	DocumentCopy = &Stranger{"document", limit.Rate{PerSecond: 1, Burst: 10}, ErrTooManyCopies}
)

var (
	unknownToken  = &Stranger{"unknown token", limit.Rate{PerSecond: 50, Burst: 500}, ErrTooManyUnknown}
	ownAnswer     = limit.Rate{PerSecond: 2, Burst: 5}      // to a stranger of an address, which is never put off
	answerOfAll   = limit.Rate{PerSecond: 1000, Burst: 500} // beyond that, to strangers together
	refusedAnswer = limit.Rate{PerSecond: 100, Burst: 1000}
	refusedOfAll  = limit.Rate{PerSecond: 1000, Burst: 2000} // of all addresses without a valid token together
)

// maxPause limits for how long the refusal of a request is put off.
const maxPause = time.Second

// LimitStranger takes one request off the allowance of an address.
func (p *Pass) LimitStranger(of *Stranger) error {
	return p.allow(limit.Within(p.door.strangers, of.name, p.Networks(), of.rate, p.Start), of.err)
}

// PaceStranger puts off the answer to somebody who shows no token, while very many ask so: what that costs is bounded. Few
// requests of an address, such as those of a load balancer for /healthz, are answered at once.
func (p *Pass) PaceStranger() {
	if s := p.door.strangers; !limit.Within(s, "answer", p.Networks(), ownAnswer, p.Start).Allowed {
		p.putOff(s.Pace("answer of all", answerOfAll, p.Start, maxPause))
	}
}

// putOff waits, unless the caller hangs up.
func (p *Pass) putOff(pause time.Duration) {
	if pause == 0 {
		return
	}
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-p.http.Context().Done():
	}
}

// Refused counts a refusal, and puts off those of a customer or address that is refused all the time, and those of strangers while
// very many of them are refused: what it costs to refuse is then bounded, however many connections and addresses it comes from.
func (p *Pass) Refused(err error) {
	if !p.door.refused.count(err) {
		return
	}
	if errors.Is(err, ErrHeader) {
		admit.ConnOf(p.http.Context()).Refused()
	}
	s := p.door.strangers
	if p.Client != nil {
		p.putOff(s.Pace("refused "+p.Client.limitKey, refusedAnswer, p.Start, maxPause))
		return
	}
	p.putOff(max(s.PaceWithin("refused", p.Networks(), refusedAnswer, p.Start, maxPause),
		s.Pace("refused of all", refusedOfAll, p.Start, maxPause)))
}

// refusals counts what is refused before an endpoint is asked, by the index in refusalReasons.
type refusals [10]atomic.Int64

var refusalReasons = [len(refusals{})]struct {
	name string
	err  error
}{
	{"token", ErrForbidden}, {"rate", ErrTooMany}, {"token_requests", ErrTooManyTokens},
	{"unknown_tokens", ErrTooManyUnknown}, {"document", ErrTooManyCopies}, {"headers", ErrHeader}, {"writes", state.ErrCrowded},
	{"key", ErrKey}, {"origin", ErrOrigin}, {"signature", ErrSigning},
}

// count counts err if it is one of refusalReasons, and reports whether it is.
func (f *refusals) count(err error) bool {
	for i := range refusalReasons {
		if errors.Is(err, refusalReasons[i].err) {
			f[i].Add(1)
			return true
		}
	}
	return false
}
