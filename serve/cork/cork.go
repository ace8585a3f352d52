// Package cork sends an answer in one piece. Input: a listener of TCP connections. Output: one whose connections wait with the
// first part of an answer for the next one.
//
// net/http writes through a buffer of 4 kB: of an answer of 5 kB it first writes 4096 bytes, headers included, then the rest.
// Each is a call of the system and a packet, and the first wakes a client that cannot use it yet. Where the length of the
// answer says that more follows, a connection here keeps the first part and writes both at once.
//
// An example: headers of 500 bytes with Content-Length 5000 and 3596 bytes of the body arrive; 1404 bytes are missing. The part
// is kept. These bytes arrive, and 5500 bytes are written.
package cork

import (
	"bytes"
	"net"
	"sync"
)

// Listener is a listener whose connections send answers in one piece.
type Listener struct{ net.Listener }

// Accept waits for the next connection.
func (l Listener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &conn{Conn: c}, nil
}

// bufferSize is that of the buffer through which net/http writes. A part of another size is sent as it is.
const bufferSize = 4 << 10

// parts keeps the memory of first parts: few connections have one at a time.
var parts = sync.Pool{New: func() any { return new([bufferSize]byte) }}

// conn is a connection. What is kept when it is closed is lost, as is the rest of that answer. It has no ReadFrom, which would
// not see what is kept.
type conn struct {
	net.Conn
	protocol protocol

	first *[bufferSize]byte // part of the answer that is written; nil: nothing is kept
	sent  int               // bytes of it

	both [2][]byte // memory of list
	list net.Buffers
}

// protocol is what a connection speaks, found by its first bytes.
type protocol uint8

const (
	unknown protocol = iota
	http1
	other
)

// Write writes p, or keeps it until the next call. What was kept is not in the number that it returns.
func (c *conn) Write(p []byte) (int, error) {
	if c.first != nil {
		return c.writeBoth(p)
	}
	if c.protocol == unknown {
		if c.protocol = other; bytes.HasPrefix(p, []byte("HTTP/1.")) {
			c.protocol = http1
		}
	}
	if c.protocol == http1 && len(p) == bufferSize && continues(p) {
		c.first, c.sent = parts.Get().(*[bufferSize]byte), 0
		return copy(c.first[:], p), nil
	}
	return c.Conn.Write(p)
}

// writeBoth writes what was kept, and p.
func (c *conn) writeBoth(p []byte) (int, error) {
	c.both = [2][]byte{c.first[c.sent:], p}
	c.list = c.both[:]
	n, err := c.list.WriteTo(c.Conn)
	c.both = [2][]byte{}
	kept := min(int(n), bufferSize-c.sent)
	if c.sent += kept; c.sent == bufferSize {
		parts.Put(c.first)
		c.first = nil
	}
	return int(n) - kept, err
}

// CloseWrite ends the sending of data, so that net/http can wait for the other side.
func (c *conn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}

var (
	endOfHeaders = []byte("\r\n\r\n")
	lengthHeader = []byte("\r\nContent-Length: ")
)

// continues reports whether p begins an answer of which more follows: it has all headers, some of the body, and not the whole
// body. The answer to HEAD, and one without a body, end with their headers.
func continues(p []byte) bool {
	if !bytes.HasPrefix(p, []byte("HTTP/1.")) {
		return false
	}
	end := bytes.Index(p, endOfHeaders)
	if end < 0 {
		return false
	}
	at := bytes.Index(p[:end], lengthHeader)
	if at < 0 {
		return false
	}
	body, length := len(p)-end-len(endOfHeaders), 0
	for _, digit := range p[at+len(lengthHeader) : end] {
		if digit < '0' || digit > '9' || length > 1<<40 {
			break
		}
		length = 10*length + int(digit-'0')
	}
	return body > 0 && body < length
}
