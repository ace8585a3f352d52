package serve_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"quartier/serve"
	"quartier/serve/servetest"
)

// TestWhoeverTakesNothingIsRefusedAlone has a customer that does not read its answers, as many as it may have, and another one
// that asks for everything.
func TestWhoeverTakesNothingIsRefusedAlone(t *testing.T) {
	a := newAPI(t, func(o *serve.Options) { o.Admission.Requests = 8 })
	leave := make(chan struct{})
	held := make(chan int)
	const most = 4 // of eight
	for range most {
		r := httptest.NewRequest(http.MethodGet, "/v3/geographies/"+servetest.Canada+"?include=geometry", nil)
		r.Header.Set("Authorization", "Bearer "+a.tokens["globex"])
		entered := make(chan struct{})
		go func() {
			w := &blockedWriter{ResponseRecorder: httptest.NewRecorder(), entered: entered, leave: leave}
			a.handler.ServeHTTP(w, r)
			held <- w.Code
		}()
		<-entered
	}
	for range 10 {
		if got := a.get("globex", "/v3/geographies?"+north); got.status != 503 || got.header.Get("Retry-After") == "" {
			t.Errorf("more of the customer that reads nothing: %d %v", got.status, got.header)
		}
		for _, target := range []string{"/v3/geographies?" + north, "/v3/scores?" + north, "/v3/enhanced-pois?" + north} {
			if got := a.get("acme", target); got.status != 200 {
				t.Errorf("%s of another customer: %d %s", target, got.status, got.body)
			}
		}
	}
	if got := a.get("", "/metrics"); !strings.Contains(got.body, "quartier_requests_in_flight 4\n") || !strings.Contains(got.body, `quartier_refused_total{reason="requests"} 10`+"\n") {
		t.Error("the metrics do not have 4 requests in flight and 10 refusals")
	}
	close(leave)
	for range most {
		if code := <-held; code != 200 {
			t.Errorf("a request that was held: %d", code)
		}
	}
	if got := a.get("globex", "/v3/geographies?"+north); got.status != 200 {
		t.Errorf("afterwards: %d", got.status)
	}
}

// TestUnknownTokensAreLimitedByAddress forges tokens. The clock stands still.
func TestUnknownTokensAreLimitedByAddress(t *testing.T) {
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	a := newAPI(t, func(o *serve.Options) { o.Now = func() time.Time { return now } })
	if got := a.get("full", "/v3/geographies?"+north); got.status != 200 {
		t.Fatalf("%d %s", got.status, got.body)
	}
	ask := func(token, address string) int {
		r := httptest.NewRequest(http.MethodGet, "/v3/geographies?"+north, nil)
		r.Header.Set("Authorization", "Bearer "+token)
		r.RemoteAddr = address + ":1234"
		return a.send(r).status
	}
	counts := map[int]int{}
	for i := range 600 {
		counts[ask(fmt.Sprintf("%s%d", a.tokens["full"], i), "192.0.2.1")]++
	}
	if counts[403] != 499 && counts[403] != 500 || counts[403]+counts[429] != 600 {
		t.Errorf("statuses %v, want about 500 of 403, then 429", counts)
	}
	if status := ask(a.tokens["full"], "192.0.2.1"); status != 200 {
		t.Errorf("a token that is known, from the same address: %d", status)
	}
	if status := ask(a.tokens["globex"], "192.0.2.2"); status != 200 {
		t.Errorf("a new token from another address: %d", status)
	}
}

func TestTheDocumentIsLimitedByAddress(t *testing.T) {
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	a := newAPI(t, func(o *serve.Options) { o.Now = func() time.Time { return now } })
	for i := range 12 {
		want := 200
		if i >= 10 {
			want = 429
		}
		if got := a.get("", "/openapi.json"); got.status != want {
			t.Errorf("number %d: %d", i, got.status)
		}
	}
}
