package client_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"quartier/client"
	"quartier/internal/testenv"
	"quartier/serve"
	"quartier/serve/account"
	"quartier/serve/release"
	"quartier/serve/servetest"
	"quartier/serve/state"
	"quartier/serve/token"
)

// TestGoClientIsCurrent generates the Go client again and compares it with the one in the repository.
func TestGoClientIsCurrent(t *testing.T) {
	for _, part := range []string{"types", "client"} {
		name := part + ".gen.go"
		generated := filepath.Join(t.TempDir(), name)
		run(t, "go", "tool", "oapi-codegen", "-config", "oapi-codegen.yaml", "-generate", part, "-o", generated, "openapi.json")
		got, err := os.ReadFile(generated)
		if err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s is not what openapi.json gives; run make client", name)
		}
	}
}

// TestTypeScriptClient generates the types, compiles the client, its example, and what must not compile, and runs the
// example.
func TestTypeScriptClient(t *testing.T) {
	needPackages(t)
	run(t, "npm", "run", "build")
	s := startServer(t)
	t.Setenv("QUARTIER_SERVER", s.url)
	t.Setenv("QUARTIER_CLIENT_ID", s.made.ClientID)
	t.Setenv("QUARTIER_CLIENT_SECRET", s.made.ClientSecret)
	out := run(t, "npm", "run", "--silent", "example", "--", fmt.Sprint(servetest.NorthLat), fmt.Sprint(servetest.Lng))
	for _, want := range []string{"cafes: ", "quiet: ", " m: "} {
		if !strings.Contains(out, want) {
			t.Errorf("the example prints %q, which has no %q", out, want)
		}
	}
	if n := s.grants.Load(); n != 1 {
		t.Errorf("%d tokens for two requests", n)
	}
}

// TestDocumentLints checks the document by the rules that Redocly recommends: neither errors nor warnings.
func TestDocumentLints(t *testing.T) {
	needPackages(t)
	out, err := exec.Command("npm", "run", "--silent", "lint", "--", "--format=json").Output()
	var report struct {
		Totals struct{ Errors, Warnings, Ignored *int }
	}
	if json.Unmarshal(out, &report) != nil || report.Totals.Errors == nil || report.Totals.Warnings == nil || report.Totals.Ignored == nil {
		t.Fatalf("redocly lint: %v\n%s", err, out)
	}
	if *report.Totals.Errors+*report.Totals.Warnings+*report.Totals.Ignored > 0 {
		t.Errorf("redocly lint: %s", out)
	}
}

// needPackages skips the test where the packages of package-lock.json are not installed.
func needPackages(t *testing.T) {
	t.Helper()
	testenv.NeedProgram(t, "npm")
	if _, err := os.Stat(filepath.Join("node_modules", ".bin", "redocly")); err != nil {
		testenv.NotInstalled(t, "a package of client/package-lock.json (npm ci)")
	}
}

func run(t *testing.T, name string, args ...string) string {
	t.Helper()
	out, err := exec.Command(name, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s %v: %v\n%s", name, args, err, out)
	}
	return string(out)
}

// server is a server of the release of servetest.
type server struct {
	url    string
	made   account.Credentials
	grants atomic.Int64 // token requests
}

func startServer(t *testing.T) *server {
	t.Helper()
	dir, log := t.TempDir(), slog.New(slog.DiscardHandler)
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	_, err := servetest.Write(filepath.Join(dir, "release"), servetest.Release{})
	must(err)
	releases, err := release.NewHolder(filepath.Join(dir, "release"), log)
	must(err)
	t.Cleanup(func() { releases.Close() })
	store, err := state.Open(filepath.Join(dir, "state.sqlite"))
	must(err)
	t.Cleanup(func() { store.Close() })
	s := new(server)
	_, s.made, err = store.Create("Acme", account.Agreement{CustomGeographies: true})
	must(err)
	live, err := account.Follow(t.Context(), store, log)
	must(err)
	authority, err := token.NewAuthority(live, time.Hour, time.Now)
	must(err)
	api, err := serve.New(serve.Options{Releases: releases, Authority: authority, State: store})
	must(err)
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/oauth/token" {
			s.grants.Add(1)
		}
		api.ServeHTTP(w, r)
	}))
	t.Cleanup(web.Close)
	s.url = web.URL
	return s
}

// TestConnect checks that a client gets a token once and sends it with every request, and that lists arrive.
func TestConnect(t *testing.T) {
	s := startServer(t)
	if _, err := client.Connect(t.Context(), s.url, s.made.ClientID, "wrong"); err == nil || !strings.Contains(err.Error(), "401") {
		t.Errorf("a wrong secret gives %v", err)
	}
	s.grants.Store(0)
	c, err := client.Connect(t.Context(), s.url, s.made.ClientID, s.made.ClientSecret)
	if err != nil {
		t.Fatal(err)
	}
	lat, lng := servetest.NorthLat, servetest.Lng
	for range 2 {
		answer, err := c.GetScores(t.Context(), &client.GetScoresParams{
			Lat: &lat, Lng: &lng, GeographyLevels: []client.GetScoresParamsGeographyLevels{"10", "30"},
			Include: []client.Score{client.ScoreCafes, client.ScoreQuiet},
		})
		if err != nil || answer.OK == nil {
			t.Fatalf("%+v, %v", answer, err)
		}
		if data := answer.OK.Data; len(data.Location) != 2 || data.Location["cafes"].Value == "" || len(data.Geographies) != 2 {
			t.Errorf("%+v", data)
		}
	}
	lat = 91
	if answer, err := c.GetScores(t.Context(), &client.GetScoresParams{Lat: &lat, Lng: &lng}); err != nil || answer.InvalidData == nil {
		t.Errorf("a latitude of 91 gives %+v, %v", answer, err)
	}
	if n := s.grants.Load(); n != 1 {
		t.Errorf("%d tokens for three requests", n)
	}
}

