// Package client is a Go client of the Location Insights API, generated from openapi.json, which is the document that a
// server has at /openapi.json. Input: the address and the credentials of an account. Output: typed answers by status.
//
//	c, err := client.Connect(ctx, "https://api.example.com", id, secret)
//	answer, err := c.GetScores(ctx, &client.GetScoresParams{Lat: &lat, Lng: &lng})
//	if answer.OK != nil { … answer.OK.Data.Location["cafes"].Value … }
package client

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"
)

//go:generate go tool oapi-codegen -config oapi-codegen.yaml -generate types -o types.gen.go openapi.json
//go:generate go tool oapi-codegen -config oapi-codegen.yaml -generate client -o client.gen.go openapi.json

// Client has a method for each operation. It is safe for concurrent use.
type Client struct {
	server  *url.URL
	http    Doer
	editors []RequestEditor
}

// Doer performs requests. http.Client is one.
type Doer interface {
	Do(r *http.Request) (*http.Response, error)
}

// RequestEditor changes a request before it is sent: it adds a header, for example.
type RequestEditor func(ctx context.Context, r *http.Request) error

// Option is an option of New and Connect.
type Option func(*Client)

// WithHTTPClient sends requests by another client than http.DefaultClient.
func WithHTTPClient(doer Doer) Option { return func(c *Client) { c.http = doer } }

// WithRequestEditor changes every request.
func WithRequestEditor(edit RequestEditor) Option {
	return func(c *Client) { c.editors = append(c.editors, edit) }
}

// New makes a client that sends no token, for the operations that need none.
func New(server string, options ...Option) (*Client, error) {
	base, err := url.Parse(strings.TrimSuffix(server, "/") + "/")
	if err != nil {
		return nil, err
	}
	c := &Client{server: base, http: http.DefaultClient}
	for _, set := range options {
		set(c)
	}
	return c, nil
}

// Connect makes a client that sends a token with every request, and gets a new one before it expires. It fails where the
// server does not grant one.
func Connect(ctx context.Context, server, clientID, clientSecret string, options ...Option) (*Client, error) {
	plain, err := New(server, options...)
	if err != nil {
		return nil, err
	}
	s := &session{client: plain, credentials: TokenRequest{ClientID: clientID, ClientSecret: clientSecret}}
	if _, err := s.token(ctx); err != nil {
		return nil, err
	}
	return New(server, append(options[:len(options):len(options)], WithRequestEditor(s.authorize))...)
}

// session has the token of a client. It is safe for concurrent use.
type session struct {
	client      *Client
	credentials TokenRequest

	mu      sync.Mutex
	current string
	renew   time.Time // when a new token is needed
}

// authorize adds the token to a request.
func (s *session) authorize(ctx context.Context, r *http.Request) error {
	token, err := s.token(ctx)
	if err != nil {
		return err
	}
	r.Header.Set("Authorization", "Bearer "+token)
	r.Header.Set("Accept", "application/json")
	return nil
}

// token returns the current token, or a new one in the second half of its lifetime.
func (s *session) token(ctx context.Context) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.current != "" && time.Now().Before(s.renew) {
		return s.current, nil
	}
	answer, err := s.client.CreateToken(ctx, s.credentials)
	if err != nil {
		return "", err
	}
	grant := answer.OK
	if grant == nil {
		return "", fmt.Errorf("no token: status %d: %.200s", answer.HTTPResponse.StatusCode, answer.Body)
	}
	s.current, s.renew = grant.AccessToken, time.Now().Add(time.Duration(grant.ExpiresIn)*time.Second/2)
	return s.current, nil
}
