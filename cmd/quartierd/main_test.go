package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"quartier/internal/testenv"
	"quartier/schemas"
	"quartier/serve/account"
	"quartier/serve/servetest"
	"quartier/serve/state"
)

// TestMain lets the test binary act as the program, so that signals and exit codes are real.
func TestMain(m *testing.M) {
	if os.Getenv("QUARTIERD_TEST_RUN") != "" {
		if what := os.Getenv(mountEnv); what != "" {
			if err := changeDisk(what); err != nil {
				panic(err)
			}
		}
		main()
	}
	code := m.Run()
	postgres.Stop()
	redis.Stop()
	os.Exit(code)
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// program is quartierd as a process.
type program struct {
	*exec.Cmd
	t      *testing.T
	output string // path of its output
}

// start starts quartierd; what is left of it is killed after the test.
func start(t *testing.T, environment []string, args ...string) *program {
	t.Helper()
	return startProgram(t, os.Args[0], environment, args...)
}

// startProgram is start for a program at a path, which may be an earlier quartierd.
func startProgram(t *testing.T, path string, environment []string, args ...string) *program {
	t.Helper()
	p := &program{exec.Command(path, args...), t, filepath.Join(t.TempDir(), "output")}
	p.Env = append(append(os.Environ(), "QUARTIERD_TEST_RUN=1"), environment...)
	file, err := os.Create(p.output)
	must(t, err)
	defer file.Close()
	p.Stdout, p.Stderr = file, file
	if slices.ContainsFunc(environment, func(v string) bool { return strings.HasPrefix(v, mountEnv+"=") }) {
		p.SysProcAttr = &syscall.SysProcAttr{Unshareflags: syscall.CLONE_NEWNS}
	}
	must(t, p.Start())
	t.Cleanup(func() {
		p.Process.Kill()
		p.Wait()
	})
	return p
}

// String is what the program has written so far.
func (p *program) String() string {
	data, err := os.ReadFile(p.output)
	must(p.t, err)
	return string(data)
}

// base waits until the program listens on the port that it was given, and returns its address.
func (p *program) base() string {
	p.t.Helper()
	public, _ := p.addresses()
	return public
}

// addresses are base and, where it has one, the address for operators.
func (p *program) addresses() (public, operators string) {
	p.t.Helper()
	var line struct{ Addr, Admin string }
	testenv.Eventually(p.t, "the server listens", func() bool {
		for text := range strings.Lines(p.String()) {
			if strings.Contains(text, `"msg":"serving`) && strings.HasSuffix(text, "\n") {
				must(p.t, json.Unmarshal([]byte(text), &line))
			}
		}
		return line.Addr != "" || p.ended()
	})
	if line.Addr == "" {
		p.t.Fatalf("quartierd ended: %s", p)
	}
	return "http://" + line.Addr, "http://" + line.Admin
}

// ended reports whether the process has ended.
func (p *program) ended() bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.Process.Pid))
	return err == nil && strings.Contains(string(stat), ") Z ")
}

