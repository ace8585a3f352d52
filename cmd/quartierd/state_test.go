package main

import (
	"bytes"
	"crypto/ed25519"
	"errors"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"quartier/internal/signature"
	"quartier/internal/testenv"
	"quartier/schemas"
	"quartier/serve/account"
	"quartier/serve/servetest"
	"quartier/serve/state"
)

// mountEnv makes the test binary change the disk under a folder before it acts as the program: "ro:FOLDER" makes it read-only,
// "full:FOLDER" copies it to a disk without space.
const mountEnv = "QUARTIERD_TEST_MOUNT"

// changeDisk does what mountEnv asks for, in the mount namespace of this process.
func changeDisk(what string) error {
	kind, folder, _ := strings.Cut(what, ":")
	if kind == "ro" {
		if err := syscall.Mount(folder, folder, "", syscall.MS_BIND, ""); err != nil {
			return err
		}
		return syscall.Mount("", folder, "", syscall.MS_BIND|syscall.MS_REMOUNT|syscall.MS_RDONLY, "")
	}
	data, err := os.ReadFile(filepath.Join(folder, "state.sqlite"))
	if err != nil {
		return err
	}
	if err := syscall.Mount("none", folder, "tmpfs", 0, "size=256k"); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(folder, "state.sqlite"), data, 0o600); err != nil {
		return err
	}
	filler, err := os.Create(filepath.Join(folder, "filler"))
	for err == nil {
		_, err = filler.Write(make([]byte, 4096))
	}
	return nil // the disk is full
}

// canMount reports whether this process may change mounts in a namespace of its own.
func canMount() bool {
	cmd := exec.Command("true")
	cmd.SysProcAttr = &syscall.SysProcAttr{Unshareflags: syscall.CLONE_NEWNS}
	return cmd.Run() == nil
}

// TestDiskThatCannotBeWritten starts the server with a state on a read-only and on a full disk: what was granted is answered, and
// requests that would be stored fail with the contract's shape.
func TestDiskThatCannotBeWritten(t *testing.T) {
	if !canMount() {
		t.Skip("this process may not mount")
	}
	for _, kind := range []string{"ro", "full"} {
		t.Run(kind, func(t *testing.T) {
			root := t.TempDir()
			release, folder := filepath.Join(root, "release"), filepath.Join(root, "state")
			_, err := servetest.Write(release, servetest.Release{})
			must(t, err)
			store, err := state.Open(filepath.Join(folder, "state.sqlite"))
			must(t, err)
			_, credentials, err := store.Create("somebody", account.Agreement{CustomGeographies: true})
			must(t, err)
			must(t, store.Close())
			out := start(t, []string{mountEnv + "=" + kind + ":" + folder}, "--release", release, "--state", filepath.Join(folder, "state.sqlite"),
				"--addr", "127.0.0.1:0")
			base := out.base()
			testenv.Eventually(t, "ready", func() bool { return status(base+"/readyz", "") == http.StatusOK })
			token := grant(t, base, credentials)
			if got := status(base+"/v3/geographies?lat=45.2&lng=-72.8", token); got != http.StatusOK {
				t.Fatalf("reading: %d\n%s", got, out)
			}
			if got := status(base+"/v3/geographies/custom", token); got != http.StatusOK {
				t.Errorf("reading from the state: %d\n%s", got, out)
			}
			request, err := http.NewRequest(http.MethodPost, base+"/v3/geographies/custom", strings.NewReader(
				`{"name_en":"Glebe","type":"NEIGHBOURHOOD","boundaries":"POLYGON((-72.81 45.19,-72.79 45.19,-72.79 45.21,-72.81 45.21,-72.81 `+
					`45.19))"}`))
			must(t, err)
			request.Header.Set("Authorization", "Bearer "+token)
			request.Header.Set("Content-Type", "application/json")
			response, err := http.DefaultClient.Do(request)
			must(t, err)
			defer response.Body.Close()
			var body bytes.Buffer
			_, err = body.ReadFrom(response.Body)
			must(t, err)
			if response.StatusCode != http.StatusServiceUnavailable || body.String() != `{"message":"Service Unavailable"}` {
				t.Errorf("writing: %d %s\n%s", response.StatusCode, body.String(), out)
			}
		})
	}
}

// TestNewAndRevokedAccounts grants a token to an account in the moment after it was made, and follows a backup that is moved in the
// place of the state.
func TestNewAndRevokedAccounts(t *testing.T) {
	root := t.TempDir()
	release, file := filepath.Join(root, "release"), filepath.Join(root, "state.sqlite")
	_, err := servetest.Write(release, servetest.Release{})
	must(t, err)
	out := start(t, nil, "--release", release, "--state", file, "--addr", "127.0.0.1:0")
	base := out.base()
	testenv.Eventually(t, "ready", func() bool { return status(base+"/readyz", "") == http.StatusOK })
	operate := func(do func(*state.Store)) { // as a command does
		store, err := state.Open(file)
		must(t, err)
		do(store)
		must(t, store.Close())
	}
	var last account.Credentials
	var token string
	for range 5 {
		operate(func(s *state.Store) {
			var err error
			_, last, err = s.Create("somebody", account.Agreement{})
			must(t, err)
		})
		if token = grant(t, base, last); token == "" {
			t.Fatalf("an account that was made a moment ago is refused: %s", out)
		}
	}
	url := base + "/v3/geographies?lat=45.2&lng=-72.8"
	if got := status(url, token); got != http.StatusOK {
		t.Fatalf("%d: %s", got, out)
	}
	testenv.Eventually(t, "the file alone is the state", func() bool {
		info, err := os.Stat(file + "-wal")
		return err != nil || info.Size() == 0
	})
	data, err := os.ReadFile(file)
	must(t, err)
	must(t, os.WriteFile(file+".backup", data, 0o600))
	must(t, os.Rename(file+".backup", file))
	operate(func(s *state.Store) { must(t, s.Revoke(last.ClientID)) })
	testenv.Eventually(t, "the revocation is seen", func() bool { return status(url, token) == http.StatusForbidden })
}

