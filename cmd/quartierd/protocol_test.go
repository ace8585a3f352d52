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

// TestHTTP2 sends the preface of HTTP/2 and streams that are reset: the server speaks HTTP/1.1 alone, and closes the connection
// whatever follows.
func TestHTTP2(t *testing.T) {
	release := filepath.Join(t.TempDir(), "release")
	_, err := servetest.Write(release, servetest.Release{})
	must(t, err)
	cmd := start(t, nil, "--release", release, "--state", filepath.Join(t.TempDir(), "state.sqlite"), "--addr", "127.0.0.1:0",
		"--access-log=false", "--drain", "0s")
	defer cmd.Wait()
	defer cmd.Process.Signal(syscall.SIGTERM)
	base := cmd.base()
	testenv.Eventually(t, "ready", func() bool { return status(base+"/readyz", "") == http.StatusOK })
	const reset = "\x00\x00\x04\x03\x00\x00\x00\x00\x01\x00\x00\x00\x08"
	got := firstLine(t, strings.TrimPrefix(base, "http://"), "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"+strings.Repeat(reset, 1000))
	if got != "HTTP/1.1 404 Not Found" {
		t.Errorf("%q", got)
	}
	if got := status(base+"/openapi.json", ""); got != http.StatusOK {
		t.Errorf("HTTP/1.1 afterwards: %d", got)
	}
}

// TestProtocolFlags passes the flags of HTTP from the command line to the answers.
func TestProtocolFlags(t *testing.T) {
	release := filepath.Join(t.TempDir(), "release")
	_, err := servetest.Write(release, servetest.Release{})
	must(t, err)
	state := "sqlite:" + filepath.Join(t.TempDir(), "state.sqlite")
	cmd := start(t, nil, "--release", release, "--state", state, "--addr", "127.0.0.1:0", "--access-log=false", "--drain", "0s",
		"--cors-origin", "https://a.example", "--cors-origin", "https://b.example", "--server-timing", "--sunset", "2027-01-31")
	defer cmd.Wait()
	defer cmd.Process.Signal(syscall.SIGTERM)
	base := cmd.base()
	testenv.Eventually(t, "ready", func() bool { return status(base+"/readyz", "") == http.StatusOK })
	got := wholeAnswer(t, strings.TrimPrefix(base, "http://"),
		"OPTIONS /v3/scores HTTP/1.1\r\nHost: x\r\nConnection: close\r\nOrigin: https://b.example\r\nAccess-Control-Request-Method: GET\r\n\r\n")
	if !strings.HasPrefix(got, "HTTP/1.1 204") || !strings.Contains(got, "Access-Control-Allow-Origin: https://b.example\r\n") {
		t.Errorf("preflight: %s\n%s", got, cmd)
	}
	for _, bad := range [][]string{{"--cors-origin", "*"}, {"--sunset", "soon"}, {"--next-update", "2027-02-30"}} {
		cmd := start(t, nil, append([]string{"--release", release, "--state", state}, bad...)...)
		cmd.Wait()
		if code := cmd.ProcessState.ExitCode(); code != exitUsage || !strings.Contains(cmd.String(), bad[0]) ||
			!strings.Contains(cmd.String(), bad[1]) {
			t.Errorf("%v: exit code %d, %s", bad, code, cmd)
		}
	}
}
