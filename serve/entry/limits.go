package entry

import (
	"crypto/sha256"
	"encoding/json"
	"math"
	"net/netip"
	"slices"
	"strconv"
	"strings"

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

// ByKey reports whether a key was shown for the client. Such callers are not the customer: they see nothing that is private.
func (c *Client) ByKey() bool { return c.account.Key != nil }

// clientOf returns the state of a client. It is made again when the account store has a new record of the client.
func (d *Door) clientOf(client *account.Client) *Client {
	if known, ok := d.clients.Load(client.ID); ok && known.(*Client).account == client {
		return known.(*Client)
	}
	agreement := &client.Agreement
	c := &Client{Client: endpoint.NewClient(client), account: client, holds: d.gate.Customer(client.Customer)}
	if !agreement.Unrestricted() {
		c.Regions = agreement.Regions
	}
	terms, _ := json.Marshal(agreement) // strings, a bool and an int always encode
	sum := sha256.Sum256(append(terms, client.Customer...))
	copy(c.Digest[:], sum[:])
	c.limitKey = "customer " + client.Customer
	if client.Key != nil { // what readers of a page ask for does not take the customer's place
		c.limitKey = "key " + client.ID
		c.holds = d.gate.Customer("\x00" + c.limitKey)
	}
	c.rate = limit.Rate{PerSecond: max(1, agreement.Rate), Burst: max(1, agreement.Rate)}
	c.policy = []string{policyHeader("default", c.rate)}
	for remaining := range min(c.rate.Burst, maxRemaining) {
		c.remaining = append(c.remaining, remainingHeader("default", c.rate, remaining))
	}
	d.clients.Store(client.ID, c)
	return c
}

// policyHeader is an item of a RateLimit-Policy header: the requests in a window of seconds.
func policyHeader(name string, rate limit.Rate) string {
	return `"` + name + `";q=` + strconv.Itoa(rate.Burst) + `;w=` + strconv.Itoa(rate.Window())
}

// remainingHeader is an item of a RateLimit header: the requests that remain, all of which are available again in a window.
func remainingHeader(name string, rate limit.Rate, remaining int) string {
	var text [64]byte
	out := append(append(append(text[:0], '"'), name...), `";r=`...)
	out = strconv.AppendInt(out, int64(max(0, remaining)), 10)
	out = strconv.AppendInt(append(out, `;t=`...), int64(rate.Window()), 10)
	return string(out)
}

// limit takes one request off the allowance of the client's customer.
func (p *Pass) limit() error {
	c := p.Client
	decision := p.door.Limiter.Allow(c.limitKey, c.rate, p.Start)
	p.header["Ratelimit-Policy"] = c.policy
	if remaining := max(0, decision.Remaining); remaining < len(c.remaining) {
		p.reported[0] = c.remaining[remaining]
	} else {
		p.reported[0] = remainingHeader("default", c.rate, remaining)
	}
	p.header["Ratelimit"] = p.reported[:]
	return p.allow(decision, ErrTooMany)
}

// allow answers a decision of a limiter: nil, or err with Retry-After.
func (p *Pass) allow(decision limit.Decision, err error) error {
	if decision.Allowed {
		return nil
	}
	p.header["Retry-After"] = []string{strconv.Itoa(max(1, int(math.Ceil(decision.Wait.Seconds()))))}
	return err
}

// The limits of the token endpoint, which has no agreement to limit it by.
var (
	tokenByAddress = limit.Rate{PerSecond: 20, Burst: 100}
	tokenByClient  = limit.Rate{PerSecond: 5, Burst: 20}
)

// LimitTokens takes one token request off the allowance of an address.
func (p *Pass) LimitTokens() error {
	return p.allowToken("address", tokenByAddress, limit.Within(p.door.Limiter, "address", p.Networks(), tokenByAddress, p.Start))
}

// LimitToken takes one token request off the allowance of a client_id.
func (p *Pass) LimitToken(client string) error {
	return p.allowToken("client_id", tokenByClient, p.door.Limiter.Allow("client_id "+client, tokenByClient, p.Start))
}

// allowToken answers the decision on a token request by a kind of callers.
func (p *Pass) allowToken(kind string, rate limit.Rate, decision limit.Decision) error {
	p.header["Ratelimit-Policy"] = extend(p.header["Ratelimit-Policy"], policyHeader(kind, rate))
	p.header["Ratelimit"] = extend(p.header["Ratelimit"], remainingHeader(kind, rate, decision.Remaining))
	return p.allow(decision, ErrTooManyTokens)
}

// extend appends an item to a header that is a list.
func extend(header []string, item string) []string {
	return []string{strings.Join(append(header, item), ", ")}
}

// Networks are those that a request came from, of limit.Networks. Behind trusted proxies its address is the last one in
// X-Forwarded-For that is not theirs.
func (p *Pass) Networks() []netip.Prefix {
	address, ok := parseAddress(p.http.RemoteAddr)
	if !ok {
		return limit.Networks(netip.Addr{}) // not of the Internet: all are one
	}
	trusted := func(of netip.Prefix) bool { return of.Contains(address) }
	forwarded := strings.Join(p.http.Header["X-Forwarded-For"], ",")
	for forwarded != "" && slices.ContainsFunc(p.door.Proxies, trusted) {
		comma := strings.LastIndexByte(forwarded, ',')
		next, ok := parseAddress(strings.TrimSpace(forwarded[comma+1:]))
		if !ok {
			break
		}
		address, forwarded = next, forwarded[:max(comma, 0)]
	}
	return limit.Networks(address)
}

// parseAddress parses an address with or without a port.
func parseAddress(text string) (netip.Addr, bool) {
	if with, err := netip.ParseAddrPort(text); err == nil {
		return with.Addr().Unmap(), true
	}
	address, err := netip.ParseAddr(text)
	return address.Unmap(), err == nil
}
