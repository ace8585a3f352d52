package fetch

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// feed is a Web API with numbered records, 2 a page, of which record n changed in minute n.
type feed struct {
	*httptest.Server
	records  int
	seen     []string // queries, in their order
	tokens   []string
	override func(w http.ResponseWriter, r *http.Request) bool
	waits    []time.Duration // between the tries, by the clock of the calls, which stands still
}

// callsAt is when calls are made.
var callsAt = time.Date(2024, 5, 2, 12, 0, 0, 0, time.UTC)

func newFeed(t *testing.T, records int) *feed {
	f := &feed{records: records}
	f.Server = httptest.NewServer(http.HandlerFunc(f.answer))
	t.Cleanup(f.Close)
	return f
}

func stampOf(n int) string { return fmt.Sprintf("2024-05-02T10:%02d:00Z", n) }

func (f *feed) answer(w http.ResponseWriter, r *http.Request) {
	f.seen, f.tokens = append(f.seen, r.URL.RawQuery), append(f.tokens, r.Header.Get("Authorization"))
	if f.override != nil && f.override(w, r) {
		return
	}
	_, after, _ := strings.Cut(r.URL.Query().Get("$filter"), "ModificationTimestamp gt ")
	list := []map[string]string{}
	for n := 1; n <= f.records; n++ {
		if stampOf(n) > after {
			list = append(list, map[string]string{"ListingKey": fmt.Sprint(n), "ModificationTimestamp": stampOf(n)})
		}
	}
	var skip int
	fmt.Sscan(r.URL.Query().Get("$skip"), &skip)
	page := map[string]any{"value": list[min(skip, len(list)):min(skip+2, len(list))]}
	if skip+2 < len(list) {
		values := r.URL.Query()
		values.Set("$skip", fmt.Sprint(skip+2))
		page["@odata.nextLink"] = "/odata/Property?" + values.Encode() // relative to the server
	}
	json.NewEncoder(w).Encode(page)
}

// fetch calls without pauses.
func (f *feed) fetch(t *testing.T, folder string) (Fetched, error) {
	t.Helper()
	p := pager{standard}
	p.longest, p.now = 3*time.Second, func() time.Time { return callsAt }
	p.tries, p.pause = 3, func(int) time.Duration { return time.Millisecond }
	p.sleep = func(_ context.Context, d time.Duration) error {
		f.waits = append(f.waits, d)
		return nil
	}
	got, err := p.get(t.Context(), Query{URL: f.URL + "/odata/Property?$filter=City%20eq%20'Salem'", Token: "s3cret", Folder: folder}, nil)
	if err != nil && strings.Contains(err.Error(), "s3cret") {
		t.Errorf("the token is in the message: %v", err)
	}
	return got, err
}

// records are the keys in the pages of a folder, in their order.
func records(t *testing.T, folder string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "page-*.json"))
	if err != nil {
		t.Fatal(err)
	}
	var keys []string
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var page struct{ Value []struct{ ListingKey string } }
		if err := json.Unmarshal(data, &page); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		for _, r := range page.Value {
			keys = append(keys, r.ListingKey)
		}
	}
	return strings.Join(keys, " ")
}

// TestPages: all pages are followed; the next call asks for what changed since alone, and brings nothing twice.
func TestPages(t *testing.T) {
	f, folder := newFeed(t, 5), filepath.Join(t.TempDir(), "a", "b")
	got, err := f.fetch(t, folder)
	if err != nil || got.Pages != 3 || got.Records != 5 || records(t, folder) != "1 2 3 4 5" {
		t.Fatalf("%+v, %v, records %s", got, err, records(t, folder))
	}
	for _, token := range f.tokens {
		if token != "Bearer s3cret" {
			t.Errorf("token %q", token)
		}
	}
	f.records, f.seen = 6, nil
	if got, err = f.fetch(t, folder); err != nil || got.Records != 1 || got.Since != stampOf(5) || records(t, folder) != "1 2 3 4 5 6" {
		t.Errorf("%+v, %v, records %s", got, err, records(t, folder))
	}
	values, err := url.ParseQuery(f.seen[0])
	if err != nil || values.Get("$filter") != "(City eq 'Salem') and ModificationTimestamp gt "+stampOf(5) {
		t.Errorf("asked for %s", f.seen[0])
	}
	if got, err = f.fetch(t, folder); err != nil || got.Records != 0 || records(t, folder) != "1 2 3 4 5 6" {
		t.Errorf("nothing new: %+v, %v, records %s", got, err, records(t, folder))
	}
	entries, err := os.ReadDir(folder)
	if err != nil || len(entries) != 4+2 { // pages, state and lock; an answer without records is no page
		t.Errorf("%v, %v", entries, err)
	}
}

