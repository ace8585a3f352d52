package testenv

import (
	"net"
	"sync"
	"testing"
	"time"
)

// Proxy passes TCP connections on to a server on this machine, and fails as networks do.
type Proxy struct {
	Addr string // to connect to

	target string
	mu     sync.Mutex
	listen net.Listener // nil while connections are refused
	open   map[net.Conn]bool
	delay  time.Duration
	ended  sync.WaitGroup
}

// NewProxy starts a proxy of a server, until the end of the test.
func NewProxy(tb testing.TB, target string) *Proxy {
	tb.Helper()
	p := &Proxy{Addr: "127.0.0.1:0", target: target, open: map[net.Conn]bool{}}
	p.Restore(tb)
	tb.Cleanup(func() {
		p.Refuse()
		p.ended.Wait()
	})
	return p
}

// Restore passes connections on again, at once.
func (p *Proxy) Restore(tb testing.TB) {
	tb.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.delay = 0
	if p.listen != nil {
		return
	}
	listener, err := net.Listen("tcp", p.Addr)
	if err != nil {
		tb.Fatal(err)
	}
	p.listen, p.Addr = listener, listener.Addr().String()
	p.ended.Go(func() { p.accept(listener) })
}

// Slow delays every answer of the server.
func (p *Proxy) Slow(delay time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.delay = delay
}

// Cut closes all connections. New ones are passed on.
func (p *Proxy) Cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for connection := range p.open {
		connection.Close()
	}
}

// Refuse closes all connections and takes no new ones.
func (p *Proxy) Refuse() {
	p.mu.Lock()
	if p.listen != nil {
		p.listen.Close()
		p.listen = nil
	}
	p.mu.Unlock()
	p.Cut()
}

func (p *Proxy) accept(listener net.Listener) {
	for {
		client, err := listener.Accept()
		if err != nil {
			return
		}
		server, err := net.Dial("tcp", p.target)
		if err != nil {
			client.Close()
			continue
		}
		p.mu.Lock()
		p.open[client], p.open[server] = true, true
		refused := p.listen != listener
		p.mu.Unlock()
		if refused {
			client.Close()
			server.Close()
		}
		p.ended.Go(func() { p.pass(server, client, false) })
		p.ended.Go(func() { p.pass(client, server, true) })
	}
}

// pass copies bytes from one side to the other until either closes.
func (p *Proxy) pass(to, from net.Conn, answers bool) {
	defer func() {
		from.Close()
		to.Close()
		p.mu.Lock()
		delete(p.open, from)
		delete(p.open, to)
		p.mu.Unlock()
	}()
	buffer := make([]byte, 32<<10)
	for {
		n, err := from.Read(buffer)
		if answers {
			p.mu.Lock()
			delay := p.delay
			p.mu.Unlock()
			time.Sleep(delay)
		}
		if _, failed := to.Write(buffer[:n]); err != nil || failed != nil {
			return
		}
	}
}
