package s3

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"quartier/internal/store"
	"quartier/internal/store/storetest"
)

// faults is the way to a store that does something wrong.
type faults struct {
	mu       sync.Mutex
	requests []string // methods and, of ranges, where they begin
	status   int      // of the next answers
	times    int      // how many of them
	cutAfter int64    // bytes of a body after which it ends; 0: it does not
	flip     bool     // a byte of each body is another one
	lose     int      // answers to PUT that are lost, although the store did it
}

func (f *faults) RoundTrip(request *http.Request) (*http.Response, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.requests = append(f.requests, strings.TrimSuffix(request.Method+" "+request.Header.Get("Range"), " "))
	if f.times > 0 {
		f.times--
		if request.Body != nil {
			io.Copy(io.Discard, request.Body)
		}
		return &http.Response{StatusCode: f.status, Request: request, Header: http.Header{}, Body: http.NoBody}, nil
	}
	answer, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		return nil, err
	}
	if request.Method == http.MethodPut && f.lose > 0 {
		f.lose--
		answer.Body.Close()
		return nil, io.ErrUnexpectedEOF
	}
	if request.Method == http.MethodGet && answer.StatusCode < 300 {
		answer.Body = &faultyBody{ReadCloser: answer.Body, of: f, left: f.cutAfter}
	}
	return answer, nil
}

// faultyBody is the body of an answer.
type faultyBody struct {
	io.ReadCloser
	of   *faults
	left int64
}

func (b *faultyBody) Read(p []byte) (int, error) {
	if b.of.cutAfter == 0 {
		n, err := b.ReadCloser.Read(p)
		if n > 0 && b.of.flip {
			p[0] ^= 1
		}
		return n, err
	}
	if b.left == 0 {
		return 0, io.ErrUnexpectedEOF
	}
	n, err := b.ReadCloser.Read(p[:min(int64(len(p)), b.left)])
	b.left -= int64(n)
	return n, err
}

func TestCutBodiesGoOn(t *testing.T) {
	f := &faults{}
	b := openTest(t, serveFake(t), f)
	data := storetest.Bytes(1, 5<<20)
	o := storetest.Put(t, b, "", data)
	f.requests, f.cutAfter = nil, 2<<20
	got, err := storetest.Read(t, b, o.Name, 0, -1)
	if err != nil || !bytes.Equal(got, data) {
		t.Errorf("%d bytes, %v", len(got), err)
	}
	if want := "[HEAD GET bytes=0-5242879 GET bytes=2097152-5242879 GET bytes=4194304-5242879]"; fmt.Sprint(f.requests) != want {
		t.Errorf("asked %v, want %s", f.requests, want)
	}
	got, err = storetest.Read(t, b, o.Name, 100, 4<<20)
	if err != nil || !bytes.Equal(got, data[100:100+4<<20]) {
		t.Errorf("of a range: %d bytes, %v", len(got), err)
	}
}

// silent is a store that takes some requests and does not answer, or stops in the middle of its answer.
type silent struct {
	http.Handler
	times  atomic.Int32
	middle bool
}

func (s *silent) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if s.middle && r.Method != http.MethodGet || s.times.Add(-1) < 0 {
		s.Handler.ServeHTTP(w, r)
		return
	}
	if _, err := io.Copy(io.Discard, r.Body); err == nil && s.middle {
		answer := httptest.NewRecorder()
		s.Handler.ServeHTTP(answer, r)
		maps.Copy(w.Header(), answer.Header())
		w.WriteHeader(answer.Code)
		w.Write(answer.Body.Bytes()[:answer.Body.Len()/2])
		w.(http.Flusher).Flush()
	}
	<-r.Context().Done()
}

