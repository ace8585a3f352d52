package serve

import (
	"errors"
	"net/http"
	"strconv"
	"time"

	"quartier/serve/account"
	"quartier/serve/admit"
	"quartier/serve/endpoint"
	"quartier/serve/state"
)

// request is one HTTP request and the answer to it. Its memory is reused for later requests.
type request struct {
	endpoint.Request // of a product; its Release is set for v3 routes only

	server *Server
	http   *http.Request
	w      http.ResponseWriter
	start  time.Time
	route  *route          // nil where none matches
	client *clientState    // nil without a valid token
	as     *account.Client // the caller, by a session of the explorer; nil: by a token
	trace  trace           // by traced

	ticket   admit.Ticket
	admitted bool
	passedOn bool        // to the API: counted and logged there
	over     bool        // work was stopped: what there is of the answer is wrong
	stop     func() bool // is stopped, without an allocation for each request
	entered  time.Time   // where answers say how long they took
	id       [1]string   // X-Request-Id

	compressed []byte   // Body in a content coding, or its parts between inserts
	pieces     [][]byte // of an answer with inserts
	status     int
	sent       int // bytes of the body as sent

	// Values of headers with one value. The header map needs slices; slices of these arrays are not allocated.
	etag, length, remaining [1]string
}

// maxPooledBytes limits the buffers of a request that is kept for reuse.
const maxPooledBytes = 1 << 20

func newRequest(s *Server, w http.ResponseWriter, in *http.Request, start time.Time) *request {
	r, ok := s.requests.Get().(*request)
	if !ok {
		r = new(request)
		r.stop, r.Share = r.stopped, r
		r.Body = make([]byte, 0, 16<<10)
	}
	r.server, r.http, r.w, r.start, r.status = s, in, w, start, http.StatusOK
	return r
}

// free releases the release and keeps the memory for another request, without references to this one.
func (r *request) free() {
	pool := &r.server.requests
	if open := r.Release.Unfiltered(); open != nil {
		open.Done()
	}
	r.Release.Reset()
	r.Client, r.RawQuery, r.Segment, r.HTTP, r.Version, r.Location = nil, "", "", nil, "", ""
	r.server, r.http, r.w, r.route, r.client, r.sent = nil, nil, nil, nil, nil, 0
	r.id[0], r.trace, r.admitted, r.entered = "", trace{}, false, time.Time{}
	r.over, r.as, r.passedOn = false, nil, false
	r.Canonical, r.Body, r.compressed = r.Canonical[:0], r.Body[:0], r.compressed[:0]
	clear(r.Inserts)
	clear(r.pieces)
	r.Inserts, r.pieces = r.Inserts[:0], r.pieces[:0]
	if cap(r.Body) <= maxPooledBytes && cap(r.compressed) <= maxPooledBytes {
		pool.Put(r)
	}
}

// write sends the status, the headers and a complete body. net/http omits the body for HEAD.
func (r *request) write(status int, body []byte) {
	r.writeHead(status, len(body))
	if r.sent > 0 && r.http.Method != http.MethodHead {
		r.w.Write(body) // fails only when the caller has hung up
	}
}

// writePieces sends the status 200, the headers and a body in pieces.
func (r *request) writePieces() {
	size := 0
	for _, piece := range r.pieces {
		size += len(piece)
	}
	r.writeHead(http.StatusOK, size)
	if r.http.Method == http.MethodHead {
		return
	}
	for _, piece := range r.pieces {
		if _, err := r.w.Write(piece); err != nil {
			return // the caller has hung up, or a mapped file was truncated: net/http closes the connection
		}
	}
}

// writeHead sends the status and the headers of a body of some bytes.
func (r *request) writeHead(status, size int) {
	r.status = status
	header := r.w.Header()
	if status != http.StatusNoContent && status != http.StatusNotModified {
		r.length[0] = strconv.Itoa(size)
		header["Content-Length"] = r.length[:]
		r.sent = size
	}
	if !r.entered.IsZero() {
		r.timing(r.entered, r.server.later(r.start))
	}
	r.w.WriteHeader(status)
}

// writeError answers with what the error table has for err.
func (r *request) writeError(err error) {
	status, body := responseTo(err)
	if errors.Is(err, state.ErrFailed) {
		r.server.log.Error("state cannot be used", "request_id", r.id[0], "trace_id", r.traced().id, "error", err)
	}
	header := r.w.Header()
	delete(header, "Etag") // of an answer for which there was no memory
	delete(header, "Content-Encoding")
	header["Cache-Control"] = noStore
	if status == http.StatusNoContent {
		header["Cache-Control"] = r.server.cacheControl
	}
	if body != nil {
		header["Content-Type"] = jsonType
	}
	if status == http.StatusServiceUnavailable {
		header["Retry-After"] = retrySoon
	}
	r.write(status, body)
}

// writeValue answers with the JSON of a value that must not be cached.
func (r *request) writeValue(status int, value any) error {
	body, err := endpoint.Encode(value)
	if err != nil {
		return err
	}
	header := r.w.Header()
	header["Content-Type"] = jsonType
	header["Cache-Control"] = noStore
	r.write(status, body)
	return nil
}

// Values of headers, shared by all answers.
var (
	jsonType  = []string{"application/json"}
	noStore   = []string{"no-store"}
	alwaysAsk = []string{"private, max-age=0"}
	retrySoon = []string{"1"}
	varies    = []string{"Authorization, Accept, Accept-Encoding"}
)
