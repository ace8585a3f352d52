package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quartier/bench/soak/building"
	"quartier/schemas"
)

// hinted takes the words that follow a text in a line of a message, as a shell takes them.
func hinted(t *testing.T, message, after string) []string {
	t.Helper()
	_, line, found := strings.Cut(message, after)
	line, _, _ = strings.Cut(line, "\n")
	words, err := exec.Command("sh", "-c", `printf '%s\n' `+line).Output()
	if !found || err != nil {
		t.Fatalf("no %q in %s: %v", after, message, err)
	}
	return strings.Split(strings.TrimSuffix(string(words), "\n"), "\n")
}

// TestGateHoldsBack builds and publishes a release whose list of child care lost half its rows: the gates trip, the
// last release stays, and the commands that are printed show what differs and go on.
func TestGateHoldsBack(t *testing.T) {
	root := filepath.Join(t.TempDir(), "l'île $HOME")
	t.Chdir(t.TempDir()) // of the pages
	if err := os.CopyFS(filepath.Join(root, "first"), os.DirFS(filepath.Join(townsDir(t), "first"))); err != nil {
		t.Fatal(err)
	}
	sources := worldCopy(t)
	undeclare(t, sources, "port-hollis_licensed-child-care.csv")
	edit(t, filepath.Join(sources, "opendata", "port-hollis_licensed-child-care.csv"), building.EverySecondLine)
	mustRun(t, "publish", "--releases", root, "first")
	work := begin(t, t.TempDir())
	build := []string{"build", "--release", filepath.Join(sources, "release.yaml"), "--work", work, "--out", filepath.Join(root, "half")}
	held := func(args ...string) string {
		t.Helper()
		code, _, errs := quartier(args...)
		gate := "rows.us-port-hollis/child-care: 5"
		if code != exitGate || !strings.Contains(errs, gate) || !strings.Contains(errs, "--accept 'rows.us-port-hollis/child-care=REASON'") {
			t.Fatalf("exit code %d, want %d with %q\n%s", code, exitGate, gate, errs)
		}
		if p, err := schemas.ReadPointer(root); err != nil || p.Generation != 1 {
			t.Errorf("the pointer changed: %+v, %v", p, err)
		}
		return errs
	}
	onPrevious := append(build, "--previous", filepath.Join(root, "first"))
	errs := held(onPrevious...)
	if _, err := os.Stat(filepath.Join(root, "half")); err == nil {
		t.Error("the release is in its place")
	}
	showed := func(errs string) {
		t.Helper()
		said, _ := mustRun(t, hinted(t, errs, "what differs: quartier ")...)
		if !strings.Contains(said, "rows.us-port-hollis/child-care") {
			t.Errorf("the gate is not in\n%s", said)
		}
	}
	showed(errs)
	accept := hinted(t, strings.ReplaceAll(errs, "REASON", "the list was cleaned up, by hand"), "if this is right: ")
	mustRun(t, append(onPrevious, accept...)...)
	want := "build: write ground, build: write tiles, build: write heat, build: write travel, build: write travel measures"
	if reused := stepNames(lastRun(t, work), true); !strings.HasSuffix(reused, want) {
		t.Errorf("finished steps are made again; reused are %s", reused)
	}
	m, err := schemas.ReadManifest(filepath.Join(root, "half"))
	if err != nil || !slices.Contains(m.Accepted,
		schemas.Acceptance{Gate: "rows.us-port-hollis/child-care", Reason: "the list was cleaned up, by hand"}) {
		t.Fatalf("accepted %+v, %v", m.Accepted, err)
	}
	mustRun(t, "publish", "--releases", root, "half") // what its manifest accepts counts: it continues what is published
	// Without a previous release nothing is accepted by the manifest, and publishing judges.
	build[len(build)-1] = filepath.Join(root, "alone")
	mustRun(t, build...)
	mustRun(t, "rollback", "--releases", root)
	for _, args := range [][]string{{"--accept", "rows"}, {"--accept", "rows="}, {"--accept", "row=x"},
		{"--accept", "rows=x", "--accept", "rows=y"}} {
		if code, _, errs := quartier(append(append([]string{"publish", "--releases", root}, args...), "alone")...); code != exitUsage {
			t.Errorf("%q: exit code %d\n%s", args, code, errs)
		}
	}
	code, _, errs := quartier("publish", "--releases", root, "alone")
	if code != exitGate {
		t.Fatalf("exit code %d\n%s", code, errs)
	}
	showed(errs)
	for _, page := range []string{"half.html", "alone.html"} {
		if readText(t, page) == "" {
			t.Errorf("%s is empty", page)
		}
	}
	accept = hinted(t, strings.ReplaceAll(errs, "REASON", "the list was cleaned up, by hand"), "if this is right: ")
	mustRun(t, append(append([]string{"publish", "--releases", root}, accept...), "alone")...)
	g, err := schemas.ReadGeneration(root, 4)
	if err != nil || len(g.Accepted) != len(accept)/2 {
		t.Errorf("%+v, %v", g, err)
	}
}
