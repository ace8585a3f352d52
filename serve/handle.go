package serve

import (
	"errors"
	"net/http"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"quartier/schemas"
	"quartier/serve/accept"
	"quartier/serve/account"
	"quartier/serve/admit"
	"quartier/serve/endpoint"
	"quartier/serve/explore"
	"quartier/serve/scope"
)

var closeConnection = []string{"close"}

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, in *http.Request) {
	if s.explorer != nil && !s.admin && explore.Owns(in.URL.Path) {
		s.explore(w, in)
		return
	}
	s.serve(w, in, nil)
}

// serve answers one request, as an account or, where that is nil, as the one of its token.
func (s *Server) serve(w http.ResponseWriter, in *http.Request, as *account.Client) {
	r := s.begin(w, in)
	defer s.end(r)
	r.as = as
	err := s.handle(r)
	if err == nil {
		return
	}
	s.pace(r, err)
	if tooMuch := r.made(); tooMuch != nil {
		err = tooMuch
	}
	r.writeError(err)
}

// begin makes a request, which end ends.
func (s *Server) begin(w http.ResponseWriter, in *http.Request) *request {
	debug.SetPanicOnFault(true) // reading a mapped pack that was truncated fails a request, not the process
	r := newRequest(s, w, in, s.now())
	r.id[0] = requestID(in.Header["X-Request-Id"])
	w.Header()["X-Request-Id"] = r.id[:]
	if s.draining.Load() {
		w.Header()["Connection"] = closeConnection
	}
	return r
}

// handle checks a request in the order of docs/api.md, and answers it.
func (s *Server) handle(r *request) error {
	path := pathOf(r.http.URL)
	found, notFound := s.table.find(path)
	if found != nil {
		r.route = found.routes[r.http.Method]
	}
	v3 := strings.HasPrefix(path, "/v3/") || path == "/v3"
	if !v3 || r.http.Method == http.MethodOptions && r.as == nil {
		s.paceStranger(r)
	}
	if s.origins != nil && s.origins.allow(r, path, found) {
		return nil
	}
	if v3 {
		if err := s.admit(r); err != nil {
			return err
		}
		if s.timed {
			r.entered = s.later(r.start)
		}
	} else if err := checkFields(r.http.Header); err != nil {
		return err
	}
	if notFound != nil {
		return notFound
	}
	if found.levels != nil {
		if err := s.checkLevel(r, lastSegment(path), found.levels); err != nil {
			return err
		}
	}
	if r.route == nil {
		r.w.Header()["Allow"] = []string{found.allow}
		return errMethod
	}
	if r.route.Product == "" {
		return r.route.answer(r)
	}
	if !accept.JSON(r.http.Header["Accept"]) {
		return errAccept
	}
	return s.handleProduct(r, path)
}

// checkLevel checks that an id in a path is of one of the levels.
func (s *Server) checkLevel(r *request, id string, levels []schemas.Level) error {
	if level, ok := schemas.LevelOfGeogID(id); ok && slices.Contains(levels, level) {
		return nil
	}
	if !s.openRelease(r) {
		return scope.ErrNoGeography
	}
	return r.Release.CheckLevel(id, levels)
}

// openRelease gives a request the current release as its client may see it; false where there is none.
func (s *Server) openRelease(r *request) bool {
	all := s.releases.Acquire()
	if all != nil {
		r.Release.Open(all, r.Client.Customer, r.client.regions)
		r.Release.Stop = r.stop
		if r.as != nil {
			r.w.Header()[explore.ReleaseHeader] = []string{all.Digest()}
		}
	}
	return all != nil
}

// admit identifies the client of a request, applies its rate limit, and waits until there is capacity for it.
func (s *Server) admit(r *request) error {
	r.w.Header()["Vary"] = s.varies
	if err := s.authenticate(r); err != nil {
		return err
	}
	if err := checkFields(r.http.Header); err != nil {
		return err
	}
	if err := s.limit(r); err != nil {
		return err
	}
	return s.enter(r)
}

// authenticate identifies the client.
func (s *Server) authenticate(r *request) error {
	if r.as != nil {
		r.client = s.clients.state(s.gate, r.as)
		r.Client = &r.client.Client
		return nil
	}
	authorization := r.http.Header["Authorization"]
	if len(authorization) != 1 {
		return errForbidden
	}
	client := s.authority.Recall(authorization[0], r.start)
	if client == nil {
		if err := s.limitStranger(r, unknownToken); err != nil {
			return err
		}
		var err error
		if client, err = s.authority.Authenticate(r.http.Context(), authorization[0]); errors.Is(err, account.ErrStale) {
			return err
		}
		if err != nil || client == nil {
			return errForbidden
		}
	}
	r.client = s.clients.state(s.gate, client)
	r.Client = &r.client.Client
	admit.ConnOf(r.http.Context()).Show(r.Client.Customer, r.start)
	return nil
}

// handleProduct answers a request for a product from the current release.
func (s *Server) handleProduct(r *request, path string) error {
	if !r.Client.Agreement.AllowsProduct(r.route.Product) {
		return errProduct
	}
	if !s.openRelease(r) {
		return errUnavailable
	}
	r.RawQuery, r.HTTP = r.http.URL.RawQuery, r.http
	r.Canonical = append(r.Canonical, r.route.Path...)
	r.Canonical = append(r.Canonical, 0)
	if r.route.HasVariable() {
		r.Segment = lastSegment(path)
		r.Canonical = append(r.Canonical, r.Segment...)
		r.Canonical = append(r.Canonical, 0)
	}
	err := r.route.answer(r)
	if r.over {
		return errUnavailable
	}
	if r.route.Levels != nil && (err == nil || errors.Is(err, endpoint.ErrNothing)) {
		r.deprecate()
	}
	if err != nil {
		return err
	}
	return r.send()
}

// end turns a panic into a 500, counts and logs the request, and frees its memory.
func (s *Server) end(r *request) {
	if p := recover(); p != nil {
		if p == http.ErrAbortHandler {
			if r.admitted {
				r.ticket.Leave(s.now())
			}
			r.free()
			panic(p)
		}
		s.log.Error("panic while answering", "request_id", r.id[0], "trace_id", r.traced().id, "path", r.http.URL.Path, "panic", p, "stack",
			string(debug.Stack()))
		if address, ok := p.(interface{ Addr() uintptr }); ok && r.Release.Unfiltered() != nil {
			s.releases.MarkUnreadable(r.Release.Unfiltered(), address.Addr())
		}
		if r.sent == 0 { // else a file was truncated while it was sent: net/http closes the connection
			r.writeError(errInternal)
		}
	}
	stats := s.table.unknown
	if r.route != nil {
		stats = r.route.stats
	}
	if r.http.Method == http.MethodHead {
		r.sent = 0 // net/http omitted the body
	}
	now := s.later(r.start)
	if r.admitted {
		r.ticket.Leave(now)
	}
	if r.passedOn {
		r.free()
		return
	}
	spent := now.Sub(r.start)
	stats.observe(r.status, r.sent, spent)
	if s.access != nil {
		s.logAccess(r, stats.name, spent)
	}
	stranger := r.client == nil
	r.free()
	if stranger {
		runtime.Gosched() // a connection of which the next request is there already would go on, before others, for 10 ms
	}
}
