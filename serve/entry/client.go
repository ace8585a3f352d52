package entry

import (
	"crypto/sha256"
	"encoding/json"
	"sync"

	"quartier/serve/account"
	"quartier/serve/admit"
	"quartier/serve/endpoint"
	"quartier/serve/limit"
)

// Client is what the server keeps of a client between its requests, made from its agreement.
type Client struct {
	endpoint.Client
	account   *account.Client
	holds     *admit.Customer
	Regions   []string   // of the agreement; nil: everywhere
	Digest    [16]byte   // of the customer and the agreement, for ETags
	limitKey  string     // of the customer, whose credentials share an allowance
	rate      limit.Rate // of the agreement
	policy    []string   // RateLimit-Policy
	remaining []string   // RateLimit, by the number of requests that remain
}

// maxRemaining limits the RateLimit headers that are made in advance.
const maxRemaining = 1000

// clients holds the state of every client that called, by id. The zero value is ready.
type clients struct{ byID sync.Map }

// of returns the state of a client. It is made again when the account store has a new record of the client.
func (c *clients) of(gate *admit.Gate, client *account.Client) *Client {
	if known, ok := c.byID.Load(client.ID); ok && known.(*Client).account == client {
		return known.(*Client)
	}
	s := newClient(client)
	s.holds = gate.Customer(client.Customer)
	c.byID.Store(client.ID, s)
	return s
}

func newClient(client *account.Client) *Client {
	agreement := &client.Agreement
	s := &Client{Client: endpoint.NewClient(client), account: client}
	if !agreement.Unrestricted() {
		s.Regions = agreement.Regions
	}
	terms, _ := json.Marshal(agreement) // strings, a bool and an int always encode
	sum := sha256.Sum256(append(terms, client.Customer...))
	copy(s.Digest[:], sum[:])
	s.limitKey = "customer " + client.Customer
	s.rate = limit.Rate{PerSecond: max(1, agreement.Rate), Burst: max(1, agreement.Rate)}
	s.policy = []string{policyHeader("default", s.rate)}
	for remaining := range min(s.rate.Burst, maxRemaining) {
		s.remaining = append(s.remaining, remainingHeader("default", s.rate, remaining))
	}
	return s
}
