package explore

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http"

	"quartier/serve/accept"
	"quartier/serve/explore/page"
)

var (
	jsonType = []string{"application/json"}
	noStore  = []string{"no-store"}
	askFirst = []string{"private, no-cache"} // keep, but ask whether it is still so
)

// guards are headers of all answers.
var guards = []oneHeader{
	{"Cross-Origin-Resource-Policy", []string{"same-origin"}},
	{"X-Content-Type-Options", []string{"nosniff"}},
	{"Cache-Control", noStore},
}

// documentGuards are headers of all answers but tiles; errors in place of a tile have them. Browsers heed them in what they open
// as a document, which a tile of its type with nosniff is not; each costs a tile more than finding it does.
var documentGuards = []oneHeader{
	{"Content-Security-Policy", []string{page.Policy}},
	{"Cross-Origin-Opener-Policy", []string{"same-origin"}},
	{"Referrer-Policy", []string{"no-referrer"}},
	{"X-Frame-Options", []string{"DENY"}},
}

type oneHeader struct {
	name   string
	values []string
}

func setHeaders(header http.Header, list []oneHeader) {
	for i := range list {
		header[list[i].name] = list[i].values
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
	if coding := accept.Coding(v.HTTP.Header["Accept-Encoding"], "br", "gzip"); coding != "" {
		body, tag = map[string][]byte{"br": f.Brotli, "gzip": f.Gzip}[coding], `"`+f.tag+`-`+coding+`"`
		header["Content-Encoding"] = []string{coding}
	}
	header["Etag"] = []string{tag}
	if accept.Has(v.HTTP.Header["If-None-Match"], tag) {
		delete(header, "Content-Encoding")
		v.W.WriteHeader(http.StatusNotModified)
		return nil
	}
	write(v, http.StatusOK, f.kind, body)
	return nil
}
