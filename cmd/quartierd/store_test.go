package main

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

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
		_, err := servetest.Write(filepath.Join(root, "releases", name), servetest.Release{Name: name})
		must(t, err)
		must(t, servetest.Publish(filepath.Join(root, "releases"), generation, name))
		s, err := store.Open(t.Context(), address)
		must(t, err)
		digest, _, err := releases.Push(t.Context(), s, filepath.Join(root, "releases"))
		must(t, err)
		_, version, err := releases.Current(t.Context(), s)
		must(t, err)
		_, err = releases.Publish(t.Context(), s, digest, version)
		must(t, err)
		testenv.Eventually(t, name+" is served", func() bool {
			ready := body(base + "/readyz")
			return strings.Contains(ready, `"release":"`+name+`"`) && strings.Contains(ready, `"store":{"status":"followed","served":"`+digest+`"`)
		})
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
