package tools

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// mostBytes limits a message.
const mostBytes = 1 << 20

// refusal is the answer to a line that is no message, as JSON-RPC 2.0 has it.
const refusal = `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,` +
	`"message":"a line is one message of JSON-RPC 2.0 of at most 1 MiB"}}` + "\n"

// Stdio speaks over the streams of a process, a message a line, until the input ends and what it asked is answered, or ctx ends.
// Lines that are no messages are refused one by one.
func Stdio(ctx context.Context, server *mcp.Server, in io.Reader, out io.Writer) error {
	reader, writer := io.Pipe()
	locked := &answers{to: out}
	go func() {
		err := copyLines(writer, in, locked)
		for range 1000 { // 10 s
			if locked.pending.Load() > 0 {
				time.Sleep(10 * time.Millisecond)
			}
		}
		writer.CloseWithError(err)
	}()
	err := server.Run(ctx, &mcp.IOTransport{Reader: reader, Writer: locked, MaxLineLength: -1})
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// copyLines copies lines that are messages, and answers the others with refusal.
func copyLines(to io.Writer, from io.Reader, out *answers) error {
	lines := bufio.NewReaderSize(from, mostBytes)
	for {
		line, err := lines.ReadSlice('\n')
		long := err == bufio.ErrBufferFull
		for err == bufio.ErrBufferFull {
			_, err = lines.ReadSlice('\n')
		}
		text := strings.TrimSpace(string(line))
		message, bad := jsonrpc.DecodeMessage([]byte(text))
		failed := error(nil)
		switch request, ok := message.(*jsonrpc.Request); {
		case text == "" && !long:
		case long || bad != nil:
			out.pending.Add(1)
			_, failed = io.WriteString(out, refusal)
		default:
			if ok && request.IsCall() {
				out.pending.Add(1)
			}
			_, failed = io.WriteString(to, text+"\n")
		}
		if err = cmp.Or(failed, err); err != nil {
			return err
		}
	}
}

// answers writes whole messages of several goroutines.
type answers struct {
	mu      sync.Mutex
	to      io.Writer
	pending atomic.Int64 // messages to be answered
}

func (w *answers) Write(b []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if bytes.Contains(b, []byte(`"id":`)) {
		defer w.pending.Add(-1)
	}
	return w.to.Write(b)
}

func (w *answers) Close() error { return nil }

// Handler is streamable HTTP, without sessions. name is a name by which clients reach it, besides localhost and addresses. Other names
// (DNS rebinding) and pages of other origins are refused with 403.
func Handler(server *mcp.Server, name string) http.Handler {
	speak := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server },
		&mcp.StreamableHTTPOptions{Stateless: true, JSONResponse: true, MaxRequestBodyBytes: mostBytes, DisableLocalhostProtection: true})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host := r.Host
		if h, _, err := net.SplitHostPort(host); err == nil {
			host = h
		}
		host = strings.Trim(strings.ToLower(host), "[]")
		_, notAddress := netip.ParseAddr(host)
		if host != "localhost" && host != strings.ToLower(name) && notAddress != nil {
			http.Error(w, "this server is not reached by this name", http.StatusForbidden)
			return
		}
		if err := http.NewCrossOriginProtection().Check(r); err != nil {
			http.Error(w, err.Error(), http.StatusForbidden)
			return
		}
		speak.ServeHTTP(w, r)
	})
}

// HTTP serves a handler until ctx ends, then lets calls that run end.
func HTTP(ctx context.Context, listener net.Listener, handler http.Handler) error {
	web := &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: 30 * time.Second, MaxHeaderBytes: 16 << 10}
	ended := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(ended)
		soon, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		web.Shutdown(soon)
	})
	if err := web.Serve(listener); stop() {
		return err
	}
	<-ended // Serve returns before the calls have ended
	return nil
}
