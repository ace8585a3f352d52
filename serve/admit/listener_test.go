package admit

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"os"
	"strings"
	"testing"
	"time"

	"quartier/internal/testenv"
	"quartier/serve/limit"
)

// serve starts an http.Server on a listener with the limits; its address is returned.
func serveHTTP(t *testing.T, limits ConnLimits, handler http.HandlerFunc) (*Listener, string) {
	t.Helper()
	if limits.Stall == 0 {
		limits.Stall = time.Minute
	}
	l := NewListener(limits)
	var err error
	if l.Listener, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	web := &http.Server{Handler: handler, ConnState: l.State, MaxHeaderBytes: 32 << 10}
	done := make(chan struct{})
	go func() {
		defer close(done)
		web.Serve(l)
	}()
	t.Cleanup(func() {
		web.Close()
		<-done
	})
	return l, l.Addr().String()
}

func answerOK(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "ok") }

// dialFrom connects from a loopback address.
func dialFrom(t *testing.T, from, to string) net.Conn {
	t.Helper()
	d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}
	conn, err := d.Dial("tcp", to)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn
}

// ask sends a request, and reads its answer if the connection is open.
func ask(conn net.Conn) (status int, err error) {
	if _, err := io.WriteString(conn, "GET / HTTP/1.1\r\nHost: x\r\n\r\n"); err != nil {
		return 0, err
	}
	answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		return 0, err
	}
	io.Copy(io.Discard, answer.Body)
	return answer.StatusCode, answer.Body.Close()
}

func TestAnAddressTakesHalfOfTheConnections(t *testing.T) {
	l, addr := serveHTTP(t, ConnLimits{Conns: 8, Unfinished: 8}, answerOK)
	var open []net.Conn
	for i := range 4 {
		conn := dialFrom(t, "127.0.0.2", addr)
		open = append(open, conn)
		if status, err := ask(conn); status != 200 {
			t.Fatalf("connection %d: %v", i, err)
		}
	}
	if _, err := ask(dialFrom(t, "127.0.0.2", addr)); err == nil {
		t.Error("a fifth connection of one address is served")
	}
	if status, err := ask(dialFrom(t, "127.0.0.3", addr)); status != 200 {
		t.Errorf("another address: %v", err)
	}
	if status, err := ask(open[0]); status != 200 {
		t.Errorf("an open connection: %v", err)
	}
	if got := l.Usage(); got.Conns != 5 || got.Addresses != 2 || got.Refused != 1 {
		t.Errorf("%+v", got)
	}
	for _, conn := range open {
		conn.Close()
	}
	testenv.Eventually(t, "closed connections are counted", func() bool { return l.Usage().Conns == 1 })
	if status, err := ask(dialFrom(t, "127.0.0.2", addr)); status != 200 {
		t.Errorf("afterwards: %v", err)
	}
}

func TestNewConnectionsOfAnAddressAreLimited(t *testing.T) {
	l, addr := serveHTTP(t, ConnLimits{Conns: 100, Unfinished: 8, Rate: limit.Rate{PerSecond: 1, Burst: 3}}, answerOK)
	refused := 0
	for range 100 {
		conn := dialFrom(t, "127.0.0.2", addr)
		if _, err := ask(conn); err != nil {
			refused++
		}
		conn.Close()
	}
	if got := l.Usage(); refused == 0 || got.Refused != int64(refused) {
		t.Errorf("%d connections failed, %d were refused", refused, got.Refused)
	}
	if status, err := ask(dialFrom(t, "127.0.0.3", addr)); status != 200 {
		t.Errorf("another address: %v", err)
	}
}

// TestLongHeadersCountAsManyConnections sends headers that are longer than the server reads, until the address is refused.
func TestLongHeadersCountAsManyConnections(t *testing.T) {
	const burst = 31 // three with too long headers count as thirty
	l, addr := serveHTTP(t, ConnLimits{Conns: 100, Header: 32 << 10, Unfinished: 8, Rate: limit.Rate{PerSecond: 1, Burst: burst}}, answerOK)
	long := "GET / HTTP/1.1\r\nHost: x\r\nX-Long: " + strings.Repeat("x", 40<<10)
	for i := range 3 {
		conn := dialFrom(t, "127.0.0.2", addr)
		io.WriteString(conn, long)
		if answer, err := http.ReadResponse(bufio.NewReader(conn), nil); err != nil ||
			answer.StatusCode != http.StatusRequestHeaderFieldsTooLarge {
			t.Fatalf("connection %d: %v", i, err)
		}
	}
	served := 0
	for range burst {
		conn := dialFrom(t, "127.0.0.2", addr)
		if status, _ := ask(conn); status == http.StatusOK {
			served++
		}
		conn.Close()
	}
	if served == 0 || served == burst || l.Usage().Refused == 0 {
		t.Errorf("%d of %d connections are served afterwards", served, burst)
	}
	if status, err := ask(dialFrom(t, "127.0.0.3", addr)); status != 200 {
		t.Errorf("another address: %v", err)
	}
}

