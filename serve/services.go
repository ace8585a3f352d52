package serve

import (
	"errors"
	"net/http"
	"net/http/pprof"

	"quartier/serve/account"
	"quartier/serve/endpoint"
	"quartier/serve/entry"
	"quartier/serve/explore"
	"quartier/serve/monitor"
	"quartier/serve/reply"
	"quartier/serve/token"
)

// TokenForm is the form of POST /oauth/token. The credentials can be in HTTP Basic instead.
type TokenForm struct {
	GrantType    string `json:"grant_type" enum:"GrantType" doc:"As defined by RFC 6749."`
	ClientID     string `json:"client_id,omitempty" doc:"Id of the credentials; absent with HTTP Basic."`
	ClientSecret string `json:"client_secret,omitempty" doc:"Secret of the credentials; absent with HTTP Basic."`
	Audience     string `json:"audience,omitempty" enum:"Audience" doc:"The product that the token is for; by default this API."`
}

var basicRealm = []string{`Basic realm="quartier"`}

func (s *Server) tokenRoute() *route {
	return &route{
		Endpoint: endpoint.Endpoint{
			Name:    "createToken",
			Method:  http.MethodPost,
			Path:    "/oauth/token",
			Summary: "A token for the v3 endpoints",
			Doc: "Takes JSON, or a form as defined by RFC 6749 with grant_type=client_credentials and the credentials in the form " +
				"or in HTTP Basic. The audience reports-api is for the reports product: the v3 endpoints reject its tokens. " +
				"Requests are limited by client_id (5 a second, 20 at once) and by address (20 a second, 100 at once).",
			Body:    token.Grant{},
			Sent:    token.Request{ClientID: "qc_2t5yqk3vxbzq7m4n", ClientSecret: "Zm9yIGV4YW1wbGUsIDI1NiByYW5kb20gYml0cyBvZiBpdA"},
			Form:    TokenForm{},
			Refuses: []error{entry.ErrTooManyTokens, token.ErrBadRequest, token.ErrWrongClient, account.ErrStale},
		},
		answer: s.answerToken,
	}
}

func (s *Server) answerToken(r *request) error {
	if err := r.Pass.LimitTokens(); err != nil {
		return err
	}
	in, err := token.ReadRequest(r.W, r.HTTP)
	if err != nil {
		return err
	}
	if err := r.Pass.LimitToken(in.ClientID); err != nil {
		return err
	}
	grant, err := s.options.Authority.Grant(r.HTTP.Context(), in)
	if errors.Is(err, token.ErrWrongClient) && r.HTTP.Header.Get("Authorization") != "" {
		r.W.Header()["Www-Authenticate"] = basicRealm // RFC 6749, section 5.2
	}
	if err != nil {
		return err
	}
	return r.WriteValue(http.StatusOK, grant)
}

func (s *Server) answerKeys(r *request) error {
	return r.WriteValue(http.StatusOK, s.options.Authority.KeySet())
}

func (s *Server) answerHealth(r *request) error {
	return r.WriteValue(http.StatusOK, monitor.Health{Status: "ok"})
}

func (s *Server) answerReady(r *request) error {
	code, body := s.readiness()
	if s.options.Admin {
		body = monitor.Readiness{Status: body.Status}
	}
	return r.WriteValue(code, body)
}

func (s *Server) readiness() (int, monitor.Readiness) {
	return monitor.ReadinessOf(s.options.Releases, s.options.Accounts, s.options.Store, s.draining.Load())
}

func (s *Server) answerMetrics(r *request) error {
	s.metrics.ServeHTTP(r.W, r.HTTP)
	return nil
}

func (s *Server) documentRoute() *route {
	r := service("getDocument", "/openapi.json", "This document", nil, s.answerDocument)
	r.Doc = "Requests are limited by address (1 a second, 10 at once)."
	r.Refuses = []error{entry.ErrTooManyCopies}
	return r
}

func (s *Server) answerDocument(r *request) error {
	if err := r.Pass.LimitStranger(entry.DocumentCopy); err != nil {
		return err
	}
	document, err := s.openAPI.Get(s.endpoints, s.options.Releases)
	if err != nil {
		return err
	}
	return r.WriteStored(document)
}

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
			writeAdmin(w, http.StatusMisdirectedRequest, reply.Problem{Code: reply.CodePrefix + "Misdirected", Detail: errHost.Error()})
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
