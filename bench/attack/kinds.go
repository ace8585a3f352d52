package attack

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"quartier/bench/fail"
	"quartier/serve/servetest"
)

// writes are attacks by changes of custom geographies.
var writes = []Attack{
	{"largest boundaries that are accepted", time.Second, 32, 0, creating},
	{"edits of one request", time.Second, 64, 0, editing(func(n int) string { return fmt.Sprintf(`{"name_en":"%d"}`, n) })},
	{"edits of the largest boundaries", time.Second, 32, 0,
		editing(func(n int) string { return fmt.Sprintf(`{"boundaries":"%s"}`, largest(n)) })},
	{"requests that are made and removed", time.Second, 32, 0, removing},
	{"one idempotency key", time.Second, 64, 0, keyed},
	{"bodies in chunks of a byte", time.Second, 32, 50, chunked},
	{"bodies that are promised", 12 * time.Second, 1500, 50, promised},
}

// fields are attacks by header fields and the way in which requests follow each other.
var fields = []Attack{
	{"4,000 header fields", time.Second, 64, 0, asking(pointTarget, slices.Repeat([]string{"x: y"}, 4000)...)},
	{"fields of 30 kB without a limit", time.Second, 64, 0,
		asking(pointTarget, "Accept-Language: "+strings.Repeat("fr;q=1,", 1000), "X-Forwarded-For: "+strings.Repeat("1.1.1.1,", 1000),
			"Traceparent: "+strings.Repeat("0", 8000), "Cookie: "+strings.Repeat("a=b;", 1500))},
	{"1,000 ranges", time.Second, 64, 0, asking(outlineTarget, "Range: bytes="+strings.Repeat("0-,", 1000)+"0-")},
	{"conditions of 4 kB", time.Second, 64, 0, asking(outlineTarget, "If-None-Match: "+strings.Repeat(`W/"a",`, 680))},
	{"tokens of 30 kB", time.Second, 64, 0, longTokens},
	{"pipelined requests", time.Second, 64, 0, pipelined(pointTarget)},
}

// lists are attacks of a customer with as many requests as it may have.
var lists = []Attack{
	{"lists by a part of names", time.Second, 64, 0, asking("/v3/geographies/custom?page_size=100&search=" + strings.Repeat("%25_", 30))},
	{"last pages of lists", time.Second, 64, 0,
		asking("/v3/geographies/custom?page=10&page_size=100&updated_since=2000-01-01T00:00:00Z&processing_status=PUBLICATION_PENDING,"+
			"PUBLISHED,DEPRECATED", "Accept-Encoding: gzip")},
	{"events from the first", time.Second, 64, 0, asking("/v3/geographies/custom/events", "Accept-Encoding: gzip")},
	{"statuses with boundaries of 100,000 characters", time.Second, 64, 0, reading},
}

// names are attacks by names that are searched.
var names = []Attack{
	{"names like many others", time.Second, 64, 0,
		asking("/v3/geographies?limit=50&name=" + url.QueryEscape(strings.Repeat("north port, ", 21)))},
	{"names of letters that become eighteen", time.Second, 64, 0,
		asking("/v3/geographies?limit=50&name=" + url.QueryEscape(strings.Repeat("\ufdfa", 256)))},
	{"names of marks", time.Second, 64, 0,
		asking("/v3/geographies?limit=50&name=" + url.QueryEscape("e"+strings.Repeat("\u0301\u0327", 127)))},
}

