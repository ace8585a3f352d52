package deadline

import (
	"bytes"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"testing"
	"time"
)

// pair is a connection of a Listener and its other end.
func pair(t *testing.T) (ours, theirs net.Conn) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	theirs, err = net.Dial("tcp", listener.Addr().String())
	must(t, err)
	ours, err = Listener{listener}.Accept()
	must(t, err)
	t.Cleanup(func() { listener.Close(); theirs.Close(); ours.Close() })
	return ours, theirs
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

const (
	soon = 20 * time.Millisecond
	late = time.Minute // longer than any test takes
)

var past = time.Unix(1, 0)

// passed checks that a call ended because of its deadline.
func passed(t *testing.T, err error) {
	t.Helper()
	var timeout net.Error
	if !errors.Is(err, os.ErrDeadlineExceeded) || !errors.As(err, &timeout) || !timeout.Timeout() {
		t.Errorf("error %v, want one of a deadline", err)
	}
}

func TestReadEndsAtItsDeadline(t *testing.T) {
	ours, theirs := pair(t)
	deadline := time.Now().Add(soon)
	must(t, ours.SetReadDeadline(time.Now().Add(late)))
	must(t, ours.SetReadDeadline(deadline))
	_, err := ours.Read(make([]byte, 1))
	passed(t, err)
	if time.Now().Before(deadline) {
		t.Error("before its deadline")
	}
	_, err = ours.Read(make([]byte, 1))
	passed(t, err)

	must(t, ours.SetDeadline(time.Time{}))
	_, err = theirs.Write([]byte("x"))
	must(t, err)
	_, err = ours.Read(make([]byte, 1))
	must(t, err)
}

// TestReadOutlivesEarlierDeadlines sets timers of deadlines that are later moved or removed: no call ends because of them.
func TestReadOutlivesEarlierDeadlines(t *testing.T) {
	for _, next := range []time.Time{{}, time.Now().Add(late)} {
		ours, theirs := pair(t)
		_, err := theirs.Write([]byte("a"))
		must(t, err)
		must(t, ours.SetReadDeadline(time.Now().Add(soon)))
		_, err = ours.Read(make([]byte, 1))
		must(t, err)
		must(t, ours.SetReadDeadline(next))
		go func() {
			time.Sleep(3 * soon)
			theirs.Write([]byte("b"))
		}()
		got := make([]byte, 1)
		_, err = ours.Read(got)
		must(t, err)
		if got[0] != 'b' {
			t.Errorf("read %q", got)
		}
	}
}

// TestDeadlineEndsReadInProgress moves the deadline of a call that waits, as net/http does.
func TestDeadlineEndsReadInProgress(t *testing.T) {
	for _, first := range []time.Time{{}, time.Now().Add(late)} {
		ours, _ := pair(t)
		must(t, ours.SetReadDeadline(first))
		ended := make(chan error)
		go func() {
			_, err := ours.Read(make([]byte, 1))
			ended <- err
		}()
		time.Sleep(soon) // mostly long enough for the call to wait; the result does not depend on it
		must(t, ours.SetReadDeadline(past))
		passed(t, <-ended)
	}
}

func TestPassedDeadlineReadsNothing(t *testing.T) {
	ours, theirs := pair(t)
	_, err := theirs.Write([]byte("x"))
	must(t, err)
	must(t, ours.SetReadDeadline(past))
	_, err = ours.Read(make([]byte, 1))
	passed(t, err)
}

// TestWriteContinues writes more than the other side takes until the timer of an earlier deadline has fired.
func TestWriteContinues(t *testing.T) {
	ours, theirs := pair(t)
	must(t, ours.SetWriteDeadline(time.Now().Add(soon)))
	_, err := ours.Write([]byte("x"))
	must(t, err)
	must(t, ours.SetWriteDeadline(time.Now().Add(late)))
	body := make([]byte, 8<<20)
	for i := range body {
		body[i] = byte(i % 251)
	}
	go func() {
		ours.Write(body)
		ours.(interface{ CloseWrite() error }).CloseWrite()
	}()
	time.Sleep(3 * soon)
	got, err := io.ReadAll(theirs)
	must(t, err)
	if !bytes.Equal(got, append([]byte("x"), body...)) {
		t.Errorf("%d bytes arrived, or others than the %d that were sent", len(got), len(body)+1)
	}
}

func TestWriteEndsAtItsDeadline(t *testing.T) {
	ours, _ := pair(t)
	must(t, ours.SetWriteDeadline(time.Now().Add(soon)))
	n, err := ours.Write(make([]byte, 64<<20))
	passed(t, err)
	if n >= 64<<20 {
		t.Error("everything was written")
	}
}

// TestServerClosesSilentConnections checks each limit of net/http.
func TestServerClosesSilentConnections(t *testing.T) {
	const request = "GET / HTTP/1.1\r\nHost: x\r\n\r\n"
	for name, c := range map[string]struct {
		server *http.Server
		sent   string
	}{
		"no header":    {&http.Server{ReadHeaderTimeout: soon, IdleTimeout: late}, "GET / HT"},
		"half a body":  {&http.Server{ReadTimeout: soon, IdleTimeout: late}, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nab"},
		"idle":         {&http.Server{ReadTimeout: late, IdleTimeout: soon}, request},
		"two requests": {&http.Server{ReadTimeout: late, WriteTimeout: late, IdleTimeout: soon}, request + request},
	} {
		t.Run(name, func(t *testing.T) {
			listener, err := net.Listen("tcp", "127.0.0.1:0")
			must(t, err)
			c.server.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				io.ReadAll(r.Body)
				w.Write([]byte("x"))
			})
			go c.server.Serve(Listener{listener})
			defer c.server.Close()
			conn, err := net.Dial("tcp", listener.Addr().String())
			must(t, err)
			defer conn.Close()
			must(t, conn.SetDeadline(time.Now().Add(late)))
			_, err = io.WriteString(conn, c.sent)
			must(t, err)
			_, err = io.ReadAll(conn) // until the server closes it
			must(t, err)
		})
	}
}

// BenchmarkServer compares answers without deadlines, with those of net/http, and with those of this package.
//
//	go test ./serve/deadline -run - -bench . -count 20
func BenchmarkServer(b *testing.B) {
	for _, c := range []struct {
		name    string
		wrap    func(net.Listener) net.Listener
		timeout time.Duration
	}{
		{"none", func(l net.Listener) net.Listener { return l }, 0},
		{"net/http", func(l net.Listener) net.Listener { return l }, 10 * time.Second},
		{"here", func(l net.Listener) net.Listener { return Listener{l} }, 10 * time.Second},
	} {
		b.Run(c.name, func(b *testing.B) {
			listener, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				b.Fatal(err)
			}
			server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte("x")) }),
				ReadTimeout: c.timeout, ReadHeaderTimeout: c.timeout, WriteTimeout: 3 * c.timeout, IdleTimeout: 12 * c.timeout}
			go server.Serve(c.wrap(listener))
			defer server.Close()
			conn, err := net.Dial("tcp", listener.Addr().String())
			if err != nil {
				b.Fatal(err)
			}
			defer conn.Close()
			answer := make([]byte, 4096)
			for b.Loop() {
				if _, err := io.WriteString(conn, "GET / HTTP/1.1\r\nHost: x\r\n\r\n"); err != nil {
					b.Fatal(err)
				}
				if _, err := conn.Read(answer); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
