package serve

import (
	"bufio"
	"context"
	"io"
	"log/slog"
	"sync"
	"time"
)

// logAccess writes one record for a request. It holds what an operator needs and nothing that is secret or says where
// somebody looked: no token, no query, no address. The record goes straight to the handler, which has the route
// ready, and has no more attributes than a slog.Record keeps without memory of its own.
func (s *stats) logAccess(x *exchange, spent time.Duration) {
	client := ""
	if x.who != nil {
		client = x.who.client.ID
	}
	record := slog.NewRecord(x.start, slog.LevelInfo, "request", 0)
	record.AddAttrs(
		slog.String("request_id", x.id[0]),
		slog.String("client", client),
		slog.Int("status", x.status),
		slog.Int("bytes", x.sent),
		slog.Int64("us", spent.Microseconds()))
	s.access.Handle(context.Background(), record) // a log that cannot be written must not fail the request
}

// flushEvery is how long a record of the access log may wait in memory.
const flushEvery = 250 * time.Millisecond

// LogWriter gathers small writes into large ones. It is safe for many goroutines.
type LogWriter struct {
	mu   sync.Mutex
	out  *bufio.Writer
	stop chan struct{}
	done chan struct{}
}

// NewLogWriter starts a writer to out; Close ends it.
func NewLogWriter(out io.Writer) *LogWriter {
	l := &LogWriter{out: bufio.NewWriterSize(out, 64<<10), stop: make(chan struct{}), done: make(chan struct{})}
	go l.flushNowAndThen()
	return l
}

// Write takes one record.
func (l *LogWriter) Write(record []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.out.Write(record)
}

func (l *LogWriter) flushNowAndThen() {
	defer close(l.done)
	ticker := time.NewTicker(flushEvery)
	defer ticker.Stop()
	for {
		select {
		case <-l.stop:
			return
		case <-ticker.C:
			l.flush()
		}
	}
}

func (l *LogWriter) flush() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.out.Flush()
}

// Close writes what is left. Nothing may be written afterwards.
func (l *LogWriter) Close() error {
	close(l.stop)
	<-l.done
	return l.flush()
}
