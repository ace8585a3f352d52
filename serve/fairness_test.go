package serve_test

import (
	"database/sql"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"quartier/internal/testenv"
	"quartier/schemas"
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

// slowBody is a body of which the last byte arrives when it is let.
type slowBody struct {
	first io.Reader
	begun func()
	last  chan struct{}
}

func (b *slowBody) Read(p []byte) (int, error) {
	if n, err := b.first.Read(p); err == nil {
		return n, nil
	}
	b.begun()
	<-b.last
	return 0, io.EOF
}

// TestBodiesThatDoNotArriveTakeNoProcessor has a customer whose bodies stop, as many as its memory allows.
func TestBodiesThatDoNotArriveTakeNoProcessor(t *testing.T) {
	a := newAPI(t, func(o *serve.Options) { o.Admission.Workers, o.Admission.Bytes = 1, 16<<20 })
	last, statuses := make(chan struct{}), make(chan int, 100)
	send := func() (arrived bool) {
		begun := make(chan struct{})
		r := httptest.NewRequest(http.MethodPost, customPath, &slowBody{strings.NewReader(body()), sync.OnceFunc(func() { close(begun) }), last})
		r.Header.Set("Authorization", "Bearer "+a.tokens["full"])
		done := make(chan int, 1)
		go func() {
			w := httptest.NewRecorder()
			a.handler.ServeHTTP(w, r)
			done <- w.Code
			statuses <- w.Code
		}()
		select {
		case <-begun:
			return true
		case code := <-done:
			<-statuses
			if code != 503 {
				t.Errorf("a body that was not read: %d", code)
			}
			return false
		}
	}
	held := 0
	for range 60 {
		if send() {
			held++
		}
	}
	if want := 16 << 20 / 2 / (256<<10 + 1); held != want { // half of the memory
		t.Errorf("%d bodies are held, want %d", held, want)
	}
	for _, target := range []string{"/v3/geographies?" + north, "/v3/scores?" + north} {
		if got := a.get("globex", target); got.status != 200 {
			t.Errorf("%s of another customer: %d %s", target, got.status, got.body)
		}
	}
	if got := a.call("globex", http.MethodPost, customPath, body()); got.status != 201 {
		t.Errorf("POST of another customer: %d %s", got.status, got.body)
	}
	if got := a.get("", "/metrics"); !strings.Contains(got.body, "quartier_requests_worked_on 0\n") {
		t.Error("a body that does not arrive takes a processor")
	}
	close(last)
	for range held {
		if code := <-statuses; code != 201 {
			t.Errorf("a body that arrived late: %d", code)
		}
	}
}

// TestWritersTakeTurns has a customer that changes more at once than may wait, while the state can take nothing, and another one
// with one change.
func TestWritersTakeTurns(t *testing.T) {
	a := newAPI(t)
	const more = 7
	db, err := sql.Open("sqlite3", strings.TrimPrefix(a.state, "sqlite:"))
	must(t, err)
	defer db.Close()
	lock, err := db.Begin()
	must(t, err)
	_, err = lock.Exec(`UPDATE revision SET n = n`)
	must(t, err)
	answers := make(chan answer, 64)
	var all sync.WaitGroup
	for range 1 + 32 + more { // one is written, 32 wait
		all.Go(func() { answers <- a.call("globex", http.MethodPost, customPath, body()) })
	}
	for range more {
		if got := <-answers; got.status != 503 || got.header.Get("Retry-After") == "" {
			t.Errorf("more than may wait: %d %v", got.status, got.header)
		}
	}
	if got := a.get("", "/metrics"); !strings.Contains(got.body, fmt.Sprintf("quartier_refused_total{reason=\"writes\"} %d\n", more)) {
		t.Error("the metrics do not have the refusals")
	}
	var other answer
	all.Go(func() { other = a.call("full", http.MethodPost, customPath, body()) })
	testenv.Eventually(t, "the other customer waits", func() bool {
		return strings.Contains(a.get("", "/metrics").body, "quartier_writes_waiting 33\n")
	})
	must(t, lock.Rollback())
	all.Wait()
	close(answers)
	for got := range answers {
		if got.status != 201 {
			t.Errorf("a change that waited: %d %s", got.status, got.body)
		}
	}
	if other.status != 201 {
		t.Fatalf("the other customer: %d %s", other.status, other.body)
	}
	var before int
	must(t, db.QueryRow(`SELECT count(*) FROM geography_request WHERE rowid < (SELECT rowid FROM geography_request WHERE id = $1)`, decode[schemas.CustomGeographyReceipt](t, other.body).GeoEntityID).Scan(&before))
	if before > 2 { // the one that was being written, and one turn
		t.Errorf("%d changes of the first customer were written before that of the other one", before)
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
