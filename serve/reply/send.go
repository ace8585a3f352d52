package reply

import (
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"quartier/serve/accept"
	"quartier/serve/coding"
	"quartier/serve/endpoint"
	"quartier/serve/entry"
	"quartier/serve/tile"
)

// Send writes a successful answer of an endpoint with a strong ETag, in the content coding that the caller prefers, or 304 where the
// caller already has this answer.
func (x *Exchange) Send(of *endpoint.Endpoint) error {
	header := x.W.Header()
	if x.Location != "" {
		header["Location"] = []string{x.Location}
	}
	in := coding.Identity
	switch {
	case x.Stored != nil && accept.Coding(x.HTTP.Header["Accept-Encoding"], "gzip") != "":
		in = coding.Stored
	case x.Stored != nil:
		plain, err := tile.Plain(x.Stored)
		if err != nil {
			return err
		}
		x.Body, x.Stored = append(x.Body, plain...), nil
	case of.Cached():
		in = x.coding(x.Body)
	}
	x.etag[0] = x.Tag(in) // of what changed something that of a later GET
	header["Etag"] = x.etag[:]
	switch {
	case !of.Cached():
		header["Cache-Control"] = NoStore
	case x.Version != "":
		header["Cache-Control"] = alwaysAsk
	case x.Kept:
		header["Cache-Control"] = keptControl
	case !x.Pass.Until.IsZero():
		header["Cache-Control"] = []string{fmt.Sprintf("public, max-age=%d", int(x.Pass.Until.Sub(x.Pass.Start).Seconds()))}
	default:
		header["Cache-Control"] = x.writer.cacheControl
	}
	if of.Media != "" {
		setMediaHeaders(header)
	}
	if of.Cached() && accept.Has(x.HTTP.Header["If-None-Match"], x.etag[0]) {
		x.made() // fails only for an answer that is sent
		x.Write(http.StatusNotModified)
		return nil
	}
	header["Content-Type"] = JSON
	if of.Media != "" {
		header["Content-Type"] = []string{of.Media}
	}
	if of.Cached() {
		return x.writeCoded(in)
	}
	x.made() // what is changed stays so, whether or not there is memory to say it
	x.Write(cmp.Or(of.Success, http.StatusOK), x.Body)
	return nil
}

// setMediaHeaders lets pages of others show a picture, and what is opened as a document by itself do nothing.
func setMediaHeaders(header http.Header) {
	header["Content-Security-Policy"] = []string{"default-src 'none'; sandbox"}
	header["Cross-Origin-Resource-Policy"] = []string{"cross-origin"}
	header["X-Content-Type-Options"] = []string{"nosniff"}
}

// coding is the content coding of a body that the caller prefers.
func (x *Exchange) coding(body []byte) *coding.Coding {
	return coding.Choose(x.HTTP.Header["Accept-Encoding"], len(body), len(x.Inserts) > 0)
}

// made says that the work on an admitted request has ended, and how much memory its answer takes.
func (x *Exchange) made() error { return x.Pass.Made(cap(x.Body) + cap(x.compressed)) }

// writeCoded writes a successful answer in a content coding. Inserts are sent from the mapped file, without a copy.
func (x *Exchange) writeCoded(in *coding.Coding) error {
	if in != coding.Identity && x.Stop() {
		return entry.ErrUnavailable
	}
	switch {
	case in == coding.Stored:
		x.pieces = append(x.pieces[:0], x.Stored)
	case in == coding.Identity:
		x.pieces = coding.Plain(x.Body, x.Inserts, x.pieces[:0])
	case len(x.Inserts) > 0:
		x.compressed, x.pieces = coding.Splice(x.compressed, x.Body, x.Inserts, x.pieces[:0])
	default:
		x.compressed = in.Compress(x.compressed[:0], x.Body, x.Stop)
		x.pieces = append(x.pieces[:0], x.compressed)
	}
	if x.Pass.Over() {
		return entry.ErrUnavailable
	}
	if in != coding.Identity {
		x.W.Header()["Content-Encoding"] = in.Header
	}
	if err := x.made(); err != nil {
		return err
	}
	x.Write(http.StatusOK, x.pieces...)
	return nil
}

// Tag is the strong ETag of the answer, a digest of all that it depends on: the request, the places of the release, the
// customer, the agreement and the content coding; where private geographies are concerned, also the content itself.
func (x *Exchange) Tag(in *coding.Coding) string {
	if x.Version != "" {
		return `"` + x.Version + in.Suffix + `"`
	}
	x.Canonical = append(x.Canonical, x.Release.Unfiltered().Digest()...)
	if x.Release.Private() {
		content := sha256.New()
		content.Write(x.Body)
		for _, part := range x.Inserts {
			content.Write(part.Text)
		}
		x.Canonical = content.Sum(x.Canonical)
	}
	x.Canonical = append(x.Canonical, x.Pass.Client.Digest[:]...)
	sum := sha256.Sum256(x.Canonical)
	var text [40]byte
	out := append(text[:0], '"')
	out = base64.RawURLEncoding.AppendEncode(out, sum[:16])
	out = append(out, in.Suffix...)
	out = append(out, '"')
	return string(out)
}

// Deprecate writes the headers of an answer about a geography that is superseded or deprecated: since when (RFC 9745), and
// the same resource of its successor. They say what meta.deprecation says in the body, also where there is no body. of is the
// endpoint.
func (x *Exchange) Deprecate(of *endpoint.Endpoint) {
	since, replacedBy, ok := x.Release.Deprecated()
	if !ok {
		return
	}
	header := x.W.Header()
	if !since.IsZero() {
		header["Deprecation"] = []string{"@" + strconv.FormatInt(since.Unix(), 10)}
	}
	if replacedBy != "" {
		path := of.Path[:strings.LastIndexByte(of.Path, '/')+1]
		header["Link"] = []string{"<" + path + replacedBy + `>; rel="successor-version"`}
	}
	if x.writer.sunset != nil {
		header["Sunset"] = x.writer.sunset
	}
}

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

// NewStored makes one of a Content-Type and a body, with extra headers, which can have another Cache-Control and Vary.
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
	header["Cache-Control"] = storedCache
	for name, values := range a.extra {
		header[name] = values
	}
	if header["Vary"] == nil {
		header["Vary"] = []string{"Accept-Encoding"}
	}
	in := x.coding(a.body)
	x.etag[0] = `"` + a.tag + in.Suffix + `"`
	header["Etag"] = x.etag[:]
	if accept.Has(x.HTTP.Header["If-None-Match"], x.etag[0]) {
		x.Write(http.StatusNotModified)
		return nil
	}
	header["Content-Type"] = a.kind
	if in != coding.Identity {
		header["Content-Encoding"] = in.Header
	}
	x.Write(http.StatusOK, a.codedIn(in))
	return nil
}

func (a *Stored) codedIn(in *coding.Coding) []byte {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.coded[in] == nil {
		a.coded[in] = in.Compress(nil, a.body, func() bool { return false })
	}
	return a.coded[in]
}
