package serve

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

// origins are the pages of other sites whose scripts browsers let read answers, by their origin; nil: none, and no header
// says anything about it.
//
// Authorization is among the headers that they may send: nothing under /v3 is answered without it, and a back end can hand
// its pages a token. client_id and client_secret are for back ends alone, so that /oauth/token is never among the paths.
type origins map[string][]string // the value of Access-Control-Allow-Origin

// newOrigins parses origins such as "https://maps.example.com".
func newOrigins(allowed []string) (origins, error) {
	if len(allowed) == 0 {
		return nil, nil
	}
	o := origins{}
	for _, text := range allowed {
		u, err := url.Parse(text)
		if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || text != u.Scheme+"://"+strings.ToLower(u.Host) {
			return nil, fmt.Errorf("%q is not an origin such as https://maps.example.com: a scheme and a host in lower case, no path, no wildcard",
				text)
		}
		o[text] = []string{text}
	}
	return o, nil
}

// CheckOrigins returns an error for the first of Options.Origins that is none.
func CheckOrigins(allowed []string) error {
	_, err := newOrigins(allowed)
	return err
}

var (
	originVaries   = []string{"Origin, Authorization, Accept, Accept-Encoding"}
	documentVaries = []string{"Origin, Accept-Encoding"}
	allowedHeaders = []string{"Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, X-Request-Id, traceparent, tracestate"}
	exposedHeaders = []string{
		"Deprecation, ETag, Link, Location, RateLimit, RateLimit-Policy, Retry-After, Server-Timing, Sunset, X-Request-Id"}
	preflightAge = []string{"600"}
)

// shares reports whether the answers of a path can be read by pages of the origins.
func (origins) shares(path string) bool {
	return strings.HasPrefix(path, "/v3/") || path == "/openapi.json" || path == "/.well-known/jwks.json"
}

// allow lets the page of a request read the answer if its origin is one of those allowed. It answers a preflight request,
// which has no token, and reports so.
func (o origins) allow(r *request, path string, found *resource) (answered bool) {
	if !o.shares(path) {
		return false
	}
	header := r.w.Header()
	header["Vary"] = documentVaries
	given := r.http.Header["Origin"]
	if len(given) != 1 || o[given[0]] == nil {
		return false
	}
	header["Access-Control-Allow-Origin"] = o[given[0]]
	header["Access-Control-Expose-Headers"] = exposedHeaders
	if r.http.Method != http.MethodOptions || r.http.Header["Access-Control-Request-Method"] == nil || found == nil {
		return false
	}
	delete(header, "Access-Control-Expose-Headers")
	header["Access-Control-Allow-Methods"] = []string{found.allow}
	header["Access-Control-Allow-Headers"] = allowedHeaders
	header["Access-Control-Max-Age"] = preflightAge
	header["Cache-Control"] = noStore
	r.write(http.StatusNoContent, nil)
	return true
}
