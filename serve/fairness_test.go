package serve_test

import (
	"bufio"
	"database/sql"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"quartier/internal/drill"
	"quartier/internal/testenv"
	"quartier/schemas"
	"quartier/serve"
	"quartier/serve/account"
	"quartier/serve/admit"
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
	if got := a.get("", "/metrics"); !strings.Contains(got.body, "quartier_requests_in_flight 4\n") ||
		!strings.Contains(got.body, `quartier_refused_total{reason="requests"} 10`+"\n") {
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

// TestWritesThatTakeTooLongAreNotMade limits work to a moment: what is refused is not written.
func TestWritesThatTakeTooLongAreNotMade(t *testing.T) {
	a := newAPI(t, func(o *serve.Options) { o.Admission.Work = time.Nanosecond })
	if got := a.call("full", http.MethodPost, customPath, body()); got.status != 503 {
		t.Errorf("%d %s", got.status, got.body)
	}
	db, err := sql.Open("sqlite3", strings.TrimPrefix(a.state, "sqlite:"))
	must(t, err)
	defer db.Close()
	var written int
	must(t, db.QueryRow(`SELECT count(*) FROM geography_request`).Scan(&written))
	if written != 0 {
		t.Errorf("%d requests are written", written)
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
	must(t, db.QueryRow(`SELECT count(*) FROM geography_request WHERE rowid < (SELECT rowid FROM geography_request WHERE id = $1)`,
		decode[schemas.CustomGeographyReceipt](t, other.body).GeoEntityID).Scan(&before))
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

// TestRefusalsOfManyAddressesArePutOff forges tokens from more addresses at once than are refused without a pause, while the clock
// stands still.
func TestRefusalsOfManyAddressesArePutOff(t *testing.T) {
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	a := newAPI(t, func(o *serve.Options) { o.Now = func() time.Time { return now } })
	var all sync.WaitGroup
	var pauses atomic.Int64
	ask := func(i int) {
		r := httptest.NewRequest(http.MethodGet, "/v3/geographies?"+north, nil)
		r.RemoteAddr = fmt.Sprintf("10.%d.%d.1:1234", i>>8, byte(i))
		begun := time.Now()
		if got := a.send(r); got.status != 403 {
			t.Errorf("number %d: %d %s", i, got.status, got.body)
		}
		if time.Since(begun) > 100*time.Millisecond {
			pauses.Add(1)
		}
	}
	for i := range 2000 {
		ask(i)
	}
	for i := range 500 {
		all.Go(func() { ask(2000 + i) })
	}
	all.Wait()
	if n := pauses.Load(); n < 300 {
		t.Errorf("%d of 500 refusals were put off", n)
	}
	begun := time.Now()
	if got := a.get("full", "/v3/geographies?"+north); got.status != 200 || time.Since(begun) > 400*time.Millisecond {
		t.Errorf("a customer meanwhile: %d after %v", got.status, time.Since(begun))
	}
}

// TestAnswersToStrangersArePutOff asks without a token, by one address as often as nobody waits and then more at once, while the
// clock stands still.
func TestAnswersToStrangersArePutOff(t *testing.T) {
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	a := newAPI(t, func(o *serve.Options) {
		o.Now, o.Origins = func() time.Time { return now }, []string{"https://maps.example.com"}
	})
	ask := func(method, path, address string, want int) (pause time.Duration) {
		r := httptest.NewRequest(method, path, nil)
		r.RemoteAddr = address + ":1234"
		r.Header.Set("Origin", "https://maps.example.com")
		r.Header.Set("Access-Control-Request-Method", "GET")
		begun := time.Now()
		if got := a.send(r); got.status != want {
			t.Errorf("%s %s: %d, want %d", method, path, got.status, want)
		}
		return time.Since(begun)
	}
	for range 505 {
		ask("GET", "/healthz", "10.0.0.1", 200)
	}
	var all sync.WaitGroup
	var pauses atomic.Int64
	for range 100 {
		for _, q := range []struct {
			method, path string
			status       int
		}{{"GET", "/healthz", 200}, {"GET", "/nothing", 404}, {"PUT", "/readyz", 405}, {"OPTIONS", "/v3/geographies", 204}} {
			all.Go(func() {
				if ask(q.method, q.path, "10.0.0.1", q.status) > 50*time.Millisecond {
					pauses.Add(1)
				}
			})
		}
	}
	all.Wait()
	if n := pauses.Load(); n < 300 {
		t.Errorf("%d of 400 answers were put off", n)
	}
	if pause := ask("GET", "/healthz", "10.0.0.2", 200); pause > 400*time.Millisecond {
		t.Errorf("a load balancer meanwhile waits for %v", pause)
	}
	begun := time.Now()
	if got := a.get("full", "/v3/geographies?"+north); got.status != 200 || time.Since(begun) > 400*time.Millisecond {
		t.Errorf("a customer meanwhile: %d after %v", got.status, time.Since(begun))
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

// TestLongFieldsAreRefused sends header fields that are expensive to read, of every length around the limit, before anything is
// done for them.
func TestLongFieldsAreRefused(t *testing.T) {
	a := newAPI(t)
	refused := 0
	for _, name := range []string{"Accept", "Accept-Encoding", "If-Match", "If-Modified-Since", "If-None-Match", "If-Range",
		"If-Unmodified-Since"} {
		for _, target := range []string{"/v3/geographies?" + north, "/v3/no-such-path", "/healthz"} {
			long := name + ": " + strings.Repeat("*/*,", 1024)
			if got := a.get("acme", target, long); got.status == 431 {
				t.Errorf("%s, %s of 4096 bytes: %d", target, name, got.status)
			}
			for _, more := range []string{long + "x", long + "\x00" + name + ": x"} {
				got := a.get("acme", target, strings.Split(more, "\x00")...)
				if got.status != 431 || !strings.Contains(got.body, name) {
					t.Errorf("%s, %s of 4097 bytes: %d %s", target, name, got.status, got.body)
				}
				refused++
			}
		}
		if got := a.get("", "/v3/geographies?"+north, name+": "+strings.Repeat("x", 4097)); got.status != 403 {
			t.Errorf("%s without a token: %d", name, got.status)
		}
	}
	if got := a.get("", "/metrics"); !strings.Contains(got.body, fmt.Sprintf(`quartier_refused_total{reason="headers"} %d`+"\n", refused)) {
		t.Errorf("%d refusals are not counted", refused)
	}
}

// TestSilentConnectionsShutNobodyOut opens many more silent connections than there may be, each from another address: a customer
// keeps its connection, and gets more of them, and so does a stranger.
func TestSilentConnectionsShutNobodyOut(t *testing.T) {
	a := newAPI(t)
	l := admit.NewListener(admit.ConnLimits{Conns: 50, Unfinished: 50, Stall: time.Minute})
	var err error
	l.Listener, err = net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	web := &http.Server{Handler: a.handler, ConnState: l.State, ConnContext: l.Context}
	var served sync.WaitGroup
	served.Go(func() { web.Serve(l) })
	t.Cleanup(served.Wait)
	t.Cleanup(func() { web.Close() })
	dial := func(from net.IP) net.Conn {
		conn, err := (&net.Dialer{LocalAddr: &net.TCPAddr{IP: from}}).Dial("tcp", l.Addr().String())
		must(t, err)
		t.Cleanup(func() { conn.Close() })
		return conn
	}
	ask := func(conn net.Conn, target string) {
		t.Helper()
		fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\n\r\n", target, a.tokens["acme"])
		got, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil || got.StatusCode != http.StatusOK {
			t.Fatalf("%s: %v %v", target, got, err)
		}
		io.Copy(io.Discard, got.Body)
	}
	customer, stranger := net.IPv4(127, 0, 0, 2), net.IPv4(127, 0, 0, 3)
	kept := dial(customer)
	ask(kept, "/v3/geographies?"+north)
	for i := range 500 {
		dial(net.IPv4(127, 1, byte(i>>8), byte(i)))
		if i%20 == 0 {
			ask(kept, "/v3/geographies?"+north)
			for from, target := range map[*net.IP]string{&customer: "/v3/scores?" + north, &stranger: "/healthz"} {
				conn := dial(*from)
				ask(conn, target)
				conn.Close()
			}
		}
	}
	if u := l.Usage(); u.Conns > 45 || u.Silent < 400 || u.Refused > 0 {
		t.Errorf("%+v", u)
	}
}

// TestTwelveCustomersTogether lets twelve customers ask for polygons in gzip and send long ETags without a pause, while a thirteenth
// asks for everything.
func TestTwelveCustomersTogether(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "release")
	_, err := servetest.Write(dir, servetest.Release{POIs: 5000})
	must(t, err)
	all := map[string]account.Agreement{"thirteenth": {Rate: 1_000_000}}
	for i := range 12 {
		all[fmt.Sprint("one of twelve ", i)] = account.Agreement{Rate: 1_000_000}
	}
	a := &api{t: t}
	started := drill.Start(t, "sqlite:"+filepath.Join(t.TempDir(), "state.sqlite"), dir, slog.New(slog.DiscardHandler), all,
		func(o *serve.Options) { o.Admission.Workers = 2 })
	a.handler, a.tokens = started.Handler, started.Tokens
	box := fmt.Sprintf("POLYGON((%[1]f %[3]f,%[2]f %[3]f,%[2]f %[4]f,%[1]f %[4]f,%[1]f %[3]f))", servetest.Lng-0.2, servetest.Lng+0.2,
		servetest.NorthLat-0.2, servetest.NorthLat+0.2)
	done := make(chan struct{})
	var asked [2]atomic.Int64 // polygons, ETags
	var twelve sync.WaitGroup
	for name := range all {
		if name == "thirteenth" {
			continue
		}
		twelve.Go(func() {
			for i := 0; ; i++ {
				select {
				case <-done:
					return
				default:
				}
				target, header, want := "/v3/enhanced-pois?limit=500&polygon="+url.QueryEscape(box), "Accept-Encoding: gzip", http.StatusOK
				if i%2 == 1 {
					target, header, want = "/v3/geographies?"+north, "If-None-Match: "+strings.Repeat(`"a",`, 7500), http.StatusRequestHeaderFieldsTooLarge
				}
				if got := a.get(name, target, header); got.status != want && got.status != http.StatusServiceUnavailable {
					t.Errorf("%s: %d %.100s", header[:20], got.status, got.body)
				}
				asked[i%2].Add(1)
			}
		})
	}
	for i := range 300 {
		target := []string{"/v3/geographies?" + north, "/v3/scores?" + north, "/v3/enhanced-pois?" + north}[i%3]
		if got := a.get("thirteenth", target); got.status != http.StatusOK {
			t.Errorf("%s beside twelve others: %d %s", target, got.status, got.body)
		}
	}
	close(done)
	twelve.Wait()
	if asked[0].Load() < 12 || asked[1].Load() < 12 {
		t.Errorf("%d polygons, %d ETags", asked[0].Load(), asked[1].Load())
	}
	if got := a.get("", "/metrics"); !strings.Contains(got.body, "quartier_requests_in_flight 0\n") ||
		!strings.Contains(got.body, "quartier_answer_bytes 0\n") {
		t.Error("requests are in flight afterwards")
	}
}
