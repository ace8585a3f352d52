package serve

import (
	"bufio"
	"io"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

// logAccess writes one record for a request, as slog's JSON handler would at several times the cost. It holds what an
// operator needs and nothing that is secret or says where somebody looked: no token, no query, no address.
func (s *Server) logAccess(x *exchange, route string, spent time.Duration) {
	b := append(x.packed[:0], `{"time":"`...) // the answer is sent, its memory is free
	b = s.seconds.append(b, x.start)
	b = append(b, `","level":"INFO","msg":"request","route":"`...)
	b = append(b, route...)
	b = append(b, `","request_id":"`...)
	b = append(b, x.id[0]...)
	b = append(b, '"')
	if x.who != nil {
		b = append(b, `,"client":`...)
		b = appendText(b, x.who.client.ID)
	}
	b = append(b, `,"status":`...)
	b = strconv.AppendInt(b, int64(x.status), 10)
	b = append(b, `,"bytes":`...)
	b = strconv.AppendInt(b, int64(x.sent), 10)
	b = append(b, `,"us":`...)
	b = strconv.AppendInt(b, spent.Microseconds(), 10)
	x.packed = append(b, "}\n"...)
	s.access.Write(x.packed) // a log that cannot be written must not fail the request
}

// clock writes times, and formats each second only once.
type clock struct{ last atomic.Pointer[second] }

type second struct {
	unix int64
	text string // "2006-01-02T15:04:05"
}

// append appends t in RFC 3339, UTC, to the millisecond.
func (c *clock) append(b []byte, t time.Time) []byte {
	now := c.last.Load()
	if now == nil || now.unix != t.Unix() {
		now = &second{t.Unix(), t.UTC().Format("2006-01-02T15:04:05")}
		c.last.Store(now)
	}
	b = append(b, now.text...)
	ms := t.Nanosecond() / int(time.Millisecond)
	return append(b, '.', byte('0'+ms/100), byte('0'+ms/10%10), byte('0'+ms%10), 'Z')
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
