package cork

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// recorder is a connection that records what is written, at most a number of bytes with each call.
type recorder struct {
	net.Conn
	writes []string
	most   int // bytes; 0: all
}

var errFull = errors.New("full")

func (r *recorder) Write(p []byte) (int, error) {
	if r.most > 0 && len(p) > r.most {
		r.writes = append(r.writes, string(p[:r.most]))
		return r.most, errFull
	}
	r.writes = append(r.writes, string(p))
	return len(p), nil
}

func (r *recorder) text() string { return strings.Join(r.writes, "") }

// answer is one of a length with a number of bytes in all.
func answer(length, total int) string {
	head := fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Length: %d\r\nX: y\r\n\r\n", length)
	return head + strings.Repeat("b", max(0, total-len(head)))
}

func TestFirstPartIsKept(t *testing.T) {
	long := strings.Repeat("h", bufferSize)
	noBody := "HTTP/1.1 200 OK\r\nContent-Length: 9999\r\nX: "
	noBody += strings.Repeat("x", bufferSize-len(noBody)-4) + "\r\n\r\n"
	for _, c := range []struct {
		name, first string
		kept        bool
	}{
		{"of a long answer", answer(9999, bufferSize), true},
		{"of an answer that is longer by a byte", answer(bufferSize-len(answer(1000, 0))+1, bufferSize), true},
		{"a whole answer", answer(bufferSize-len(answer(1000, 0)), bufferSize), false},
		{"a short part", answer(9999, bufferSize-1), false},
		{"headers alone", noBody, false},
		{"headers that are not complete", ("HTTP/1.1 200 OK\r\nContent-Length: 9999\r\nX: " + long)[:bufferSize], false},
		{"no length", ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + long)[:bufferSize], false},
		{"a length that is none", ("HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n" + long)[:bufferSize], false},
		{"a length in the body", ("HTTP/1.1 200 OK\r\nX: y\r\n\r\n\r\nContent-Length: 9999\r\n\r\n" + long)[:bufferSize], false},
		{"another protocol", long, false},
	} {
		r := &recorder{}
		w := &conn{Conn: r}
		if n, err := w.Write([]byte(c.first)); n != bufferSize && c.kept || err != nil {
			t.Errorf("%s: %d, %v", c.name, n, err)
		}
		if got := len(r.writes) == 0; got != c.kept {
			t.Errorf("%s: kept is %v", c.name, got)
		}
		w.Write([]byte("more"))
		if got, want := r.text(), c.first+"more"; got != want {
			t.Errorf("%s: %d bytes were written, want %d", c.name, len(got), len(want))
		}
	}
}

func TestOtherProtocolIsNotRead(t *testing.T) {
	r := &recorder{}
	w := &conn{Conn: r}
	w.Write([]byte("\x00\x00\x06\x04settings"))
	w.Write([]byte(answer(9999, bufferSize)))
	if len(r.writes) != 2 {
		t.Errorf("%d writes, want 2: a frame can have anything", len(r.writes))
	}
}

// TestPartialWrites repeats what a connection did not take, as callers with a deadline do.
func TestPartialWrites(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		total := rapid.IntRange(bufferSize+1, 4*bufferSize).Draw(t, "bytes")
		text := answer(total, total+len(answer(total, 0)))
		r := &recorder{most: rapid.IntRange(1, 2*bufferSize).Draw(t, "most")}
		w := &conn{Conn: r}
		rest := []byte(text)
		for size := bufferSize; len(rest) > 0; size = len(rest) {
			for part := rest[:size]; len(part) > 0; {
				n, err := w.Write(part)
				if err != nil && err != errFull {
					t.Fatal(err)
				}
				part, rest = part[n:], rest[n:]
			}
		}
		if r.text() != text {
			t.Fatalf("%d bytes were written, want %d", len(r.text()), len(text))
		}
	})
}

// TestAnswers compares answers of net/http of all sizes around those of buffers, one after the other on a connection.
func TestAnswers(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		size, _ := strconv.Atoi(r.URL.Query().Get("size"))
		headers, _ := strconv.Atoi(r.URL.Query().Get("headers"))
		w.Header().Set("X", strings.Repeat("x", headers))
		if r.URL.Query().Get("length") != "" {
			w.Header().Set("Content-Length", strconv.Itoa(size))
		}
		w.Write(bytes.Repeat([]byte("b"), size))
	})}
	go server.Serve(Listener{listener})
	defer server.Close()
	client, err := net.Dial("tcp", listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	in := bufio.NewReader(client)
	rapid.Check(t, func(t *rapid.T) {
		method := rapid.SampledFrom([]string{"GET", "GET", "HEAD"}).Draw(t, "method")
		headers, length := rapid.IntRange(0, 5000).Draw(t, "headers"), rapid.SampledFrom([]string{"", "&length=1"}).Draw(t, "length")
		size := rapid.OneOf(rapid.IntRange(0, 9000), rapid.IntRange(60_000, 140_000)).Draw(t, "size")
		fmt.Fprintf(client, "%s /?size=%d&headers=%d%s HTTP/1.1\r\nHost: x\r\n\r\n", method, size, headers, length)
		answer, err := http.ReadResponse(in, &http.Request{Method: method})
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(answer.Body)
		if method == "HEAD" {
			size = 0
		}
		if err != nil || len(body) != size || len(answer.Header.Get("X")) != headers {
			t.Fatalf("%d bytes, %v, want %d", len(body), err, size)
		}
	})
}
