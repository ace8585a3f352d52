package processes

import (
	"fmt"
	"net"
	"net/http"
	"os"
	"runtime"
	"sync/atomic"
	"time"

	"quartier/bench/fail"
)

// Faulty is a server with the faults that drills of servers must find: it has no limits by customer, takes 200 connections, answers
// 500 where more than four requests run, and loses memory, a goroutine and descriptors with each request.
func Faulty(operands []string) {
	var running atomic.Int64
	never := make(chan struct{})
	mux := http.NewServeMux()
	mux.HandleFunc("/readyz", func(http.ResponseWriter, *http.Request) {})
	mux.HandleFunc("/metrics", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, "# of this program\ngo_goroutines %d\n", runtime.NumGoroutine())
	})
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		defer running.Add(-1)
		if running.Add(1) > 4 {
			http.Error(w, "{}", http.StatusInternalServerError)
			return
		}
		time.Sleep(5 * time.Millisecond)
		lost := make([]byte, 16<<10)
		for i := range lost {
			lost[i] = 1
		}
		reader, writer, err := os.Pipe()
		go func() {
			<-never
			fmt.Fprint(writer, reader, err, lost)
		}()
		fmt.Fprint(w, "{}")
	})
	listener := fail.Must(net.Listen("tcp", operands[0]))
	fail.Check(http.Serve(&few{Listener: listener, free: make(chan struct{}, 200)}, mux))
}

// few is a listener that takes so many connections and lets others wait.
type few struct {
	net.Listener
	free chan struct{}
}

func (l *few) Accept() (net.Conn, error) {
	l.free <- struct{}{}
	c, err := l.Listener.Accept()
	return &fewConn{Conn: c, free: l.free}, err
}

type fewConn struct {
	net.Conn
	free   chan struct{}
	closed atomic.Bool
}

func (c *fewConn) Close() error {
	if !c.closed.Swap(true) {
		<-c.free
	}
	return c.Conn.Close()
}
