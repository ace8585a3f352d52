package serve_test

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"sync"
	"testing"
	"time"

	"quartier/serve/admit"
	"quartier/serve/cork"
	"quartier/serve/deadline"
)

// BenchmarkConnection times requests through net/http and the layers of a connection, but without the system: the connection
// is in memory. What remains of the difference to the bare handler is the handler, its headers and those layers.
//
//	go test ./serve -run '^$' -bench Connection -cpu 1 -args -releases ../out/bench/endpoints
func BenchmarkConnection(b *testing.B) {
	a, places := benchReleases(b)
	for _, c := range sampled {
		var requests, bares, bodies [][]byte
		for _, target := range sample(b, places, c.format, c.file, c.query) {
			got := a.get("full", target)
			if got.status != http.StatusOK {
				continue
			}
			form := "GET %s HTTP/1.1\r\nHost: 127.0.0.1:12345\r\nAuthorization: Bearer %s\r\nAccept: application/json\r\n\r\n"
			requests = append(requests, fmt.Appendf(nil, form, target, a.tokens["full"]))
			bares = append(bares, fmt.Appendf(nil, form, "/"+strconv.Itoa(len(bodies)), a.tokens["full"]))
			bodies = append(bodies, []byte(got.body))
		}
		if len(requests) == 0 {
			continue
		}
		bare := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			i, _ := strconv.Atoi(r.URL.Path[1:])
			h := w.Header()
			h["Content-Type"] = []string{"application/json"}
			h["Content-Length"] = []string{strconv.Itoa(len(bodies[i]))}
			w.Write(bodies[i])
		})
		b.Run(c.name+"/bare", func(b *testing.B) {
			inMemory(b, &http.Server{Handler: bare}, func(l net.Listener) net.Listener { return l }, bares)
		})
		b.Run(c.name+"/bare, layers", func(b *testing.B) { layered(b, bare, bares) })
		b.Run(c.name+"/serve", func(b *testing.B) {
			inMemory(b, &http.Server{Handler: a.handler}, func(l net.Listener) net.Listener { return l }, requests)
		})
		b.Run(c.name+"/serve, layers", func(b *testing.B) { layered(b, a.handler, requests) })
	}
}

// layered serves with the layers and deadlines of quartierd.
func layered(b *testing.B, handler http.Handler, requests [][]byte) {
	conns := admit.NewListener(admit.ConnLimits{Conns: 10, Header: 32 << 10, Unfinished: 10, Stall: 10 * time.Second})
	server := &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: 10 * time.Second, IdleTimeout: time.Minute,
		MaxHeaderBytes: 32 << 10, ConnState: conns.State, ConnContext: conns.Context}
	inMemory(b, server, func(l net.Listener) net.Listener {
		conns.Listener = deadline.Listener{Listener: cork.Listener{Listener: l}}
		return conns
	}, requests)
}

// inMemory repeats requests over one connection in memory.
func inMemory(b *testing.B, server *http.Server, layers func(net.Listener) net.Listener, requests [][]byte) {
	c := newMemoryConn(requests, b.N)
	b.ReportAllocs()
	b.ResetTimer()
	before := processorTime(b)
	l := &oneConn{conn: c, done: c.done}
	server.Serve(layers(l))
	b.ReportMetric(float64(processorTime(b)-before)/float64(b.N), "cpu-ns/op")
}

// oneConn is a listener with one connection, which ends with it.
type oneConn struct {
	conn net.Conn
	done chan struct{}
}

func (l *oneConn) Accept() (net.Conn, error) {
	if c := l.conn; c != nil {
		l.conn = nil
		return c, nil
	}
	<-l.done
	return nil, io.EOF
}
func (l *oneConn) Close() error   { return nil }
func (l *oneConn) Addr() net.Addr { return &net.TCPAddr{} }

// memoryConn is a connection whose caller sends the next request when the answer to the last one is complete.
type memoryConn struct {
	requests [][]byte
	left     int
	done     chan struct{}

	mu      sync.Mutex
	changed *sync.Cond
	next    []byte // of the request that can be read
	past    bool   // the deadline of reading has passed
	missing int    // bytes of the answer
	at      int
}

func newMemoryConn(requests [][]byte, n int) *memoryConn {
	c := &memoryConn{requests: requests, left: n - 1, done: make(chan struct{}), next: requests[0]}
	c.changed = sync.NewCond(&c.mu)
	return c
}

func (c *memoryConn) Read(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for len(c.next) == 0 {
		if c.past {
			return 0, os.ErrDeadlineExceeded
		}
		if c.left < 0 {
			return 0, io.EOF
		}
		c.changed.Wait()
	}
	n := copy(p, c.next)
	c.next = c.next[n:]
	return n, nil
}

func (c *memoryConn) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := len(p)
	if c.missing == 0 {
		end := bytes.Index(p, []byte("\r\n\r\n")) + 4
		length := p[bytes.Index(p, []byte("Content-Length: "))+16:]
		c.missing, _ = strconv.Atoi(string(length[:bytes.IndexByte(length, '\r')]))
		p = p[end:]
	}
	if c.missing -= len(p); c.missing == 0 {
		if c.left--; c.left >= 0 {
			c.at = (c.at + 1) % len(c.requests)
			c.next = c.requests[c.at]
		}
		c.changed.Broadcast()
	}
	return n, nil
}

func (c *memoryConn) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.done != nil {
		close(c.done)
		c.done = nil
	}
	return nil
}
func (c *memoryConn) LocalAddr() net.Addr                { return &net.TCPAddr{} }
func (c *memoryConn) RemoteAddr() net.Addr               { return &net.TCPAddr{} }
func (c *memoryConn) SetDeadline(t time.Time) error      { return c.SetReadDeadline(t) }
func (c *memoryConn) SetWriteDeadline(t time.Time) error { return nil }
func (c *memoryConn) SetReadDeadline(t time.Time) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.past = !t.IsZero() && t.Before(time.Now())
	c.changed.Broadcast()
	return nil
}
