package main

import (
	"bufio"
	"encoding/binary"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"quartier/internal/testenv"
	"quartier/serve/servetest"
)

// overHTTP2 is a client that speaks HTTP/2 without TLS and nothing else.
func overHTTP2(t *testing.T) *http.Client {
	t.Helper()
	transport := &http.Transport{Protocols: new(http.Protocols)}
	transport.Protocols.SetUnencryptedHTTP2(true)
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport, Timeout: time.Minute}
}

// TestHTTP2 speaks HTTP/2 without TLS with a server that takes it and one that does not, and HTTP/1.1 with both.
func TestHTTP2(t *testing.T) {
	release := filepath.Join(t.TempDir(), "release")
	_, err := servetest.Write(release, servetest.Release{})
	must(t, err)
	for flag, taken := range map[string]bool{"--h2c=false": false, "--h2c": true} {
		cmd := start(t, nil, "--release", release, "--state", filepath.Join(t.TempDir(), "state.sqlite"), "--addr", "127.0.0.1:0", "--access-log=false", "--drain", "0s", flag)
		base := cmd.base()
		testenv.Eventually(t, "ready", func() bool { return status(base+"/readyz", "") == http.StatusOK })
		response, err := overHTTP2(t).Get(base + "/openapi.json")
		if (err == nil) != taken {
			t.Errorf("%s: %v", flag, err)
		}
		if err == nil {
			_, err = io.Copy(io.Discard, response.Body)
			must(t, err)
			response.Body.Close()
			if response.ProtoMajor != 2 || response.StatusCode != http.StatusOK {
				t.Errorf("%s: %s %d", flag, response.Proto, response.StatusCode)
			}
		}
		must(t, cmd.Process.Signal(syscall.SIGTERM))
		if err := cmd.Wait(); err != nil {
			t.Errorf("%v: %s", err, cmd)
		}
	}
}

// TestRequestsThatAreGivenUp opens ten thousand streams on a connection and resets each at once, while no answer can be finished:
// no more of them run at once than streams may be open, the connection is closed, and another one is answered.
func TestRequestsThatAreGivenUp(t *testing.T) {
	var running, most atomic.Int64
	finish := make(chan struct{})
	web := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/slow" {
			return
		}
		n := running.Add(1)
		defer running.Add(-1)
		for was := most.Load(); n > was && !most.CompareAndSwap(was, n); was = most.Load() {
		}
		<-finish
	}))
	protocolConfig{H2C: true}.configure(web.Config)
	web.Start()
	defer web.Close()
	defer close(finish)

	conn, err := net.Dial("tcp", web.Listener.Addr().String())
	must(t, err)
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(time.Minute))
	closed := make(chan struct{})
	go func() {
		io.Copy(io.Discard, conn) // until the server closes it
		close(closed)
	}()
	out := bufio.NewWriter(conn)
	io.WriteString(out, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
	writeFrame(out, frameSettings, 0, 0, nil)
	const endOfAll = 0x1 | 0x4 // END_STREAM, END_HEADERS
	// :method GET, :scheme http (of the static table), :path /slow, :authority x
	block := "\x82\x86\x04\x05/slow\x01\x01x"
	for stream := uint32(1); stream < 20_000; stream += 2 {
		writeFrame(out, frameHeaders, endOfAll, stream, []byte(block))
		if writeFrame(out, frameReset, 0, stream, binary.BigEndian.AppendUint32(nil, 8)) != nil {
			break // closed already
		}
	}
	out.Flush()
	<-closed
	if n := most.Load(); n == 0 || n > maxStreams {
		t.Errorf("%d requests ran at once, at most %d may", n, maxStreams)
	}
	response, err := overHTTP2(t).Get(web.URL + "/")
	must(t, err)
	response.Body.Close()
}

// Types of frames, RFC 9113.
const (
	frameHeaders  = 1
	frameReset    = 3
	frameSettings = 4
)

func writeFrame(w io.Writer, kind, flags byte, stream uint32, payload []byte) error {
	head := append(binary.BigEndian.AppendUint32(nil, uint32(len(payload)))[1:], kind, flags)
	_, err := w.Write(append(binary.BigEndian.AppendUint32(head, stream), payload...))
	return err
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
	got := wholeAnswer(t, strings.TrimPrefix(base, "http://"), "OPTIONS /v3/scores HTTP/1.1\r\nHost: x\r\nConnection: close\r\nOrigin: https://b.example\r\nAccess-Control-Request-Method: GET\r\n\r\n")
	if !strings.HasPrefix(got, "HTTP/1.1 204") || !strings.Contains(got, "Access-Control-Allow-Origin: https://b.example\r\n") {
		t.Errorf("preflight: %s\n%s", got, cmd)
	}
	for _, bad := range [][]string{{"--cors-origin", "*"}, {"--sunset", "soon"}} {
		cmd := start(t, nil, append([]string{"--release", release, "--state", state}, bad...)...)
		cmd.Wait()
		if code := cmd.ProcessState.ExitCode(); code != exitUsage || !strings.Contains(cmd.String(), bad[0]) || !strings.Contains(cmd.String(), bad[1]) {
			t.Errorf("%v: exit code %d, %s", bad, code, cmd)
		}
	}
}
