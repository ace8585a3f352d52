package signature_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quartier/internal/signature"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// makeKey makes a key, and a file with its public one.
func makeKey(t *testing.T, dir, name string) (private, public string) {
	t.Helper()
	private, public = filepath.Join(dir, name), filepath.Join(dir, name+".pub")
	key, err := signature.Make(private)
	must(t, err)
	data, err := signature.EncodePublic(key)
	must(t, err)
	must(t, os.WriteFile(public, data, 0o644))
	return private, public
}

func sign(t *testing.T, dir, component, digest, key string) {
	t.Helper()
	private, err := signature.ReadPrivate(key)
	must(t, err)
	data, err := signature.Sign(filepath.Join(dir, signature.File), component, digest, private)
	must(t, err)
	if data != nil {
		must(t, os.WriteFile(filepath.Join(dir, signature.File), data, 0o644))
	}
}

// TestSigned signs with two keys, as during a rotation, and asks servers that trust one, both or another one.
func TestSigned(t *testing.T) {
	dir := t.TempDir()
	oldKey, oldPublic := makeKey(t, dir, "old")
	newKey, newPublic := makeKey(t, dir, "new")
	_, otherPublic := makeKey(t, dir, "other")
	digest, other := strings.Repeat("a", 64), strings.Repeat("b", 64)
	check := func(digest, component string, files ...string) error {
		trust, err := signature.ReadTrust(files...)
		must(t, err)
		return trust.Check(filepath.Join(dir, signature.File), component, digest)
	}
	if err := check(digest, "places", oldPublic); !errors.Is(err, signature.ErrUntrusted) ||
		!strings.Contains(err.Error(), "has no signature") {
		t.Errorf("unsigned: %v", err)
	}
	if err := check(digest, "places"); err != nil {
		t.Errorf("unsigned, and nothing is required: %v", err)
	}
	sign(t, dir, "places", digest, oldKey)
	if err := check(digest, "places", newPublic); !errors.Is(err, signature.ErrUntrusted) ||
		!strings.Contains(err.Error(), "none of which is trusted") {
		t.Errorf("signed by the old key alone: %v", err)
	}
	sign(t, dir, "places", digest, newKey)
	for _, files := range [][]string{{oldPublic}, {newPublic}, {oldPublic, newPublic}, {otherPublic, newPublic}} {
		if err := check(digest, "places", files...); err != nil {
			t.Errorf("signed by both, %v trusted: %v", files, err)
		}
	}
	for what, err := range map[string]error{
		"another key": check(digest, "places", otherPublic), "another digest": check(other, "places", newPublic),
		"another component": check(digest, "market", newPublic),
	} {
		if !errors.Is(err, signature.ErrUntrusted) {
			t.Errorf("%s: %v", what, err)
		}
	}
	private, err := signature.ReadPrivate(newKey)
	must(t, err)
	if data, err := signature.Sign(filepath.Join(dir, signature.File), "places", digest, private); data != nil || err != nil {
		t.Errorf("signed again: %s %v", data, err)
	}
	sign(t, dir, "places", other, newKey) // the folder has another manifest now
	if err := check(other, "places", newPublic); err != nil {
		t.Errorf("signed after a change: %v", err)
	}
}

// TestChangedSignatures changes every byte of a file of signatures: each change is refused, or means the same.
func TestChangedSignatures(t *testing.T) {
	dir := t.TempDir()
	key, public := makeKey(t, dir, "key")
	digest := strings.Repeat("a", 64)
	sign(t, dir, "places", digest, key)
	path := filepath.Join(dir, signature.File)
	data, err := os.ReadFile(path)
	must(t, err)
	trust, err := signature.ReadTrust(public)
	must(t, err)
	refused := 0
	for i := range data {
		changed := append([]byte{}, data...)
		changed[i] ^= 1
		must(t, os.WriteFile(path, changed, 0o644))
		if err := trust.Check(filepath.Join(dir, signature.File), "places", digest); errors.Is(err, signature.ErrUntrusted) {
			refused++
		} else if err != nil || changed[i] != ' ' && changed[i] != '\n' && data[i] != '\n' && data[i] != ' ' {
			t.Errorf("byte %d, %q for %q: %v", i, changed[i], data[i], err)
		}
	}
	if refused < 100 {
		t.Errorf("%d changes are refused", refused)
	}
	must(t, os.WriteFile(path, make([]byte, 1<<20), 0o644))
	if err := trust.Check(filepath.Join(dir, signature.File), "places", digest); !errors.Is(err, signature.ErrUntrusted) {
		t.Errorf("a megabyte: %v", err)
	}
}

func TestKeyFiles(t *testing.T) {
	dir := t.TempDir()
	private, public := makeKey(t, dir, "key")
	if info, err := os.Stat(private); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", info.Mode(), err)
	}
	if _, err := signature.Make(private); !errors.Is(err, os.ErrExist) {
		t.Errorf("a key is replaced: %v", err)
	}
	secret, err := os.ReadFile(private)
	must(t, err)
	write := func(name, text string, mode os.FileMode) string {
		path := filepath.Join(dir, name)
		must(t, os.WriteFile(path, []byte(text), mode))
		return path
	}
	shared := write("shared", string(secret), 0o640)
	for what, err := range map[string]error{
		"private key to trust": second(signature.ReadTrust(private)),
		"public key to sign":   second(signature.ReadPrivate(public)),
		"readable by others":   second(signature.ReadPrivate(shared)),
		"empty":                second(signature.ReadTrust(write("empty", "", 0o600))),
		"text":                 second(signature.ReadTrust(write("text", "not a key", 0o600))),
		"absent":               second(signature.ReadTrust(filepath.Join(dir, "absent"))),
		"a folder":             second(signature.ReadTrust(dir)),
		"another kind": second(signature.ReadTrust(write("rsa",
			"-----BEGIN RSA PRIVATE KEY-----\nAAAA\n-----END RSA PRIVATE KEY-----\n", 0o600))),
		"a key that is cut short": second(signature.ReadPrivate(write("short",
			"-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2Vw\n-----END PRIVATE KEY-----\n", 0o600))),
	} {
		if !errors.Is(err, signature.ErrKey) || strings.Contains(err.Error(), "MC4CAQAw") {
			t.Errorf("%s: %v", what, err)
		}
	}
	if list, err := signature.List(private); err != nil || len(list) != 1 || !list[0].Private {
		t.Errorf("%v %v", list, err)
	}
}

func second[T any](_ T, err error) error { return err }

// FuzzSignatures checks any file of signatures: it is refused, without a panic.
func FuzzSignatures(f *testing.F) {
	f.Add([]byte(`{"signatures":[{"key":"0123456789abcdef","signature":"AAAA"}]}`))
	f.Add([]byte(`{"signatures":null}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		dir := t.TempDir()
		_, public := makeKey(t, dir, "key")
		trust, err := signature.ReadTrust(public)
		must(t, err)
		must(t, os.WriteFile(filepath.Join(dir, signature.File), data, 0o600))
		if err := trust.Check(filepath.Join(dir, signature.File), "places", strings.Repeat("a", 64)); !errors.Is(err, signature.ErrUntrusted) {
			t.Errorf("%q: %v", data, err)
		}
	})
}
