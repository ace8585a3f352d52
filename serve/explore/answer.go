package explore

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strings"

	"quartier/serve/explore/page"
)

var (
	jsonType = []string{"application/json"}
	noStore  = []string{"no-store"}
	askFirst = []string{"private, no-cache"} // keep, but ask whether it is still so
)

// headers are those of all answers.
var headers = []struct {
	name   string
	values []string
}{
	{"Content-Security-Policy", []string{page.Policy}},
	{"Cross-Origin-Opener-Policy", []string{"same-origin"}},
	{"Cross-Origin-Resource-Policy", []string{"same-origin"}},
	{"Referrer-Policy", []string{"no-referrer"}},
	{"X-Content-Type-Options", []string{"nosniff"}},
	{"X-Frame-Options", []string{"DENY"}},
	{"Cache-Control", noStore},
}

func setHeaders(header http.Header) {
	for _, h := range headers {
		header[h.name] = h.values
	}
}

// file is a file of the page, as it is sent.
type file struct {
	page.File
	kind []string
	tag  string
}

func newFiles(files []page.File) map[string]*file {
	all := map[string]*file{}
	for _, f := range files {
		sum := sha256.Sum256(f.Body)
		all[f.Name] = &file{f, []string{f.Type}, base64.RawURLEncoding.EncodeToString(sum[:16])}
	}
	return all
}

// answerPage answers with the page itself.
func (e *Explorer) answerPage(v *visit, _ string) error { return e.answerFile(v, page.Index) }

// answerFile answers with a file of the page.
func (e *Explorer) answerFile(v *visit, name string) error {
	f := e.files[name]
	if f == nil {
		return errNoPath
	}
	header := v.W.Header()
	header["Cache-Control"] = askFirst
	header["Vary"] = []string{"Accept-Encoding"}
	body, tag := f.Body, `"`+f.tag+`"`
	if len(f.Gzip) > 0 && len(f.Gzip) < len(f.Body) && takesGzip(v.HTTP) {
		body, tag = f.Gzip, `"`+f.tag+`-gzip"`
		header["Content-Encoding"] = []string{"gzip"}
	}
	header["Etag"] = []string{tag}
	if hasTag(v.HTTP, tag) {
		delete(header, "Content-Encoding")
		v.W.WriteHeader(http.StatusNotModified)
		return nil
	}
	write(v, http.StatusOK, f.kind, body)
	return nil
}

// takesGzip reports whether an answer can be in gzip.
func takesGzip(in *http.Request) bool {
	for _, line := range in.Header["Accept-Encoding"] {
		for entry := range strings.SplitSeq(line, ",") {
			name, weight, _ := strings.Cut(strings.ReplaceAll(entry, " ", ""), ";")
			if strings.EqualFold(name, "gzip") {
				return strings.Trim(weight, "q=0.") != "" || weight == ""
			}
		}
	}
	return false
}

// hasTag reports whether the caller has the answer with a tag already.
func hasTag(in *http.Request, tag string) bool {
	for _, line := range in.Header["If-None-Match"] {
		for entry := range strings.SplitSeq(line, ",") {
			if entry = strings.TrimPrefix(strings.TrimSpace(entry), "W/"); entry == tag || entry == "*" {
				return true
			}
		}
	}
	return false
}
