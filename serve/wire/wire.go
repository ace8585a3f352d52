// Package wire lets each answer of net/http leave in one system call. In: a net.Listener. Out: one whose connections
// hold small writes back until the answer is complete.
//
// net/http writes through a buffer of 4 kB, so that an answer of 5 kB costs two system calls, and a call costs more
// than most answers. A connection cannot know where an answer ends, but net/http tells: afterwards it reads the next
// request, having set a deadline for that, or closes the connection. Whatever was held back leaves before any of
// these. What a handler flushes in the middle of an answer is held back too: this is for answers that are whole.
package wire

import (
	"net"
	"sync"
	"time"
)

// mostHeld is how much a connection holds back, in bytes.
const mostHeld = 16 << 10

// Listener makes the connections of a TCP listener hold small writes back.
func Listener(l net.Listener) net.Listener { return listener{l} }

type listener struct{ net.Listener }

func (l listener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &conn{Conn: c}, nil
}

// conn holds writes back until something else is asked of it. net/http reads from one goroutine while it writes from
// another, hence the lock.
type conn struct {
	net.Conn
	mu   sync.Mutex
	held []byte
	err  error // of a write whose caller had its answer already
}

// Write takes everything: it holds back what is small, and sends the rest together with what was held back.
func (c *conn) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil {
		return 0, c.err
	}
	if len(c.held)+len(p) <= mostHeld {
		c.held = append(c.held, p...)
		return len(p), nil
	}
	parts := net.Buffers{c.held, p}
	if len(c.held) == 0 {
		parts = net.Buffers{p}
	}
	before := len(c.held)
	c.held = c.held[:0]
	n, err := parts.WriteTo(c.Conn)
	c.err = err
	return max(0, int(n)-before), err
}

// send lets go of what is held back.
func (c *conn) send() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err == nil && len(c.held) > 0 {
		_, c.err = c.Conn.Write(c.held)
		c.held = c.held[:0]
	}
	return c.err
}

// Read sends first: whoever reads has said all that it has to say.
func (c *conn) Read(p []byte) (int, error) {
	if err := c.send(); err != nil {
		return 0, err
	}
	return c.Conn.Read(p)
}

// SetReadDeadline sends first: net/http calls it as soon as an answer is complete. An error comes out of what follows.
func (c *conn) SetReadDeadline(t time.Time) error {
	c.send()
	return c.Conn.SetReadDeadline(t)
}

// Close sends first.
func (c *conn) Close() error {
	c.send()
	return c.Conn.Close()
}

// CloseWrite sends, then tells the other side that nothing follows.
func (c *conn) CloseWrite() error {
	if err := c.send(); err != nil {
		return err
	}
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}