func TestExitCodes(t *testing.T) {
	root := t.TempDir()
	release, state := filepath.Join(root, "release"), "sqlite:"+filepath.Join(root, "state.sqlite")
	_, err := servetest.Write(release, servetest.Release{})
	must(t, err)
	releases := filepath.Join(root, "releases")
	must(t, os.Mkdir(releases, 0o755))
	must(t, os.WriteFile(filepath.Join(releases, "current.json"), nil, 0o644))
	older := filepath.Join(root, "older")
	_, err = servetest.Write(filepath.Join(older, "2024-01-01"), servetest.Release{})
	must(t, err)
	must(t, servetest.Publish(older, 1, "2024-01-01"))
	manifest := filepath.Join(older, "2024-01-01", "manifest.json")
	text, err := os.ReadFile(manifest)
	must(t, err)
	unserved := schemas.ServedFrom - 1
	text = bytes.Replace(text, fmt.Appendf(nil, `"schema": %d`, schemas.ManifestSchema), fmt.Appendf(nil, `"schema": %d`, unserved), 1)
	must(t, os.WriteFile(manifest, text, 0o644))
	withAccount := "sqlite:" + filepath.Join(root, "account.sqlite")
	makeAccount(t, withAccount)
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	defer taken.Close()
	for name, c := range map[string]struct {
		args    []string
		code    int
		message string
	}{
		"no flags":        {nil, exitUsage, "release"},
		"two releases":    {[]string{"--release", release, "--releases", releases, "--state", state}, exitUsage, "either --releases"},
		"release of many": {[]string{"--release", releases, "--state", state}, exitRelease, "serve it with --releases"},
		"releases of one": {[]string{"--releases", release, "--state", state}, exitRelease, "serve it with --release"},
		"no folder":       {[]string{"--releases", filepath.Join(root, "none"), "--state", state}, exitRelease, "none"},
		"another layout": {[]string{"--releases", older, "--state", state}, exitRelease,
			fmt.Sprintf("schema %d, this program reads %d to %d", unserved, schemas.ServedFrom, schemas.ManifestSchema)},
		"a file":           {[]string{"--releases", filepath.Join(releases, "current.json"), "--state", state}, exitRelease, "not a folder"},
		"unknown flag":     {[]string{"--relaese", release}, exitUsage, "relaese"},
		"extra argument":   {[]string{"--release", release, "--state", state, "x"}, exitUsage, "x"},
		"bad number":       {[]string{"--release", release, "--state", state, "--in-flight", "0"}, exitUsage, "in-flight"},
		"bad limits":       {[]string{"--release", release, "--state", state, "--limits", "u:hush@h"}, exitUsage, "--limits: not a URL"},
		"no servers":       {[]string{"--release", release, "--state", state, "--servers", "0"}, exitUsage, "--servers"},
		"bad network":      {[]string{"--release", release, "--state", state, "--trusted-proxy", "10.0.0.1"}, exitUsage, "trusted-proxy"},
		"token lifetime":   {[]string{"--release", release, "--state", state, "--token-lifetime", "24h"}, exitUsage, "24 h"},
		"no release":       {[]string{"--release", filepath.Join(root, "none"), "--state", state}, exitRelease, "none"},
		"bad DSN":          {[]string{"--release", release, "--state", "mysql://u:hush@h/d"}, exitState, "mysql"},
		"state in no file": {[]string{"--release", release, "--state", "sqlite:/dev/null/x"}, exitState, "state"},
		"address in use":   {[]string{"--release", release, "--state", state, "--addr", taken.Addr().String()}, exitAddress, "in use"},
		"admin in use": {[]string{"--release", release, "--state", state, "--addr", "127.0.0.1:0", "--admin", taken.Addr().String()},
			exitAddress, "in use"},
		"explorer's host": {[]string{"--release", release, "--state", state, "--explore", "--explore-host", "a/b"}, exitUsage,
			"--explore-host"},
		"no explorer": {[]string{"--release", release, "--state", state, "--explore-account", "a"}, exitUsage, "need --explore"},
		"no account":  {[]string{"--release", release, "--state", state, "--explore"}, exitUsage, "quartier account create"},
		"nothing to compare": {[]string{"--release", release, "--state", withAccount, "--explore", "--explore-against", root}, exitRelease,
			"--explore-against"},
		"help": {[]string{"--help"}, 0, "Exit codes"},
	} {
		t.Run(name, func(t *testing.T) {
			out := start(t, nil, c.args...)
			late := time.AfterFunc(time.Minute, func() { out.Process.Kill() }) // one that serves does not end
			out.Wait()
			late.Stop()
			if code := out.ProcessState.ExitCode(); code != c.code || !strings.Contains(out.String(), c.message) {
				t.Errorf("exit code %d, want %d with %q: %s", code, c.code, c.message, out)
			}
			if strings.Contains(out.String(), "hush") || strings.Contains(out.String(), "goroutine") {
				t.Errorf("output: %s", out)
			}
		})
	}
}

