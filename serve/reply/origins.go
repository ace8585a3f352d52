package reply

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"quartier/serve/account"
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

// CheckOrigins returns an error for the first of them that is no origin.
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

// AllowOrigin lets the page of a request read the answer if its origin is one of those allowed. It answers a preflight request,
// which has no token, and reports so. methods are those of the path, as in the Allow header; "" where there is no such path.
func (x *Exchange) AllowOrigin(path, methods string) (answered bool) {
	o := x.writer.origins
	if o == nil || !o.shares(path) {
		return false
	}
	header := x.W.Header()
	header["Vary"] = documentVaries
	given := x.HTTP.Header["Origin"]
	if len(given) != 1 || o[given[0]] == nil {
		return false
	}
	return x.allow(o[given[0]], methods, allowedHeaders)
}

// Vary of answers by a key, and what their pages may send.
var (
	pageVaries   = []string{"Origin, Sec-Fetch-Site, Authorization, Accept, Accept-Encoding"}
	codingVaries = []string{"Accept-Encoding"}
	pageHeaders  = []string{"If-None-Match, X-Request-Id, traceparent, tracestate"}
)

// VaryByPage says to caches that the answer to a request with a key of a kind, whatever it is, depends on the page that asks. One that
// is signed does not.
func (x *Exchange) VaryByPage(kind string) {
	x.W.Header()["Vary"] = pageVaries
	if kind == account.Signing {
		x.W.Header()["Vary"] = codingVaries
	}
}

// AllowPage lets the page of a request with a key, which is for its origin, read the answer. It answers a preflight request, and
// reports so.
func (x *Exchange) AllowPage(origin string) (answered bool) {
	return x.allow([]string{origin}, http.MethodGet+", "+http.MethodHead, pageHeaders)
}

// allow lets pages of an origin read the answer, and answers a preflight request with what they may send.
func (x *Exchange) allow(origin []string, methods string, headers []string) (answered bool) {
	header := x.W.Header()
	header["Access-Control-Allow-Origin"] = origin
	header["Access-Control-Expose-Headers"] = exposedHeaders
	if x.HTTP.Method != http.MethodOptions || x.HTTP.Header["Access-Control-Request-Method"] == nil || methods == "" {
		return false
	}
	delete(header, "Access-Control-Expose-Headers")
	header["Access-Control-Allow-Methods"] = []string{methods}
	header["Access-Control-Allow-Headers"] = headers
	header["Access-Control-Max-Age"] = preflightAge
	header["Cache-Control"] = NoStore
	x.Write(http.StatusNoContent)
	return true
}
