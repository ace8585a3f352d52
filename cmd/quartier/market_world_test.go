package main

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"quartier/internal/testenv"
	"quartier/schemas"
)

// published is the path of the folder of releases of publishedTowns.
var published = sync.OnceValues(func() (string, error) {
	dir, err := towns()
	if err != nil {
		return "", err
	}
	root := filepath.Join(dir, "published")
	places, market := filepath.Join(root, "places"), filepath.Join(root, "market")
	if err := os.Mkdir(root, 0o755); err != nil {
		return "", err
	}
	if err := os.Symlink(filepath.Join(dir, "first"), places); err != nil {
		return "", err
	}
	for _, args := range [][]string{
		{"market", "--release", places, "--listings", filepath.Join(dir, "sources", "listings.yaml"), "--work", filepath.Join(dir, "work-market"),
			"--out", market},
		{"publish", "--releases", root, "--market", market, places},
	} {
		if code, _, errs := quartier(args...); code != exitOK {
			return "", fmt.Errorf("quartier %v: exit code %d\n%s", args, code, errs)
		}
	}
	return root, nil
})

// publishedTowns is a folder of releases with the first release of the towns and its market statistics.
func publishedTowns(t testing.TB) string {
	t.Helper()
	townsDir(t)
	root, err := published()
	if err != nil {
		t.Fatal(err)
	}
	return root
}

// TestMarketComponent verifies the component, and compares runs with work folders that held different things.
func TestMarketComponent(t *testing.T) {
	root, dir := publishedTowns(t), townsDir(t)
	first := filepath.Join(root, "market")
	m, err := schemas.ReadMarketManifest(first)
	if err != nil {
		t.Fatal(err)
	}
	if out, _ := mustRun(t, "verify", first); !strings.Contains(out, "release market of 2025-03-01 verified: 22 files") {
		t.Error(out)
	}
	listings := filepath.Join(dir, "sources", "listings.yaml")
	for name, args := range map[string][]string{
		"an empty work folder": {"--work", filepath.Join(t.TempDir(), "work")},
		"the same work folder": {"--work", filepath.Join(dir, "work-market")},
	} {
		out := filepath.Join(t.TempDir(), "market")
		mustRun(t, append([]string{"market", "--release", root, "--listings", listings, "--as-of", "2025-03-01", "--out", out}, args...)...)
		again, err := schemas.ReadMarketManifest(out)
		if err != nil {
			t.Fatal(err)
		}
		if again.Digest != m.Digest {
			t.Errorf("%s: digest %s, want %s", name, again.Digest, m.Digest)
		}
	}
}

// TestMarketFaults checks exit codes and messages, and that the component of the day before stays.
func TestMarketFaults(t *testing.T) {
	root, dir := publishedTowns(t), townsDir(t)
	out := filepath.Join(t.TempDir(), "market")
	if err := os.CopyFS(out, os.DirFS(filepath.Join(root, "market"))); err != nil {
		t.Fatal(err)
	}
	before, err := schemas.ReadMarketManifest(out)
	if err != nil {
		t.Fatal(err)
	}
	empty := t.TempDir()
	listings, work := filepath.Join(dir, "sources", "listings.yaml"), filepath.Join(t.TempDir(), "work")
	run := func(args ...string) []string { return append([]string{"market", "--work", work}, args...) }
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{run("--release", root, "--listings", listings, "--out", out, "--as-of", "yesterday"), exitUsage, `"yesterday" is not a date`},
		{run("--release", root, "--listings", filepath.Join(empty, "none.yaml"), "--out", out), exitBadInput, "none.yaml"},
		{run("--release", empty, "--listings", listings, "--out", out), exitBadInput, "not a release of places"},
		{run("--release", root, "--listings", listings, "--out", filepath.Join(dir, "first")), exitFailure, "not a component market"},
		{run("--release", root, "--listings", listings), exitUsage, "out"},
		{[]string{"publish", "--releases", root, filepath.Join(dir, "next")}, exitFailure, "not below"},
		{[]string{"publish", "--releases", dir, "--market", filepath.Join(root, "market"), "next"}, exitBadInput,
			"stands beside another release: "},
		{[]string{"publish", "--releases", root}, exitUsage, "NAME"},
	} {
		code, _, errs := quartier(c.args...)
		if code != c.code || !strings.Contains(errs, c.want) {
			t.Errorf("%v: exit code %d, want %d with %q: %s", c.args, code, c.code, c.want, errs)
		}
	}
	if after, err := schemas.ReadMarketManifest(out); err != nil || after.Digest != before.Digest {
		t.Errorf("the component changed: %v", err)
	}
}

// TestDailyUpdate computes and publishes another day while the server answers: no request fails, and none has statistics of
// two days.
func TestDailyUpdate(t *testing.T) {
	published := publishedTowns(t)
	root := t.TempDir()
	places, today := filepath.Join(root, "places"), filepath.Join(root, "2025-03-01")
	for _, err := range []error{
		os.Symlink(filepath.Join(townsDir(t), "first"), places),
		os.CopyFS(today, os.DirFS(filepath.Join(published, "market"))),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	mustRun(t, "publish", "--releases", root, "--market", today, places)
	s := startServer(t, root)
	_, token := s.account(t)
	path := "/v3/market-stats/" + geogID(t, places, "census:place:5056350")
	dayOf := func(body []byte) string {
		last := string(body)
		_, last, _ = strings.Cut(last, `"30d":{"period":{"start_date":"`)
		_, last, _ = strings.Cut(last, `"end_date":"`)
		return last[:min(10, len(last))]
	}
	stop := make(chan struct{})
	var callers sync.WaitGroup
	var mu sync.Mutex
	answers := map[string]int{}
	for range 2 {
		callers.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				status, body := s.get(t, token, path+"?intervals=30d,2025-01")
				if status != http.StatusOK {
					t.Errorf("%d %s", status, body)
					return
				}
				mu.Lock()
				answers[dayOf(body)]++
				mu.Unlock()
				if _, rest, _ := strings.Cut(string(body), dayOf(body)); strings.Count(rest, `"30d":{"period":{"start_date"`) != strings.Count(rest,
					`"end_date":"`+dayOf(body)) {
					t.Errorf("two days in one answer: %s", body)
				}
				time.Sleep(5 * time.Millisecond) // below the rate of an account
			}
		})
	}
	seen := func(day string, times int) func() bool {
		return func() bool {
			mu.Lock()
			defer mu.Unlock()
			return answers[day] >= times || t.Failed()
		}
	}
	testenv.Eventually(t, "the old day is served", seen("2025-02-28", 1))
	next := filepath.Join(root, "2025-03-02")
	mustRun(t, "market", "--release", root, "--listings", filepath.Join(townsDir(t), "sources", "listings.yaml"), "--work",
		filepath.Join(t.TempDir(), "work"), "--as-of", "2025-03-02", "--out", next)
	mustRun(t, "publish", "--releases", root, "--market", next, places)
	testenv.Eventually(t, "the new day is served", seen("2025-03-01", 20))
	close(stop)
	callers.Wait()
	if len(answers) != 2 {
		t.Errorf("answers by day: %v", answers)
	}
}