func TestProxiesHaveManyConnections(t *testing.T) {
	_, addr := serveHTTP(t, ConnLimits{Conns: 4, Unfinished: 8, Proxies: []netip.Prefix{netip.MustParsePrefix("127.0.0.2/32")}}, answerOK)
	for i := range 4 {
		if status, err := ask(dialFrom(t, "127.0.0.2", addr)); status != 200 {
			t.Fatalf("connection %d: %v", i, err)
		}
	}
	if _, err := ask(dialFrom(t, "127.0.0.2", addr)); err == nil {
		t.Error("a fifth of four connections is served")
	}
}

func TestTheOldestUnfinishedConnectionIsClosed(t *testing.T) {
	l, addr := serveHTTP(t, ConnLimits{Conns: 100, Unfinished: 3}, answerOK)
	long := "GET /" + strings.Repeat("x", 9000)
	var halves []net.Conn
	for i := range 3 {
		conn := dialFrom(t, "127.0.0.2", addr)
		halves = append(halves, conn)
		io.WriteString(conn, long)
		testenv.Eventually(t, "an unfinished request is counted", func() bool { return l.Usage().Unfinished == i+1 })
	}
	if status, err := ask(dialFrom(t, "127.0.0.2", addr)); status != 200 {
		t.Errorf("a short request beside unfinished ones: %v", err)
	}
	last := dialFrom(t, "127.0.0.3", addr)
	io.WriteString(last, long)
	testenv.Eventually(t, "the oldest one is closed", func() bool { return l.Usage().Evicted == 1 })
	if _, err := halves[0].Read(make([]byte, 1)); err == nil || errors.Is(err, io.ErrNoProgress) {
		t.Error("the oldest unfinished connection is open")
	}
	io.WriteString(last, " HTTP/1.1\r\nHost: x\r\n\r\n")
	if answer, err := http.ReadResponse(bufio.NewReader(last), nil); err != nil || answer.StatusCode != 200 {
		t.Errorf("a request that is finished later: %v", err)
	}
	testenv.Eventually(t, "a finished request is no longer counted", func() bool { return l.Usage().Unfinished == 2 })
	for _, conn := range halves {
		conn.Close()
	}
	testenv.Eventually(t, "closed connections are no longer counted", func() bool { u := l.Usage(); return u.Unfinished == 0 && u.Conns <= 2 })
}

func TestACallerThatTakesNothingIsLeft(t *testing.T) {
	ended := make(chan error, 1)
	l, addr := serveHTTP(t, ConnLimits{Conns: 8, Unfinished: 8, Stall: 50 * time.Millisecond}, func(w http.ResponseWriter, _ *http.Request) {
		chunk := make([]byte, 1<<20)
		for {
			if _, err := w.Write(chunk); err != nil {
				ended <- err
				return
			}
		}
	})
	conn := dialFrom(t, "127.0.0.2", addr)
	io.WriteString(conn, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
	select {
	case <-ended:
	case <-time.After(time.Minute):
		t.Fatal("the answer goes on")
	}
	if got := l.Usage(); got.Stalled != 1 {
		t.Errorf("%+v", got)
	}
}

// slowCaller takes a number of bytes until a deadline passes.
type slowCaller struct {
	net.Conn
	takes  int
	taken  []byte
	writes int
}

func (c *slowCaller) SetWriteDeadline(time.Time) error { return nil }

func (c *slowCaller) Write(b []byte) (int, error) {
	c.writes++
	n := min(len(b), c.takes)
	c.taken = append(c.taken, b[:n]...)
	if n < len(b) {
		return n, os.ErrDeadlineExceeded
	}
	return n, nil
}

// TestDeadlineMovesWithWhatIsTaken writes answers to callers that take more or less than a Chunk in time.
func TestDeadlineMovesWithWhatIsTaken(t *testing.T) {
	body := make([]byte, 5*Chunk/2)
	for i := range body {
		body[i] = byte(i % 251)
	}
	for _, c := range []struct {
		name           string
		takes          int
		written, calls int
		stalled        int64
	}{
		{"all at once", len(body), len(body), 1, 0},
		{"a Chunk", Chunk, len(body), 3, 0},
		{"more than a Chunk", 2 * Chunk, len(body), 2, 0},
		{"less than a Chunk", Chunk - 1, Chunk - 1, 1, 1},
		{"nothing", 0, 0, 1, 1},
	} {
		l, caller := NewListener(ConnLimits{}), &slowCaller{takes: c.takes}
		conn := &Conn{Conn: caller, listener: l}
		n, err := conn.Write(body)
		if n != c.written || caller.writes != c.calls || l.Usage().Stalled != c.stalled ||
			errors.Is(err, os.ErrDeadlineExceeded) != (c.stalled > 0) {
			t.Errorf("%s: %d bytes in %d calls, %v, %+v", c.name, n, caller.writes, err, l.Usage())
		}
		if !bytes.Equal(caller.taken, body[:c.written]) {
			t.Errorf("%s: other bytes arrived", c.name)
		}
	}
	caller := &slowCaller{}
	if n, err := (&Conn{Conn: caller, listener: NewListener(ConnLimits{})}).Write(nil); n != 0 || err != nil || caller.writes != 1 {
		t.Errorf("nothing to write: %d, %v, %d calls", n, err, caller.writes)
	}
}