// TestPagesResume: an interrupted call keeps its pages, and the next one goes on with the page after them; where its link has
// expired, it asks for everything since the last complete call.
func TestPagesResume(t *testing.T) {
	f, folder := newFeed(t, 6), t.TempDir()
	stop := func(w http.ResponseWriter, r *http.Request) bool {
		if r.URL.Query().Get("$skip") != "4" {
			return false
		}
		http.Error(w, "", http.StatusServiceUnavailable)
		return true
	}
	f.override = stop
	if _, err := f.fetch(t, folder); err == nil || !strings.Contains(err.Error(), "page 3: failed after 3 tries: server returned 503") {
		t.Fatal(err)
	}
	if got := records(t, folder); got != "1 2 3 4" {
		t.Fatalf("records %s", got)
	}
	f.override, f.seen = nil, nil
	got, err := f.fetch(t, folder)
	if err != nil || !got.Resumed || got.Records != 2 || len(f.seen) != 1 || records(t, folder) != "1 2 3 4 5 6" {
		t.Errorf("%+v, %v, %d requests, records %s", got, err, len(f.seen), records(t, folder))
	}
	if got, err = f.fetch(t, folder); err != nil || got.Since != stampOf(6) || got.Records != 0 {
		t.Errorf("%+v, %v", got, err)
	}

	folder, f.override = t.TempDir(), stop
	if _, err := f.fetch(t, folder); err == nil {
		t.Fatal("no error")
	}
	expired := true
	f.override = func(w http.ResponseWriter, r *http.Request) bool {
		if expired && r.URL.Query().Get("$skip") == "4" {
			expired = false
			http.Error(w, "unknown token", http.StatusGone)
			return true
		}
		return false
	}
	if got, err = f.fetch(t, folder); err != nil || got.Resumed || got.Records != 6 || records(t, folder) != "1 2 3 4 1 2 3 4 5 6" {
		t.Errorf("expired link: %+v, %v, records %s", got, err, records(t, folder))
	}
}

