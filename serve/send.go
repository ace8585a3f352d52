package serve

import (
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"net/http"

	"quartier/serve/accept"
)

// send writes a successful answer with a strong ETag, in the content coding that the caller prefers, or 304 where the
// caller already has this answer.
func (r *request) send() error {
	header := r.w.Header()
	if r.Location != "" {
		header["Location"] = []string{r.Location}
	}
	if !r.route.cached() {
		return r.sendChange(header)
	}
	coding := r.coding(r.Body)
	r.etag[0] = r.tag(coding)
	header["Etag"] = r.etag[:]
	header["Cache-Control"] = r.server.cacheControl
	if r.Version != "" {
		header["Cache-Control"] = alwaysAsk
	}
	if accept.Has(r.http.Header["If-None-Match"], r.etag[0]) {
		r.made() // fails only for an answer that is sent
		r.write(http.StatusNotModified, nil)
		return nil
	}
	header["Content-Type"] = jsonType
	return r.writeCoded(coding)
}

// sendChange writes the answer to a request that changed something. Its ETag is that of a later GET.
func (r *request) sendChange(header http.Header) error {
	r.etag[0] = r.tag(identity)
	header["Etag"] = r.etag[:]
	header["Cache-Control"] = noStore
	header["Content-Type"] = jsonType
	r.made() // what is changed stays so, whether or not there is memory to say it
	r.write(cmp.Or(r.route.Success, http.StatusOK), r.Body)
	return nil
}

// coding is the content coding of a body that the caller prefers.
func (r *request) coding(body []byte) *coding {
	if len(body) < minCompressed && len(r.Inserts) == 0 {
		return identity
	}
	return chooseCoding(r.http.Header["Accept-Encoding"], len(r.Inserts) > 0)
}

// writeCoded writes a successful answer in a content coding. Inserts are sent from the mapped file, without a copy.
func (r *request) writeCoded(coding *coding) error {
	if coding != identity && r.stopped() {
		return errUnavailable
	}
	body := r.Body
	r.pieces = r.pieces[:0]
	switch {
	case len(r.Inserts) > 0 && coding == identity:
		r.pieces = plain(body, r.Inserts, r.pieces)
	case len(r.Inserts) > 0:
		r.compressed, r.pieces = r.server.compressors.splice(r.compressed, body, r.Inserts, r.pieces)
	case coding != identity:
		r.compressed = coding.compress(&r.server.compressors, r.compressed[:0], body, r.stop)
		body = r.compressed
	}
	if r.over {
		return errUnavailable
	}
	if coding != identity {
		r.w.Header()["Content-Encoding"] = coding.header
	}
	if err := r.made(); err != nil {
		return err
	}
	if len(r.pieces) > 0 {
		r.writePieces()
	} else {
		r.write(http.StatusOK, body)
	}
	return nil
}

// tag is the strong ETag of the answer, a digest of all that it depends on: the request, the places of the release, the
// customer, the agreement and the content coding; where private geographies are concerned, also the content itself.
func (r *request) tag(coding *coding) string {
	if r.Version != "" {
		return `"` + r.Version + coding.suffix + `"`
	}
	r.Canonical = append(r.Canonical, r.Release.Unfiltered().Digest()...)
	if r.Release.Private() {
		content := sha256.New()
		content.Write(r.Body)
		for _, in := range r.Inserts {
			content.Write(in.Text)
		}
		r.Canonical = content.Sum(r.Canonical)
	}
	r.Canonical = append(r.Canonical, r.client.digest[:]...)
	sum := sha256.Sum256(r.Canonical)
	var text [40]byte
	out := append(text[:0], '"')
	out = base64.RawURLEncoding.AppendEncode(out, sum[:16])
	out = append(out, coding.suffix...)
	out = append(out, '"')
	return string(out)
}
