package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"strconv"
)

// connection is a minimal HTTP/1.1 client, so that the server dominates the measurement: requests are prepared bytes, and
// answers are read by Content-Length.
type connection struct {
	conn   net.Conn
	reader *bufio.Reader
	body   []byte
}

func dial(ctx context.Context, addr string) *connection {
	conn := must(new(net.Dialer).DialContext(ctx, "tcp", addr))
	return &connection{conn: conn, reader: bufio.NewReaderSize(conn, 64<<10)}
}

func (c *connection) close() { c.conn.Close() }

var contentLength = []byte("Content-Length: ")

// do sends a request and returns the body, which is valid until the next call. It fails on any status but 200.
func (c *connection) do(request []byte) []byte {
	status, body := c.ask(request)
	if status != "200" {
		failf("status %s for %.120s: %s", status, request, body)
	}
	return body
}

// ask sends a request and returns the status and the body, which is valid until the next call.
func (c *connection) ask(request []byte) (status string, body []byte) {
	must(c.conn.Write(request))
	line := must(c.reader.ReadSlice('\n'))
	if len(line) < 12 {
		failf("status line %q", line)
	}
	status = string(line[9:12])
	length := -1
	for {
		if line = must(c.reader.ReadSlice('\n')); len(line) <= 2 {
			break
		}
		if value, found := bytes.CutPrefix(line, contentLength); found {
			length = must(strconv.Atoi(string(bytes.TrimSpace(value))))
		}
	}
	if length < 0 && status == "204" {
		return status, nil
	}
	if length < 0 {
		failf("answer without Content-Length")
	}
	if cap(c.body) < length {
		c.body = make([]byte, length*2)
	}
	c.body = c.body[:length]
	must(io.ReadFull(c.reader, c.body))
	return status, c.body
}

// get returns the bytes of a GET request.
func get(addr, target, token string) []byte {
	return fmt.Appendf(nil, "GET %s HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nAccept: application/json\r\n\r\n", target, addr, token)
}

// httpSide queries a server over HTTP.
func httpSide(name, addr string, requests [][]byte) side {
	return side{name, func(ctx context.Context) (func(int), func()) {
		conn := dial(ctx, addr)
		return func(i int) { conn.do(requests[i]) }, conn.close
	}}
}

// fetchAll sends every request once and returns the bodies.
func fetchAll(ctx context.Context, addr string, requests [][]byte) [][]byte {
	conn := dial(ctx, addr)
	defer conn.close()
	bodies := make([][]byte, len(requests))
	for i, request := range requests {
		bodies[i] = bytes.Clone(conn.do(request))
	}
	return bodies
}
