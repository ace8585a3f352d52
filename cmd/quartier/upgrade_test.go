package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"quartier/fixtures"
	"quartier/internal/testenv"
	"quartier/schemas"
)

// worldFolder is given by testdata/upgrade/make.sh.
var worldFolder = flag.String("world", "",
	"write the world of TestUpgradeFromEveryLayout, and one for TestEarlierLayouts of quartierd, to this folder, and no more")

// writePeopleWorld writes the synthetic towns and those of the next month with their outlines and people alone, which programs of
// layout 3 read, too, and a requests file with one custom geography. change is called with the settings of each source.
func writePeopleWorld(t *testing.T, dir string, change func(regions string, source map[string]any)) {
	t.Helper()
	writeWorld(t, dir, []string{"boundaries", "acs", "profile", "blocks"}, change)
}

// writeWorld is writePeopleWorld with some kinds of sources.
func writeWorld(t *testing.T, dir string, kinds []string, change func(regions string, source map[string]any)) {
	t.Helper()
	if _, err := fixtures.Write(t.Context(), dir, fixtures.Options{Scale: 1, Seed: 1}); err != nil {
		t.Fatal(err)
	}
	for _, regions := range []string{filepath.Join(dir, "regions"), filepath.Join(dir, "next", "regions")} {
		edit(t, regions, func(text string) string {
			var region map[string]any
			if err := yaml.Unmarshal([]byte(text), &region); err != nil {
				t.Fatal(err)
			}
			delete(region, "accept_collapsed")
			sources := slices.DeleteFunc(region["sources"].([]any), func(source any) bool {
				return !slices.Contains(kinds, source.(map[string]any)["kind"].(string))
			})
			region["sources"] = sources
			for _, source := range sources {
				if change != nil {
					change(regions, source.(map[string]any))
				}
			}
			out, err := yaml.Marshal(region)
			if err != nil {
				t.Fatal(err)
			}
			return string(out)
		})
	}
	writeRequest(t, filepath.Join(dir, "requests.json"), 1, schemas.PublishRequest, "")
}

