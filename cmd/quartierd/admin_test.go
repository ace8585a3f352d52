package main

import (
	"net/http"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"quartier/internal/testenv"
	"quartier/serve/servetest"
)

// TestAdmin starts the program with an address for operators and without: where there is one, metrics, profiles and the
// detail of readiness are there and nowhere else.
func TestAdmin(t *testing.T) {
	root := t.TempDir()
	m, err := servetest.Write(filepath.Join(root, "release"), servetest.Release{})
	must(t, err)
	for _, with := range []bool{true, false} {
		args := []string{"--release", filepath.Join(root, "release"), "--state", "sqlite:" + filepath.Join(root, "state.sqlite"), "--addr",
			"127.0.0.1:0", "--drain", "0s"}
		if with {
			args = append(args, "--admin", "127.0.0.1:0", "--admin-host", "metrics.example")
		}
		out := start(t, nil, args...)
		public, operators := out.addresses()
		testenv.Eventually(t, "ready", func() bool { return status(public+"/readyz", "") == http.StatusOK })
		if got, detailed := body(public+"/readyz"),
			body(operators+"/readyz"); with && (got != `{"status":"ready"}` || !strings.Contains(detailed, m.Digest)) ||
			!with && !strings.Contains(got, m.Digest) {
			t.Errorf("admin %v: %s at --addr, %s at --admin", with, got, detailed)
		}
		if got := body(public + "/healthz"); got != `{"status":"ok"}` {
			t.Errorf("admin %v: healthz: %s", with, got)
		}
		want := map[string]int{public + "/debug/pprof/": 404, public + "/metrics": 200, operators + "/metrics": 0}
		if with {
			want = map[string]int{
				public + "/debug/pprof/": 404, public + "/debug/pprof/heap": 404, public + "/metrics": 404, operators + "/metrics": 200,
				operators + "/":        200,
				operators + "/healthz": 200, operators + "/debug/pprof/": 200, operators + "/debug/pprof/heap": 200,
				operators + "/debug/pprof/profile?seconds=1": 200,
				operators + "/debug/pprof/cmdline":           404, operators + "/v3/geographies": 404, operators + "/x": 404,
			}
		}
		for url, want := range want {
			if got := status(url, ""); got != want {
				t.Errorf("admin %v: %s: %d, want %d", with, url, got, want)
			}
		}
		for host, want := range map[string]int{"localhost": 200, "metrics.example": 200, "rebound.example": 421, "10.9.8.7": 421} {
			if got := statusOf(t, operators, host); with && got != want {
				t.Errorf("Host %s at --admin: %d, want %d", host, got, want)
			}
		}
		for _, base := range []string{public, operators} {
			address := strings.TrimPrefix(base, "http://")
			if address == "" {
				continue
			}
			request := "GET /x HTTP/1.1\r\nHost: x\r\nCookie: " + strings.Repeat("x", 100_000) + "\r\n\r\n"
			if got := firstLine(t, address, request); got != "" && !strings.Contains(got, " 431 ") {
				t.Errorf("admin %v: headers of 100 kB to %s: %q", with, base, got)
			}
		}
		must(t, out.Process.Signal(syscall.SIGTERM))
		if err := out.Wait(); err != nil {
			t.Errorf("%v: %s", err, out)
		}
	}
}

// statusOf asks for the metrics at an address by another name; 0: it is not answered.
func statusOf(t *testing.T, base, host string) int {
	t.Helper()
	request, err := http.NewRequest(http.MethodGet, base+"/metrics", nil)
	must(t, err)
	request.Host = host
	got, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0
	}
	got.Body.Close()
	return got.StatusCode
}
