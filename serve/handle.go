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
	"quartier/serve/endpoint"
	"quartier/serve/entry"
	"quartier/serve/explore"
	"quartier/serve/monitor"
	"quartier/serve/reply"
	"quartier/serve/scope"
)

// request is one HTTP request and the answer to it. Its memory is reused for later requests.
type request struct {
	reply.Exchange
	server   *Server
	route    *route          // nil where none matches
	counts   *monitor.Route  // of the route, or of those without one
	as       *account.Client // the caller, by a session of the explorer; nil: by a token
	passedOn bool            // to the API: counted and logged there
}

var closeConnection = []string{"close"}

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, in *http.Request) {
	if s.options.Explorer != nil && !s.options.Admin && explore.Owns(in.URL.Path) {
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
	if err := s.handle(r); err != nil {
		r.Refuse(err)
	}
}

// begin makes a request, which end ends.
func (s *Server) begin(w http.ResponseWriter, in *http.Request) *request {
	debug.SetPanicOnFault(true) // reading a mapped pack that was truncated fails a request, not the process
	r, ok := s.requests.Get().(*request)
	if !ok {
		r = new(request)
	}
	r.server, r.counts = s, s.table.unknown
	s.answers.Begin(&r.Exchange, s.door, w, in)
	if s.draining.Load() {
		w.Header()["Connection"] = closeConnection
	}
	return r
}

// free keeps the memory of a request for another one.
func (s *Server) free(r *request) {
	r.server, r.route, r.counts, r.as, r.passedOn = nil, nil, nil, nil, false
	if r.Reset() {
		s.requests.Put(r)
	}
}

// handle checks a request in the order of docs/api.md, and answers it.
func (s *Server) handle(r *request) error {
	path := pathOf(r.HTTP.URL)
	found, notFound := s.table.find(path)
	if r.route = found.routes[r.HTTP.Method]; r.route != nil {
		r.counts = r.route.counts
	}
	v3 := strings.HasPrefix(path, "/v3/") || path == "/v3"
	if !v3 || r.HTTP.Method == http.MethodOptions && r.as == nil {
		r.Pass.PaceStranger()
	}
	if done, err := s.letPageRead(r, path, found, v3); done || err != nil {
		return err
	}
	if v3 {
		if err := s.admit(r); err != nil {
			return err
		}
	} else if err := r.Pass.CheckFields(); err != nil {
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
		r.W.Header()["Allow"] = []string{found.allow}
		return reply.ErrMethod
	}
	if r.route.Product == "" {
		return r.route.answer(r)
	}
	if r.route.Media == "" && !accept.JSON(r.HTTP.Header["Accept"]) {
		return reply.ErrAccept
	}
	return s.handleProduct(r, path)
}

// letPageRead lets the page of a request read the answer: one of the origins of the server or, of a request with a key, which it
// identifies by the key, one of those of the key. It reports whether it has answered a preflight request.
func (s *Server) letPageRead(r *request, path string, found *resource, v3 bool) (answered bool, err error) {
	if !v3 || r.as != nil || !entry.HasKey(r.HTTP.URL.RawQuery) {
		return r.AllowOrigin(path, found.allow), nil
	}
	r.VaryByPage(found.key)
	origin, err := r.Pass.AuthenticateKey(found.key, path)
	if err != nil || origin == "" {
		return false, err
	}
	return r.AllowPage(origin), nil
}

// admit lets a v3 request in.
func (s *Server) admit(r *request) error {
	if r.Pass.Client == nil { // else by a key, which has said it
		r.W.Header()["Vary"] = s.answers.Varies
	}
	if err := r.Pass.Admit(r.as, &r.counts.Cost); err != nil {
		return err
	}
	r.Client = &r.Pass.Client.Client
	if s.options.ServerTiming {
		r.Entered = r.Pass.Now()
	}
	return nil
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
	all := s.options.Releases.Acquire()
	if all != nil {
		if r.Pass.Client.ByKey() {
			r.Release.OpenPublic(all, r.Pass.Client.Regions)
		} else {
			r.Release.Open(all, r.Client.Customer, r.Pass.Client.Regions)
		}
		r.Release.Stop = r.Stop
		if r.as != nil {
			r.W.Header()[explore.ReleaseHeader] = []string{all.Digest()}
		}
	}
	return all != nil
}

// handleProduct answers a request for a product from the current release.
func (s *Server) handleProduct(r *request, path string) error {
	if !r.Client.Agreement.AllowsProduct(r.route.Product) {
		return reply.ErrProduct
	}
	if !s.openRelease(r) {
		return entry.ErrUnavailable
	}
	r.RawQuery = r.HTTP.URL.RawQuery
	r.Canonical = append(r.Canonical, r.route.Path...)
	r.Canonical = append(r.Canonical, 0)
	if r.route.HasVariable() {
		r.Segment = lastSegment(path)
		r.Canonical = append(r.Canonical, r.Segment...)
		r.Canonical = append(r.Canonical, 0)
	}
	err := r.route.answer(r)
	if r.Pass.Over() {
		return entry.ErrUnavailable
	}
	if r.route.Levels != nil && (err == nil || errors.Is(err, endpoint.ErrNothing)) {
		r.Deprecate(&r.route.Endpoint)
	}
	if err != nil {
		return err
	}
	return r.Send(&r.route.Endpoint)
}

// end turns a panic into a 500, counts and logs the request, and frees its memory.
func (s *Server) end(r *request) {
	if p := recover(); p != nil {
		if p == http.ErrAbortHandler {
			r.Pass.Leave(s.door.Now())
			s.free(r)
			panic(p)
		}
		s.options.Log.Error("panic while answering", "request_id", r.ID[0], "trace_id", r.Traced().ID, "path", r.HTTP.URL.Path, "panic", p,
			"stack", string(debug.Stack()))
		if address, ok := p.(interface{ Addr() uintptr }); ok && r.Release.Unfiltered() != nil {
			s.options.Releases.MarkUnreadable(r.Release.Unfiltered(), address.Addr())
		}
		if r.Sent == 0 { // else a file was truncated while it was sent: net/http closes the connection
			r.WriteError(reply.ErrInternal)
		}
	}
	if r.HTTP.Method == http.MethodHead {
		r.Sent = 0 // net/http omitted the body
	}
	now := r.Pass.Now()
	r.Pass.Leave(now)
	if r.passedOn {
		s.free(r)
		return
	}
	spent := now.Sub(r.Pass.Start)
	r.counts.Observe(r.Status, r.Sent, spent)
	if s.options.AccessLog != nil {
		monitor.Record(s.options.AccessLog, &r.Exchange, r.counts.Name, spent)
	}
	stranger := r.Pass.Client == nil
	s.free(r)
	if stranger {
		runtime.Gosched() // a connection of which the next request is there already would go on, before others, for 10 ms
	}
}
