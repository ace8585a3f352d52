package main

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"quartier/build/publish"
)

// customSteps are the steps of the component private, and those that always run, as the report names them.
const customSteps = "build: compare with previous release, build: write custom geographies, build: verify custom geographies, build: " +
	"flush, build: publish"

// killed runs a build in a process that is killed when its log has a text.
func killed(t *testing.T, at string, args ...string) {
	t.Helper()
	cmd := child(args...)
	log, err := cmd.StderrPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	seen := false
	for lines := bufio.NewScanner(log); !seen && lines.Scan(); {
		seen = strings.Contains(lines.Text(), at)
	}
	if cmd.Process.Kill(); cmd.Wait() == nil || !seen {
		t.Fatalf("the build was not killed at %q", at)
	}
}

// stopped runs a build that is interrupted when its log has a text, and returns what it wrote.
func stopped(t *testing.T, at string, args ...string) string {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	out := &stopAt{text: at, stop: cancel}
	if code := run(ctx, append([]string{"quartier"}, args...), out, out); code != exitInterrupted {
		t.Fatalf("exit code %d\n%s", code, out.String())
	}
	return out.String()
}

// TestPlanOfCustomGeographies kills or stops builds with requests in the steps of the component private and between the two
// folders that are put in place. What is planned then, and runs without --force, is these steps and nothing else.
func TestPlanOfCustomGeographies(t *testing.T) {
	w := newCustomTowns(t)
	dir := t.TempDir()
	data, err := w.file().Encode()
	if err != nil {
		t.Fatal(err)
	}
	requests, out, work := filepath.Join(dir, "requests.json"), filepath.Join(dir, "spring"), filepath.Join(w.dir, "work")
	if err := os.WriteFile(requests, data, 0o600); err != nil {
		t.Fatal(err)
	}
	flags := []string{"--release", filepath.Join(w.dir, "sources", "release.yaml"), "--out", out, "--work", work, "--requests", requests}
	plan := func(want, why string) {
		t.Helper()
		_, text := mustRun(t, append([]string{"plan"}, flags...)...)
		if got := stepNames(printedPlan(t, text), false); got != want {
			t.Errorf("planned %s\nwant %s", got, want)
		}
		for _, step := range []string{"write", "verify"} {
			line := regexp.MustCompile(`build: ` + step + ` custom geographies +8 +\d[\d.]* [kMG]?B +\d+\.\d  +` + why + `\n`)
			if !line.MatchString(text) {
				t.Errorf("no %v in\n%s", line, text)
			}
		}
	}
	nothing := func() {
		t.Helper()
		if _, err := os.Stat(out); err == nil {
			t.Error("the release is in its place")
		}
	}
	build := append([]string{"build"}, flags...)
	killed(t, "compute scores  release=", build...)
	nothing()
	plan(customSteps, "not done yet")
	stopped(t, "write custom geographies  release=", build...)
	nothing()
	_, text := mustRun(t, append([]string{"plan"}, flags...)...)
	if got, want := stepNames(printedPlan(t, text), false),
		strings.Replace(customSteps, "build: write custom geographies, ", "", 1); got != want {
		t.Errorf("planned %s\nwant %s", got, want)
	}

	// Other requests are another component, of the same places.
	w.requests["middle"].NameEN = "Hidden centre"
	if data, err = w.file().Encode(); err == nil {
		err = os.WriteFile(requests, data, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	plan(customSteps, "(requests file changed|not done yet)")

	// Killed between the two: the component is in its place, the release is not.
	stopped(t, "flush  release=", build...)
	partial := filepath.Join(dir, ".spring.partial")
	if err := os.Rename(filepath.Join(partial, "private"), publish.PrivateFolder(out)); err != nil {
		t.Fatal(err)
	}
	plan(customSteps, "(manifest.json is missing|a step before it runs)")
	mustRun(t, build...)
	if got := stepNames(lastRun(t, work), false); got != customSteps {
		t.Errorf("ran %s\nwant %s", got, customSteps)
	}
	for _, folder := range []string{out, publish.PrivateFolder(out)} {
		mustRun(t, "verify", folder)
	}
	if digestOf(t, out) != digestOf(t, filepath.Join(w.dir, "first")) {
		t.Error("the release depends on where it was stopped")
	}
	sum := sha256.Sum256(data)
	o := w.options("first", w.file())
	o.SHA256, o.Bytes, o.ToolVersion = hex.EncodeToString(sum[:]), int64(len(data)), version()
	whole, _, _, err := writePrivate(t, o)
	if err != nil {
		t.Fatal(err)
	}
	sameFiles(t, whole, publish.PrivateFolder(out))

	// Neither of both is replaced without --force, the one alone neither, and another component never.
	if code, _, errs := quartier(build...); code != exitFailure || strings.Count(errs, "already exists; use force") != 2 {
		t.Errorf("exit code %d: %s", code, errs)
	}
	other := slices.Clone(build)
	other[slices.Index(other, "--out")+1] = filepath.Join(dir, "summer")
	for _, c := range []struct{ from, says, force string }{
		{publish.PrivateFolder(out), "already exists; use force", ""},
		{out, "is not a component private", "--force"},
	} {
		beside := publish.PrivateFolder(filepath.Join(dir, "summer"))
		if err := firstError(os.RemoveAll(beside), os.CopyFS(beside, os.DirFS(c.from))); err != nil {
			t.Fatal(err)
		}
		args := other
		if c.force != "" {
			args = append(slices.Clone(other), c.force)
		}
		if code, _, errs := quartier(args...); code != exitFailure || !strings.Contains(errs, c.says) {
			t.Errorf("exit code %d, want %q: %s", code, c.says, errs)
		}
	}
}
