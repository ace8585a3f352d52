package monitor

import (
	"bufio"
	"io"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"quartier/serve/endpoint"
	"quartier/serve/reply"
)

// AccessLog writes one record of each request to Out.
type AccessLog struct {
	Out   io.Writer
	clock clock
}

// Record writes the record of a request that was answered, in the format of slog's JSON handler, at a fraction of its cost. Records
// have nothing that is secret or reveals the places a client asks about: no token, no query, no address.
func (l *AccessLog) Record(x *reply.Exchange, route string, spent time.Duration) {
	b := append(x.Body[:0], `{"time":"`...) // the answer is sent, its memory is free
	b = l.clock.append(b, x.Pass.Start)
	b = append(b, `","level":"INFO","msg":"request","route":"`...)
	b = append(b, route...)
	b = append(b, `","request_id":"`...)
	b = append(b, x.ID[0]...)
	b = append(b, '"')
	b = x.Traced().Append(b)
	if x.Pass.Client != nil {
		b = append(b, `,"client":`...)
		b = endpoint.AppendText(b, x.Pass.Client.ID)
	}
	b = append(b, `,"status":`...)
	b = strconv.AppendInt(b, int64(x.Status), 10)
	b = append(b, `,"bytes":`...)
	b = strconv.AppendInt(b, int64(x.Sent), 10)
	b = append(b, `,"us":`...)
	b = strconv.AppendInt(b, spent.Microseconds(), 10)
	x.Body = append(b, "}\n"...)
	l.Out.Write(x.Body) // an error of the log must not fail the request
}

// clock formats times, each second only once.
type clock struct{ last atomic.Pointer[second] }

type second struct {
	unix int64
	text string // "2006-01-02T15:04:05"
}

// append appends t in RFC 3339 format, UTC, with milliseconds.
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

// flushEvery is the maximum time that a record of the access log is buffered.
const flushEvery = 250 * time.Millisecond

// LogWriter combines small writes into large ones. It is safe for concurrent use.
type LogWriter struct {
	mu   sync.Mutex
	out  *bufio.Writer
	stop chan struct{}
	done chan struct{}
}

// NewLogWriter starts a writer to out; Close ends it.
func NewLogWriter(out io.Writer) *LogWriter {
	l := &LogWriter{out: bufio.NewWriterSize(out, 64<<10), stop: make(chan struct{}), done: make(chan struct{})}
	go l.flushLoop()
	return l
}

// Write takes one record.
func (l *LogWriter) Write(record []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.out.Write(record)
}

func (l *LogWriter) flushLoop() {
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

// Close writes what is buffered and stops the writer. Nothing may be written afterwards.
func (l *LogWriter) Close() error {
	close(l.stop)
	<-l.done
	return l.flush()
}
