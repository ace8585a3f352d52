// Package wire is a minimal HTTP/1.1 client, so that the server dominates a measurement: requests are prepared bytes, and answers
// are read by Content-Length. A call fails as by package fail.
package wire

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"strconv"

	"quartier/bench/fail"
)

// Conn is a connection to a server, for one goroutine.
type Conn struct {
	conn   net.Conn
	reader *bufio.Reader
	body   []byte
}

// Dial opens a connection.
func Dial(ctx context.Context, addr string) *Conn {
	conn := fail.Must(new(net.Dialer).DialContext(ctx, "tcp", addr))
	return &Conn{conn: conn, reader: bufio.NewReaderSize(conn, 64<<10)}
}

// Close ends the connection.
func (c *Conn) Close() { c.conn.Close() }

var contentLength = []byte("Content-Length: ")

// Do sends a request and returns the body, which is valid until the next call. It fails on any status but 200.
func (c *Conn) Do(request []byte) []byte {
	status, body := c.Ask(request)
	if status != "200" {
		fail.Errorf("status %s for %.120s: %s", status, request, body)
	}
	return body
}

// Ask sends a request and returns the status and the body, which is valid until the next call.
func (c *Conn) Ask(request []byte) (status string, body []byte) {
	fail.Must(c.conn.Write(request))
	line := fail.Must(c.reader.ReadSlice('\n'))
	if len(line) < 12 {
		fail.Errorf("status line %q", line)
	}
	status = string(line[9:12])
	length := -1
	for {
		if line = fail.Must(c.reader.ReadSlice('\n')); len(line) <= 2 {
			break
		}
		if value, found := bytes.CutPrefix(line, contentLength); found {
			length = fail.Must(strconv.Atoi(string(bytes.TrimSpace(value))))
		}
	}
	if length < 0 && status == "204" {
		return status, nil
	}
	if length < 0 {
		fail.Errorf("answer without Content-Length")
	}
	if cap(c.body) < length {
		c.body = make([]byte, length*2)
	}
	c.body = c.body[:length]
	fail.Must(io.ReadFull(c.reader, c.body))
	return status, c.body
}

// Get returns the bytes of a GET request.
func Get(addr, target, token string) []byte {
	return fmt.Appendf(nil, "GET %s HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nAccept: application/json\r\n\r\n", target, addr, token)
}

// FetchAll sends every request once and returns the bodies.
func FetchAll(ctx context.Context, addr string, requests [][]byte) [][]byte {
	conn := Dial(ctx, addr)
	defer conn.Close()
	bodies := make([][]byte, len(requests))
	for i, request := range requests {
		bodies[i] = bytes.Clone(conn.Do(request))
	}
	return bodies
}
