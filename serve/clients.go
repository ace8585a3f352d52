package serve

import (
	"crypto/sha256"
	"encoding/json"
	"math"
	"strconv"
	"sync"

	"quartier/serve/account"
	"quartier/serve/endpoint"
)

// clientState is what the server keeps of a client between its requests, made from its agreement.
type clientState struct {
	endpoint.Client
	account   *account.Client
	regions   []string // of the agreement; nil: everywhere
	digest    [16]byte // of the customer and the agreement, for ETags
	policy    []string // RateLimit-Policy
	remaining []string // RateLimit, by the number of requests that remain
}

// maxRemaining limits the RateLimit headers that are made in advance.
const maxRemaining = 1000

// clients holds the state of every client that called, by id. The zero value is ready.
type clients struct{ byID sync.Map }

// state returns that of a client. It is made again when the account store has a new record of the client.
func (c *clients) state(client *account.Client) *clientState {
	if known, ok := c.byID.Load(client.ID); ok && known.(*clientState).account == client {
		return known.(*clientState)
	}
	s := newClientState(client)
	c.byID.Store(client.ID, s)
	return s
}

func newClientState(client *account.Client) *clientState {
	agreement := &client.Agreement
	s := &clientState{Client: endpoint.NewClient(agreement), account: client}
	if !agreement.Unrestricted() {
		s.regions = agreement.Regions
	}
	terms, _ := json.Marshal(agreement) // strings, a bool and an int always encode
	sum := sha256.Sum256(append(terms, client.Customer...))
	copy(s.digest[:], sum[:])
	rate := max(1, agreement.Rate)
	s.policy = []string{`"default";q=` + strconv.Itoa(rate) + `;w=1`}
	for remaining := range min(rate, maxRemaining) {
		s.remaining = append(s.remaining, limitHeader(remaining))
	}
	return s
}

// limitHeader is a RateLimit header: the requests that remain, all of which are available again in a second.
func limitHeader(remaining int) string { return `"default";r=` + strconv.Itoa(remaining) + `;t=1` }

// limit takes one request off the client's allowance.
func (s *Server) limit(r *request) error {
	rate := max(1, r.Client.Agreement.Rate)
	decision := s.limiter.Allow(r.client.account.ID, rate, r.start)
	header := r.w.Header()
	header["Ratelimit-Policy"] = r.client.policy
	if remaining := max(0, decision.Remaining); remaining < len(r.client.remaining) {
		r.remaining[0] = r.client.remaining[remaining]
	} else {
		r.remaining[0] = limitHeader(remaining)
	}
	header["Ratelimit"] = r.remaining[:]
	if decision.Allowed {
		return nil
	}
	header["Retry-After"] = []string{strconv.Itoa(max(1, int(math.Ceil(decision.Wait.Seconds()))))}
	return errTooMany
}
