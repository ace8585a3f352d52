package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"quartier/schemas"
)

var listedPrice = regexp.MustCompile(`("(?:List|OriginalList|Close)Price":|"FieldName":"ListPrice","[^}]*?"(?:New|Previous)Value":")(\d+)`)

// raised multiplies the prices in records of listings.
func raised(by float64) func(string) string {
	return func(text string) string {
		return listedPrice.ReplaceAllStringFunc(text, func(found string) string {
			m := listedPrice.FindStringSubmatch(found)
			price, _ := strconv.ParseFloat(m[2], 64)
			return m[1] + strconv.FormatFloat(by*price, 'f', 0, 64)
		})
	}
}

// TestMarketGateHoldsBack publishes the market statistics of the towns, then those of the same listings with other prices: a
// little more passes, and a third more is held back until it is accepted.
func TestMarketGateHoldsBack(t *testing.T) {
	published, root := publishedTowns(t), t.TempDir()
	if err := firstError(os.Symlink(filepath.Join(townsDir(t), "first"), filepath.Join(root, "places")),
		os.CopyFS(filepath.Join(root, "march"), os.DirFS(filepath.Join(published, "market")))); err != nil {
		t.Fatal(err)
	}
	market := func(name string, by float64) {
		t.Helper()
		sources := t.TempDir()
		from := filepath.Join(townsDir(t), "sources")
		if err := firstError(os.CopyFS(filepath.Join(sources, "listings"), os.DirFS(filepath.Join(from, "listings"))),
			os.WriteFile(filepath.Join(sources, "listings.yaml"), []byte(readText(t, filepath.Join(from, "listings.yaml"))), 0o600)); err != nil {
			t.Fatal(err)
		}
		edit(t, filepath.Join(sources, "listings", "mls", "property.jsonl"), raised(by))
		mustRun(t, "market", "--release", filepath.Join(root, "places"), "--listings", filepath.Join(sources, "listings.yaml"), "--as-of",
			"2025-03-01",
			"--work", t.TempDir(), "--out", filepath.Join(root, name))
	}
	market("less", 1.03)
	market("much", 1.33)
	publish := func(name string, more ...string) []string {
		return append(append([]string{"publish", "--releases", root, "--market", filepath.Join(root, name)}, more...), "places")
	}
	generation := func(want int64) {
		t.Helper()
		if p, err := schemas.ReadPointer(root); err != nil || p.Generation != want {
			t.Errorf("generation %+v, %v, want %d", p, err, want)
		}
	}
	mustRun(t, publish("march")...)
	mustRun(t, publish("less")...)
	generation(2)
	code, out, errs := quartier(publish("much")...)
	held := regexp.MustCompile(`market\.ask_median: 2\d\.\d %, limit 10\.0 %: \+2\d\.\d % \(\d+ geographies and types of property\)`)
	if code != exitGate || !held.MatchString(errs) || !strings.Contains(errs, "--accept 'market.ask_median=REASON'") ||
		strings.Contains(errs, "coverage.market") {
		t.Errorf("exit code %d, want %d with %v\n%s%s", code, exitGate, held, out, errs)
	}
	generation(2)
	if code, _, errs := quartier(publish("much", "--accept", "market.dom_median=they sell faster")...); code != exitGate ||
		!held.MatchString(errs) {
		t.Errorf("another gate was accepted: exit code %d\n%s", code, errs)
	}
	said, _ := mustRun(t, publish("much", "--accept", "market=prices rose")...)
	if !strings.Contains(said, "prices rose") {
		t.Errorf("the reason is not printed:\n%s", said)
	}
	generation(3)
	if g, err := schemas.ReadGeneration(root, 3); err != nil || len(g.Accepted) != 1 ||
		g.Accepted[0] != (schemas.Acceptance{Gate: "market", Reason: "prices rose"}) {
		t.Errorf("%+v, %v", g, err)
	}
	mustRun(t, "rollback", "--releases", root) // is not held back by any
	generation(4)
}