// TestServe runs the program from its start to its end: token, answer, a new account, a new release, and a stop whose drain
// period a second signal ends.
func TestServe(t *testing.T) {
	root := t.TempDir()
	release, file := filepath.Join(root, "release"), filepath.Join(root, "state.sqlite")
	_, err := servetest.Write(release, servetest.Release{})
	must(t, err)
	out := start(t, []string{"QUARTIER_STATE=sqlite:" + file, "QUARTIER_ADDR=127.0.0.1:0"}, "--release", release, "--drain", "1h")
	base := out.base()
	testenv.Eventually(t, "ready", func() bool { return status(base+"/readyz", "") == http.StatusOK })

	store, err := state.Open(file)
	must(t, err)
	defer store.Close()
	_, credentials, err := store.Create("somebody", account.Agreement{})
	must(t, err)
	var token string
	testenv.Eventually(t, "the account is known", func() bool {
		token = grant(t, base, credentials)
		return token != ""
	})
	url := base + "/v3/geographies?lat=45.2&lng=-72.8"
	if got := status(url, token); got != http.StatusOK {
		t.Fatalf("%d: %s", got, out)
	}
	_, err = servetest.Write(release, servetest.Release{Name: "next", AsOf: "2024-06-01"})
	must(t, err)
	must(t, out.Process.Signal(syscall.SIGHUP))
	testenv.Eventually(t, "the next release", func() bool { return strings.Contains(body(base+"/readyz"), `"next"`) })
	must(t, store.Revoke(credentials.ClientID))
	testenv.Eventually(t, "the account is revoked", func() bool { return status(url, token) == http.StatusForbidden })

	must(t, out.Process.Signal(syscall.SIGTERM))
	testenv.Eventually(t, "draining is reported before the end", func() bool { return strings.Contains(body(base+"/readyz"), `"draining"`) })
	must(t, out.Process.Signal(syscall.SIGTERM))
	if err := out.Wait(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
	if text := out.String(); !strings.Contains(text, `"msg":"configuration"`) || strings.Contains(text, credentials.ClientSecret) ||
		strings.Contains(text, token) {
		t.Errorf("output: %s", text)
	}
}

// TestReleases follows a folder of releases from when it is empty: the first release, one that is incomplete, a rollback, and
// a pointer that disappears.
func TestReleases(t *testing.T) {
	root := t.TempDir()
	releases := filepath.Join(root, "releases")
	must(t, os.Mkdir(releases, 0o755))
	out := start(t, nil, "--releases", releases, "--state", filepath.Join(root, "state.sqlite"), "--addr", "127.0.0.1:0")
	base := out.base()
	testenv.Eventually(t, "the server answers", func() bool { return status(base+"/healthz", "") == http.StatusOK })
	if got := body(base + "/readyz"); status(base+"/readyz", "") != http.StatusServiceUnavailable || !strings.Contains(got, `"no release"`) {
		t.Fatalf("before the first release: %s\n%s", got, out)
	}
	var digests []string
	for _, day := range []string{"2024-01-01", "2024-02-01", "2024-03-01"} {
		m, err := servetest.Write(filepath.Join(releases, day), servetest.Release{AsOf: day})
		must(t, err)
		digests = append(digests, m.Digest)
	}
	serves := func(generation, release int) {
		t.Helper()
		testenv.Eventually(t, fmt.Sprintf("generation %d is served", generation), func() bool {
			return strings.Contains(body(base+"/readyz"), fmt.Sprintf(`"generation":%d,`, generation))
		})
		if got := body(base + "/readyz"); !strings.Contains(got, digests[release]) || status(base+"/readyz", "") != http.StatusOK {
			t.Fatalf("generation %d: %s", generation, got)
		}
	}
	must(t, servetest.Publish(releases, 1, "2024-01-01", ""))
	serves(1, 0)
	must(t, servetest.Publish(releases, 2, "2024-02-01", ""))
	serves(2, 1)
	pack := filepath.Join(releases, "2024-03-01", "pois.pack")
	must(t, os.Rename(pack, pack+".part"))
	must(t, servetest.Publish(releases, 3, "2024-03-01", ""))
	testenv.Eventually(t, "the incomplete release is refused",
		func() bool { return strings.Contains(body(base+"/metrics"), "quartier_release_refused 1") })
	serves(2, 1)
	must(t, os.Rename(pack+".part", pack))
	serves(3, 2)
	must(t, servetest.Publish(releases, 4, "2024-01-01", ""))
	serves(4, 0)
	must(t, os.Remove(filepath.Join(releases, "current.json")))
	testenv.Eventually(t, "the missing pointer is reported",
		func() bool { return strings.Contains(body(base+"/metrics"), "quartier_release_refused 1") })
	serves(4, 0)
}

// TestHostileConnections sends malformed requests: the server answers 4xx or closes the connection, and keeps serving.
func TestHostileConnections(t *testing.T) {
	root := t.TempDir()
	_, err := servetest.Write(filepath.Join(root, "release"), servetest.Release{})
	must(t, err)
	out := start(t, nil, "--release", filepath.Join(root, "release"), "--state", filepath.Join(root, "state.sqlite"), "--addr", "127.0.0.1:0",
		"--access-log=false")
	base := out.base()
	addr := strings.TrimPrefix(base, "http://")
	testenv.Eventually(t, "ready", func() bool { return status(base+"/readyz", "") == http.StatusOK })
	if got := wholeAnswer(t, addr, "OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"); !strings.HasPrefix(got, "HTTP/1.1 404") ||
		!strings.Contains(got, "X-Request-Id: ") || !strings.Contains(got, `"code":"Service.API.NotFound"`) {
		t.Errorf("OPTIONS *: %s", got)
	}
	for name, request := range map[string]string{
		"long URL":      "GET /v3/geographies?name=" + strings.Repeat("x", 1<<20) + " HTTP/1.1\r\nHost: x\r\n\r\n",
		"long header":   "GET /v3/geographies HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + strings.Repeat("x", 1<<20) + "\r\n\r\n",
		"many headers":  "GET /v3/geographies HTTP/1.1\r\nHost: x\r\n" + strings.Repeat("A: b\r\n", 100_000) + "\r\n",
		"no HTTP":       "hello\r\n\r\n",
		"two lengths":   "POST /oauth/token HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
		"length and TE": "POST /oauth/token HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: gzip\r\n\r\n",
		"huge body": "POST /oauth/token HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 10000000\r\n\r\n" +
			strings.Repeat("[", 1<<20),
		"NUL in path":    "GET /v3/\x00 HTTP/1.1\r\nHost: x\r\n\r\n",
		"no host":        "GET /v3/geographies HTTP/1.1\r\n\r\n",
		"absolute other": "GET http://elsewhere/v3/geographies HTTP/1.1\r\nHost: x\r\n\r\n",
	} {
		if line := firstLine(t, addr, request); line != "" && !strings.HasPrefix(line, "HTTP/1.1 4") && !strings.HasPrefix(line, "HTTP/1.1 501") {
			t.Errorf("%s: %q", name, line)
		}
	}
	if got := status(base+"/healthz", ""); got != http.StatusOK {
		t.Errorf("afterwards: %d: %s", got, out)
	}
}

// wholeAnswer sends raw bytes and returns the whole answer.
func wholeAnswer(t *testing.T, addr, request string) string {
	t.Helper()
	conn, err := net.Dial("tcp", addr)
	must(t, err)
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(5 * time.Minute))
	io.WriteString(conn, request)
	data, err := io.ReadAll(conn)
	must(t, err)
	return string(data)
}

