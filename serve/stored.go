package serve

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"sync"

	"quartier/serve/accept"
)

// stored is an answer that is the same for everybody. It is compressed once for each content coding, when it is first
// asked for in that coding.
type stored struct {
	kind  []string // Content-Type
	extra http.Header
	body  []byte

	tag   string // without quotes and suffix
	mu    sync.Mutex
	coded map[*coding][]byte
}

func newStored(kind string, body []byte, extra http.Header) *stored {
	sum := sha256.Sum256(body)
	return &stored{
		kind: []string{kind}, extra: extra, body: body, tag: base64.RawURLEncoding.EncodeToString(sum[:16]),
		coded: map[*coding][]byte{identity: body},
	}
}

// storedCache lets anybody keep an answer for a while: a new version of the program changes it.
var storedCache = []string{"public, max-age=300"}

// writeStored answers with what is stored, or 304 where the caller already has it.
func (r *request) writeStored(a *stored) error {
	header := r.w.Header()
	for name, values := range a.extra {
		header[name] = values
	}
	if header["Vary"] == nil {
		header["Vary"] = []string{"Accept-Encoding"}
	}
	header["Cache-Control"] = storedCache
	coding := r.coding(a.body)
	r.etag[0] = `"` + a.tag + coding.suffix + `"`
	header["Etag"] = r.etag[:]
	if accept.Has(r.http.Header["If-None-Match"], r.etag[0]) {
		r.write(http.StatusNotModified, nil)
		return nil
	}
	header["Content-Type"] = a.kind
	if coding != identity {
		header["Content-Encoding"] = coding.header
	}
	r.write(http.StatusOK, a.in(coding, &r.server.compressors))
	return nil
}

func (a *stored) in(coding *coding, c *compressors) []byte {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.coded[coding] == nil {
		a.coded[coding] = coding.compress(c, nil, a.body, func() bool { return false })
	}
	return a.coded[coding]
}