// writeRequest writes a requests file with one custom geography.
func writeRequest(t *testing.T, path string, update int64, action, published string) {
	t.Helper()
	requests := schemas.Requests{Schema: schemas.RequestsSchema, Update: update, AsOf: "2025-09-02", Requests: []schemas.Request{{
		ID: "7d9c4a52-93a1-4b3c-8a55-0c2b6e1f9d10", Customer: "Acme", Version: 1, Action: action, GeogID: published,
		NameEN: "Fairground", NameFR: "Fairground", Type: "NEIGHBORHOOD", Boundaries: customSquare(-72.56, 44.96, 0.01),
	}}}
	data, err := requests.Encode()
	if err == nil {
		err = os.WriteFile(path, data, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestUpgradeFromEveryLayout continues releases by the programs of earlier layouts with the same sources: every id is what it was,
// and whoever keeps a folder of releases works in it as before.
func TestUpgradeFromEveryLayout(t *testing.T) {
	t.Parallel()
	if *worldFolder != "" {
		writePeopleWorld(t, filepath.Join(*worldFolder, "people"), nil)
		writeWorld(t, filepath.Join(*worldFolder, "served"),
			[]string{"boundaries", "acs", "blocks", "overture", "places", "odef", "nces", "schools", "catchments"}, nil)
		return
	}
	sources, work := t.TempDir(), t.TempDir()
	writePeopleWorld(t, sources, nil)
	for _, layout := range []int{3, 8, 12, 14} {
		t.Run(fmt.Sprint(layout), func(t *testing.T) {
			u := upgrade{t: t, dir: t.TempDir()}
			testenv.Unpack(t, fmt.Sprintf("testdata/upgrade/%d.tar.zst", layout), u.dir)
			args := []string{"build", "--release", filepath.Join(sources, "next", "release.yaml"), "--previous", u.path("2025-09"),
				"--out", u.path("2025-10"), "--work", work}
			if _, err := os.Stat(u.path("2025-09-private")); err == nil {
				u.private = rows(t, u.path("2025-09-private/geographies.sqlite"), "SELECT geog_id FROM geography")[0][0]
				writeRequest(t, u.path("requests.json"), 2, schemas.KeepRequest, u.private)
				args = append(args, "--requests", u.path("requests.json"), "--previous-private", u.path("2025-09-private"))
			}
			if layout == 14 && u.private == "" {
				t.Fatal("no custom geography")
			}
			mustRun(t, args...)
			u.sameIDs()
			u.folder()
		})
	}
}

// upgrade is a folder of releases with 2025-09 of an earlier layout and 2025-10 of this one.
type upgrade struct {
	t            *testing.T
	dir, private string // private: the geog_id of the custom geography; "": none
}

func (u *upgrade) path(name string) string { return filepath.Join(u.dir, filepath.FromSlash(name)) }

// same returns the rows of a query, which must be the same in both releases.
func (u *upgrade) same(file, query string) [][]string {
	u.t.Helper()
	was, is := rows(u.t, u.path("2025-09/"+file), query), rows(u.t, u.path("2025-10/"+file), query)
	if fmt.Sprint(was) != fmt.Sprint(is) || len(was) == 0 {
		u.t.Errorf("%s: %d rows, now %d\n%s\n%v\n%v", file, len(was), len(is), query, was, is)
	}
	return was
}

// sameIDs compares ids, links and the last data of superseded geographies.
func (u *upgrade) sameIDs() {
	u.same(schemas.GeographiesFile, "SELECT geog_id, source_key, id_key, boundary_version, level FROM geography ORDER BY geog_id")
	u.same(schemas.GeographiesFile, `SELECT geog_id, coalesce(replaced_by, ''), superseded_in, source_key, boundary_version, hex(geometry)
		FROM geography_superseded ORDER BY geog_id`)
	u.same(schemas.GeographiesFile, "SELECT release, old_geog_id, new_geog_id, kind FROM geog_bridge ORDER BY 1, 2, 3")
	old := u.same(schemas.GeographiesFile, "SELECT geog_id FROM geography_superseded ORDER BY geog_id")
	var ids []string
	for _, row := range old {
		ids = append(ids, "'"+row[0]+"'")
	}
	u.same(schemas.DemographicsFile, `SELECT geog_id, category, variable, value, lower, upper FROM geography_variable
		WHERE geog_id IN (`+strings.Join(ids, ", ")+`) ORDER BY 1, 2, 3`)
	if u.private != "" {
		if got := rows(u.t, u.path("2025-10-private/geographies.sqlite"), "SELECT geog_id FROM geography"); len(got) != 1 ||
			got[0][0] != u.private {
			u.t.Errorf("custom geography %s is now %v", u.private, got)
		}
	}
}

// folder publishes, rolls back and clears away, and looks at both releases.
func (u *upgrade) folder() {
	t := u.t
	for _, name := range []string{"2025-09", "2025-10"} {
		for _, row := range rows(t, u.path("2025-09/geographies.sqlite"), "SELECT geog_id FROM geography WHERE level = 10 LIMIT 3") {
			if out, _ := mustRun(t, "explain", "--release", u.path(name), "--geography", row[0]); !strings.Contains(out, row[0]) {
				t.Errorf("explain %s in %s: %s", row[0], name, out)
			}
		}
	}
	page := u.path("diff.html")
	out, _ := mustRun(t, "diff", "--html", page, u.path("2025-09"), u.path("2025-10"))
	if !strings.Contains(out, "gates are within their limits") {
		t.Errorf("diff: %s", out)
	}
	if publishedFolder(t, u.dir) == "" { // the program of layout 3 had no folders of releases
		mustRun(t, "publish", "--releases", u.dir, "2025-09")
	}
	mustRun(t, "publish", "--releases", u.dir, "2025-10")
	if got := publishedFolder(t, u.dir); got != "2025-10" {
		t.Errorf("%s is published", got)
	}
	mustRun(t, "rollback", "--releases", u.dir)
	if got := publishedFolder(t, u.dir); got != "2025-09" {
		t.Errorf("after rollback %s is published", got)
	}
	mustRun(t, "publish", "--releases", u.dir, "2025-10")
	mustRun(t, "retain", "--releases", u.dir, "--keep", "1")
	if _, err := os.Stat(u.path("2025-09")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("2025-09 is still there, %v", err)
	}
	mustRun(t, "verify", u.path("2025-10"))
}

// publishedFolder is the folder of the places that are published; "" if none are.
func publishedFolder(t *testing.T, dir string) string {
	t.Helper()
	p, err := schemas.ReadPointer(dir)
	if err != nil {
		t.Fatal(err)
	}
	if p == nil {
		return ""
	}
	places, _ := p.Component(schemas.Places)
	return places.Folder
}