// TestPagesRefused: links and answers that end a call, without a page of theirs.
func TestPagesRefused(t *testing.T) {
	elsewhere := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { t.Errorf("%s was asked", r.URL) }))
	defer elsewhere.Close()
	link := func(to string) string {
		return `{"value":[{"ListingKey":"1"}],"@odata.nextLink":"` + to + `"}`
	}
	for name, c := range map[string]struct {
		answer func(f *feed, r *http.Request) (int, string)
		want   error
		text   string
	}{
		"own link": {func(f *feed, r *http.Request) (int, string) { return 200, link(f.URL + r.URL.String()) }, ErrLoop,
			"page 1 leads to a page that was read"},
		"loop of two": {func(f *feed, r *http.Request) (int, string) {
			return 200, strings.Replace(link(f.URL+"/"+map[string]string{"/b": "a"}[r.URL.Path]), `"}],`, `","n":"`+r.URL.Path+`"}],`, 1)
		}, ErrLoop, ""},
		"same records": {func(f *feed, r *http.Request) (int, string) {
			return 200, link(fmt.Sprintf("%s/%d", f.URL, len(f.seen)))
		}, ErrLoop, "records of the page before"},
		"no records": {func(f *feed, r *http.Request) (int, string) {
			return 200, fmt.Sprintf(`{"value":[],"@odata.nextLink":"%s/%d"}`, f.URL, len(f.seen))
		}, ErrLoop, "without records"},
		"other host": {func(*feed, *http.Request) (int, string) { return 200, link(elsewhere.URL + "/odata") }, ErrOtherHost,
			elsewhere.Listener.Addr().String()},
		"other scheme": {func(f *feed, _ *http.Request) (int, string) {
			return 200, link("ftp" + strings.TrimPrefix(f.URL, "http"))
		}, ErrOtherHost, ""},
		"redirect": {func(*feed, *http.Request) (int, string) { return 302, elsewhere.URL }, ErrOtherHost, ""},
		"token":    {func(*feed, *http.Request) (int, string) { return 401, "" }, ErrRefused, "401 Unauthorized"},
		"query":    {func(*feed, *http.Request) (int, string) { return 400, "" }, nil, "server returned 400"},
		"broken page": {func(*feed, *http.Request) (int, string) { return 200, `{"value":[{"ListingKey":"1"}` }, nil,
			"failed after 3 tries: the page is not complete JSON"},
		"no value": {func(*feed, *http.Request) (int, string) { return 200, `{"error":{}}` }, nil, "no records (value)"},
		"html":     {func(*feed, *http.Request) (int, string) { return 200, `<html>` }, nil, "not complete JSON"},
	} {
		t.Run(name, func(t *testing.T) {
			f, folder := newFeed(t, 1), t.TempDir()
			f.override = func(w http.ResponseWriter, r *http.Request) bool {
				status, body := c.answer(f, r)
				if status == http.StatusFound {
					http.Redirect(w, r, body, status)
					return true
				}
				w.WriteHeader(status)
				fmt.Fprint(w, body)
				return true
			}
			_, err := f.fetch(t, folder)
			if err == nil || c.want != nil && !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.text) {
				t.Errorf("error %v, want %v %q", err, c.want, c.text)
			}
			if name == "broken page" && records(t, folder) != "" {
				t.Error("a broken page was written")
			}
		})
	}
}

// TestPagesPatience: 429 with Retry-After in seconds or as a date is waited for, a cut connection is tried again, a longer
// wait is an error.
func TestPagesPatience(t *testing.T) {
	f, folder := newFeed(t, 1), t.TempDir()
	var header string
	f.override = func(w http.ResponseWriter, _ *http.Request) bool {
		switch len(f.seen) {
		case 1:
			w.Header().Set("Retry-After", header)
			w.WriteHeader(http.StatusTooManyRequests)
			return true
		case 2:
			w.Header().Set("Content-Length", "1000")
			fmt.Fprint(w, `{"value":[`)
			return true
		}
		return false
	}
	for _, header = range []string{"2", callsAt.Add(2 * time.Second).Format(http.TimeFormat)} {
		f.seen, f.waits = nil, nil
		got, err := f.fetch(t, t.TempDir())
		if err != nil || got.Records != 1 || !slices.Equal(f.waits, []time.Duration{2 * time.Second, time.Millisecond}) {
			t.Errorf("Retry-After %s: %+v, %v after waits of %v", header, got, err, f.waits)
		}
	}
	header, f.seen = "7200", nil
	if _, err := f.fetch(t, folder); err == nil || !strings.Contains(err.Error(), "asks to wait for 2h0m0s") {
		t.Error(err)
	}
}

// TestPagesCancelled: a call ends with its context, and two calls do not share a folder.
func TestPagesCancelled(t *testing.T) {
	f, folder := newFeed(t, 1), t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	f.override = func(_ http.ResponseWriter, r *http.Request) bool {
		if _, err := f.fetch(t, folder); !errors.Is(err, ErrBusy) {
			t.Errorf("a second call: %v", err)
		}
		cancel()
		<-r.Context().Done() // an answer could arrive before the caller notices
		return true
	}
	if _, err := GetPages(ctx, Query{URL: f.URL, Folder: folder}, nil); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	for address, want := range map[string]string{"http://mls.example/odata": "https alone", "mls.example": "not an http or https address",
		"http://[::1": "not an address"} {
		if _, err := GetPages(t.Context(), Query{URL: address, Folder: folder, Token: "s3cret"}, nil); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", address, err)
		}
	}
}
