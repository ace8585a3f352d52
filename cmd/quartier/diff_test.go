package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"quartier/build/diff"
	"quartier/schemas"
)

// evilName is a name that a page has to write as text.
const evilName = `The "Fairground" <South> & <script>document.title="broken"</script>`

// change runs SQL on a file of a copied release.
func change(t *testing.T, path string, statements ...string) {
	t.Helper()
	db, err := sql.Open("sqlite3", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, s := range statements {
		if _, err := db.Exec(s); err != nil {
			t.Fatal(err)
		}
	}
}

// TestDiff writes the differences of the two releases of the towns, of which the newer one lost half of its cafes and has a
// neighbourhood with a name that is not HTML, and opens the page in Chromium.
func TestDiff(t *testing.T) {
	older, newer := filepath.Join(townsDir(t), "first"), filepath.Join(t.TempDir(), "newer")
	if err := os.CopyFS(newer, os.DirFS(filepath.Join(townsDir(t), "next"))); err != nil {
		t.Fatal(err)
	}
	var split string
	db, err := sql.Open("sqlite3", filepath.Join(newer, schemas.GeographiesFile))
	if err != nil {
		t.Fatal(err)
	}
	if err := db.QueryRow(`SELECT min(new_geog_id) FROM geog_bridge WHERE kind = 'split'`).Scan(&split); err != nil {
		t.Fatal(err)
	}
	db.Close()
	change(t, filepath.Join(newer, schemas.GeographiesFile), `DROP TABLE IF EXISTS geography_triggers`, // copies are plain tables here
		`UPDATE geography SET name_en = '`+evilName+`' WHERE geog_id = '`+split+`'`)
	change(t, filepath.Join(newer, schemas.POIsFile), `DELETE FROM poi_category WHERE category_id = 'cafes' AND fid % 2 = 0`)
	change(t, filepath.Join(newer, schemas.AccessFile), `DELETE FROM destination WHERE class = 'cafe' AND fid % 2 = 0`,
		`UPDATE geography_score SET value = value / 2 WHERE score = 'cafes'`)
	dir := t.TempDir()
	page, figures := filepath.Join(dir, "page.html"), filepath.Join(dir, "figures.json")
	code, text, errs := quartier("diff", "--html", page, "--json", figures, older, newer)
	if code != exitOK || !strings.Contains(text, "category.cafes") || !strings.Contains(text, "score_median.cafes") {
		t.Fatalf("exit code %d\n%s\n%s", code, text, errs)
	}
	var report diff.Report
	data, err := os.ReadFile(figures)
	if err == nil {
		err = json.Unmarshal(data, &report)
	}
	if err != nil {
		t.Fatal(err)
	}
	checkReport(t, &report, split)
	html, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	if found := regexp.MustCompile(`(?i)<(script|link|img|iframe)|https?://|url\(|@import`).Find(html); found != nil {
		t.Errorf("the page fetches or runs something: %q", found)
	}
	t.Run("in Chromium", func(t *testing.T) { openPage(t, page, dir) })
}

func checkReport(t *testing.T, r *diff.Report, split string) {
	t.Helper()
	kinds := map[string]int{}
	named := false
	for _, c := range r.Changed {
		kinds[c.Kind]++
		for _, p := range c.News {
			named = named || p.GeogID == split && p.Name == evilName
		}
		for _, b := range c.Bridges {
			if c.Kind != "retired" && (b.AreaShare <= 0 || b.AreaShare > 1 || b.HouseholdShare == nil) {
				t.Errorf("bridge %+v", b)
			}
		}
	}
	if kinds["split"] == 0 || kinds["merge"] == 0 || !named || !r.Continues {
		t.Errorf("changed %v, the split has its name: %v, continues: %v", kinds, named, r.Continues)
	}
	explained := false
	for _, s := range r.Scores {
		for _, m := range s.Moved {
			if s.Score != "cafes" {
				t.Errorf("%s of %s moved", s.Score, m.Name)
			}
			for _, p := range m.Places {
				explained = explained || p.Class == "cafe" && p.Went > 0 && len(p.Names) > 0
			}
		}
	}
	if !explained {
		t.Error("no move of cafes has the cafes that went")
	}
}

// openPage looks at the page with the eyes of a browser: its document has the name as text, and no drawing is empty.
func openPage(t *testing.T, page, dir string) {
	browser, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("no chromium here")
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	document, err := exec.CommandContext(ctx, browser, "--headless", "--no-sandbox", "--disable-gpu",
		"--user-data-dir="+filepath.Join(dir, "profile"), "--dump-dom", "file://"+page).Output()
	if err != nil {
		t.Fatalf("%v", err)
	}
	for _, want := range []string{`The "Fairground" &lt;South&gt; &amp; &lt;script&gt;`,
		"<title>fixture of 2025-03-01 → fixture of 2025-09-01</title>", `<path class="old" d="M`, `<path class="new" d="M`, `class="oldstep"`,
		"</html>"} {
		if !strings.Contains(string(document), want) {
			t.Errorf("the document has no %s", want)
		}
	}
	picture := filepath.Join(dir, "page.png")
	if err := exec.CommandContext(ctx, browser, "--headless", "--no-sandbox", "--disable-gpu",
		"--user-data-dir="+filepath.Join(dir, "profile"), "--screenshot="+picture, "--window-size=1200,3000", "file://"+page).Run(); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(picture); err != nil || info.Size() < 100_000 {
		t.Errorf("picture: %v, %v", info, err)
	}
}
