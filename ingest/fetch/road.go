package fetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"quartier/ingest/source"
)

// ErrPrivate is the error of a redirect to an address of a private network, which the user did not name.
var ErrPrivate = errors.New("leads to a private address")

// road sends requests: with the name of the program, one at a time to a host, through the mirror if there is one.
type road struct {
	agent  string
	mirror *mirror // nil: none
	next   http.RoundTripper

	mu    sync.Mutex
	hosts map[string]chan struct{} // a place in each is held while a request to the host goes on
}

func newRoad(agent string, m *mirror) *road {
	return &road{agent: agent, mirror: m, next: newTransport(), hosts: map[string]chan struct{}{}}
}

// trip is what the parts of a request know of each other.
type trip struct {
	watch   *time.Timer // for stalled connections; nil: none
	stall   time.Duration
	private bool // whether the host of the request may be in a private network
	proxied bool
}

type tripKey struct{}

// withWatch gives the requests of a context a timer that stands still while they wait for others.
func withWatch(ctx context.Context, watch *time.Timer, stall time.Duration) context.Context {
	return context.WithValue(ctx, tripKey{}, trip{watch: watch, stall: stall})
}

// namedHost is the host that the user named: that of the first request of a row of redirects.
func namedHost(req *http.Request) string {
	for req.Response != nil {
		req = req.Response.Request
	}
	return req.URL.Hostname()
}

// RoundTrip implements http.RoundTripper.
func (r *road) RoundTrip(req *http.Request) (*http.Response, error) {
	t, _ := req.Context().Value(tripKey{}).(trip)
	asked := req
	t.private = req.URL.Hostname() == namedHost(req)
	if r.mirror != nil {
		mirrored, err := r.mirror.request(req)
		if err != nil {
			return nil, err
		}
		req, t.private = mirrored, true
	}
	req = req.Clone(context.WithValue(req.Context(), tripKey{}, &t))
	req.Header.Set("User-Agent", r.agent)
	if r.mirror != nil && r.mirror.folder != nil {
		resp, err := r.mirror.folder.RoundTrip(req)
		if resp != nil {
			resp.Request = asked
		}
		return resp, err
	}
	free, err := r.hold(req, &t)
	if err != nil {
		return nil, err
	}
	resp, err := r.next.RoundTrip(req)
	if err != nil {
		free()
		return nil, err
	}
	resp.Body, resp.Request = &heldBody{resp.Body, free}, asked
	return resp, nil
}

// hold waits until no other request to the host goes on.
func (r *road) hold(req *http.Request, t *trip) (free func(), err error) {
	r.mu.Lock()
	place := r.hosts[req.URL.Host]
	if place == nil {
		place = make(chan struct{}, 1)
		r.hosts[req.URL.Host] = place
	}
	r.mu.Unlock()
	if t.watch != nil {
		t.watch.Stop()
		defer t.watch.Reset(t.stall)
	}
	select {
	case place <- struct{}{}:
		return sync.OnceFunc(func() { <-place }), nil
	case <-req.Context().Done():
		return nil, req.Context().Err()
	}
}

// heldBody gives the place of its host back when it is closed.
type heldBody struct {
	io.ReadCloser
	free func()
}

func (b *heldBody) Close() error {
	defer b.free()
	return b.ReadCloser.Close()
}

// newTransport has one connection for each host, and refuses private addresses that a redirect leads to.
func newTransport() http.RoundTripper {
	dialer := &net.Dialer{Timeout: 30 * time.Second, KeepAlive: 30 * time.Second, ControlContext: publicOnly}
	return &http.Transport{
		Proxy: func(req *http.Request) (*url.URL, error) {
			proxy, err := http.ProxyFromEnvironment(req)
			if t, ok := req.Context().Value(tripKey{}).(*trip); ok && proxy != nil {
				t.proxied = true
			}
			return proxy, err
		},
		DialContext:         dialer.DialContext,
		MaxConnsPerHost:     1,
		MaxIdleConnsPerHost: 1,
		IdleConnTimeout:     30 * time.Second,
		TLSHandshakeTimeout: 30 * time.Second,
		DisableCompression:  true, // the digest is of the bytes as published
		ReadBufferSize:      64 << 10,
	}
}

// publicOnly refuses a connection to a private address that the user did not name; names are resolved by then.
func publicOnly(ctx context.Context, _, address string, _ syscall.RawConn) error {
	t, _ := ctx.Value(tripKey{}).(*trip)
	if t == nil || t.private || t.proxied {
		return nil
	}
	at, err := netip.ParseAddrPort(address)
	if err == nil && isPrivate(at.Addr()) {
		return fmt.Errorf("%w: %w: %s", errRedirect, ErrPrivate, at.Addr())
	}
	return err
}

// shared is the range of addresses behind carriers' translators (RFC 6598).
var shared = netip.MustParsePrefix("100.64.0.0/10")

func isPrivate(a netip.Addr) bool {
	a = a.Unmap()
	return a.IsLoopback() || a.IsPrivate() || a.IsLinkLocalUnicast() || a.IsUnspecified() || a.IsMulticast() || shared.Contains(a)
}

const maxRedirects = 5

var errRedirect = errors.New("redirect refused")

func (r *road) checkRedirect(req *http.Request, via []*http.Request) error {
	last := via[len(via)-1].URL
	if i := slices.IndexFunc(via, func(v *http.Request) bool { return *v.URL == *req.URL }); i >= 0 {
		var steps []string
		for _, v := range append(slices.Clone(via[i:]), req) {
			steps = append(steps, publicAddress(v.URL))
		}
		return fmt.Errorf("%w: a circle: %s", errRedirect, strings.Join(steps, " → "))
	}
	if len(via) > maxRedirects {
		return fmt.Errorf("%w: more than %d", errRedirect, maxRedirects)
	}
	if err := checkScheme(req.URL); err != nil {
		return fmt.Errorf("%w: %w", errRedirect, err)
	}
	if r != nil && r.mirror.is(req.URL) {
		return nil
	}
	if last.Scheme == "https" && req.URL.Scheme != "https" {
		return fmt.Errorf("%w: from https to http", errRedirect)
	}
	if host := req.URL.Hostname(); host != via[0].URL.Hostname() {
		address, err := netip.ParseAddr(host)
		if name := strings.TrimSuffix(strings.ToLower(host), "."); err == nil && isPrivate(address) || name == "localhost" ||
			strings.HasSuffix(name, ".localhost") {
			return fmt.Errorf("%w: %w: %s", errRedirect, ErrPrivate, host)
		}
	}
	return nil
}

func checkScheme(u *url.URL) error {
	if (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
		return fmt.Errorf("%s is not an http or https address", publicAddress(u))
	}
	return nil
}

func publicAddress(u *url.URL) string { return source.PublicURL(u.String()) }

// redacted is an address without what gives access.
func redacted(address string) string {
	if public := source.PublicURL(address); public != "" {
		return public
	}
	return "address"
}
