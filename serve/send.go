package serve

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strings"
)

// send writes a successful answer: in the content coding that the caller likes best, with a strong ETag, or as 304
// where the caller has that very answer.
func (x *exchange) send(cacheControl []string) {
	coding := identity
	if len(x.body) >= minCompressed {
		coding = chooseCoding(x.r.Header["Accept-Encoding"])
	}
	header := x.w.Header()
	x.etag[0] = x.tag(coding)
	header["Etag"] = x.etag[:]
	header["Cache-Control"] = cacheControl
	if noneMatch := x.r.Header["If-None-Match"]; len(noneMatch) > 0 && tagMatches(noneMatch, x.etag[0]) {
		x.write(http.StatusNotModified, nil)
		return
	}
	header["Content-Type"] = jsonType
	body := x.body
	if coding != identity {
		x.packed = coding.compress(x.packed[:0], x.body)
		body = x.packed
		header["Content-Encoding"] = coding.header
	}
	x.write(http.StatusOK, body)
}

// tag is the strong ETag of the answer: what it depends on is the release, the request, what the agreement lets the
// caller see, and the content coding.
func (x *exchange) tag(coding *coding) string {
	x.canonical = append(x.canonical, x.view.release.Digest()...)
	x.canonical = append(x.canonical, x.who.digest[:]...)
	sum := sha256.Sum256(x.canonical)
	var text [40]byte
	out := append(text[:0], '"')
	out = base64.RawURLEncoding.AppendEncode(out, sum[:16])
	out = append(out, coding.suffix...)
	out = append(out, '"')
	return string(out)
}

// tagMatches reports whether an If-None-Match header names the tag or everything.
func tagMatches(noneMatch []string, tag string) bool {
	for _, line := range noneMatch {
		for entry := range strings.SplitSeq(line, ",") {
			entry = strings.TrimSpace(entry)
			if entry == "*" || strings.TrimPrefix(entry, "W/") == tag {
				return true
			}
		}
	}
	return false
}
