package explore

import (
	"net/http"
	"net/url"
	"strings"
)

// answerAPI passes a call to the API: /explore/api/scores is /v3/scores, as the account of the session.
func (e *Explorer) answerAPI(v *visit, rest string) error {
	if rest == "" {
		return errNoPath
	}
	if err := checkJSON(v.HTTP); err != nil {
		return err
	}
	v.passedOn = true
	v.API(&apiWriter{ResponseWriter: v.W}, asAPI(v.HTTP), v.account)
	return nil
}

// asAPI is a request below /explore/api/ as the API's own, without what identifies its caller.
func asAPI(in *http.Request) *http.Request {
	const below = Root + "api/"
	out, u := *in, *in.URL
	u.Path = "/v3/" + strings.TrimPrefix(u.Path, below)
	if u.RawPath != "" { // "", "explore", "api", rest, the names perhaps with escapes of their own
		u.RawPath = "/v3/" + strings.SplitN(in.URL.EscapedPath(), "/", 4)[3]
	}
	out.URL, out.Header = &u, in.Header.Clone()
	for _, name := range []string{"Authorization", "Cookie", "Origin"} {
		delete(out.Header, name)
	}
	return &out
}

// callOf is a GET request of the API by itself, on behalf of another one.
func callOf(in *http.Request, path, query string) *http.Request {
	out := *in
	out.Method, out.Body, out.ContentLength, out.TransferEncoding = http.MethodGet, http.NoBody, 0, nil
	out.URL = &url.URL{Path: path, RawQuery: query}
	out.Header = http.Header{}
	for _, name := range []string{"Traceparent", "X-Request-Id"} {
		if values := in.Header[name]; values != nil {
			out.Header[name] = values
		}
	}
	return &out
}

// apiWriter sends the answer of the API with Cache-Control of its own: nothing of it stays with the browser when the session
// has ended.
type apiWriter struct {
	http.ResponseWriter
	began bool
}

func (w *apiWriter) WriteHeader(status int) {
	if !w.began {
		w.began = true
		w.Header()["Cache-Control"] = noStore
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *apiWriter) Write(body []byte) (int, error) {
	if !w.began {
		w.WriteHeader(http.StatusOK)
	}
	return w.ResponseWriter.Write(body)
}
