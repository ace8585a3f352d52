// Package attack is what a customer, twelve of them, or somebody without a credential, does to a server to the harm of another.
package attack

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"syscall"
	"time"

	"quartier/bench/fail"

	"quartier/serve/servetest"
)

// Attack is what a customer does to a server for as long as the program runs.
type Attack struct {
	Name  string
	Lead  time.Duration // until it has the effect that it can have
	conns int
	rate  int // connections or requests a second over all connections; 0: as many as go
	make  func(a *attacker) func(net.Conn)
}

// attacker is one run of an attack.
type attacker struct {
	addr, token string
	pace        <-chan time.Time // nil: none
}

// All are the attacks of one customer.
var All = slices.Concat(bySize, writes, fields, lists, names)

var bySize = []Attack{
	{"never reading", 22 * time.Second, 1500, 50, sendAndWait(0)},
	{"reading 1 kB a second", 22 * time.Second, 1500, 50, sendAndWait(1 << 10)},
	{"outlines of 4.5 MB", time.Second, 16, 50, asking(outlineTarget, "Accept-Encoding: zstd, gzip")},
	{"over its rate", time.Second, 64, 0, asking(pointTarget)},
	{"expensive polygons", time.Second, 50, 50, asking(combTarget)},
	{"malformed polygons", time.Second, 50, 50, asking("/v3/enhanced-pois?polygon=" + url.QueryEscape(strings.TrimSuffix(comb(), ")")))},
	{"many connections", 3 * time.Second, 6000, 0, sending("")},
	{"unfinished headers", 3 * time.Second, 2000, 0, sending("GET /v3/geographies?name=" + strings.Repeat("x", 31_000))},
	{"unfinished headers of 250 kB", 3 * time.Second, 2000, 0, sending("GET /v3/geographies?name=" + strings.Repeat("x", 250_000))},
	{"slow bodies", 22 * time.Second, 1500, 50, slowBody},
	{"boundaries of 100,000 characters", time.Second, 12, 50, drawing},
	{"forged tokens", time.Second, 64, 0, forging},
	{"token requests", time.Second, 64, 0, posting},
	{"the document", time.Second, 64, 0, asking("/openapi.json", "Accept-Encoding: gzip")},
	{"streams that are reset", time.Second, 8, 0, overHTTP2(frame{kind: frameReset, payload: "\x00\x00\x00\x08"})},
	{"streams that have to be reset", time.Second, 8, 0, overHTTP2(frame{kind: frameWindow, payload: "\x00\x00\x00\x00"})},
	{"streams with settings in between", time.Second, 8, 0, overHTTP2(frame{kind: frameSettings})},
}

// Scattered are attacks of which each connection comes from another address: most of them need no credential.
var Scattered = slices.Concat(connections, unknown)

var connections = []Attack{
	{"silent connections of 4,300 addresses", 3 * time.Second, 4300, 0, sending("")},
	{"idle connections of 4,300 addresses", 3 * time.Second, 4300, 0, sending("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")},
	{"headers by the byte of 4,300 addresses", 3 * time.Second, 4300, 0, trickling},
	{"slow token requests of 4,300 addresses", 3 * time.Second, 4300, 0,
		sending("POST /oauth/token HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{")},
	{"idle connections of 4,300 addresses with a token", 3 * time.Second, 4300, 0, idling},
}

// together is how many customers attack in Together.
const together = 12

// Customers is how many customers attack.
func (a Attack) Customers() int {
	if slices.ContainsFunc(Together, func(t Attack) bool { return t.Name == a.Name }) {
		return together
	}
	return 1
}

// P99 is the 99th percentile of times, which it sorts; an hour if there are none.
func P99(of []time.Duration) time.Duration {
	if len(of) == 0 {
		return time.Hour
	}
	slices.Sort(of)
	return of[99*(len(of)-1)/100]
}

// Together are attacks of a dozen customers, each from an address of its own.
var Together = slices.Concat(dozens, crowds)

var dozens = []Attack{
	{"twelve with ETags of 30 kB", time.Second, 16, 0, asking(pointTarget, "If-None-Match: "+strings.Repeat(`"a",`, 7500))},
	{"twelve with codings of 30 kB", time.Second, 16, 0, asking(pointTarget, "Accept-Encoding: "+strings.Repeat("gzip;q=1,", 3300))},
	{"twelve with polygons in gzip", time.Second, 16, 0, asking(combTarget, "Accept-Encoding: gzip")},
	{"twelve with people in polygons", time.Second, 16, 0,
		asking("/v3/demographics?polygon="+url.QueryEscape(comb()), "Accept-Encoding: gzip")},
	{"twelve with outlines in gzip", time.Second, 16, 0, asking(outlineTarget, "Accept-Encoding: gzip")},
}