// firstLine sends raw bytes and returns the first line of the answer, "" if the server closed the connection.
func firstLine(t *testing.T, addr, request string) string {
	t.Helper()
	conn, err := net.Dial("tcp", addr)
	must(t, err)
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(5 * time.Minute))
	go io.WriteString(conn, request)
	data, _ := io.ReadAll(io.LimitReader(conn, 32)) // an error means that the connection was closed
	line, _, _ := strings.Cut(string(data), "\r\n")
	return line
}

func grant(t *testing.T, base string, c account.Credentials) string {
	t.Helper()
	asked, err := json.Marshal(c)
	must(t, err)
	response, err := http.Post(base+"/oauth/token", "application/json", bytes.NewReader(asked))
	must(t, err)
	defer response.Body.Close()
	var answer struct {
		AccessToken string `json:"access_token"`
	}
	must(t, json.NewDecoder(response.Body).Decode(&answer))
	return answer.AccessToken
}

// status returns the status of a GET; 0 if there is no answer.
func status(url, token string) int {
	request, err := http.NewRequest(http.MethodGet, url, nil)
	if err != nil {
		return 0
	}
	request.Header.Set("Authorization", "Bearer "+token)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0
	}
	response.Body.Close()
	return response.StatusCode
}

func body(url string) string {
	response, err := http.Get(url)
	if err != nil {
		return fmt.Sprint(err)
	}
	defer response.Body.Close()
	data, _ := io.ReadAll(response.Body)
	return string(data)
}
