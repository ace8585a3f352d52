package entry

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"

	"github.com/prometheus/client_golang/prometheus"

	"quartier/serve/account"
)

// Why a request with an access key is not let in. The texts are shown to callers and in the OpenAPI document.
var (
	ErrKey     = errors.New("the key is unknown or revoked, given more than once or beside a token, or not for this path")
	ErrOrigin  = errors.New("the key is not for pages of this origin, or the request does not say once of which it is")
	ErrSigning = errors.New("the signature or expires is missing or wrong, or the time is over")
)

// maxKey limits a key that is looked for, in bytes; there are none as long.
const maxKey = 100

// HasKey reports whether a raw query has the parameter key: the request is then answered by the key, or not at all.
func HasKey(raw string) bool {
	key, _ := keyOf(raw)
	return key != ""
}

// keyOf is the value of the parameter key in a raw query, the last where it is given several times. Names may be escaped, as those of
// other parameters may; without a value it is absent, as they are.
func keyOf(raw string) (key string, times int) {
	if !strings.Contains(raw, "key") && !strings.Contains(raw, "%") {
		return "", 0
	}
	for pair := range strings.SplitSeq(raw, "&") {
		name, value, _ := strings.Cut(pair, "=")
		if name != "key" {
			if plain, err := url.QueryUnescape(name); err != nil || plain != "key" {
				continue
			}
		}
		if times++; value != "" {
			key = value // a key has no character that is escaped
		}
	}
	return key, times
}

// AuthenticateKey identifies the client by the access key of the query, of the kind that the path takes, "" for none. It returns the
// origin of the page that may read the answer; "" where that is of the server itself, or the request is signed.
func (p *Pass) AuthenticateKey(kind, path string) (origin string, err error) {
	key, times := keyOf(p.http.URL.RawQuery)
	if kind == "" || times != 1 || len(key) > maxKey || len(p.http.Header["Authorization"]) > 0 {
		return "", ErrKey
	}
	client, err := p.door.Authority.Access(key, p.Start)
	if err != nil {
		return "", err
	}
	if client == nil {
		if err := p.LimitStranger(unknownToken); err != nil {
			return "", err
		}
		client = p.door.Authority.FindAccess(p.http.Context(), key)
	}
	if client == nil || client.Key.Kind != kind {
		return "", ErrKey
	}
	var ok bool
	if kind == account.Signing {
		if p.Until, ok = signedUntil(p.http, path, client.Key, p.Start); !ok {
			return "", ErrSigning
		}
	} else if origin, ok = pageOf(p.http, client.Key); !ok {
		return "", ErrOrigin
	}
	p.Client = p.door.clientOf(client)
	return origin, nil
}

// pageOf finds out whether a page may use a key. Browsers send the origin of a page with what it asks of another site. With a GET for
// its own site they do not, and say that it is one; then the site has to be an origin of the key. Whatever else has no origin is no
// script of a page.
func pageOf(in *http.Request, k *account.AccessKey) (origin string, ok bool) {
	if given, some := in.Header["Origin"]; some {
		return given[0], len(given) == 1 && k.AllowsOrigin(given[0])
	}
	site, dest := in.Header["Sec-Fetch-Site"], in.Header["Sec-Fetch-Dest"]
	own := len(site) == 1 && site[0] == "same-origin" && len(dest) == 1 && dest[0] == "empty"
	return "", own && (k.AllowsOrigin("https://"+in.Host) || k.AllowsOrigin("http://"+in.Host))
}

// admissions counts requests by what they were let in by, in the order of credentials.
type admissions [len(credentials)]atomic.Int64

var credentials = [...]string{"token", "session", "key", "signature"}

var admittedBy = prometheus.NewDesc("quartier_admitted_total", "v3 requests admitted, by what they were let in by.",
	[]string{"credential"}, nil)

// count counts the request of a client, by a session or else by what the client has.
func (a *admissions) count(c *Client, session bool) {
	by := 0
	switch key := c.account.Key; {
	case session:
		by = 1
	case key != nil && key.Kind == account.Publishable:
		by = 2
	case key != nil:
		by = 3
	}
	a[by].Add(1)
}
