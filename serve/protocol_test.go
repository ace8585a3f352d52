package serve_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"quartier/schemas"
	"quartier/serve"
	"quartier/serve/monitor"
	"quartier/serve/reply"
	"quartier/serve/servetest"
)

// TestTraceContext sends valid and invalid contexts, and looks at what the access log has.
func TestTraceContext(t *testing.T) {
	const id, parent = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
	const valid = "00-" + id + "-" + parent + "-01"
	var out bytes.Buffer
	lines := monitor.NewLogWriter(&out)
	a := newPlacesAPI(t, func(o *serve.Options) { o.AccessLog = lines })
	cases := []struct {
		name  string
		given []string
		taken bool
	}{
		{"none", nil, false},
		{"valid", []string{valid}, true},
		{"not recorded", []string{"00-" + id + "-" + parent + "-00"}, true},
		{"flags of later", []string{"00-" + id + "-" + parent + "-ff"}, true},
		{"later version", []string{"cc-" + id + "-" + parent + "-01"}, true},
		{"later version with more", []string{"cc-" + id + "-" + parent + "-01-what-the-future-will-be"}, true},
		{"later version with more at once", []string{"cc-" + id + "-" + parent + "-01what"}, false},
		{"more", []string{valid + "-00"}, false},
		{"twice", []string{valid, valid}, false},
		{"version ff", []string{"ff" + valid[2:]}, false},
		{"version of letters", []string{".0" + valid[2:]}, false},
		{"upper case", []string{"00-" + strings.ToUpper(id) + "-" + parent + "-01"}, false},
		{"no trace", []string{"00-" + strings.Repeat("0", 32) + "-" + parent + "-01"}, false},
		{"no parent", []string{"00-" + id + "-" + strings.Repeat("0", 16) + "-01"}, false},
		{"short", []string{valid[:len(valid)-1]}, false},
		{"bad flags", []string{valid[:len(valid)-2] + "0x"}, false},
		{"quotes", []string{`00-` + id[:31] + `"-` + parent + "-01"}, false},
		{"other separators", []string{strings.ReplaceAll(valid, "-", "_")}, false},
		{"empty", []string{""}, false},
	}
	for i, c := range cases {
		headers := []string{fmt.Sprintf("X-Request-Id: r%d", i)}
		for _, value := range c.given {
			headers = append(headers, "traceparent: "+value)
		}
		got := a.get("full", "/v3/geographies?"+north, headers...)
		if got.status != http.StatusOK || got.header.Get("traceresponse") != "" || got.header.Get("traceparent") != "" {
			t.Errorf("%s: %d %v", c.name, got.status, got.header)
		}
	}
	made := a.get("full", "/v3/geographies?"+north).header.Get("X-Request-Id")
	must(t, lines.Close())
	records := strings.Split(strings.TrimSpace(out.String()), "\n")
	seen := map[string]bool{}
	for i, record := range records {
		var got struct {
			Trace  string `json:"trace_id"`
			Parent string `json:"parent_id"`
			Flags  string `json:"trace_flags"`
		}
		must(t, json.Unmarshal([]byte(record), &got))
		if i == len(cases) {
			if got.Trace != made {
				t.Errorf("the trace of a request without one is %s, its id %s", got.Trace, made)
			}
			continue
		}
		c := cases[i]
		if c.taken {
			if got.Trace != id || got.Parent != parent || got.Flags != c.given[0][53:55] {
				t.Errorf("%s: %s", c.name, record)
			}
			continue
		}
		if !regexp.MustCompile("^[0-9a-f]{32}$").MatchString(got.Trace) || got.Parent != "" || got.Flags != "" || got.Trace == id ||
			seen[got.Trace] {
			t.Errorf("%s: %s", c.name, record)
		}
		seen[got.Trace] = true
	}
}

