package wire_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"quartier/serve/wire"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// counting counts the writes that reach its connections.
type counting struct {
	net.Listener
	writes atomic.Int64
}

func (l *counting) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	return countedConn{c, &l.writes}, err
}

type countedConn struct {
	net.Conn
	writes *atomic.Int64
}

func (c countedConn) Write(p []byte) (int, error) {
	c.writes.Add(1)
	return c.Conn.Write(p)
}

// start serves bodies of the length that the path names.
func start(t *testing.T, readTimeout time.Duration) (addr string, writes *atomic.Int64) {
	t.Helper()
	inner, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	counted := &counting{Listener: inner}
	server := &http.Server{ReadTimeout: readTimeout, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		n, _ := strconv.Atoi(r.URL.Path[1:])
		w.Header().Set("Content-Length", strconv.Itoa(n))
		w.Write(bytes.Repeat([]byte{'x'}, n))
	})}
	done := make(chan struct{})
	go func() {
		server.Serve(wire.Listener(counted))
		close(done)
	}()
	t.Cleanup(func() {
		server.Close()
		<-done
	})
	return inner.Addr().String(), &counted.writes
}

var sizes = []int{0, 1, 2000, 3500, 3900, 4000, 4096, 5000, 12_000, 16_000, 16_384, 17_000, 100_000, 1_000_000}

func TestAnswersArriveWhole(t *testing.T) {
	addr, _ := start(t, time.Minute)
	client := &http.Client{Transport: new(http.Transport), Timeout: 30 * time.Second}
	defer client.CloseIdleConnections()
	for _, size := range sizes {
		for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodHead} {
			request, err := http.NewRequest(method, fmt.Sprintf("http://%s/%d", addr, size), strings.NewReader("body"))
			if err != nil {
				t.Fatal(err)
			}
			response, err := client.Do(request)
			if err != nil {
				t.Fatal(err)
			}
			body, err := io.ReadAll(response.Body)
			response.Body.Close()
			if want := size; err != nil || method != http.MethodHead && len(body) != want {
				t.Errorf("%s %d: %d bytes, %v", method, size, len(body), err)
			}
		}
	}
}

func TestOneWriteAnAnswer(t *testing.T) {
	addr, writes := start(t, 0)
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	in := bufio.NewReader(conn)
	for _, size := range []int{0, 100, 3900, 4096, 5000, 12_000} {
		before := writes.Load()
		fmt.Fprintf(conn, "GET /%d HTTP/1.1\r\nHost: x\r\n\r\n", size)
		response, err := http.ReadResponse(in, nil)
		if err != nil {
			t.Fatal(err)
		}
		io.Copy(io.Discard, response.Body)
		if got := writes.Load() - before; got != 1 {
			t.Errorf("%d bytes take %d writes", size, got)
		}
	}
}

// TestPipelined sends all requests before it reads the first answer.
func TestPipelined(t *testing.T) {
	addr, _ := start(t, time.Minute)
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(30 * time.Second))
	var requests strings.Builder
	for _, size := range sizes {
		fmt.Fprintf(&requests, "GET /%d HTTP/1.1\r\nHost: x\r\n\r\n", size)
	}
	var sending sync.WaitGroup
	defer sending.Wait()
	sending.Go(func() { io.WriteString(conn, requests.String()) })
	in := bufio.NewReader(conn)
	for _, size := range sizes {
		response, err := http.ReadResponse(in, nil)
		if err != nil {
			t.Fatalf("%d: %v", size, err)
		}
		if n, err := io.Copy(io.Discard, response.Body); err != nil || n != int64(size) {
			t.Errorf("%d: %d bytes, %v", size, n, err)
		}
	}
}

// TestLastAnswerBeforeClose asks for the connection to be closed, and sends a body only once it is asked to.
func TestLastAnswerBeforeClose(t *testing.T) {
	addr, _ := start(t, time.Minute)
	for _, request := range []string{
		"GET /5000 HTTP/1.0\r\n\r\n",
		"GET /5000 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
		"nonsense\r\n\r\n",
	} {
		conn, err := net.Dial("tcp", addr)
		if err != nil {
			t.Fatal(err)
		}
		conn.SetDeadline(time.Now().Add(30 * time.Second))
		io.WriteString(conn, request)
		answer, err := io.ReadAll(conn)
		conn.Close()
		if err != nil || !bytes.HasPrefix(answer, []byte("HTTP/1.")) || !strings.Contains(request, "nonsense") && len(answer) < 5000 {
			t.Errorf("%.20q: %d bytes, %v", request, len(answer), err)
		}
	}
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(30 * time.Second))
	io.WriteString(conn, "POST /10 HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\n")
	in := bufio.NewReader(conn)
	if line, err := in.ReadString('\n'); err != nil || !strings.Contains(line, "100 Continue") {
		t.Fatalf("%q, %v", line, err)
	}
	io.WriteString(conn, "body")
	in.ReadString('\n')
	if response, err := http.ReadResponse(in, nil); err != nil || response.StatusCode != http.StatusOK {
		t.Errorf("%v, %v", response, err)
	} else {
		response.Body.Close()
	}
}
