// Package reply writes answers: products and other values as JSON, stored pages, and errors, with their headers.
//
// In: an Exchange, which is a request with its pass and, in endpoint.Request, what an endpoint made; or an error, of which the one
// table is in errors.go. Out: the status, headers, ETag and body in the content coding that the caller prefers. What the answers
// of one server have in common is in its Writer.
package reply

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strconv"
	"time"

	"quartier/serve/endpoint"
	"quartier/serve/entry"
	"quartier/serve/state"
)

// Writer has what the answers of a server have in common. It is made by NewWriter and safe for concurrent use.
type Writer struct {
	Varies []string // Vary of v3 answers

	log          *slog.Logger
	cacheControl []string
	sunset       []string // nil without a date
	origins      origins
}

// NewWriter makes a writer: callers may cache answers for maxAge, pages of the origins, such as "https://maps.example.com", may read
// them, and superseded ids may cease to be answered at sunset (RFC 8594), zero: never. Errors of the state are logged.
func NewWriter(maxAge time.Duration, origins []string, sunset time.Time, log *slog.Logger) (*Writer, error) {
	parsed, err := newOrigins(origins)
	if err != nil {
		return nil, err
	}
	a := &Writer{Varies: varies, log: log, origins: parsed, cacheControl: []string{fmt.Sprintf("private, max-age=%d", int(maxAge.Seconds()))}}
	if !sunset.IsZero() {
		a.sunset = []string{sunset.UTC().Format(http.TimeFormat)}
	}
	if parsed != nil {
		a.Varies = originVaries
	}
	return a, nil
}

// Values of headers, shared by all answers.
var (
	JSON    = []string{"application/json"}
	NoStore = []string{"no-store"}

	keptControl = []string{"private, max-age=31536000, immutable"}
	alwaysAsk   = []string{"private, max-age=0"}
	retrySoon   = []string{"1"}
	varies      = []string{"Authorization, Accept, Accept-Encoding"}
)

// Exchange is one HTTP request and the answer to it. Its memory is reused for later requests.
type Exchange struct {
	endpoint.Request // its Release is set for v3 routes only

	W       http.ResponseWriter
	Pass    entry.Pass
	ID      [1]string   // X-Request-Id
	Entered time.Time   // when it was admitted, where answers say how long they took
	Stop    func() bool // is Pass.Stopped, without an allocation for each request
	Status  int
	Sent    int // bytes of the body as sent

	writer     *Writer
	trace      Trace    // by Traced
	compressed []byte   // Body in a content coding, or its parts between inserts
	pieces     [][]byte // of an answer with inserts

	// Values of headers with one value. The header map needs slices; slices of these arrays are not allocated.
	etag, length [1]string
}

// maxKeptBytes limits the buffers of an exchange that is kept for reuse.
const maxKeptBytes = 1 << 20

// Begin makes x the exchange of a request, which has an id from then on. Reset ends it.
func (a *Writer) Begin(x *Exchange, door *entry.Door, w http.ResponseWriter, in *http.Request) {
	if x.Stop == nil {
		x.Stop, x.Share = x.Pass.Stopped, &x.Pass
		x.Body = make([]byte, 0, 16<<10)
	}
	x.writer, x.HTTP, x.W, x.Status = a, in, w, http.StatusOK
	x.ID[0] = requestID(in.Header["X-Request-Id"])
	header := w.Header()
	header["X-Request-Id"] = x.ID[:]
	door.Begin(&x.Pass, in, header)
}

// Reset releases the release and keeps the memory for another request, without references to this one. It reports whether that is
// little enough to keep.
func (x *Exchange) Reset() bool {
	if open := x.Release.Unfiltered(); open != nil {
		open.Done()
	}
	x.Release.Reset()
	x.Pass.Reset()
	x.Client, x.RawQuery, x.Segment, x.HTTP, x.Version, x.Location, x.Stored, x.Kept = nil, "", "", nil, "", "", nil, false
	x.W, x.writer, x.ID[0], x.trace, x.Entered, x.Sent = nil, nil, "", Trace{}, time.Time{}, 0
	x.Canonical, x.Body, x.compressed = x.Canonical[:0], x.Body[:0], x.compressed[:0]
	clear(x.Inserts)
	clear(x.pieces)
	x.Inserts, x.pieces = x.Inserts[:0], x.pieces[:0]
	return cap(x.Body) <= maxKeptBytes && cap(x.compressed) <= maxKeptBytes
}

// Write sends the status, the headers and a complete body in pieces. net/http omits the body for HEAD.
func (x *Exchange) Write(status int, pieces ...[]byte) {
	x.Status = status
	header := x.W.Header()
	if status != http.StatusNoContent && status != http.StatusNotModified {
		for _, piece := range pieces {
			x.Sent += len(piece)
		}
		x.length[0] = strconv.Itoa(x.Sent)
		header["Content-Length"] = x.length[:]
	}
	if !x.Entered.IsZero() {
		header["Server-Timing"] = []string{timing(x.Entered.Sub(x.Pass.Start), x.Pass.Now().Sub(x.Entered))}
	}
	x.W.WriteHeader(status)
	if x.Sent == 0 || x.HTTP.Method == http.MethodHead {
		return
	}
	for _, piece := range pieces {
		if _, err := x.W.Write(piece); err != nil {
			return // the caller has hung up, or a mapped file was truncated: net/http closes the connection
		}
	}
}

// timing is a Server-Timing header: milliseconds until the request was admitted (authenticated, within its rate, with a place to
// run) and from then until its answer was ready. Only those with a token get it.
func timing(admitted, answered time.Duration) string {
	ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
	return fmt.Sprintf("admit;dur=%.3f, answer;dur=%.3f", ms(admitted), ms(answered))
}

// Refuse ends the work on a request that an error ended, and answers with what the table has for it: later, where very much is
// refused.
func (x *Exchange) Refuse(err error) {
	x.Pass.Refused(err)
	if tooMuch := x.made(); tooMuch != nil {
		err = tooMuch
	}
	x.WriteError(err)
}

// WriteError answers with what the table has for an error.
func (x *Exchange) WriteError(err error) {
	status, value := Response(err)
	if errors.Is(err, state.ErrFailed) {
		x.writer.log.Error("state cannot be used", "request_id", x.ID[0], "trace_id", x.Traced().ID, "error", err)
	}
	header := x.W.Header()
	delete(header, "Etag") // of an answer for which there was no memory
	delete(header, "Content-Encoding")
	header["Cache-Control"] = NoStore
	if status == http.StatusNoContent {
		header["Cache-Control"] = x.writer.cacheControl
	}
	var body []byte
	if value != nil {
		body, _ = endpoint.Encode(value) // strings and integers always encode
		header["Content-Type"] = JSON
	}
	if status == http.StatusServiceUnavailable {
		header["Retry-After"] = retrySoon
	}
	x.Write(status, body)
}

// WriteValue answers with the JSON of a value that must not be cached.
func (x *Exchange) WriteValue(status int, value any) error {
	body, err := endpoint.Encode(value)
	if err != nil {
		return err
	}
	header := x.W.Header()
	header["Content-Type"] = JSON
	header["Cache-Control"] = NoStore
	x.Write(status, body)
	return nil
}
