package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"

	"quartier/internal/store"
	"quartier/internal/store/releases"
	"quartier/internal/testenv"
	"quartier/serve/account"
	"quartier/serve/servetest"
	"quartier/serve/state"
)

// TestStore follows a store that is empty at the start, and swaps releases while 50 requests a second are asked, none of which fails.
// Then the store is gone, and the server starts from its cache.
func TestStore(t *testing.T) {
	root := t.TempDir()
	address, dsn, cache := filepath.Join(root, "store"), "sqlite:"+filepath.Join(root, "state.sqlite"), filepath.Join(root, "cache")
	accounts, err := state.Open(dsn)
	must(t, err)
	defer accounts.Close()
	_, credentials, err := accounts.Create("somebody", account.Agreement{})
	must(t, err)
	environment := []string{"QUARTIER_RELEASES=file://" + address, "QUARTIER_CACHE=" + cache, "QUARTIER_ROLL=10ms",
		"AWS_SECRET_ACCESS_KEY=hush"}
	args := []string{"--state", dsn, "--addr", "127.0.0.1:0", "--access-log=false", "--drain", "0s"}
	out := start(t, environment, args...)
	base := out.base()
	if code := status(base+"/readyz", ""); code != http.StatusServiceUnavailable {
		t.Errorf("without a release: %d", code)
	}
	publish := func(generation int64, name string) {
		t.Helper()
		digest := publishIn(t, address, filepath.Join(root, "releases"), generation, name)
		testenv.Eventually(t, name+" is served", func() bool { return follows(base, name, digest) })
	}
	publish(1, "first")
	var token string
	testenv.Eventually(t, "the account is known", func() bool { token = grant(t, base, credentials); return token != "" })
	var asked, failed atomic.Int64
	stop := make(chan struct{})
	var callers sync.WaitGroup
	callers.Go(func() {
		for tick := time.NewTicker(20 * time.Millisecond); ; {
			select {
			case <-stop:
				return
			case <-tick.C:
				if asked.Add(1); status(base+"/v3/geographies?lat=45.2&lng=-72.8", token) != http.StatusOK {
					failed.Add(1)
				}
			}
		}
	})
	publish(2, "second")
	publish(3, "third")
	close(stop)
	callers.Wait()
	if asked.Load() == 0 || failed.Load() > 0 {
		t.Errorf("%d of %d requests failed", failed.Load(), asked.Load())
	}
	if metrics := body(base + "/metrics"); !strings.Contains(metrics, "quartier_store_behind 0") {
		t.Error(metrics)
	}
	if strings.Contains(out.String(), "hush") {
		t.Error(out)
	}
	must(t, out.Process.Kill())
	out.Wait()
	must(t, os.RemoveAll(address))
	base = start(t, environment, args...).base()
	testenv.Eventually(t, "the cache is served", func() bool { return strings.Contains(body(base+"/readyz"), `"release":"third"`) })
	testenv.Eventually(t, "the store is missed", func() bool { return strings.Contains(body(base+"/readyz"), `"status":"store away"`) })
	if code := status(base+"/readyz", ""); code != http.StatusOK {
		t.Errorf("%d", code)
	}
}

// publishIn writes a release in a folder of releases and publishes it in a store.
func publishIn(t *testing.T, address, folder string, generation int64, name string) (digest string) {
	t.Helper()
	_, err := servetest.Write(filepath.Join(folder, name), servetest.Release{Name: name})
	must(t, err)
	must(t, servetest.Publish(folder, generation, name))
	s, err := store.Open(t.Context(), address)
	must(t, err)
	digest, _, err = releases.Push(t.Context(), s, folder)
	must(t, err)
	_, version, err := releases.Current(t.Context(), s)
	must(t, err)
	_, err = releases.Publish(t.Context(), s, digest, version)
	must(t, err)
	return digest
}

// follows reports whether a server serves a release of a store and says so.
func follows(base, name, digest string) bool {
	ready := body(base + "/readyz")
	return strings.Contains(ready, `"release":"`+name+`"`) && strings.Contains(ready, `"store":{"status":"followed","served":"`+digest+`"`)
}

// TestBucket follows a bucket, which goes away. Nothing of its credentials is printed.
func TestBucket(t *testing.T) {
	memory := s3mem.New()
	must(t, memory.CreateBucket("releases"))
	bucket := httptest.NewServer(gofakes3.New(memory).Server())
	defer bucket.Close()
	for name, value := range map[string]string{"AWS_ENDPOINT_URL": bucket.URL, "AWS_ACCESS_KEY_ID": "theKeyId",
		"AWS_SECRET_ACCESS_KEY": "hush"} {
		t.Setenv(name, value) // of the server, too
	}
	root := t.TempDir()
	out := start(t, nil, "--releases", "s3://releases/a/b", "--cache", filepath.Join(root, "cache"), "--state",
		"sqlite:"+filepath.Join(root, "state.sqlite"), "--addr", "127.0.0.1:0")
	base := out.base()
	digest := publishIn(t, "s3://releases/a/b", filepath.Join(root, "releases"), 1, "first")
	testenv.Eventually(t, "it is served", func() bool { return follows(base, "first", digest) })
	bucket.CloseClientConnections()
	bucket.Close()
	testenv.Eventually(t, "it is missed", func() bool { return strings.Contains(body(base+"/readyz"), `"status":"store away"`) })
	if code := status(base+"/readyz", ""); code != http.StatusOK {
		t.Errorf("%d", code)
	}
	if text := out.String(); strings.Contains(text, "hush") || strings.Contains(text, "theKeyId") {
		t.Error(text)
	}
}

// TestStoreFlags has flags that do not fit each other; an address with credentials is not repeated.
func TestStoreFlags(t *testing.T) {
	dir := t.TempDir()
	dsn := "sqlite:" + filepath.Join(dir, "state.sqlite")
	for name, c := range map[string]struct {
		args []string
		want string
	}{
		"no cache":        {[]string{"--releases", "s3://bucket/prefix"}, "needs --cache"},
		"cache of folder": {[]string{"--releases", dir, "--cache", dir}, "--cache is for"},
		"no keep":         {[]string{"--releases", "file:///x", "--cache", dir, "--keep", "0"}, "--keep must be"},
		"credentials":     {[]string{"--releases", "s3://key:hush@bucket/prefix", "--cache", dir}, "are variables"},
		"another scheme":  {[]string{"--releases", "https://key:hush@host/x", "--cache", dir}, "s3://BUCKET/PREFIX"},
	} {
		out := start(t, nil, append(c.args, "--state", dsn, "--addr", "127.0.0.1:0")...)
		out.Wait()
		if text := out.String(); out.ProcessState.ExitCode() != exitUsage || !strings.Contains(text, c.want) || strings.Contains(text, "hush") {
			t.Errorf("%s: %d %s", name, out.ProcessState.ExitCode(), text)
		}
	}
}
