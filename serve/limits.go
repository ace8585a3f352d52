package serve

import (
	"math"
	"net/http"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"quartier/serve/limit"
)

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
func (s *Server) limit(r *request) error {
	decision := s.limiter.Allow(r.client.limitKey, r.client.rate, r.start)
	header := r.w.Header()
	header["Ratelimit-Policy"] = r.client.policy
	if remaining := max(0, decision.Remaining); remaining < len(r.client.remaining) {
		r.remaining[0] = r.client.remaining[remaining]
	} else {
		r.remaining[0] = remainingHeader("default", r.client.rate, remaining)
	}
	header["Ratelimit"] = r.remaining[:]
	return r.allow(decision, errTooMany)
}

// allow answers a decision of a limiter: nil, or err with Retry-After.
func (r *request) allow(decision limit.Decision, err error) error {
	if decision.Allowed {
		return nil
	}
	r.w.Header()["Retry-After"] = []string{strconv.Itoa(max(1, int(math.Ceil(decision.Wait.Seconds()))))}
	return err
}

// The limits of the token endpoint, which has no agreement to limit it by.
var (
	tokenByAddress = limit.Rate{PerSecond: 20, Burst: 100}
	tokenByClient  = limit.Rate{PerSecond: 5, Burst: 20}
)

// limitTokens takes one token request off the allowance of an address.
func (s *Server) limitTokens(r *request) error {
	decision := limit.Within(s.limiter, "address", s.networksOf(r.http), tokenByAddress, r.start)
	return r.allowToken("address", tokenByAddress, decision)
}

// limitToken takes one token request off the allowance of a client_id.
func (s *Server) limitToken(r *request, client string) error {
	return r.allowToken("client_id", tokenByClient, s.limiter.Allow("client_id "+client, tokenByClient, r.start))
}

// allowToken answers the decision on a token request by a kind of callers.
func (r *request) allowToken(kind string, rate limit.Rate, decision limit.Decision) error {
	header := r.w.Header()
	header["Ratelimit-Policy"] = extend(header["Ratelimit-Policy"], policyHeader(kind, rate))
	header["Ratelimit"] = extend(header["Ratelimit"], remainingHeader(kind, rate, decision.Remaining))
	return r.allow(decision, errTooManyTokens)
}

// extend appends an item to a header that is a list.
func extend(header []string, item string) []string {
	return []string{strings.Join(append(header, item), ", ")}
}

// networksOf are the networks that a request came from, of limit.Networks. Behind trusted proxies its address is the last one in
// X-Forwarded-For that is not theirs.
func (s *Server) networksOf(r *http.Request) []netip.Prefix {
	address, ok := parseAddress(r.RemoteAddr)
	if !ok {
		return limit.Networks(netip.Addr{}) // not of the Internet: all are one
	}
	forwarded := strings.Join(r.Header["X-Forwarded-For"], ",")
	for forwarded != "" && s.isProxy(address) {
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

func (s *Server) isProxy(address netip.Addr) bool {
	return slices.ContainsFunc(s.proxies, func(p netip.Prefix) bool { return p.Contains(address) })
}
