package admit

import (
	"errors"
	"net"
	"net/netip"
	"os"
	"sync/atomic"
	"time"
)

// Conn is a connection of a Listener. The deadline of what is written moves with each Chunk that was taken, so that a long
// answer to a slow caller is completed, and a caller that takes nothing is left.
type Conn struct {
	net.Conn
	listener *Listener
	networks []netip.Prefix // of limit.Networks
	behind   bool           // a trusted proxy
	active   atomic.Bool    // between the headers of a request and the end of its answer
	since    atomic.Int64   // when it became silent, by Listener.clock
	shown    atomic.Int64   // when a valid token was noted, in seconds of Unix
	reads    atomic.Int32   // that brought a part of headers
	header   atomic.Int64   // bytes of headers that were read
	closed   atomic.Bool

	unfinished, known bool // guarded by the listener
}

// judged are the networks whose shares and rates decide whether the connection may be had.
func (c *Conn) judged() []netip.Prefix {
	switch {
	case c.behind:
		return nil
	case c.known:
		return c.networks[:1]
	}
	return c.networks
}

// Read reads what has arrived.
func (c *Conn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if n == 0 || c.active.Load() {
		return n, err
	}
	switch reads := c.reads.Add(1); {
	case reads == 2:
		c.listener.begin(c)
	case reads > 2:
		c.listener.pace(c)
	}
	before := c.header.Add(int64(n)) - int64(n)
	if most := int64(c.listener.limits.Header); most > 0 && before <= most && before+int64(n) > most {
		c.listener.charge(c)
	}
	return n, err
}

// Write writes all of b, or fails where the caller takes less than a Chunk in time. It is one call where the caller keeps up:
// each call of the system wakes a caller that waits for more.
func (c *Conn) Write(b []byte) (written int, err error) {
	for {
		if err := c.Conn.SetWriteDeadline(time.Now().Add(c.listener.limits.Stall)); err != nil {
			return written, err
		}
		n, err := c.Conn.Write(b[written:])
		written += n
		if !errors.Is(err, os.ErrDeadlineExceeded) {
			return written, err
		}
		if n < Chunk {
			c.listener.stalled.Add(1)
			return written, err
		}
	}
}

// Close closes the connection, once.
func (c *Conn) Close() error {
	if c.closed.Swap(true) {
		return net.ErrClosed
	}
	c.listener.give(c)
	return c.Conn.Close()
}

// CloseWrite ends what is sent, as net/http does before it closes a connection whose request it did not read.
func (c *Conn) CloseWrite() error {
	if tcp, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return tcp.CloseWrite()
	}
	return nil
}

func addressOf(a net.Addr) netip.Addr {
	if tcp, ok := a.(*net.TCPAddr); ok {
		return tcp.AddrPort().Addr()
	}
	return netip.Addr{} // not of the Internet: all are one
}