// Huge are attacks by the size of what is sent: a server refuses each request before it has read it.
var Huge = []Attack{
	{"URLs of 1 MB", time.Second, 32, 200,
		once(func(a *attacker) []byte { return a.request("/v3/geographies?name=" + strings.Repeat("x", 1<<20)) })},
	{"headers of 1 MB", time.Second, 32, 200, once(func(a *attacker) []byte {
		return a.request("/v3/geographies?name=x", "X-Large: "+strings.Repeat("x", 1<<20))
	})},
	{"deep JSON", time.Second, 32, 50, once(func(a *attacker) []byte { return a.body("identity", strings.Repeat("[", 90_000)) })},
	{"compressed bodies", time.Second, 32, 50,
		once(func(a *attacker) []byte { return a.body("gzip", "\x1f\x8b"+strings.Repeat("\x00", 90_000)) })},
}

// Named are the attacks of All, Scattered and Together that have a part in their names.
func Named(part string) []Attack {
	return slices.DeleteFunc(slices.Concat(All, Scattered, Together), func(a Attack) bool { return !strings.Contains(a.Name, part) })
}

var (
	pointTarget   = "/v3/geographies?lat=45.2&lng=-72.8"
	combTarget    = "/v3/enhanced-pois?limit=500&polygon=" + url.QueryEscape(comb())
	outlineTarget = "/v3/geographies/" + servetest.Canada + "?include=geometry"
)

// Run runs the attack that args name on a server, with the tokens of those who attack, until the program is stopped.
func Run(args []string) {
	name, addr, tokens := args[0], args[1], strings.Split(args[2], ",")
	all := slices.Concat(All, Huge, Scattered, Together)
	at := slices.IndexFunc(all, func(a Attack) bool { return a.Name == name })
	if at < 0 {
		fail.Errorf("no attack %q", name)
	}
	scattered := slices.ContainsFunc(Scattered, func(a Attack) bool { return a.Name == name })
	for number, token := range tokens {
		run := &attacker{addr: addr, token: token}
		if all[at].rate > 0 {
			run.pace = time.Tick(time.Second / time.Duration(all[at].rate))
		}
		act := all[at].make(run)
		for i := range all[at].conns {
			from := net.IPv4(127, 0, 0, byte(2+number)) // the other customer has 127.0.0.1
			if scattered {
				from = net.IPv4(127, 1, byte(i>>8), byte(i))
			}
			go run.repeat(from, act)
		}
	}
	select {}
}

// repeat connects from an address and acts again and again.
func (a *attacker) repeat(from net.IP, act func(net.Conn)) {
	d := net.Dialer{LocalAddr: &net.TCPAddr{IP: from}, Timeout: 5 * time.Second}
	for {
		conn, err := d.Dial("tcp", a.addr)
		if err != nil {
			time.Sleep(100 * time.Millisecond)
			continue
		}
		act(conn)
		conn.Close()
	}
}

func (a *attacker) wait() {
	if a.pace != nil {
		<-a.pace
	}
}

func (a *attacker) request(target string, headers ...string) []byte {
	text := strings.TrimSuffix(fmt.Sprintf("GET %s HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nAccept: application/json\r\n\r\n",
		target, a.addr, a.token), "\r\n")
	for _, h := range headers {
		text += h + "\r\n"
	}
	return []byte(text + "\r\n")
}

// asking sends a request and reads its answer.
func asking(target string, headers ...string) func(*attacker) func(net.Conn) {
	return func(a *attacker) func(net.Conn) {
		request := a.request(target, headers...)
		return func(conn net.Conn) { a.exchange(conn, func() []byte { return request }) }
	}
}

func (a *attacker) exchange(conn net.Conn, next func() []byte) {
	in := bufio.NewReader(conn)
	for {
		a.wait()
		if _, err := conn.Write(next()); err != nil {
			return
		}
		answer, err := http.ReadResponse(in, nil)
		if err != nil {
			return
		}
		if _, err := io.Copy(io.Discard, answer.Body); err != nil {
			return
		}
	}
}

// once sends a request over a connection and reads what is answered before the server closes it.
func once(make func(*attacker) []byte) func(*attacker) func(net.Conn) {
	return func(a *attacker) func(net.Conn) {
		request := make(a)
		return func(conn net.Conn) {
			a.wait()
			conn.SetDeadline(time.Now().Add(10 * time.Second))
			conn.Write(request)
			io.CopyN(io.Discard, conn, 512)
		}
	}
}

