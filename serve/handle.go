package serve

import (
	"fmt"
	"net/http"
	"runtime/debug"
	"strings"
)

// closing asks for another connection for the next request.
var closing = []string{"close"}

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	debug.SetPanicOnFault(true) // a pack that is cut while it is mapped costs a request, not the process
	x := newExchange(s, w, r, s.now())
	defer s.end(x)
	x.id[0] = requestID(r.Header["X-Request-Id"])
	w.Header()["X-Request-Id"] = x.id[:]
	if s.draining.Load() {
		w.Header()["Connection"] = closing
	}
	if err := s.handle(x); err != nil {
		x.refuse(err)
	}
}

// handle judges a request in the order that the contract's errors have, and answers it.
func (s *Server) handle(x *exchange) error {
	path := pathOf(x.r.URL)
	found, missing := s.table.find(path)
	if found != nil {
		x.route = found.routes[x.r.Method]
	}
	if strings.HasPrefix(path, "/v3/") || path == "/v3" {
		if err := s.admit(x); err != nil {
			return err
		}
		defer s.inFlight.Add(-1)
	}
	if missing != nil {
		return missing
	}
	if x.route == nil {
		x.w.Header()["Allow"] = []string{found.allow}
		return errMethod
	}
	if x.route.accepts && !acceptsJSON(x.r.Header["Accept"]) {
		return errAccept
	}
	if x.route.product == "" {
		return x.route.serve(x)
	}
	return s.handleProduct(x)
}

// admit finds out who asks, and whether there is room for the request. Where it returns nil the request counts as
// being in flight.
func (s *Server) admit(x *exchange) error {
	x.w.Header()["Vary"] = varies
	if s.inFlight.Add(1) > s.most {
		s.inFlight.Add(-1)
		return errUnavailable
	}
	err := s.identify(x)
	if err != nil {
		s.inFlight.Add(-1)
	}
	return err
}

// identify authenticates the caller and holds it to its rate.
func (s *Server) identify(x *exchange) error {
	authorization := x.r.Header["Authorization"]
	if len(authorization) != 1 {
		return errForbidden
	}
	client, err := s.authority.Authenticate(x.r.Context(), authorization[0])
	if err != nil || client == nil {
		return errForbidden
	}
	x.who = s.clients.standing(client)
	return s.limit(x)
}

// handleProduct answers a request for a product of the agreement from the current release.
func (s *Server) handleProduct(x *exchange) error {
	if !x.who.client.Agreement.AllowsProduct(x.route.product) {
		return errProduct
	}
	current := s.releases.Acquire()
	if current == nil {
		return errUnavailable
	}
	x.view.release, x.view.regions = current, x.who.regions
	x.canonical = append(x.canonical, x.route.path...)
	x.canonical = append(x.canonical, 0)
	if x.route.hasVariable() {
		x.canonical = append(x.canonical, lastSegment(pathOf(x.r.URL))...)
		x.canonical = append(x.canonical, 0)
	}
	if err := x.route.serve(x); err != nil {
		return err
	}
	x.send(s.cacheControl)
	return nil
}

// end turns a panic into a 500, counts and logs the request, and gives its memory back.
func (s *Server) end(x *exchange) {
	if p := recover(); p != nil {
		if p == http.ErrAbortHandler {
			x.release()
			panic(p)
		}
		s.log.Error("panic while answering", "request_id", x.id[0], "path", x.r.URL.Path, "panic", p, "stack", string(debug.Stack()))
		if address, ok := p.(interface{ Addr() uintptr }); ok && x.view.release != nil {
			s.releases.Condemn(x.view.release, fmt.Errorf("a page of it cannot be read, at %#x", address.Addr()))
		}
		x.refuse(errInternal) // answers are written whole and last, so nothing was sent before a panic
	}
	stats := s.table.unknown
	if x.route != nil {
		stats = x.route.stats
	}
	if x.r.Method == http.MethodHead {
		x.sent = 0 // net/http left the body out
	}
	spent := s.now().Sub(x.start)
	stats.observe(x.status, x.sent, spent)
	if s.access != nil {
		s.logAccess(x, stats.name, spent)
	}
	x.release()
}
