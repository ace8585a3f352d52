package serve_test

import (
	"strings"
	"testing"

	"quartier/serve/servetest"
)

// TestTwoServersShareNothing runs two servers in one process, over different releases and accounts: each answers from
// its own release, knows its own tokens, and counts its own requests.
func TestTwoServersShareNothing(t *testing.T) {
	full, sparse := newAPI(t), newAPIOver(t, servetest.Release{Name: "sparse", Sparse: true})
	url := "/v3/geographies?" + north
	for range 3 {
		full.get("full", url)
	}
	sparse.get("full", url)
	sparse.get("full", "/v3/nothing")
	sparse.tokens["foreign"] = full.tokens["full"]
	if got := sparse.get("foreign", url); got.status != 403 {
		t.Errorf("a token of the other server: %d", got.status)
	}
	if full.get("full", url).body == sparse.get("full", url).body {
		t.Error("both servers answer from one release")
	}
	for _, c := range []struct {
		name string
		*api
		want []string
	}{
		{"full", full, []string{
			`quartier_requests_total{route="GET /v3/geographies",status="200"} 4`, `quartier_request_seconds_count{route="GET /v3/geographies"} 4`,
			`quartier_release_info{as_of="2024-01-01"`, `release="world"`,
		}},
		{"sparse", sparse, []string{
			`quartier_requests_total{route="GET /v3/geographies",status="200"} 2`,
			`quartier_requests_total{route="GET /v3/geographies",status="403"} 1`,
			`quartier_request_seconds_count{route="GET /v3/geographies"} 3`, `quartier_requests_total{route="unknown",status="404"} 1`,
			`release="sparse"`,
		}},
	} {
		metrics := c.get("", "/metrics").body
		for _, want := range c.want {
			if !strings.Contains(metrics, want) {
				t.Errorf("%s: no %s", c.name, want)
			}
		}
	}
	if metrics := full.get("", "/metrics").body; strings.Contains(metrics, `status="403"`) || strings.Contains(metrics, `status="404"`) {
		t.Error("one server counts the requests of the other")
	}
}
