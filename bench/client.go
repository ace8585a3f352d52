package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
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

func dial(ctx context.Context, addr string) (*connection, error) {
	var d net.Dialer
	conn, err := d.DialContext(ctx, "tcp", addr)
	if err != nil {
		return nil, err
	}
	return &connection{conn: conn, reader: bufio.NewReaderSize(conn, 64<<10)}, nil
}

func (c *connection) close() { c.conn.Close() }

var contentLength = []byte("Content-Length: ")

// do sends a request and returns the status and the body, which is valid until the next call.
func (c *connection) do(request []byte) (int, []byte, error) {
	if _, err := c.conn.Write(request); err != nil {
		return 0, nil, err
	}
	line, err := c.reader.ReadSlice('\n')
	if err != nil {
		return 0, nil, err
	}
	if len(line) < 12 {
		return 0, nil, fmt.Errorf("status line %q", line)
	}
	status, err := strconv.Atoi(string(line[9:12]))
	if err != nil {
		return 0, nil, fmt.Errorf("status line %q", line)
	}
	length := -1
	for {
		line, err = c.reader.ReadSlice('\n')
		if err != nil {
			return 0, nil, err
		}
		if len(line) <= 2 {
			break
		}
		if value, found := bytes.CutPrefix(line, contentLength); found {
			if length, err = strconv.Atoi(string(bytes.TrimSpace(value))); err != nil {
				return 0, nil, err
			}
		}
	}
	if length < 0 {
		return 0, nil, errors.New("answer without Content-Length")
	}
	if cap(c.body) < length {
		c.body = make([]byte, length*2)
	}
	c.body = c.body[:length]
	_, err = io.ReadFull(c.reader, c.body)
	return status, c.body, err
}

// get returns the bytes of a GET request.
func get(addr, target, token string) []byte {
	return fmt.Appendf(nil, "GET %s HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nAccept: application/json\r\n\r\n", target, addr, token)
}

// httpSide queries a server over HTTP and fails on any status but 200.
func httpSide(name, addr string, requests [][]byte) side {
	return side{name: name, worker: func(ctx context.Context) (func(context.Context, int) error, func(), error) {
		conn, err := dial(ctx, addr)
		if err != nil {
			return nil, nil, err
		}
		ask := func(_ context.Context, i int) error {
			status, body, err := conn.do(requests[i])
			if err == nil && status != 200 {
				err = fmt.Errorf("status %d: %s", status, body)
			}
			return err
		}
		return ask, conn.close, nil
	}}
}

// fetchAll sends every request once and returns the bodies.
func fetchAll(ctx context.Context, addr string, requests [][]byte) ([][]byte, error) {
	conn, err := dial(ctx, addr)
	if err != nil {
		return nil, err
	}
	defer conn.close()
	bodies := make([][]byte, len(requests))
	for i, request := range requests {
		status, body, err := conn.do(request)
		if err != nil {
			return nil, err
		}
		if status != 200 {
			return nil, fmt.Errorf("status %d for %.120s: %s", status, request, body)
		}
		bodies[i] = bytes.Clone(body)
	}
	return bodies, nil
}
