package main

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"quartier/bench/programs"
	"quartier/bench/wire"
	"quartier/serve/servetest"
	"quartier/serve/state"
)

// The requests that are stored: those of a customer of usual size, those of a large one, and those of others.
const (
	storedRequests = 1_000_000
	usualCustomer  = 1_000
	largeCustomer  = 100_000
)

// storedID is the id of a request by its number; those of the usual customer come first, then those of the large one.
func storedID(n int) string {
	return fmt.Sprintf("%08x-0000-4000-8000-000000000000", uint32(n)*2654435761)
}

// measureState compares lists, reads and edits of stored requests with a handler that does the same SQL by hand, on both stores.
func (b *bench) measureState(ctx context.Context) {
	dir := filepath.Join(b.dir, "releases")
	release := filepath.Join(dir, "state-places")
	must(servetest.Write(release, servetest.Release{}))
	path := must(filepath.Abs(filepath.Join(dir, "state.db")))
	b.fillSQLite(ctx, path)
	b.compareState(ctx, "SQLite", "sqlite:"+path, release)
	if _, err := os.Stat(programs.PostgresBin); err != nil {
		fmt.Println("PostgreSQL is not installed: its state is not measured")
		return
	}
	pg := b.startLoaded(ctx, filepath.Join(dir, "postgres"), func(pg *postgres) { pg.fillState(ctx) })
	_, port, _ := strings.Cut(pg.dsn, "port=")
	port, _, _ = strings.Cut(port, " ")
	b.compareState(ctx, "PostgreSQL", "postgres://bench@127.0.0.1:"+port+"/postgres?sslmode=disable", release)
}

// compareState measures one store.
func (b *bench) compareState(ctx context.Context, store, dsn, release string) {
	token := map[string]string{}
	server := b.startStateServer(ctx, dsn, release)
	for _, customer := range []string{"usual", "large"} {
		token[customer] = b.tokenFor(ctx, server.addr, dsn, customer, "--custom-geographies")
	}
	defer server.server.Stop()
	addr := freeAddress()
	bare := start(ctx, nil, must(os.Executable()), "barestate", dsn, addr)
	defer bare.Stop()
	bare.Await(ctx, func() bool {
		conn, err := net.Dial("tcp", addr)
		if err == nil {
			conn.Close()
		}
		return err == nil
	})
	for _, m := range []struct {
		name, customer string
		request        func(i int) string // method, path and body
	}{
		{"listing 20 of 1,000 requests", "usual", func(i int) string { return fmt.Sprintf("GET /v3/geographies/custom?page=%d ", 1+i%50) }},
		{"listing 100 at the end of 100,000 requests", "large",
			func(i int) string { return fmt.Sprintf("GET /v3/geographies/custom?page=%d&page_size=100 ", 1000-i%10) }},
		{"reading a request", "usual", func(i int) string { return "GET /v3/geographies/custom/" + storedID(i%usualCustomer) + " " }},
		{"editing a request", "usual", func(i int) string {
			return fmt.Sprintf(`PATCH /v3/geographies/custom/%s {"name_en":"Edited %d"}`, storedID(i%usualCustomer), i)
		}},
	} {
		var ours, theirs [][]byte
		for i := range sampleSize {
			ours = append(ours, stateRequest(server.addr, token[m.customer], m.customer, m.request(i)))
			theirs = append(theirs, stateRequest(addr, "", m.customer, m.request(i)))
		}
		if strings.HasPrefix(m.request(0), "GET") {
			for i, body := range wire.FetchAll(ctx, server.addr, ours) {
				if other := dialOnce(ctx, addr, theirs[i]); !bytes.Equal(body, other) {
					failf("%w: %s\n%s\n%s", errDifferent, m.request(i), body, other)
				}
			}
		}
		for _, c := range concurrencies {
			rates := b.compare(ctx, sampleSize, c, httpSide("quartierd", server.addr, ours), httpSide("bare", addr, theirs))
			b.Record(m.name+", "+store, "the same SQL by hand", c, "answers/s", ratios(rates[0], rates[1]), 0.8, against(rates[0], rates[1]))
		}
	}
}

func dialOnce(ctx context.Context, addr string, request []byte) []byte {
	conn := wire.Dial(ctx, addr)
	defer conn.Close()
	return bytes.Clone(conn.Do(request))
}

// stateRequest is the bytes of a request. The bare handler takes the customer from a header.
func stateRequest(addr, token, customer, line string) []byte {
	method, rest, _ := strings.Cut(line, " ")
	target, body, _ := strings.Cut(rest, " ")
	return fmt.Appendf(nil,
		"%s %s HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nCustomer: %s\r\nAccept: application/json\r\nContent-Type: "+
			"application/json\r\nContent-Length: %d\r\n\r\n%s",
		method, target, addr, token, customer, len(body), body)
}