// TestTrust serves a release that a trusted key signed, refuses others, unsigned pointers and earlier generations, and starts
// on none of them.
func TestTrust(t *testing.T) {
	root := t.TempDir()
	keys := map[string]ed25519.PrivateKey{}
	for _, name := range []string{"ours", "theirs"} {
		path := filepath.Join(root, name)
		public, err := signature.Make(path)
		must(t, err)
		data, err := signature.EncodePublic(public)
		must(t, err)
		must(t, os.WriteFile(path+".pub", data, 0o644))
		keys[name], err = signature.ReadPrivate(path)
		must(t, err)
	}
	releases := filepath.Join(root, "releases")
	write := func(name, key string) *schemas.Manifest {
		dir := filepath.Join(releases, name)
		m, err := servetest.Write(dir, servetest.Release{AsOf: name})
		must(t, err)
		if key != "" {
			data, err := signature.Sign(filepath.Join(dir, signature.File), schemas.Places, m.Digest, keys[key])
			must(t, err)
			must(t, os.WriteFile(filepath.Join(dir, signature.File), data, 0o644))
		}
		return m
	}
	first, second := write("2024-01-01", "ours"), write("2024-02-01", "theirs")
	third := write("2024-03-01", "")
	publish := func(generation int64, name, key string) {
		t.Helper()
		must(t, servetest.Publish(releases, generation, name, ""))
		if key == "" {
			return
		}
		p, err := schemas.ReadPointer(releases)
		must(t, err)
		digest, err := p.Digest()
		must(t, err)
		path := schemas.PointerSignatures(releases, generation)
		data, err := signature.Sign(path, signature.Pointer, digest, keys[key])
		must(t, errors.Join(err, os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, data, 0o644)))
	}
	args := []string{"--releases", releases, "--state", filepath.Join(root, "state.sqlite"), "--addr", "127.0.0.1:0", "--drain", "0s",
		"--trust", filepath.Join(root, "ours.pub"), "--verified", filepath.Join(root, "verified.json")}
	publish(1, "2024-01-01", "ours")
	replayed, err := os.ReadFile(filepath.Join(releases, schemas.PointerFile))
	must(t, err)
	out := start(t, nil, args...)
	base := out.base()
	ready := base + "/readyz"
	testenv.Eventually(t, "the signed release is served", func() bool { return strings.Contains(body(ready), first.Digest) })
	for generation, name := range []string{2: "2024-02-01", 3: "2024-03-01"} {
		if name == "" {
			continue
		}
		publish(int64(generation), name, "ours")
		testenv.Eventually(t, name+" is refused", func() bool {
			return strings.Contains(body(base+"/metrics"), "quartier_releases_refused_total "+string(rune('0'+generation-1)))
		})
		if got := body(ready); !strings.Contains(got, first.Digest) || strings.Contains(got, second.Digest) ||
			strings.Contains(got, third.Digest) {
			t.Errorf("%s: %s\n%s", name, got, out)
		}
	}
	data, err := signature.Sign(filepath.Join(releases, "2024-03-01", signature.File), schemas.Places, third.Digest, keys["ours"])
	must(t, err)
	must(t, os.WriteFile(filepath.Join(releases, "2024-03-01", signature.File), data, 0o644))
	testenv.Eventually(t, "the release is served when it is signed", func() bool { return strings.Contains(body(ready), third.Digest) })
	publish(4, "2024-01-01", "")
	testenv.Eventually(t, "a pointer without a signature is refused", func() bool {
		return strings.Contains(out.String(), "pointer has no signature")
	})
	publish(5, "2024-01-01", "ours")
	testenv.Eventually(t, "an older release is served as a new generation", func() bool { return strings.Contains(body(ready), first.Digest) })
	publish(6, "2024-03-01", "ours")
	testenv.Eventually(t, "the newer one again", func() bool { return strings.Contains(body(ready), third.Digest) })
	must(t, os.WriteFile(filepath.Join(releases, schemas.PointerFile), replayed, 0o644))
	testenv.Eventually(t, "an earlier generation is refused",
		func() bool { return strings.Contains(out.String(), "generation 1 was followed by 6") })
	if got := body(ready); !strings.Contains(got, third.Digest) {
		t.Errorf("after a replay: %s", got)
	}
	must(t, out.Process.Signal(syscall.SIGTERM))
	must(t, out.Wait())
	again := start(t, nil, args...)
	testenv.Eventually(t, "it is refused by the next process, too",
		func() bool { return strings.Contains(again.String(), "generation 1 was followed by 6") })

	for name, args := range map[string][]string{
		"unsigned":    {"--release", filepath.Join(releases, "2024-02-01"), "--trust", filepath.Join(root, "ours.pub")},
		"private key": {"--release", filepath.Join(releases, "2024-01-01"), "--trust", filepath.Join(root, "ours")},
	} {
		out := start(t, nil, append(args, "--state", filepath.Join(root, "other.sqlite"))...)
		err := out.Wait()
		if code := out.ProcessState.ExitCode(); err == nil || code != exitRelease && name == "unsigned" ||
			code != exitUsage && name == "private key" {
			t.Errorf("%s: %v %s", name, err, out)
		}
	}
}