// TestSilenceEnds: whatever is asked is asked again when there is no answer, or no more of it.
func TestSilenceEnds(t *testing.T) {
	to, err := url.Parse(serveFake(t))
	if err != nil {
		t.Fatal(err)
	}
	s := &silent{Handler: httputil.NewSingleHostReverseProxy(to)}
	server := httptest.NewServer(s)
	defer server.Close()
	b := openTest(t, server.URL, transport(100*time.Millisecond))
	small, large := storetest.Bytes(1, 1000), storetest.Bytes(2, 6<<20)
	read := func(data []byte) error {
		got, err := storetest.Read(t, b, storetest.Of("", data).Name, 0, -1)
		if err == nil && !bytes.Equal(got, data) {
			t.Errorf("%d other bytes", len(got))
		}
		return err
	}
	for _, c := range []struct {
		what   string
		middle bool
		do     func() error
	}{
		{"put", false, func() error { return b.Put(t.Context(), storetest.Of("", small), bytes.NewReader(small)) }},
		{"put parts", false, func() error { return b.Put(t.Context(), storetest.Of("", large), bytes.NewReader(large)) }},
		{"stat", false, func() error { return read(small) }},
		{"open", true, func() error { return read(large) }},
		{"swap", false, func() error { _, err := b.Swap(t.Context(), "current.json", "", small); return err }},
		{"read", false, func() error { _, _, err := b.Read(t.Context(), "current.json"); return err }},
		{"half a pointer", true, func() error { _, _, err := b.Read(t.Context(), "current.json"); return err }},
		{"list", false, func() error { storetest.Names(t, b, ""); return nil }},
		{"delete", false, func() error { return b.Delete(t.Context(), "current.json") }},
	} {
		s.middle = c.middle
		s.times.Store(1)
		if err := c.do(); err != nil || s.times.Load() >= 0 {
			t.Errorf("%s: %v, %d", c.what, err, s.times.Load())
		}
	}
}

func TestCutsHaveAnEnd(t *testing.T) {
	f := &faults{}
	b := openTest(t, serveFake(t), f)
	o := storetest.Put(t, b, "", storetest.Bytes(1, 1<<20))
	f.requests, f.cutAfter = nil, 10
	if got, err := storetest.Read(t, b, o.Name, 0, -1); !errors.Is(err, io.ErrUnexpectedEOF) || len(got) != 10*tries {
		t.Errorf("%d bytes, %v", len(got), err)
	}
	if len(f.requests) != 1+tries {
		t.Errorf("asked %d times", len(f.requests))
	}
	ctx, cancel := context.WithCancel(t.Context())
	from, err := b.Open(ctx, o.Name, 0, -1)
	if err != nil {
		t.Fatal(err)
	}
	defer from.Close()
	cancel()
	if _, err := io.ReadAll(from); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
}

// TestObjectThatChanged: what is there by now of an object that is no blob is not gone on with.
func TestObjectThatChanged(t *testing.T) {
	f := &faults{}
	b := openTest(t, serveFake(t), f)
	storetest.Put(t, b, "x", storetest.Bytes(1, 1<<20))
	f.cutAfter = 1000
	from, err := b.Open(t.Context(), "x", 0, -1)
	if err != nil {
		t.Fatal(err)
	}
	defer from.Close()
	if _, err := io.ReadFull(from, make([]byte, 500)); err != nil {
		t.Fatal(err)
	}
	if err := b.Delete(t.Context(), "x"); err != nil {
		t.Fatal(err)
	}
	storetest.Put(t, b, "x", storetest.Bytes(2, 1<<20))
	if got, err := io.ReadAll(from); err == nil || len(got) != 500 {
		t.Errorf("%d bytes of two objects, %v", len(got), err)
	}
}

func TestOtherBytes(t *testing.T) {
	f := &faults{}
	b := openTest(t, serveFake(t), f)
	o := storetest.Put(t, b, "", storetest.Bytes(1, 1<<20))
	f.flip = true
	if _, err := storetest.Read(t, b, o.Name, 0, -1); !errors.Is(err, store.ErrDigest) {
		t.Errorf("%v", err)
	}
}