// TestErrorsNameTheirTrace fails a request by a bug, whose report has the trace of the caller.
func TestErrorsNameTheirTrace(t *testing.T) {
	a := newPlacesAPI(t, func(o *serve.Options) { o.Authority = panicking{} })
	got := a.get("full", "/v3/geographies?"+north, "traceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
	if got.status != http.StatusInternalServerError || !strings.Contains(a.log.String(), "trace_id=4bf92f3577b34da6a3ce929d0e0e4736") {
		t.Errorf("%d, log %s", got.status, a.log)
	}
}

// TestOrigins sends requests of pages at an allowed and at other origins.
func TestOrigins(t *testing.T) {
	const page = "https://maps.example.com"
	a := newAPI(t, func(o *serve.Options) { o.Origins = []string{page, "http://localhost:3000"} })
	plain := newAPI(t)
	const url = "/v3/geographies?" + north
	for name, c := range map[string]struct {
		api     *api
		url     string
		origins []string
		allowed string // Access-Control-Allow-Origin
		vary    string
	}{
		"allowed":        {a, url, []string{page}, page, "Origin, Authorization, Accept, Accept-Encoding"},
		"the other":      {a, url, []string{"http://localhost:3000"}, "http://localhost:3000", "Origin, Authorization, Accept, Accept-Encoding"},
		"no page":        {a, url, nil, "", "Origin, Authorization, Accept, Accept-Encoding"},
		"another":        {a, url, []string{"https://evil.example.com"}, "", "Origin, Authorization, Accept, Accept-Encoding"},
		"null":           {a, url, []string{"null"}, "", "Origin, Authorization, Accept, Accept-Encoding"},
		"a longer one":   {a, url, []string{page + ".evil.com"}, "", "Origin, Authorization, Accept, Accept-Encoding"},
		"other scheme":   {a, url, []string{"http://maps.example.com"}, "", "Origin, Authorization, Accept, Accept-Encoding"},
		"two":            {a, url, []string{page, page}, "", "Origin, Authorization, Accept, Accept-Encoding"},
		"the document":   {a, "/openapi.json", []string{page}, page, "Origin, Accept-Encoding"},
		"health":         {a, "/healthz", []string{page}, "", ""},
		"off":            {plain, url, []string{page}, "", "Authorization, Accept, Accept-Encoding"},
		"off, document":  {plain, "/openapi.json", []string{page}, "", "Accept-Encoding"},
		"an error":       {a, "/v3/geographies?lat=x", []string{page}, page, "Origin, Authorization, Accept, Accept-Encoding"},
		"unknown":        {a, "/v3/nothing", []string{page}, page, "Origin, Authorization, Accept, Accept-Encoding"},
		"not of the API": {a, "/v3", []string{page}, "", "Origin, Authorization, Accept, Accept-Encoding"},
	} {
		t.Run(name, func(t *testing.T) {
			var headers []string
			for _, origin := range c.origins {
				headers = append(headers, "Origin: "+origin)
			}
			got := c.api.get("full", c.url, headers...)
			if allowed := got.header.Get("Access-Control-Allow-Origin"); allowed != c.allowed ||
				(got.header.Get("Access-Control-Expose-Headers") != "") != (c.allowed != "") {
				t.Errorf("%d %v", got.status, got.header)
			}
			if got.header.Get("Vary") != c.vary || got.header.Get("Access-Control-Allow-Credentials") != "" {
				t.Errorf("%d %v", got.status, got.header)
			}
		})
	}
	if token := a.post("application/json", "{}"); token.header.Get("Vary") != "" {
		t.Errorf("/oauth/token: %v", token.header)
	}
}

// TestPreflight asks, without a token, what pages may send.
func TestPreflight(t *testing.T) {
	const page = "https://maps.example.com"
	a := newAPI(t, func(o *serve.Options) { o.Origins = []string{page} })
	ask := func(url string, headers ...string) answer { return a.do("", http.MethodOptions, url, headers...) }
	asks := []string{"Origin: " + page, "Access-Control-Request-Method: GET", "Access-Control-Request-Headers: authorization"}
	for url, methods := range map[string]string{
		"/v3/geographies": "GET, HEAD", "/v3/geographies/" + servetest.NorthOld: "GET, HEAD", "/v3/geographies/custom": "POST, GET, HEAD",
		"/openapi.json": "GET, HEAD",
	} {
		got := ask(url, asks...)
		if got.status != http.StatusNoContent || got.body != "" || got.header.Get("Access-Control-Allow-Methods") != methods ||
			got.header.Get("Access-Control-Allow-Origin") != page {
			t.Errorf("%s: %d %v", url, got.status, got.header)
		}
		if !strings.Contains(got.header.Get("Access-Control-Allow-Headers"), "Authorization") || got.header.Get("Access-Control-Max-Age") == "" ||
			got.header.Get("Access-Control-Allow-Credentials") != "" {
			t.Errorf("%s: %v", url, got.header)
		}
	}
	for name, c := range map[string]struct {
		url     string
		headers []string
		status  int
	}{
		"another origin":        {"/v3/geographies", []string{"Origin: https://evil.example.com", asks[1]}, http.StatusForbidden},
		"no origin":             {"/v3/geographies", asks[1:], http.StatusForbidden},
		"no preflight":          {"/v3/geographies", asks[:1], http.StatusForbidden},
		"a path that is not":    {"/v3/nothing", asks, http.StatusForbidden},
		"where secrets are":     {"/oauth/token", asks, http.StatusMethodNotAllowed},
		"the state of a server": {"/readyz", asks, http.StatusMethodNotAllowed},
	} {
		got := ask(c.url, c.headers...)
		if got.status != c.status || got.header.Get("Access-Control-Allow-Methods") != "" ||
			got.header.Get("Access-Control-Allow-Headers") != "" {
			t.Errorf("%s: %d %v", name, got.status, got.header)
		}
	}
	for _, bad := range []string{"*", "null", "", "maps.example.com", "https://maps.example.com/", "https://Maps.example.com",
		"https://*.example.com/x", "ftp://a.b", "https://u:p@a.b", "https://a.b?c"} {
		if err := reply.CheckOrigins([]string{bad}); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("%q", bad)) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func TestServerTiming(t *testing.T) {
	a := newAPI(t, func(o *serve.Options) { o.ServerTiming = true })
	plain := newAPI(t)
	form := regexp.MustCompile(`^admit;dur=\d+\.\d{3}, answer;dur=\d+\.\d{3}$`)
	for _, url := range []string{"/v3/geographies?" + north, "/v3/geographies?lat=x", "/v3/geographies/" + servetest.NorthOld} {
		if got := a.get("full", url).header.Get("Server-Timing"); !form.MatchString(got) {
			t.Errorf("%s: %q", url, got)
		}
		if got := plain.get("full", url).header.Get("Server-Timing"); got != "" {
			t.Errorf("without the option: %q", got)
		}
	}
	for _, url := range []string{"/v3/geographies?" + north, "/openapi.json", "/healthz"} { // to strangers it says nothing
		if got := a.get("", url).header.Get("Server-Timing"); got != "" {
			t.Errorf("%s without a token: %q", url, got)
		}
	}
}

// TestDeprecationHeaders asks every endpoint of a geography about current, superseded and deprecated ones: headers say what
// meta.deprecation says, in answers of every kind.
func TestDeprecationHeaders(t *testing.T) {
	a := newAPI(t)
	ending := newAPI(t, func(o *serve.Options) { o.Sunset = time.Date(2027, 1, 31, 0, 0, 0, 0, time.UTC) })
	var old, deprecated string
	for _, p := range servetest.PrivatePlaces("acme", "a") {
		if p.Superseded && p.ReplacedBy != "" {
			old = p.ID
		}
		if p.Deprecated && p.State == "CA_QC" {
			deprecated = p.ID
		}
	}
	answered := 0
	for _, path := range []string{"/v3/geographies/", "/v3/enhanced-pois/", "/v3/scores/", "/v3/demographics/", "/v3/market-stats/",
		"/v3/profiles/"} {
		for _, id := range []string{servetest.NorthOld, servetest.Replaced, servetest.Gone, servetest.OldSouth, servetest.SouthOld, old,
			deprecated} {
			url := path + id
			got := a.get("acme", url)
			since, link := "", ""
			if got.status == http.StatusOK {
				answered++
				var body struct {
					Meta struct {
						Deprecation *schemas.Deprecation
					}
				}
				must(t, json.Unmarshal([]byte(got.body), &body))
				if d := body.Meta.Deprecation; d != nil {
					if id == servetest.Replaced || id == servetest.OldSouth {
						since = "@1685577600" // 2023-06-01
					}
					if d.ReplacedBy != nil {
						link = "<" + path + d.ReplacedBy.GeogID + `>; rel="successor-version"`
					}
				} else if id != servetest.NorthOld && id != servetest.SouthOld {
					t.Errorf("%s: no meta.deprecation", url)
				}
			} else if got.status == http.StatusNoContent && id == servetest.Replaced {
				since, link = "@1685577600", "<"+path+servetest.NorthOld+`>; rel="successor-version"`
			} else if got.status != http.StatusNoContent && got.status != http.StatusNotFound {
				t.Errorf("%s: %d %s", url, got.status, got.body)
			}
			check := func(what string, got answer, sunset string) {
				t.Helper()
				if got.status == http.StatusNoContent && id != servetest.Replaced {
					return
				}
				if h := got.header; h.Get("Deprecation") != since || h.Get("Link") != link || h.Get("Sunset") != sunset {
					t.Errorf("%s %s: %d Deprecation %q, Link %q, Sunset %q; want %q, %q, %q", what, url, got.status, h.Get("Deprecation"), h.Get("Link"),
						h.Get("Sunset"), since, link, sunset)
				}
			}
			check("GET", got, "")
			check("HEAD", a.do("acme", http.MethodHead, url), "")
			if tag := got.header.Get("ETag"); tag != "" {
				check("304", a.get("acme", url, "If-None-Match: "+tag), "")
			}
			sunset := ""
			if link != "" || since != "" || id == servetest.Gone || id == deprecated {
				sunset = "Sun, 31 Jan 2027 00:00:00 GMT"
			}
			if got.status == http.StatusOK {
				check("ending", ending.get("acme", url), sunset)
			}
		}
	}
	if answered < 20 {
		t.Errorf("only %d answers of 200", answered)
	}
	lists := a.get("acme", "/v3/scores?geography_ids="+servetest.Replaced+","+servetest.NorthOld)
	if lists.status != http.StatusOK || lists.header.Get("Deprecation") != "" {
		t.Errorf("a list: %d %v", lists.status, lists.header)
	}
}