// unknown are attacks of a thousand addresses that have no credential.
var unknown = []Attack{
	{"pages of 1,000 addresses", time.Second, 1000, 0, stranger(asking("/docs", "Accept-Encoding: gzip"))},
	{"the document of 1,000 addresses", time.Second, 1000, 0, stranger(asking("/openapi.json"))},
	{"paths that are not there of 1,000 addresses", time.Second, 1000, 0, stranger(varied(func(a *attacker) []byte {
		return a.request(fmt.Sprintf("/%d/%s", rand.Uint64(), strings.Repeat("%2F", 1000)))
	}))},
	{"OPTIONS of 1,000 addresses", time.Second, 1000, 0, varied(func(a *attacker) []byte {
		return fmt.Appendf(nil, "OPTIONS /v3/geographies HTTP/1.1\r\nHost: %s\r\nOrigin: http://%d\r\nAccess-Control-Request-Method: GET\r\n\r\n",
			a.addr, rand.Uint64())
	})},
	{"forged tokens of 1,000 addresses", time.Second, 1000, 0, forging},
	{"token requests of 1,000 addresses", time.Second, 1000, 0, posting},
	{"pipelined requests of 1,000 addresses", time.Second, 1000, 0, stranger(pipelined("/healthz"))},
	{"connections that are closed at once of 1,000 addresses", time.Second, 1000, 0,
		func(*attacker) func(net.Conn) { return func(net.Conn) {} }},
}

// crowds are attacks of a dozen customers.
var crowds = []Attack{
	{"twelve with the largest boundaries", time.Second, 16, 0, creating},
	{"twelve that edit", time.Second, 16, 0, editing(func(n int) string { return fmt.Sprintf(`{"name_en":"%d"}`, n) })},
	{"twelve with lists", time.Second, 16, 0, lists[0].make},
	{"twelve with names", time.Second, 16, 0, names[0].make},
	{"twelve with polygons of their own", time.Second, 16, 0, varied(func(a *attacker) []byte {
		ring := star(260 - rand.IntN(20))
		return a.request("/v3/enhanced-pois?limit=500&polygon=" +
			url.QueryEscape(wkt(ring, servetest.Lng, servetest.NorthLat, 0.3+0.1*rand.Float64())))
	})},
	{"twelve with everything within 25 km", time.Second, 16, 0,
		asking(nearTarget("/v3/enhanced-pois?limit=500&radius=25000"), "Accept-Encoding: gzip")},
	{"twelve with people within 28 km", time.Second, 16, 0, asking(nearTarget("/v3/demographics?radius=17000"))},
	{"twelve with snapshots", time.Second, 16, 0,
		asking(nearTarget("/v3/data?include=demographics,scores_all,measures_all,pois_count&radius=17000"))},
	{"twelve that never read", 5 * time.Second, 150, 50, sendAndWait(0)},
}

func nearTarget(target string) string {
	return fmt.Sprintf("%s&lat=%v&lng=%v", target, servetest.NorthLat, servetest.Lng)
}

// stranger is an attack without a token.
func stranger(make func(*attacker) func(net.Conn)) func(*attacker) func(net.Conn) {
	return func(a *attacker) func(net.Conn) { return make(&attacker{addr: a.addr, pace: a.pace}) }
}

// varied sends requests that are made one by one, and reads their answers.
func varied(next func(*attacker) []byte) func(*attacker) func(net.Conn) {
	return func(a *attacker) func(net.Conn) {
		return func(conn net.Conn) { a.exchange(conn, func() []byte { return next(a) }) }
	}
}

// change is a request that changes custom geographies.
func (a *attacker) change(method, id, body string, headers ...string) []byte {
	text := fmt.Sprintf("%s /v3/geographies/custom%s HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\n"+
		"Content-Length: %d\r\n", method, id, a.addr, a.token, len(body))
	for _, h := range headers {
		text += h + "\r\n"
	}
	return []byte(text + "\r\n" + body)
}

// largest are boundaries of nearly 100,000 characters that are accepted: a star around the northern city, turned by n.
func largest(n int) string {
	const points = 4300
	ring := make([]string, points)
	for i := range ring {
		sin, cos := math.Sincos(2 * math.Pi * (float64(i) + float64(n%1000)/2000) / points)
		far := 0.1 - 0.05*float64(i%2)
		ring[i] = fmt.Sprintf("%.7f %.7f", servetest.Lng+far*cos, servetest.NorthLat+far*sin)
	}
	return "POLYGON((" + strings.Join(append(ring, ring[0]), ",") + "))"
}

