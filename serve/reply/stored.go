package reply

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"sync"

	"quartier/serve/accept"
	"quartier/serve/coding"
)

// Stored is an answer that is the same for everybody. It is compressed once for each content coding, when it is first
// asked for in that coding.
type Stored struct {
	kind  []string // Content-Type
	extra http.Header
	body  []byte

	tag   string // without quotes and suffix
	mu    sync.Mutex
	coded map[*coding.Coding][]byte
}

// NewStored makes one of a Content-Type and a body, with extra headers.
func NewStored(kind string, body []byte, extra http.Header) *Stored {
	sum := sha256.Sum256(body)
	return &Stored{
		kind: []string{kind}, extra: extra, body: body, tag: base64.RawURLEncoding.EncodeToString(sum[:16]),
		coded: map[*coding.Coding][]byte{coding.Identity: body},
	}
}

// storedCache lets anybody keep an answer for a while: a new version of the program changes it.
var storedCache = []string{"public, max-age=300"}

// WriteStored answers with what is stored, or 304 where the caller already has it.
func (x *Exchange) WriteStored(a *Stored) error {
	header := x.W.Header()
	for name, values := range a.extra {
		header[name] = values
	}
	if header["Vary"] == nil {
		header["Vary"] = []string{"Accept-Encoding"}
	}
	header["Cache-Control"] = storedCache
	in := x.coding(a.body)
	x.etag[0] = `"` + a.tag + in.Suffix + `"`
	header["Etag"] = x.etag[:]
	if accept.Has(x.HTTP.Header["If-None-Match"], x.etag[0]) {
		x.Write(http.StatusNotModified, nil)
		return nil
	}
	header["Content-Type"] = a.kind
	if in != coding.Identity {
		header["Content-Encoding"] = in.Header
	}
	x.Write(http.StatusOK, a.codedIn(in, &x.writer.compressors))
	return nil
}

func (a *Stored) codedIn(in *coding.Coding, c *coding.Compressors) []byte {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.coded[in] == nil {
		a.coded[in] = in.Compress(c, nil, a.body, func() bool { return false })
	}
	return a.coded[in]
}
