package serve

import (
	"net/http"
	"strconv"
	"sync"
	"time"

	"quartier/internal/areal"
	"quartier/internal/demography"
	"quartier/internal/pack/names"
	"quartier/internal/pack/pois"
	"quartier/internal/pack/smallareas"
	"quartier/schemas"
)

// exchange is one request and the answer to it. Its memory is used again for later requests.
type exchange struct {
	server *Server
	w      http.ResponseWriter
	r      *http.Request
	start  time.Time
	route  *route    // nil while it is not known
	who    *standing // nil without a credential
	view   view      // of the release, for v3 routes
	id     [1]string // X-Request-Id

	canonical []byte // the request in its one spelling
	body      []byte // JSON of the answer
	packed    []byte // body in a content coding
	status    int
	sent      int // bytes of the body as sent

	found    []int                        // geographies
	values   [schemas.ChannelCount]uint16 // at a point
	matches  names.Result
	hits     pois.Result
	baseHits pois.BaseResult

	around    areal.Shape // that people are counted in
	estimates smallareas.Estimates
	people    demography.Figures

	// Values of single headers: the header map wants slices, and these cost no memory of their own.
	etag, length, remaining [1]string
}

var exchanges = sync.Pool{New: func() any { return &exchange{body: make([]byte, 0, 16<<10)} }}

// keptBytes bounds the buffers that an exchange keeps for later requests.
const keptBytes = 1 << 20

func newExchange(s *Server, w http.ResponseWriter, r *http.Request, start time.Time) *exchange {
	x := exchanges.Get().(*exchange)
	x.server, x.w, x.r, x.start, x.status = s, w, r, start, http.StatusOK
	return x
}

// release gives the memory back. What came from the request or the release is let go of.
func (x *exchange) release() {
	x.view.done()
	x.server, x.w, x.r, x.route, x.who, x.view, x.sent = nil, nil, nil, nil, nil, view{codes: x.view.codes}, 0
	x.id[0] = ""
	x.canonical, x.body, x.packed, x.found = x.canonical[:0], x.body[:0], x.packed[:0], x.found[:0]
	if cap(x.body) <= keptBytes && cap(x.packed) <= keptBytes {
		exchanges.Put(x)
	}
}

// write sends the status, the headers and a body that is complete, in one go. net/http leaves the body out for HEAD.
func (x *exchange) write(status int, body []byte) {
	x.status = status
	header := x.w.Header()
	if status != http.StatusNoContent && status != http.StatusNotModified {
		x.length[0] = strconv.Itoa(len(body))
		header["Content-Length"] = x.length[:]
		x.sent = len(body)
	}
	x.w.WriteHeader(status)
	if x.sent > 0 && x.r.Method != http.MethodHead {
		x.w.Write(body) // an error means that the caller is gone: there is nobody to tell
	}
}

// refuse answers with what the error table has for err.
func (x *exchange) refuse(err error) {
	status, body := judge(err)
	header := x.w.Header()
	header["Cache-Control"] = noStore
	if body != nil {
		header["Content-Type"] = jsonType
	}
	if status == http.StatusServiceUnavailable {
		header["Retry-After"] = retrySoon
	}
	x.write(status, body)
}

var (
	jsonType  = []string{"application/json"}
	noStore   = []string{"no-store"}
	retrySoon = []string{"1"}
	varies    = []string{"Authorization, Accept, Accept-Encoding"}
)
