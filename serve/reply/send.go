package reply

import (
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strconv"
	"strings"

	"quartier/serve/accept"
	"quartier/serve/coding"
	"quartier/serve/endpoint"
	"quartier/serve/entry"
)

// Send writes a successful answer of an endpoint with a strong ETag, in the content coding that the caller prefers, or 304 where the
// caller already has this answer.
func (x *Exchange) Send(of *endpoint.Endpoint) error {
	header := x.W.Header()
	if x.Location != "" {
		header["Location"] = []string{x.Location}
	}
	if !of.Cached() {
		return x.sendChange(header, cmp.Or(of.Success, http.StatusOK))
	}
	in := x.coding(x.Body)
	x.etag[0] = x.Tag(in)
	header["Etag"] = x.etag[:]
	header["Cache-Control"] = x.writer.cacheControl
	if x.Version != "" {
		header["Cache-Control"] = alwaysAsk
	}
	if accept.Has(x.HTTP.Header["If-None-Match"], x.etag[0]) {
		x.made() // fails only for an answer that is sent
		x.Write(http.StatusNotModified, nil)
		return nil
	}
	header["Content-Type"] = JSON
	return x.writeCoded(in)
}

// sendChange writes the answer to a request that changed something. Its ETag is that of a later GET.
func (x *Exchange) sendChange(header http.Header, status int) error {
	x.etag[0] = x.Tag(coding.Identity)
	header["Etag"] = x.etag[:]
	header["Cache-Control"] = NoStore
	header["Content-Type"] = JSON
	x.made() // what is changed stays so, whether or not there is memory to say it
	x.Write(status, x.Body)
	return nil
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
	body := x.Body
	x.pieces = x.pieces[:0]
	switch {
	case len(x.Inserts) > 0 && in == coding.Identity:
		x.pieces = coding.Plain(body, x.Inserts, x.pieces)
	case len(x.Inserts) > 0:
		x.compressed, x.pieces = x.writer.compressors.Splice(x.compressed, body, x.Inserts, x.pieces)
	case in != coding.Identity:
		x.compressed = in.Compress(&x.writer.compressors, x.compressed[:0], body, x.Stop)
		body = x.compressed
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
	if len(x.pieces) > 0 {
		x.writePieces()
	} else {
		x.Write(http.StatusOK, body)
	}
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
