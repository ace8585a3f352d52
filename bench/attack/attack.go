// Package attack is what one customer does to a server to the harm of another.
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

// Attack is what one customer does to a server for as long as the program runs.
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

// attackFrom is the address of the attacker; the other customer has 127.0.0.1.
const attackFrom = "127.0.0.2"

// All are the attacks.
var All = []Attack{
	{"never reading", 22 * time.Second, 1500, 50, sendAndWait(0)},
	{"reading 1 kB a second", 22 * time.Second, 1500, 50, sendAndWait(1 << 10)},
	{"outlines of 4.5 MB", time.Second, 16, 50, asking(outlineTarget, "Accept-Encoding: zstd, gzip")},
	{"over its rate", time.Second, 64, 0, asking("/v3/geographies?lat=45.2&lng=-72.8")},
	{"expensive polygons", time.Second, 50, 50, asking("/v3/enhanced-pois?limit=500&polygon=" + url.QueryEscape(comb()))},
	{"malformed polygons", time.Second, 50, 50, asking("/v3/enhanced-pois?polygon=" + url.QueryEscape(strings.TrimSuffix(comb(), ")")))},
	{"many connections", 3 * time.Second, 6000, 0, sending("")},
	{"unfinished headers", 3 * time.Second, 2000, 0, sending("GET /v3/geographies?name=" + strings.Repeat("x", 31_000))},
	{"unfinished headers of 250 kB", 3 * time.Second, 2000, 0, sending("GET /v3/geographies?name=" + strings.Repeat("x", 250_000))},
	{"slow bodies", 22 * time.Second, 1500, 50, slowBody},
	{"boundaries of 100,000 characters", time.Second, 12, 50, drawing},
	{"forged tokens", time.Second, 64, 0, forging},
	{"token requests", time.Second, 64, 0, posting},
	{"the document", time.Second, 64, 0, asking("/openapi.json", "Accept-Encoding: gzip")},
}

// Huge are attacks by the size of what is sent: a server refuses each request before it has read it.
var Huge = []Attack{
	{"URLs of 1 MB", time.Second, 32, 200, once(func(a *attacker) []byte { return a.request("/v3/geographies?name=" + strings.Repeat("x", 1<<20)) })},
	{"headers of 1 MB", time.Second, 32, 200, once(func(a *attacker) []byte {
		return a.request("/v3/geographies?name=x", "X-Large: "+strings.Repeat("x", 1<<20))
	})},
	{"deep JSON", time.Second, 32, 50, once(func(a *attacker) []byte { return a.body("identity", strings.Repeat("[", 90_000)) })},
	{"compressed bodies", time.Second, 32, 50, once(func(a *attacker) []byte { return a.body("gzip", "\x1f\x8b"+strings.Repeat("\x00", 90_000)) })},
}

var outlineTarget = "/v3/geographies/" + servetest.Canada + "?include=geometry"

// Run runs the attack that args name on a server, with a token, until the program is stopped.
func Run(args []string) {
	for _, a := range slices.Concat(All, Huge) {
		if a.Name != args[0] {
			continue
		}
		run := &attacker{addr: args[1], token: args[2]}
		if a.rate > 0 {
			run.pace = time.Tick(time.Second / time.Duration(a.rate))
		}
		for range a.conns {
			act := a.make(run)
			go run.repeat(act)
		}
		select {}
	}
	fail.Errorf("no attack %q", args[0])
}

// repeat connects and acts again and again.
func (a *attacker) repeat(act func(net.Conn)) {
	d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(attackFrom)}, Timeout: 5 * time.Second}
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
	text := strings.TrimSuffix(fmt.Sprintf("GET %s HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nAccept: application/json\r\n\r\n", target, a.addr, a.token), "\r\n")
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
	return fmt.Appendf(nil, "POST /v3/geographies/custom HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Encoding: %s\r\nContent-Length: %d\r\n\r\n%s",
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
		fmt.Fprintf(conn, "POST /v3/geographies/custom HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: 200000\r\n\r\n", a.addr, a.token)
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
	request := fmt.Appendf(nil, "POST /oauth/token HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", a.addr, len(body), body)
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
