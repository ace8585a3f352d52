package browser_test

import (
	"encoding/json"
	"html/template"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"quartier/serve/account"
	"quartier/serve/servetest"
)

// outside is a page of another site with a link.
var outside = template.Must(template.New("outside").
	Parse(`<!doctype html><title>elsewhere</title><a href="{{.To}}"{{if .Blank}} target="_blank"{{end}}>look at this</a>`))

// TestFollowedLinks follows links to the explorer from another site, in Chromium.
func TestFollowedLinks(t *testing.T) {
	chromium := needChromium(t)
	s := start(t, servetest.Release{}, true, account.Agreement{Rate: 1_000_000}, "explorer.test")
	byName := strings.Replace(s.url, "127.0.0.1", "explorer.test", 1)

	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) {
		query := r.URL.Query()
		if err := outside.Execute(w, struct{ To, Blank string }{query.Get("to"), query.Get("blank")}); err != nil {
			t.Error(err)
		}
	})
	mux.HandleFunc("GET /go", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, r.URL.Query().Get("to"), http.StatusFound)
	})
	mux.HandleFunc("GET /link", func(w http.ResponseWriter, r *http.Request) {
		w.Write([]byte(s.explorer.Link(r.URL.Query().Get("origin"))))
	})
	other := httptest.NewServer(mux)
	t.Cleanup(other.Close)

	type site struct {
		Origin string `json:"origin"`
		Links  string `json:"links"`
	}
	var sites []site
	for _, origin := range []string{s.url, byName} {
		sites = append(sites, site{origin, other.URL + "/link?origin=" + url.QueryEscape(origin)})
	}
	list, err := json.Marshal(sites)
	must(t, err)
	// localhost is another site than 127.0.0.1.
	run(t, "follow.mjs", chromium, "QUARTIER_OUTSIDE="+strings.Replace(other.URL, "127.0.0.1", "localhost", 1), "QUARTIER_SITES="+string(list))
}
