package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quartier/build/publish"
	"quartier/internal/signature"
	"quartier/schemas"
	"quartier/serve/servetest"
)

// TestSign makes keys, signs a release when it is published and afterwards, and verifies who signed it.
func TestSign(t *testing.T) {
	dir := t.TempDir()
	run := func(want int, args ...string) string {
		t.Helper()
		code, out, errs := quartier(args...)
		if code != want {
			t.Fatalf("%s: exit code %d, want %d\n%s%s", args, code, want, out, errs)
		}
		return out + errs
	}
	for _, name := range []string{"ours", "next", "theirs"} {
		path := filepath.Join(dir, name)
		run(exitOK, "key", "make", path)
		if err := os.WriteFile(path+".pub", []byte(run(exitOK, "key", "public", path)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	key, public := filepath.Join(dir, "ours"), filepath.Join(dir, "ours.pub")
	run(exitFailure, "key", "make", key)
	list := strings.Fields(run(exitOK, "key", "list", key, public))
	if len(list) != 6 || list[0] != list[3] || list[1] != "private" || list[4] != "public" {
		t.Errorf("%q", list)
	}
	releases := filepath.Join(dir, "releases")
	release := filepath.Join(releases, "2024-01")
	if _, err := servetest.Write(release, servetest.Release{}); err != nil {
		t.Fatal(err)
	}
	trusted := func(want, key string) {
		t.Helper()
		_, _, errs := quartier("verify", "--trust", filepath.Join(dir, key+".pub"), release)
		if got := strings.Contains(errs, "not signed by a trusted key"); got != (want == "refused") {
			t.Errorf("%s: %s", key, errs)
		}
	}
	trusted("refused", "ours")
	run(exitBadInput, "publish", "--releases", releases, "--sign", public, "2024-01")
	run(exitOK, "publish", "--releases", releases, "--sign", key, "2024-01")
	trusted("accepted", "ours")
	trusted("refused", "next")
	if out := run(exitOK, "sign", "--key", filepath.Join(dir, "next"), release); !strings.Contains(out, "Signed places") {
		t.Error(out)
	}
	if out := run(exitOK, "sign", "--key", filepath.Join(dir, "next"), release); !strings.Contains(out, "already") {
		t.Error(out)
	}
	trusted("accepted", "ours")
	trusted("accepted", "next")
	trusted("refused", "theirs")
	if out := run(exitOK, "retain", "--releases", releases, "--keep", "1", "--dry-run"); strings.Contains(out, "manifest.sig") {
		t.Error(out)
	}
	if out := run(exitOK, "sign", "--key", filepath.Join(dir, "theirs"), releases); !strings.Contains(out, "Signed generation 1") {
		t.Error(out)
	}
	trusted("accepted", "theirs")
	if _, err := servetest.Write(filepath.Join(releases, "2024-02"), servetest.Release{AsOf: "2024-02-01"}); err != nil {
		t.Fatal(err)
	}
	if _, err := publish.Pointer(releases, publish.Set{Places: filepath.Join(releases, "2024-02")}); err != nil { // without a signature
		t.Fatal(err)
	}
	run(exitOK, "sign", "--key", key, releases)
	run(exitOK, "rollback", "--releases", releases, "--sign", key)
	trust, err := signature.ReadTrust(public)
	if err != nil {
		t.Fatal(err)
	}
	for generation := range int64(3) {
		g, err := schemas.ReadGeneration(releases, generation+1)
		if err != nil {
			t.Fatal(err)
		}
		digest, err := g.Pointer.Digest()
		if err = errors.Join(err, trust.Check(schemas.PointerSignatures(releases, generation+1), signature.Pointer, digest)); err != nil {
			t.Error(err)
		}
	}
	edit(t, filepath.Join(release, schemas.POIsPack), flipped)
	if out := run(exitNotVerified, "sign", "--key", filepath.Join(dir, "theirs"), release); !strings.Contains(out, "pois.pack") {
		t.Error(out)
	}
}
