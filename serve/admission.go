package serve

import (
	"errors"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"quartier/serve/admit"
	"quartier/serve/limit"
	"quartier/serve/state"
)

// enter waits until there is capacity for a request of the client.
func (s *Server) enter(r *request) error {
	stats := s.table.unknown
	if r.route != nil {
		stats = r.route.stats
	}
	if err := s.gate.Enter(r.http.Context(), &r.ticket, r.client.holds, &stats.cost, r.start); err != nil {
		return errUnavailable
	}
	r.admitted = true
	return nil
}

// Work, Long, Rest and Hold are those of endpoint.Share.
func (r *request) Work() error {
	if r.ticket.Work(r.http.Context(), r.server.later(r.start)) != nil {
		return errUnavailable
	}
	return nil
}

// Long takes the processor of the request for work that does not let others have their turn.
func (r *request) Long() error {
	if r.ticket.Long(r.http.Context(), r.server.later(r.start)) != nil {
		return errUnavailable
	}
	return nil
}

// Rest gives the processor of the request back.
func (r *request) Rest() { r.ticket.Rest(r.server.later(r.start)) }

// Hold counts the memory of a body.
func (r *request) Hold(bytes int) error {
	if r.ticket.Hold(int64(bytes)) != nil {
		return errUnavailable
	}
	return nil
}

// stopped reports whether work on a request should end. What is made of it then is not sent.
func (r *request) stopped() bool {
	runtime.Gosched() // those whose turn it is need not wait until the scheduler takes the processor, after 10 ms
	if !r.over && r.admitted {
		r.over = r.ticket.Over(r.http.Context(), r.server.now()) != nil
	}
	return r.over
}

// made says that the work on an admitted request has ended and its answer can be sent. It fails if the customer has too
// many answers in memory already.
func (r *request) made() error {
	if !r.admitted {
		return nil
	}
	if r.ticket.Made(int64(cap(r.Body)+cap(r.compressed)), r.server.later(r.start)) != nil {
		return errUnavailable
	}
	return nil
}

// stranger is a kind of requests that is limited by address, because it needs no credential or has none that is known.
type stranger struct {
	name string
	rate limit.Rate
	err  error
}

var (
	unknownToken  = &stranger{"unknown token", limit.Rate{PerSecond: 50, Burst: 500}, errTooManyUnknown}
	pageCopy      = &stranger{"page", limit.Rate{PerSecond: 5, Burst: 50}, errTooManyCopies} // /docs takes five
	documentCopy  = &stranger{"document", limit.Rate{PerSecond: 1, Burst: 10}, errTooManyCopies}
	ownAnswer     = limit.Rate{PerSecond: 2, Burst: 5}      // to a stranger of an address, which is never put off
	answerOfAll   = limit.Rate{PerSecond: 1000, Burst: 500} // beyond that, to strangers together
	refusedAnswer = limit.Rate{PerSecond: 100, Burst: 1000}
	refusedOfAll  = limit.Rate{PerSecond: 1000, Burst: 2000} // of all addresses without a valid token together
)

// maxPause limits for how long the refusal of a request is put off.
const maxPause = time.Second

// limitStranger takes one request off the allowance of an address.
func (s *Server) limitStranger(r *request, of *stranger) error {
	return r.allow(limit.Within(s.strangers, of.name, s.networksOf(r.http), of.rate, r.start), of.err)
}

// paceStranger puts off the answer to somebody who shows no token, while very many ask so: what that costs is bounded. Few
// requests of an address, such as those of a load balancer for /healthz, are answered at once.
func (s *Server) paceStranger(r *request) {
	if !limit.Within(s.strangers, "answer", s.networksOf(r.http), ownAnswer, r.start).Allowed {
		r.putOff(s.strangers.Pace("answer of all", answerOfAll, r.start, maxPause))
	}
}

// putOff waits, unless the caller hangs up.
func (r *request) putOff(pause time.Duration) {
	if pause == 0 {
		return
	}
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-r.http.Context().Done():
	}
}

