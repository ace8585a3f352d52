package serve

import (
	"net/http"
	"slices"
	"strings"

	"quartier/serve/accept"
	"quartier/serve/docs"
	"quartier/serve/entry"
	"quartier/serve/reply"
)

// Root is the body of / for programs.
type Root struct {
	Name      string `json:"name"`
	Version   string `json:"version"`
	Reference string `json:"reference"` // paths of this server
	Document  string `json:"document"`
	Token     string `json:"token"`
	Ready     string `json:"ready"`
}

// pageHeaders are those of pages for people and what they load.
func pageHeaders(vary string) http.Header {
	return http.Header{
		"Content-Security-Policy": {docs.Policy},
		"X-Content-Type-Options":  {"nosniff"},
		"Referrer-Policy":         {"no-referrer"},
		"Vary":                    {vary},
	}
}

// pages makes the routes of the pages about the API, which are not part of it and its document.
func (s *Server) pages(api []*route) ([]*route, error) {
	files, err := docs.Files(operationGroups(api))
	if err != nil {
		return nil, err
	}
	root, err := docs.Root()
	if err != nil {
		return nil, err
	}
	page := reply.NewStored("text/html; charset=utf-8", root, pageHeaders("Accept, Accept-Encoding"))
	routes := []*route{service("getRoot", "/", "What this is", nil,
		func(r *request) error { return r.writePage(page, prefersHTML(r.HTTP.Header["Accept"])) })}
	for _, f := range files {
		answer := reply.NewStored(f.Type, f.Body, pageHeaders("Accept-Encoding"))
		routes = append(routes, service("getPage", f.Path, "A page", nil, func(r *request) error { return r.writePage(answer, true) }))
	}
	shared, err := s.shared()
	return append(routes, shared...), err
}

// writePage answers with a page, or, to programs that ask for /, with what this server is as JSON.
func (r *request) writePage(page *reply.Stored, html bool) error {
	if err := r.Pass.LimitStranger(entry.PageCopy); err != nil {
		return err
	}
	if html {
		return r.WriteStored(page)
	}
	r.W.Header()["Vary"] = []string{"Accept, Accept-Encoding"}
	return r.WriteValue(http.StatusOK, Root{"Location Insights API", "3", "/docs", "/openapi.json", "/oauth/token", "/readyz"})
}

// prefersHTML reports whether an Accept header names text/html, and application/json with no greater weight.
func prefersHTML(header []string) bool {
	var html, json float64
	for _, line := range header {
		for entry := range strings.SplitSeq(line, ",") {
			switch kind, weight := accept.Quality(entry); strings.ToLower(kind) {
			case "text/html":
				html = weight
			case "application/json":
				json = weight
			}
		}
	}
	return html > 0 && html >= json
}

// operationGroups are the operations of the API by tag, in the order of the document.
func operationGroups(api []*route) []docs.Group {
	var groups []docs.Group
	for _, r := range api {
		tag := r.Tag()
		at := slices.IndexFunc(groups, func(g docs.Group) bool { return g.Tag == tag })
		if at < 0 {
			at = len(groups)
			groups = append(groups, docs.Group{Tag: tag})
		}
		groups[at].Operations = append(groups[at].Operations, docs.Operation{ID: r.Name, Method: r.Method, Path: r.Path, Summary: r.Summary})
	}
	return groups
}