// fillSQLite makes a state with the stored requests, once.
func (b *bench) fillSQLite(ctx context.Context, path string) {
	filled := fmt.Sprintf("%s.filled-%d", path, state.Version)
	if _, err := os.Stat(filled); err == nil {
		return
	}
	for _, suffix := range []string{"", "-wal", "-shm"} {
		check(os.RemoveAll(path + suffix))
	}
	check(must(state.Open("sqlite:" + path)).Close())
	db := must(sql.Open("sqlite3", path+"?_synchronous=OFF"))
	defer db.Close()
	tx := must(db.BeginTx(ctx, nil))
	defer tx.Rollback()
	tables := map[string]*sql.Stmt{}
	for _, t := range storedTables {
		tables[t.name] = must(tx.Prepare(fmt.Sprintf("INSERT INTO %s (%s) VALUES (%s)", t.name, strings.Join(t.columns, ", "),
			strings.TrimSuffix(strings.Repeat("?, ", len(t.columns)), ", "))))
	}
	for n := range storedRequests {
		for _, t := range storedTables {
			must(tables[t.name].Exec(t.row(n)...))
		}
	}
	must(tx.Exec(countRequests))
	check(tx.Commit())
	check(os.WriteFile(filled, nil, 0o644))
}

// fillState makes a state with the stored requests.
func (pg *postgres) fillState(ctx context.Context) {
	config := must(pgx.ParseConfig(pg.dsn))
	check(must(state.Open(fmt.Sprintf("postgres://bench@127.0.0.1:%d/postgres?sslmode=disable", config.Port))).Close())
	for _, t := range storedTables {
		must(pg.conn.CopyFrom(ctx, pgx.Identifier{t.name}, t.columns,
			pgx.CopyFromSlice(storedRequests, func(n int) ([]any, error) { return t.row(n), nil })))
	}
	pg.execute(ctx, countRequests, "VACUUM ANALYZE")
}

const countRequests = `INSERT INTO request_count (customer, n) SELECT customer, count(*) FROM geography_request GROUP BY customer`

// storedTables are the rows of a stored request.
var storedTables = []struct {
	name    string
	columns []string
	row     func(n int) []any
}{
	{"geography_request", []string{"id", "customer", "version", "name_en", "folded_names", "type", "boundaries", "status", "created_at",
		"updated_at"}, func(n int) []any {
		return []any{storedID(n), storedCustomer(n), 1, fmt.Sprint("Place ", n), fmt.Sprintf("place %d\n", n), "NEIGHBOURHOOD",
			storedBoundaries(n), "PUBLICATION_PENDING", storedTime(n), storedTime(n)}
	}},
	{"geography_request_history", []string{"id", "version", "event", "client_id", "at", "name_en", "type", "boundaries", "status"},
		func(n int) []any {
			return []any{storedID(n), 1, "POST", "qc_bench", storedTime(n), fmt.Sprint("Place ", n), "NEIGHBOURHOOD", storedBoundaries(n),
				"PUBLICATION_PENDING"}
		}},
}

func storedCustomer(n int) string {
	switch {
	case n < usualCustomer:
		return "usual"
	case n < usualCustomer+largeCustomer:
		return "large"
	}
	return fmt.Sprint("customer ", n%900)
}

func storedTime(n int) string {
	return time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(uint32(n)*2654435761) * time.Microsecond).
		Format("2006-01-02T15:04:05.000000Z")
}

// storedBoundaries is a ring of 24 vertices, about 500 bytes.
func storedBoundaries(n int) string {
	var text strings.Builder
	text.WriteString("POLYGON ((")
	for i := range 24 {
		fmt.Fprintf(&text, "-75.%06d 45.%06d, ", (n+i*7919)%1_000_000, (n+i*104729)%1_000_000)
	}
	fmt.Fprintf(&text, "-75.%06d 45.%06d))", n%1_000_000, n%1_000_000)
	return text.String()
}

// tokenFor creates an account of a customer in a state and gets a token from the server at addr.
func (b *bench) tokenFor(ctx context.Context, addr, dsn, customer string, options ...string) string {
	var made, grant map[string]any
	args := append([]string{"account", "create", "--state", dsn, "--customer", customer, "--rate", "100000000"}, options...)
	check(json.Unmarshal([]byte(runToEnd(ctx, b.program("quartier"), args...).Output), &made))
	body := fmt.Sprintf(`{"client_id":%q,"client_secret":%q}`, made["client_id"], made["client_secret"])
	for range 50 { // the server reads accounts every second
		answer := must(http.Post("http://"+addr+"/oauth/token", "application/json", strings.NewReader(body)))
		err := json.NewDecoder(answer.Body).Decode(&grant)
		answer.Body.Close()
		if err == nil && answer.StatusCode == http.StatusOK {
			return grant["access_token"].(string)
		}
		time.Sleep(100 * time.Millisecond)
	}
	failf("no token for %s", customer)
	return ""
}

// startStateServer starts quartierd with a state.
func (b *bench) startStateServer(ctx context.Context, dsn, release string) *world {
	w := &world{release: release, addr: freeAddress()}
	w.server = start(ctx, nil, b.program("quartierd"), "--release", release, "--state", dsn, "--addr", w.addr, "--access-log=false")
	b.stops = append(b.stops, w.server.Stop)
	w.server.Await(ctx, func() bool {
		answer, err := http.Get("http://" + w.addr + "/readyz")
		if err != nil {
			return false
		}
		answer.Body.Close()
		return answer.StatusCode == http.StatusOK
	})
	return w
}
