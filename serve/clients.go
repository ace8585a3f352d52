package serve

import (
	"crypto/sha256"
	"encoding/json"
	"math"
	"strconv"
	"sync"

	"quartier/serve/account"
)

// standing is what the server keeps of a client between its requests, made from its agreement.
type standing struct {
	client    *account.Client
	regions   []string // where it may look; nil: everywhere
	scores    scoreSet // that it may have
	digest    [16]byte // of the customer and the agreement
	policy    []string // RateLimit-Policy
	remaining []string // RateLimit, by the number of requests that remain
}

// maxRemaining bounds the RateLimit headers that are ready beforehand.
const maxRemaining = 1000

// clients holds the standing of every client that called, by id. The zero value is ready.
type clients struct{ byID sync.Map }

// standing is that of a client. It is made again when the account store has another agreement for it.
func (c *clients) standing(client *account.Client) *standing {
	if known, ok := c.byID.Load(client.ID); ok && known.(*standing).client == client {
		return known.(*standing)
	}
	s := newStanding(client)
	c.byID.Store(client.ID, s)
	return s
}

func newStanding(client *account.Client) *standing {
	agreement := client.Agreement
	s := &standing{client: client, scores: scoresOf(&agreement)}
	if !agreement.Unrestricted() {
		s.regions = agreement.Regions
	}
	terms, _ := json.Marshal(agreement) // strings, a bool and an int always encode
	sum := sha256.Sum256(append(terms, client.Customer...))
	copy(s.digest[:], sum[:])
	rate := max(1, agreement.Rate)
	s.policy = []string{`"default";q=` + strconv.Itoa(rate) + `;w=1`}
	for left := range min(rate, maxRemaining) {
		s.remaining = append(s.remaining, limitHeader(left, 1))
	}
	return s
}

// limitHeader is a RateLimit header: so many requests remain, and all of them do again in so many seconds.
func limitHeader(left, seconds int) string {
	return `"default";r=` + strconv.Itoa(left) + `;t=` + strconv.Itoa(seconds)
}

// limit takes one request off the client's allowance.
func (s *Server) limit(x *exchange) error {
	rate := max(1, x.who.client.Agreement.Rate)
	verdict := s.limiter.Take(x.who.client.ID, rate, x.start)
	header := x.w.Header()
	header["Ratelimit-Policy"] = x.who.policy
	if left := verdict.Remaining; left < len(x.who.remaining) {
		x.remaining[0] = x.who.remaining[max(0, left)]
	} else {
		x.remaining[0] = limitHeader(left, 1)
	}
	header["Ratelimit"] = x.remaining[:]
	if verdict.Allowed {
		return nil
	}
	header["Retry-After"] = []string{strconv.Itoa(max(1, int(math.Ceil(verdict.Wait.Seconds()))))}
	return errTooMany
}
