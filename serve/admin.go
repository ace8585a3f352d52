package serve

import (
	"errors"
	"net/http"
	"net/http/pprof"

	"quartier/serve/endpoint"
	"quartier/serve/explore"
	"quartier/serve/monitor"
	"quartier/serve/reply"
)

// Admin returns the handler of an address for operators: metrics, readiness in detail, profiles of the process, and the
// explorer. It asks for no credential, except for the explorer: the address must not be reachable by customers. A request with
// another name in Host than this server's is answered 421: a name that a page of the operator's browser looks up may lead here.
//
// The arguments of the process are not among the profiles, since one of them can have the password of a database.
func (s *Server) Admin() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", s.metrics)
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) {
		writeAdmin(w, http.StatusOK, monitor.Health{Status: "ok"})
	})
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, _ *http.Request) {
		status, body := s.readiness()
		writeAdmin(w, status, body)
	})
	mux.HandleFunc("GET /debug/pprof/", pprof.Index)
	mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	paths := []string{"/healthz", "/readyz", "/metrics", "/debug/pprof/"}
	if s.options.Explorer != nil {
		paths = append(paths, explore.Root)
	}
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) { writeAdmin(w, http.StatusOK, paths) })
	return http.HandlerFunc(func(w http.ResponseWriter, in *http.Request) {
		if s.options.Explorer != nil && explore.Owns(in.URL.Path) { // before the mux, which redirects paths with ".." and "//"
			s.explore(w, in)
			return
		}
		if _, ok := explore.SchemeOf(in, s.options.AdminHosts); !ok {
			writeAdmin(w, http.StatusMisdirectedRequest, reply.Misdirected(errHost))
			return
		}
		mux.ServeHTTP(w, in)
	})
}

// errHost is for a Host that is not the server's.
var errHost = errors.New("operators do not reach this server by this name: use its address or localhost, or start it with --admin-host " +
	"and the name")

func writeAdmin(w http.ResponseWriter, status int, value any) {
	body, err := endpoint.Encode(value)
	if err != nil {
		status, body = http.StatusInternalServerError, nil
	}
	w.Header()["Content-Type"] = reply.JSON
	w.Header()["Cache-Control"] = reply.NoStore
	w.WriteHeader(status)
	w.Write(body) // fails only when the caller has hung up
}
