// Package deadline makes deadlines of connections cheap. Input: a listener. Output: one whose connections set a timer of the
// runtime only where a call would otherwise wait too long.
//
// net/http sets eight deadlines for a request, each later than the one before or none, and almost none of them passes. A
// connection here only notes them. The timer that an earlier one needed is left as it is; when it fires and the deadline of
// the call has moved meanwhile, it is set again and the call continues.
package deadline

import (
	"errors"
	"net"
	"os"
	"sync"
	"time"
)

// Listener is a listener whose connections have cheap deadlines.
type Listener struct{ net.Listener }

// Accept waits for the next connection.
func (l Listener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &conn{Conn: c, read: side{set: c.SetReadDeadline}, write: side{set: c.SetWriteDeadline}}, nil
}

// conn is a connection. It has no ReadFrom, which would not respect its deadlines.
type conn struct {
	net.Conn
	read, write side
}

// side is the deadline of reading or of writing.
type side struct {
	set func(time.Time) error // at the connection

	mu     sync.Mutex
	wanted time.Time // the deadline; zero: none
	timer  time.Time // of the connection, maybe of an earlier deadline; zero: none
	calls  int       // in progress
}

// SetReadDeadline sets the deadline of reading, also of a call in progress.
func (c *conn) SetReadDeadline(t time.Time) error { return c.read.want(t) }

// SetWriteDeadline sets the deadline of writing, also of a call in progress.
func (c *conn) SetWriteDeadline(t time.Time) error { return c.write.want(t) }

// SetDeadline sets both deadlines.
func (c *conn) SetDeadline(t time.Time) error {
	return errors.Join(c.read.want(t), c.write.want(t))
}

// Read reads as net.Conn does.
func (c *conn) Read(p []byte) (int, error) {
	err := c.read.begin()
	if err != nil {
		return 0, err
	}
	for {
		n, err := c.Conn.Read(p)
		if c.read.end(err) {
			return n, err
		}
	}
}

// Write writes as net.Conn does.
func (c *conn) Write(p []byte) (written int, err error) {
	if err := c.write.begin(); err != nil {
		return 0, err
	}
	for {
		n, err := c.Conn.Write(p[written:])
		written += n
		if c.write.end(err) {
			return written, err
		}
	}
}

// CloseWrite ends the sending of data, so that net/http can wait for the other side.
func (c *conn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}

// began is a time before all deadlines but those that are meant to have passed.
var began = time.Now()

// want notes a deadline. Calls in progress must not wait longer than that.
func (s *side) want(t time.Time) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.wanted = t
	if s.calls > 0 {
		return s.arm()
	}
	return nil
}

// begin prepares a call.
func (s *side) begin() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.wanted.IsZero() && s.wanted.Before(began) {
		return os.ErrDeadlineExceeded
	}
	s.calls++
	return s.arm()
}

// arm sets the timer unless it fires early enough.
func (s *side) arm() error {
	if s.wanted.IsZero() || !s.timer.IsZero() && !s.wanted.Before(s.timer) {
		return nil
	}
	s.timer = s.wanted
	return s.set(s.wanted)
}

// end ends a call that returned err; false if only a timer of an earlier deadline fired, and the call must be repeated.
func (s *side) end(err error) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if errors.Is(err, os.ErrDeadlineExceeded) && (s.wanted.IsZero() || time.Now().Before(s.wanted)) {
		s.timer = s.wanted
		return s.set(s.wanted) != nil
	}
	s.calls--
	return true
}
