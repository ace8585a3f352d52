package serve

import (
	"net/http"

	"quartier/serve/account"
	"quartier/serve/explore"
)

// explore adds the routes of the explorer. They are no part of the API and its document.
func (t *table) explore() {
	t.explorer = map[string]*route{}
	for _, name := range explore.Routes() {
		r := service("explore", name, "A part of the explorer", nil, nil)
		r.stats = &stats{name: "GET " + name}
		t.explorer[name] = r
		t.all = append(t.all, r)
	}
}

// explore answers a request below /explore. Calls of the API that it makes are answered, counted and logged as those of
// its account.
func (s *Server) explore(w http.ResponseWriter, in *http.Request) {
	r := s.begin(w, in)
	defer s.end(r)
	path := pathOf(in.URL)
	r.route = s.table.explorer[explore.RouteOf(path)]
	s.explorer.Explore(&explore.Visit{
		W: &observed{w, r}, HTTP: in, Path: path, Address: s.addressOf(in),
		API: func(w http.ResponseWriter, in *http.Request, as *account.Client) {
			r.passedOn = true
			s.serve(w, in, as)
		},
	})
}

// observed notes what is sent, for metrics and the access log.
type observed struct {
	http.ResponseWriter
	r *request
}

func (o *observed) WriteHeader(status int) {
	o.r.status = status
	o.ResponseWriter.WriteHeader(status)
}

func (o *observed) Write(body []byte) (int, error) {
	n, err := o.ResponseWriter.Write(body)
	o.r.sent += n
	return n, err
}