// TestRequests checks what the parameters of operations become: lists, times, numbers, headers, paths and bodies.
func TestRequests(t *testing.T) {
	var got string
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got = fmt.Sprint(r.Method, " ", r.RequestURI, " ", r.Header.Get("If-None-Match"), r.Header.Get("Idempotency-Key"),
			r.Header.Get("X-Call"), " ",
			r.Header.Get("Content-Type"), " ", string(body))
		w.WriteHeader(http.StatusNotModified)
	}))
	defer web.Close()
	c, err := client.New(web.URL+"/base", client.WithHTTPClient(web.Client()),
		client.WithRequestEditor(func(_ context.Context, r *http.Request) error {
			r.Header.Set("X-Call", "of all;")
			return nil
		}))
	if err != nil {
		t.Fatal(err)
	}
	lat, key, since := -0.00001, `"a"`, time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	one := func(_ context.Context, r *http.Request) error {
		r.Header.Add("If-None-Match", "of one")
		return nil
	}
	for _, test := range []struct {
		want string
		call func() (*http.Response, error)
	}{
		{`GET /base/v3/scores?lat=-0.00001&include=cafes,quiet "a"of all;  `, func() (*http.Response, error) {
			a, err := c.GetScores(t.Context(), &client.GetScoresParams{Lat: &lat, Include: []client.Score{client.ScoreCafes, client.ScoreQuiet},
				IfNoneMatch: &key})
			return a.HTTPResponse, err
		}},
		{"GET /base/v3/data?include=&lat=100&lng=0 of all;  ", func() (*http.Response, error) {
			a, err := c.GetSnapshot(t.Context(), &client.GetSnapshotParams{Lat: 100})
			return a.HTTPResponse, err
		}},
		{"GET /base/v3/geographies/a%2Fb%20c of oneof all;  ", func() (*http.Response, error) {
			a, err := c.GetGeography(t.Context(), "a/b c", nil, one)
			return a.HTTPResponse, err
		}},
		{"GET /base/v3/geographies/custom?updated_since=2026-01-02T03%3A04%3A05Z of all;  ", func() (*http.Response, error) {
			a, err := c.ListCustomGeographies(t.Context(), &client.ListCustomGeographiesParams{UpdatedSince: &since})
			return a.HTTPResponse, err
		}},
		{`POST /base/oauth/token of all; application/json {"client_id":"i","client_secret":"s"}`, func() (*http.Response, error) {
			a, err := c.CreateToken(t.Context(), client.TokenRequest{ClientID: "i", ClientSecret: "s"})
			return a.HTTPResponse, err
		}},
	} {
		answer, err := test.call()
		if err != nil || answer.StatusCode != http.StatusNotModified {
			t.Fatal(answer, err)
		}
		if got != test.want {
			t.Errorf("sent %s\nwant %s", got, test.want)
		}
	}
}

// TestAnswersByStatus answers every status of the document: what arrives is of the type that the document has for it.
func TestAnswersByStatus(t *testing.T) {
	var document struct {
		Paths map[string]map[string]struct {
			OperationID string
			Responses   map[string]struct {
				Content map[string]struct {
					Schema struct {
						Ref string `json:"$ref"`
					}
				}
			}
		}
	}
	text, err := os.ReadFile("openapi.json")
	if err == nil {
		err = json.Unmarshal(text, &document)
	}
	if err != nil {
		t.Fatal(err)
	}
	var status int
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		w.Write([]byte("{}"))
	}))
	defer web.Close()
	c, err := client.New(web.URL)
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for path, operations := range document.Paths {
		for method, operation := range operations {
			for code, response := range operation.Responses {
				content, ok := response.Content["application/json"]
				if !ok {
					continue
				}
				if status, err = strconv.Atoi(code); err != nil {
					t.Fatal(err)
				}
				name := strings.ToUpper(operation.OperationID[:1]) + operation.OperationID[1:]
				answer := callByName(t, c, name)
				want := strings.TrimPrefix(content.Schema.Ref, "#/components/schemas/")
				if ok := answer.FieldByName("OK"); status < 300 || ok.Type().Elem().Name() == want {
					want = "OK"
				}
				if field := answer.FieldByName(want); !field.IsValid() || field.IsNil() {
					t.Errorf("%s %s: no %s with %d", method, path, want, status)
				}
				seen++
			}
		}
	}
	if seen < 200 {
		t.Errorf("the document has %d answers", seen)
	}
}

// callByName calls the method of an operation with zero values.
func callByName(t *testing.T, c *client.Client, name string) reflect.Value {
	t.Helper()
	method := reflect.ValueOf(c).MethodByName(name)
	if !method.IsValid() {
		t.Fatalf("no method %s", name)
	}
	args := []reflect.Value{reflect.ValueOf(t.Context())}
	for i := 1; i < method.Type().NumIn()-1; i++ {
		args = append(args, reflect.Zero(method.Type().In(i)))
	}
	out := method.Call(args)
	if err, failed := out[1].Interface().(error); failed {
		t.Fatalf("%s: %v", name, err)
	}
	return out[0].Elem()
}
