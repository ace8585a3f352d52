package serve_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"quartier/schemas"
	"quartier/serve/servetest"
)

// TestLargeOutlinesAreSentAsStored asks for an outline of 70 kB, alone and among others, in all codings.
func TestLargeOutlinesAreSentAsStored(t *testing.T) {
	a := newAPIOver(t, servetest.Release{Outline: 4000})
	for _, target := range []string{
		"/v3/geographies/" + servetest.Canada + "?include=geometry", "/v3/geographies?include=geometry&" + north,
		"/v3/geographies?include=geometry&name=Canada",
	} {
		plain := a.get("full", target)
		answer := decode[schemas.GeographiesAnswer](t, plain.body)
		outline := answer.Data.Geographies[servetest.Canada].Geometry
		if plain.status != http.StatusOK || plain.header.Get("Content-Encoding") != "" || len(outline) != 1 || len(outline[0][0]) < 1000 {
			t.Fatalf("%s: %d, %d polygons in %d bytes", target, plain.status, len(outline), len(plain.body))
		}
		tags := map[string]string{plain.header.Get("Etag"): plain.body}
		for accept, coding := range map[string]string{
			"gzip": "gzip", "zstd, gzip": "gzip", "gzip;q=0.5, zstd": "gzip", "*": "gzip", "zstd": "", "br": "", "gzip;q=0": "",
			"gzip;q=0.5, identity": "",
		} {
			got := a.get("full", target, "Accept-Encoding: "+accept)
			if got.header.Get("Content-Encoding") != coding || got.header.Get("Content-Length") != fmt.Sprint(len(got.body)) ||
				!strings.Contains(got.header.Get("Vary"), "Accept-Encoding") {
				t.Errorf("%s, Accept-Encoding %s: %v, %d bytes", target, accept, got.header, len(got.body))
			}
			if body := decoded(t, got); body != plain.body {
				t.Errorf("%s, Accept-Encoding %s: %d bytes, want %d", target, accept, len(body), len(plain.body))
			}
			tag := got.header.Get("Etag")
			if other, known := tags[tag]; known && other != got.body {
				t.Errorf("%s: the tag %s is of two answers", target, tag)
			}
			tags[tag] = got.body
			if got := a.get("full", target, "Accept-Encoding: "+accept, "If-None-Match: "+tag); got.status != http.StatusNotModified ||
				got.body != "" {
				t.Errorf("%s: with its tag %d", target, got.status)
			}
			if head := a.do("full", http.MethodHead, target, "Accept-Encoding: "+accept); head.status != http.StatusOK ||
				head.header.Get("Content-Length") != fmt.Sprint(len(got.body)) {
				t.Errorf("HEAD %s: %v", target, head.header)
			}
		}
		if len(tags) != 2 {
			t.Errorf("%s: %d tags", target, len(tags))
		}
	}
	if got := a.get("full", "/v3/geographies/"+servetest.NorthOld+"?include=geometry",
		"Accept-Encoding: gzip"); got.header.Get("Content-Encoding") != "" {
		t.Error("an answer with a small outline is compressed")
	}
}

// decoded is the body without its content coding: one stream of gzip, to its end.
func decoded(t *testing.T, got answer) string {
	t.Helper()
	if got.header.Get("Content-Encoding") == "" {
		return got.body
	}
	rest := strings.NewReader(got.body)
	r, err := gzip.NewReader(rest)
	must(t, err)
	r.Multistream(false)
	var body bytes.Buffer
	_, err = io.Copy(&body, r)
	must(t, err)
	if rest.Len() > 0 {
		t.Errorf("%d bytes after the stream", rest.Len())
	}
	return body.String()
}