func TestBusyStore(t *testing.T) {
	f := &faults{}
	b := openTest(t, serveFake(t), f)
	busy := func() { f.times, f.status, f.requests = 3, http.StatusServiceUnavailable, nil }
	for _, n := range []int{100, 6 << 20} {
		busy()
		data := storetest.Bytes(1, n)
		o := storetest.Put(t, b, "", data)
		busy()
		if got, err := storetest.Read(t, b, o.Name, 0, -1); err != nil || !bytes.Equal(got, data) {
			t.Errorf("read %d bytes: %v", n, err)
		}
		busy()
		if _, err := b.Stat(t.Context(), o.Name); err != nil || len(f.requests) != 4 {
			t.Errorf("stat: %v, %v", err, f.requests)
		}
	}
	busy()
	if names := storetest.Names(t, b, ""); len(names) != 2 {
		t.Errorf("list: %q", names)
	}
	f.status, f.times, f.requests = http.StatusConflict, 2, nil // of a request beside this one
	if _, err := b.Swap(t.Context(), "current.json", "", []byte("1")); err != nil || len(f.requests) != 3 {
		t.Errorf("swap: %v, %v", err, f.requests)
	}
	f.status, f.times, f.requests = http.StatusServiceUnavailable, 1<<30, nil
	if _, err := b.Stat(t.Context(), "x"); err == nil || errors.Is(err, store.ErrNotFound) || len(f.requests) != tries {
		t.Errorf("for good: %v, asked %d times", err, len(f.requests))
	}
}

// TestLostAnswers: what was done although its answer was lost is done once.
func TestLostAnswers(t *testing.T) {
	f := &faults{lose: 1}
	b := openTest(t, serveFake(t), f)
	version, err := b.Swap(t.Context(), "current.json", "", []byte("1"))
	if err != nil {
		t.Fatal(err)
	}
	if value, at, err := b.Read(t.Context(), "current.json"); err != nil || string(value) != "1" || at != version {
		t.Errorf("%s %s %v, want %s", value, at, err, version)
	}
	f.lose = 1
	data := storetest.Bytes(1, 1000)
	if err := b.Put(t.Context(), storetest.Of("steps/a.json", data), bytes.NewReader(data)); !errors.Is(err, store.ErrExists) {
		t.Errorf("put: %v", err)
	}
}

// TestSecretsAreNotSaid: no address and no error has what variables say.
func TestSecretsAreNotSaid(t *testing.T) {
	for name, value := range map[string]string{
		"AWS_ENDPOINT_URL": "http://user:theSecret@127.0.0.1:1", "AWS_ENDPOINT_URL_S3": "theSecret", "AWS_ACCESS_KEY_ID": "",
		"AWS_SECRET_ACCESS_KEY": "",
	} {
		_, err := open(store.Address{Bucket: "releases"}, func(variable string) string {
			if variable == name {
				return value
			}
			return variables("http://127.0.0.1:1")(variable)
		}, nil)
		if !errors.Is(err, store.ErrAddress) || strings.Contains(err.Error(), "theSecret") || strings.Contains(err.Error(), "theKey") {
			t.Errorf("%s: %v", name, err)
		}
	}
	f := &faults{status: http.StatusForbidden, times: 1 << 30}
	b := openTest(t, serveFake(t), f)
	_, stat := b.Stat(t.Context(), "a")
	_, _, read := b.Read(t.Context(), "a")
	_, swap := b.Swap(t.Context(), "a", "", nil)
	f.times = 0
	closed := openTest(t, "http://127.0.0.1:1", nil)
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	_, away := closed.Stat(ctx, "a")
	for _, err := range []error{stat, read, swap, away} {
		if text := fmt.Sprintf("%v %+v %s", err, err, b); err == nil || strings.Contains(text, "theSecret") || strings.Contains(text, "theKey") {
			t.Error(text)
		}
	}
	if b.String() != "s3://releases/a/b" {
		t.Error(b)
	}
}

func TestNoBucket(t *testing.T) {
	b := openTest(t, serveFake(t), nil)
	b.at.Bucket = "another"
	if _, _, err := b.Read(t.Context(), "a"); err == nil || errors.Is(err, store.ErrNotFound) {
		t.Errorf("an object of no bucket: %v", err)
	}
}
