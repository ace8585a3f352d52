package serve

import (
	"net/http"
	"strconv"

	"quartier/serve/account"
	"quartier/serve/explore"
)

// explore answers a request below /explore. Calls of the API that it makes are answered, counted and logged as those of
// its account.
func (s *Server) explore(w http.ResponseWriter, in *http.Request) {
	r := s.begin(w, in)
	defer s.end(r)
	path := pathOf(in.URL)
	r.counts = s.table.explorer[explore.RouteOf(path)]
	r.passedOn = s.options.Explorer.Explore(explore.Visit{W: &observed{w, r}, HTTP: in, Path: path, Server: (*visited)(r)})
}

// visited is a request below /explore, of which the explorer asks the server.
type visited request

// Address is explore.Server's.
func (v *visited) Address() string { return v.Pass.Networks()[0].String() }

// Pace is explore.Server's.
func (v *visited) Pace() { v.Pass.PaceStranger() }

// API answers with the API's own handlers, as the account.
func (v *visited) API(w http.ResponseWriter, in *http.Request, as *account.Client) {
	in.Header["X-Request-Id"] = v.ID[:]
	v.server.serve(w, in, as)
}

// observed notes what is sent, for metrics and the access log. Whoever sends a body states its length.
type observed struct {
	http.ResponseWriter
	r *request
}

func (o *observed) WriteHeader(status int) {
	o.r.Status = status
	if length := o.Header()["Content-Length"]; len(length) == 1 {
		o.r.Sent, _ = strconv.Atoi(length[0]) // the server's own
	}
	o.ResponseWriter.WriteHeader(status)
}
