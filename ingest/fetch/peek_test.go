package fetch

import (
	"bytes"
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quartier/internal/testenv"
)

const emptyList = `{"features":[]}`

// peek is a Peek with options.
func peek(t *testing.T, o Options) *Peek {
	t.Helper()
	p, err := NewPeek(o)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestPeekKeepsAnswers(t *testing.T) {
	var asked []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.Host+r.URL.String()+" "+r.Header.Get("User-Agent"))
		w.Write([]byte(emptyList))
	}))
	defer server.Close()
	cache := t.TempDir()
	client := peek(t, Options{Mirror: server.URL + "/m/", Cache: cache, Agent: "quartier/1"})
	data, err := client.Get(t.Context(), "https://download.geofabrik.de/index-v1-nogeom.json", 100)
	if err != nil || string(data) != emptyList || len(asked) != 1 ||
		!strings.HasSuffix(asked[0], "/m/download.geofabrik.de/index-v1-nogeom.json quartier/1") {
		t.Fatalf("%q %v %q", data, err, asked)
	}
	offline := peek(t, Options{Cache: cache, Offline: true})
	data, err = offline.Get(t.Context(), "https://download.geofabrik.de/index-v1-nogeom.json", 100)
	if err != nil || string(data) != emptyList {
		t.Errorf("offline: %q %v", data, err)
	}
	if _, err = offline.Get(t.Context(), "https://download.geofabrik.de/other.json", 100); !errors.Is(err, ErrUnasked) {
		t.Errorf("offline without an answer: %v", err)
	}
	if _, _, err = offline.Has(t.Context(), "https://download.geofabrik.de/other.json"); !errors.Is(err, ErrUnasked) {
		t.Errorf("offline: %v", err)
	}
	if _, err = client.Get(t.Context(), "https://download.geofabrik.de/index-v1-nogeom.json", 3); !errors.Is(err, ErrNoFile) {
		t.Errorf("a file that is too large: %v", err)
	}
	folder := peek(t, Options{Mirror: filepath.Join(cache, "lists")})
	there, size, err := folder.Has(t.Context(), "https://download.geofabrik.de/index-v1-nogeom.json")
	if !there || size != int64(len(emptyList)) || err != nil {
		t.Errorf("a folder: %v %d %v", there, size, err)
	}
	if there, _, err := folder.Has(t.Context(), "https://download.geofabrik.de/no.json"); there || err != nil {
		t.Errorf("a folder without the file: %v %v", there, err)
	}
	for _, address := range []string{"ftp://h/x", "https:///x", "x"} {
		if _, _, err := folder.Has(t.Context(), address); err == nil {
			t.Errorf("%s is asked", address)
		}
	}
}

func TestPeekHas(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/h/range.zip":
			w.Header().Set("Content-Range", "bytes 0-511/123456")
			w.WriteHeader(http.StatusPartialContent)
			w.Write(bytes.Repeat([]byte("P"), 512))
		case "/h/whole.zip":
			w.Write([]byte("PK\x03\x04"))
		case "/h/page.zip":
			w.Write([]byte("\n<!DOCTYPE html><title>not here"))
		case "/h/empty.zip":
		case "/h/moved.zip":
			http.Redirect(w, r, "/page.zip", http.StatusFound)
		case "/h/loop.zip":
			http.Redirect(w, r, "/loop.zip", http.StatusFound)
		case "/h/busy.zip":
			w.WriteHeader(http.StatusTooManyRequests)
		default:
			http.NotFound(w, r)
		}
	}))
	defer server.Close()
	client := peek(t, Options{Mirror: server.URL})
	for name, want := range map[string]struct {
		there bool
		size  int64
		known bool
	}{
		"range.zip": {true, 123456, true}, "whole.zip": {true, 4, true}, "page.zip": {false, 0, true}, "empty.zip": {false, 0, true},
		"moved.zip": {false, 0, true}, "none.zip": {false, 0, true}, "loop.zip": {false, 0, false}, "busy.zip": {false, 0, false},
	} {
		there, size, err := client.Has(t.Context(), "https://h/"+name+"?key=s3cret")
		if there != want.there || size != want.size || (err == nil) != want.known {
			t.Errorf("%s: %v %d %v, want %+v", name, there, size, err, want)
		}
		if err != nil && strings.Contains(err.Error(), "s3cret") {
			t.Errorf("%s: the error has what gives access: %v", name, err)
		}
	}
	server.Close()
	if _, _, err := client.Has(t.Context(), "https://h/x"); err == nil || !strings.Contains(err.Error(), "does not answer") {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := client.Get(ctx, "https://h/x", 10); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// TestRefusals replays what publishers say instead of data: none of it is taken for a file.
func TestPeekRefusals(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(testenv.NeedData(t, "formats/refusals"), "*.http"))
	if err != nil || len(files) == 0 {
		t.Fatal(err)
	}
	for _, file := range files {
		answer, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		go func() {
			for {
				connection, err := listener.Accept()
				if err != nil {
					return
				}
				connection.Read(make([]byte, 4096))
				connection.Write(answer)
				connection.Close()
			}
		}()
		name := filepath.Base(file)
		client := peek(t, Options{Mirror: "http://" + listener.Addr().String()})
		there, _, err := client.Has(t.Context(), "https://h/file.zip")
		if there != strings.HasPrefix(name, "statcan-206") && name != "fhwa-200-empty.http" { // JSON without rows
			t.Errorf("%s: there %v, %v", name, there, err)
		}
		listener.Close()
	}
}
