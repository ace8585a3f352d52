package main

import (
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"quartier/schemas"
	"quartier/serve/servetest"
)

// comparedTowns has releases that the explorer compares, in a folder of releases.
type comparedTowns struct {
	root string // with the folders below, of which publish names one
	diff string // JSON of quartier diff between older and next

	generation int64 // that was published last
}

// The releases of comparedTowns. older is the first release of the towns with other scores of cafés and quiet, and with other
// cafés; same has its files under another name and digest; next is the second release.
const (
	olderTowns = "older"
	sameTowns  = "same"
	nextTowns  = "next"
)

func newComparedTowns(t *testing.T) *comparedTowns {
	t.Helper()
	dir, c := townsDir(t), &comparedTowns{root: t.TempDir()}
	if err := os.Symlink(filepath.Join(dir, "next"), filepath.Join(c.root, nextTowns)); err != nil {
		t.Fatal(err)
	}
	copyTowns(t, filepath.Join(dir, "first"), filepath.Join(c.root, olderTowns), "fixture", true)
	copyTowns(t, filepath.Join(c.root, olderTowns), filepath.Join(c.root, sameTowns), sameTowns, false)
	c.diff = filepath.Join(c.root, "diff.json")
	mustRun(t, "diff", "--most", "20", "--json", c.diff, filepath.Join(c.root, olderTowns), filepath.Join(c.root, nextTowns))
	return c
}

// copyTowns makes a release of the files of another one. Where scores are moved it has a file of its own in the place of
// access.sqlite.
func copyTowns(t *testing.T, from, to, name string, move bool) {
	t.Helper()
	if err := os.Mkdir(to, 0o755); err != nil {
		t.Fatal(err)
	}
	manifest, err := schemas.ReadManifest(from)
	if err != nil {
		t.Fatal(err)
	}
	for i, file := range manifest.Files {
		if !move || file.Name != schemas.AccessFile {
			if err := os.Link(filepath.Join(from, file.Name), filepath.Join(to, file.Name)); err != nil {
				t.Fatal(err)
			}
			continue
		}
		path := filepath.Join(to, file.Name)
		moveScores(t, filepath.Join(from, file.Name), path)
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		sum := sha256.Sum256(data)
		manifest.Files[i].SHA256, manifest.Files[i].Bytes = hex.EncodeToString(sum[:]), int64(len(data))
	}
	manifest.Release = name
	if err := servetest.WriteManifest(to, manifest); err != nil {
		t.Fatal(err)
	}
}

// moveScores copies access.sqlite with scores of geographies that are lower by 0.7, and with keys of some cafés that no other
// release has.
func moveScores(t *testing.T, from, to string) {
	t.Helper()
	data, err := os.ReadFile(from)
	if err == nil {
		err = os.WriteFile(to, data, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite3", "file:"+to+"?_journal_mode=OFF")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, change := range []string{
		`UPDATE geography_score SET value = max(0, value - 7000) WHERE score IN ('cafes', 'quiet')`,
		`UPDATE destination SET place_key = 'gone:' || place_key WHERE class = 'cafe' AND fid % 3 = 0`,
	} {
		if _, err := db.Exec(change); err != nil {
			t.Fatal(err)
		}
	}
}

// control serves what a script does to a server of these releases: GET /link answers a link, POST /serve/NAME publishes one.
func (c *comparedTowns) control(t *testing.T, server *explorerProcess) string {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("GET /link", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, server.link(t)) })
	mux.HandleFunc("POST /serve/{name}", func(w http.ResponseWriter, r *http.Request) {
		if err := c.publish(r.PathValue("name")); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		server.reload()
	})
	web := httptest.NewServer(mux)
	t.Cleanup(web.Close)
	return web.URL
}

// publish names a release in the pointer.
func (c *comparedTowns) publish(name string) error {
	c.generation++
	return servetest.Publish(c.root, c.generation, name)
}