// pace counts a refusal, and puts off those of a customer or address that is refused all the time, and those of strangers while
// very many of them are refused: what it costs to refuse is then bounded, however many connections and addresses it comes from.
func (s *Server) pace(r *request, err error) {
	if !s.refused.count(err) {
		return
	}
	if errors.Is(err, errHeader) {
		admit.ConnOf(r.http.Context()).Refused()
	}
	var pause time.Duration
	if r.client != nil {
		pause = s.strangers.Pace("refused "+r.client.limitKey, refusedAnswer, r.start, maxPause)
	} else {
		pause = max(s.strangers.PaceWithin("refused", s.networksOf(r.http), refusedAnswer, r.start, maxPause),
			s.strangers.Pace("refused of all", refusedOfAll, r.start, maxPause))
	}
	r.putOff(pause)
}

// refusals counts what is refused before an endpoint is asked, by the index in refusalReasons.
type refusals [7]atomic.Int64

var refusalReasons = [len(refusals{})]struct {
	name string
	err  error
}{
	{"token", errForbidden}, {"rate", errTooMany}, {"token_requests", errTooManyTokens},
	{"unknown_tokens", errTooManyUnknown}, {"document", errTooManyCopies}, {"headers", errHeader}, {"writes", state.ErrCrowded},
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

// admissionCollector reports what is in use and what was refused.
type admissionCollector struct{ *Server }

var (
	inFlight = prometheus.NewDesc("quartier_requests_in_flight", "v3 requests that are admitted: waiting, worked on or sent.", nil, nil)
	inWork   = prometheus.NewDesc("quartier_requests_worked_on", "v3 requests that are worked on.", nil, nil)
	inQueue  = prometheus.NewDesc("quartier_requests_waiting", "v3 requests that wait for a processor.", nil, nil)
	inTurn   = prometheus.NewDesc("quartier_writes_waiting", "Changes of custom geographies that wait for their turn to be written.", nil,
		nil)
	answerBytes = prometheus.NewDesc("quartier_answer_bytes", "Memory of the answers that are made or sent.", nil, nil)
	refused     = prometheus.NewDesc("quartier_refused_total", "Requests refused before an endpoint was asked, by reason.",
		[]string{"reason"}, nil)
	connections = prometheus.NewDesc("quartier_connections", "Open connections.", nil, nil)
	addresses   = prometheus.NewDesc("quartier_connection_addresses", "Addresses with open connections.", nil, nil)
	unfinished  = prometheus.NewDesc("quartier_connections_unfinished",
		"Connections whose headers are longer than a packet and have not arrived as a whole.", nil, nil)
	connsEnded = prometheus.NewDesc("quartier_connections_ended_total", "Connections closed by the server, by reason.",
		[]string{"reason"}, nil)
	admissionDesc = []*prometheus.Desc{inFlight, inWork, inQueue, inTurn, answerBytes, refused, connections, addresses, unfinished, connsEnded}
)

func (c admissionCollector) Describe(out chan<- *prometheus.Desc) {
	for _, d := range admissionDesc {
		out <- d
	}
}

func (c admissionCollector) Collect(out chan<- prometheus.Metric) {
	gauge := func(d *prometheus.Desc, value int64) {
		out <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, float64(value))
	}
	count := func(d *prometheus.Desc, reason string, value int64) {
		out <- prometheus.MustNewConstMetric(d, prometheus.CounterValue, float64(value), reason)
	}
	usage := c.gate.Usage()
	gauge(inFlight, int64(usage.Requests))
	gauge(inWork, int64(usage.Running))
	gauge(inQueue, int64(usage.Waiting))
	gauge(inTurn, int64(c.state.Waiting()))
	gauge(answerBytes, usage.Bytes)
	for reason, n := range usage.Refused {
		count(refused, reason, n)
	}
	for i := range refusalReasons {
		count(refused, refusalReasons[i].name, c.refused[i].Load())
	}
	if c.conns == nil {
		return
	}
	conns := c.conns()
	gauge(connections, int64(conns.Conns))
	gauge(addresses, int64(conns.Addresses))
	gauge(unfinished, int64(conns.Unfinished))
	count(connsEnded, "address", conns.Refused)
	count(connsEnded, "headers", conns.Evicted)
	count(connsEnded, "silent", conns.Silent)
	count(connsEnded, "stalled", conns.Stalled)
}