// newRequest is the body of a request with the largest boundaries.
func newRequest(n int) string {
	return fmt.Sprintf(`{"name_en":"%d","type":"NEIGHBOURHOOD","boundaries":"%s"}`, n, largest(n))
}

func creating(a *attacker) func(net.Conn) {
	body := newRequest(0)
	return func(conn net.Conn) { a.exchange(conn, func() []byte { return a.change("POST", "", body) }) }
}

func keyed(a *attacker) func(net.Conn) {
	request := a.change("POST", "", newRequest(0), "Idempotency-Key: one")
	return func(conn net.Conn) { a.exchange(conn, func() []byte { return request }) }
}

// made makes a request with the largest boundaries and returns its path below that of all.
func (a *attacker) made() string {
	conn := fail.Must(net.Dial("tcp", a.addr))
	defer conn.Close()
	fail.Must(conn.Write(a.change("POST", "", newRequest(0))))
	return fail.Must(idOf(conn))
}

// idOf is the path of a request below that of all, of the answer to a change.
func idOf(conn net.Conn) (string, error) {
	answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		return "", err
	}
	defer answer.Body.Close()
	var made struct {
		ID string `json:"geo_entity_id"`
	}
	if answer.StatusCode/100 != 2 {
		return "", fmt.Errorf("status %d", answer.StatusCode)
	}
	err = json.NewDecoder(answer.Body).Decode(&made)
	return "/" + made.ID, err
}

// editing changes one request again and again.
func editing(body func(n int) string) func(*attacker) func(net.Conn) {
	return func(a *attacker) func(net.Conn) {
		id := a.made()
		bodies := []string{body(1), body(2), body(3)}
		return func(conn net.Conn) {
			a.exchange(conn, func() []byte { return a.change("PATCH", id, bodies[rand.IntN(len(bodies))]) })
		}
	}
}

// removing makes requests and removes them.
func removing(a *attacker) func(net.Conn) {
	body := newRequest(0)
	return func(conn net.Conn) {
		for {
			if _, err := conn.Write(a.change("POST", "", body)); err != nil {
				return
			}
			id, err := idOf(conn)
			if err != nil {
				return
			}
			if _, err := conn.Write(a.change("DELETE", id, "")); err != nil {
				return
			}
			if _, err := idOf(conn); err != nil {
				return
			}
		}
	}
}

// reading asks for one request.
func reading(a *attacker) func(net.Conn) {
	return asking("/v3/geographies/custom"+a.made(), "Accept-Encoding: gzip")(a)
}

// chunked sends bodies of 10,000 chunks of a byte.
func chunked(a *attacker) func(net.Conn) {
	head, _, _ := strings.Cut(string(a.change("POST", "", "")), "Content-Length")
	request := []byte(head + "Transfer-Encoding: chunked\r\n\r\n" + strings.Repeat("1\r\n{\r\n", 10_000) + "0\r\n\r\n")
	return func(conn net.Conn) { a.exchange(conn, func() []byte { return request }) }
}

// promised waits with bodies for more than the server's consent.
func promised(a *attacker) func(net.Conn) {
	request := a.change("POST", "", strings.Repeat("x", 250_000), "Expect: 100-continue")
	head := request[:len(request)-250_000]
	return func(conn net.Conn) {
		a.wait()
		conn.Write(head)
		dripping(conn, func() error { return nil })
	}
}

// longTokens sends tokens with the header of a valid one and long claims.
func longTokens(a *attacker) func(net.Conn) {
	head, _, _ := strings.Cut(a.token, ".")
	long := attacker{addr: a.addr, token: head + "." + strings.Repeat("eyJh", 7000) + "." + strings.Repeat("A", 86)}
	return asking(pointTarget)(&long)
}

// pipelined sends a hundred requests before it reads an answer.
func pipelined(target string) func(*attacker) func(net.Conn) {
	return func(a *attacker) func(net.Conn) {
		requests := slices.Repeat(a.request(target), 100)
		return func(conn net.Conn) {
			go func() {
				for {
					if _, err := conn.Write(requests); err != nil {
						return
					}
				}
			}()
			io.Copy(io.Discard, conn)
		}
	}
}