// body is a request for a custom geography.
func (a *attacker) body(encoding, body string) []byte {
	return fmt.Appendf(nil,
		"POST /v3/geographies/custom HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Encoding: "+
			"%s\r\nContent-Length: %d\r\n\r\n%s",
		a.addr, a.token, encoding, len(body), body)
}

// sendAndWait asks for the outline and takes some bytes of it a second.
func sendAndWait(bytesPerSecond int) func(*attacker) func(net.Conn) {
	return func(a *attacker) func(net.Conn) {
		request := a.request(outlineTarget)
		return func(conn net.Conn) {
			conn.(*net.TCPConn).SetReadBuffer(4 << 10)
			a.wait()
			conn.Write(request)
			dripping(conn, func() error {
				_, err := io.CopyN(io.Discard, conn, int64(bytesPerSecond))
				return err
			})
		}
	}
}

// dripping does a step every second until it fails, or the server has closed the connection.
func dripping(conn net.Conn, step func() error) {
	for {
		time.Sleep(time.Second)
		if step() != nil || hungUp(conn) {
			return
		}
	}
}

// hungUp reports whether the server has closed the connection.
func hungUp(conn net.Conn) (closed bool) {
	raw, err := conn.(*net.TCPConn).SyscallConn()
	if err != nil {
		return true
	}
	raw.Control(func(fd uintptr) {
		info, err := syscall.GetsockoptInt(int(fd), syscall.SOL_TCP, syscall.TCP_INFO)
		closed = err != nil || info&0xff != 1 // the first byte is the state; 1 is established
	})
	return closed
}

// sending sends the begin of a request and no more.
func sending(begin string) func(*attacker) func(net.Conn) {
	return func(*attacker) func(net.Conn) {
		return func(conn net.Conn) {
			conn.Write([]byte(begin))
			dripping(conn, func() error { return nil })
		}
	}
}

func slowBody(a *attacker) func(net.Conn) {
	return func(conn net.Conn) {
		a.wait()
		fmt.Fprintf(conn,
			"POST /v3/geographies/custom HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: "+
				"200000\r\n\r\n", a.addr, a.token)
		dripping(conn, func() error {
			_, err := conn.Write([]byte("{"))
			return err
		})
	}
}

// drawing asks for custom geographies with the longest boundaries that are judged to the end: edges from the south of the world to
// its north, side by side, of which the area is too large.
func drawing(a *attacker) func(net.Conn) {
	var ring strings.Builder
	for i := 0; ring.Len() < 99_900; i++ {
		fmt.Fprintf(&ring, "%[1]d.%03[2]d -80,%[1]d.%03[2]d5 80,", 10+i/1000, i%1000)
	}
	body := a.body("identity", `{"name_en":"x","type":"CITY","boundaries":"POLYGON((`+ring.String()+`5 89,5 -85,10.000 -80))"}`)
	return func(conn net.Conn) { a.exchange(conn, func() []byte { return body }) }
}

// forging sends tokens with the header and claims of a valid one and another signature each.
func forging(a *attacker) func(net.Conn) {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
	signed, _, _ := strings.Cut(a.token, ".")
	claims := strings.Split(a.token, ".")[1]
	return func(conn net.Conn) {
		a.exchange(conn, func() []byte {
			signature := []byte(strings.Split(a.token, ".")[2])
			for i := range len(signature) - 1 {
				signature[i] = letters[rand.IntN(len(letters))]
			}
			forged := attacker{addr: a.addr, token: signed + "." + claims + "." + string(signature)}
			return forged.request("/v3/geographies?lat=45.2&lng=-72.8")
		})
	}
}

func posting(a *attacker) func(net.Conn) {
	body := `{"client_id":"somebody","client_secret":"x"}`
	request := fmt.Appendf(nil, "POST /oauth/token HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s",
		a.addr, len(body), body)
	return func(conn net.Conn) { a.exchange(conn, func() []byte { return request }) }
}

// comb is a polygon of nearly 5,000 characters around the northern city: teeth side by side.
func comb() string {
	text := fmt.Sprintf("POLYGON((%.4f %.4f", servetest.Lng-0.2, servetest.NorthLat-0.2)
	const teeth = 118
	for i := range teeth {
		at := servetest.Lng - 0.2 + 0.4*float64(i)/teeth
		text += fmt.Sprintf(",%.4f %.4f,%.4f %.4f", at, servetest.NorthLat+0.2, at+0.2/teeth, servetest.NorthLat-0.15)
	}
	return text + fmt.Sprintf(",%.4f %.4f,%.4f %.4f))", servetest.Lng+0.2, servetest.NorthLat-0.2, servetest.Lng-0.2, servetest.NorthLat-0.2)
}
