package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"quartier/schemas"
	"quartier/serve/state"
)

// TestUpdateTheDayAfterARelease is what an operator does: a release with the market of the day is published, and a general update
// comes with the next release. Its completion ends at the gate and says which commands are missing; after these it completes.
func TestUpdateTheDayAfterARelease(t *testing.T) {
	towns, published := townsDir(t), publishedTowns(t)
	d := newDesk(t, "sqlite:"+filepath.Join(t.TempDir(), "state.db"))
	if err := firstError(os.RemoveAll(filepath.Join(d.dir, "may")), os.Symlink(filepath.Join(towns, "next"), filepath.Join(d.dir, "may")),
		os.Symlink(filepath.Join(towns, "first"), filepath.Join(d.dir, "april")),
		os.CopyFS(filepath.Join(d.dir, "market"), os.DirFS(filepath.Join(published, "market")))); err != nil {
		t.Fatal(err)
	}
	mustRun(t, "publish", "--releases", d.dir, "--market", filepath.Join(d.dir, "market"), "april")
	id := d.create("Old Port")
	d.run(exitOK, "General update 1 of ", "start", "--out", d.file)
	d.build(0)
	complete := []string{"update", "complete", "--state", d.dsn, "--releases", d.dir}
	code, _, errs := quartier(append(complete, "may")...)
	hint := regexp.MustCompile(`(?m)^  quartier (market --release \S+ --listings )LISTINGS --work WORK (--as-of 2025-03-01 --out (\S+))\n  ` +
		`and this command again with (--market) (\S+)$`).FindStringSubmatch(errs)
	if code != exitGate || hint == nil || hint[3] != hint[5] || !strings.Contains(errs, "coverage.market") {
		t.Fatalf("exit code %d, want %d and the commands:\n%s", code, exitGate, errs)
	}
	d.shows(id, state.PublicationProcessing)
	market := strings.Fields(hint[1] + filepath.Join(towns, "sources", "listings.yaml") + " --work " + t.TempDir() + " " + hint[2])
	mustRun(t, market...)
	mustRun(t, append(complete, hint[4], hint[5], "may")...)
	d.shows(id, state.Published)
	p, err := schemas.ReadPointer(d.dir)
	if err != nil {
		t.Fatal(err)
	}
	if c, found := p.Component(schemas.Market); !found || filepath.Join(d.dir, c.Folder) != hint[5] {
		t.Errorf("published: %+v", p)
	}
}

// TestFewerRowsHoldTheMarketBack takes in a day of listings, then one with a third of them: it ends at a gate until that is accepted.
func TestFewerRowsHoldTheMarketBack(t *testing.T) {
	root, dir, work := publishedTowns(t), t.TempDir(), t.TempDir()
	from := filepath.Join(townsDir(t), "sources")
	if err := firstError(os.CopyFS(filepath.Join(dir, "listings"), os.DirFS(filepath.Join(from, "listings"))),
		os.WriteFile(filepath.Join(dir, "listings.yaml"), []byte(readText(t, filepath.Join(from, "listings.yaml"))), 0o600)); err != nil {
		t.Fatal(err)
	}
	args := []string{"market", "--release", root, "--listings", filepath.Join(dir, "listings.yaml"), "--work", work, "--as-of", "2025-03-01",
		"--out", filepath.Join(t.TempDir(), "market")}
	mustRun(t, args...)
	edit(t, filepath.Join(dir, "listings", "mls", "property.jsonl"), func(text string) string {
		lines := strings.SplitAfter(text, "\n")
		return strings.Join(lines[:len(lines)/3], "")
	})
	code, _, errs := quartier(args...)
	held := regexp.MustCompile(`a gate holds the listings back: rows\.(\S+): \d\d\.\d % fewer, limit 20\.0 %: \d+ → \d+ rows`).
		FindStringSubmatch(errs)
	if code != exitGate || held == nil {
		t.Fatalf("exit code %d, want %d\n%s", code, exitGate, errs)
	}
	if code, _, errs := quartier(append(args, "--accept", "rows.other=x")...); code != exitGate {
		t.Errorf("another source was accepted: exit code %d\n%s", code, errs)
	}
	mustRun(t, append(args, "--accept", "rows."+held[1]+"=the board left")...)
	mustRun(t, args...) // the day after
}
