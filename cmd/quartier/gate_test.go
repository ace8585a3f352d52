package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quartier/bench/soak/building"
	"quartier/schemas"
)

// TestGateHoldsBack builds and publishes a release whose list of child care lost half its rows: the gates trip, the
// last release stays, and the line that is printed goes on.
func TestGateHoldsBack(t *testing.T) {
	root := t.TempDir()
	if err := os.CopyFS(filepath.Join(root, "first"), os.DirFS(filepath.Join(townsDir(t), "first"))); err != nil {
		t.Fatal(err)
	}
	sources := worldCopy(t)
	undeclare(t, sources)
	edit(t, filepath.Join(sources, "opendata", "port-hollis_licensed-child-care.csv"), building.EverySecondLine)
	mustRun(t, "publish", "--releases", root, "first")
	work := t.TempDir()
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
	accept := []string{"--accept", "rows=the list was cleaned up"}
	for _, gate := range []string{"category", "brand", "licences"} {
		if strings.Contains(errs, gate+".") {
			accept = append(accept, "--accept", gate+"=the list was cleaned up")
		}
	}
	mustRun(t, append(onPrevious, accept...)...)
	m, err := schemas.ReadManifest(filepath.Join(root, "half"))
	if err != nil || len(m.Accepted) == 0 || m.Accepted[len(m.Accepted)-1] != (schemas.Acceptance{Gate: "rows", Reason: "the list was cleaned up"}) {
		t.Fatalf("accepted %+v, %v", m.Accepted, err)
	}
	mustRun(t, "publish", "--releases", root, "half") // what its manifest accepts counts: it continues what is published
	// Without a previous release nothing is accepted by the manifest, and publishing judges.
	build[len(build)-1] = filepath.Join(root, "alone")
	mustRun(t, build...)
	mustRun(t, "rollback", "--releases", root)
	for _, args := range [][]string{{"--accept", "rows"}, {"--accept", "rows="}, {"--accept", "row=x"}, {"--accept", "rows=x", "--accept", "rows=y"}} {
		if code, _, errs := quartier(append(append([]string{"publish", "--releases", root}, args...), "alone")...); code != exitUsage {
			t.Errorf("%q: exit code %d\n%s", args, code, errs)
		}
	}
	if code, _, errs := quartier("publish", "--releases", root, "alone"); code != exitGate {
		t.Errorf("exit code %d\n%s", code, errs)
	}
	mustRun(t, append(append([]string{"publish", "--releases", root}, accept...), "alone")...)
	g, err := schemas.ReadGeneration(root, 4)
	if err != nil || len(g.Accepted) != len(accept)/2 {
		t.Errorf("%+v, %v", g, err)
	}
}
