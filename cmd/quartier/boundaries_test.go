package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quartier/build/released"
	"quartier/internal/geo"
	"quartier/schemas"
	"quartier/schemas/trips"
)

// oldGeography is a geography of the first release that the next one supersedes.
type oldGeography struct{ id, name, country, successor, became string }

// answer is what answers about a geography have in common.
type answer struct {
	Data json.RawMessage `json:"data"`
	Meta struct {
		Deprecation *schemas.Deprecation `json:"deprecation"`
		Counts      struct {
			Total int `json:"total_count"`
		} `json:"counts"`
	} `json:"meta"`
}

// TestBoundaryRelease asks servers of both releases of the towns, with their market statistics, about every geography that
// the next one supersedes, on every route with a geog_id: one moved, one was split in three, two were merged, three have new
// borders, one is gone. docs/boundaries.md has what they answer.
func TestBoundaryRelease(t *testing.T) {
	first, next := publishedTowns(t), publishNext(t)
	routes := geographyRoutes(t)
	before, after := startServer(t, first), startServer(t, next)
	_, old := before.account(t)
	_, token := after.account(t)
	table := "old id          name                replaced by"
	for _, route := range routes {
		table += "  " + route
	}
	for _, g := range supersededTowns(t) {
		line := fmt.Sprintf("\n%s  %-18s  %-16s", g.id, g.name, g.became)
		for _, route := range routes {
			status, body := after.get(t, token, "/v3/"+route+"/"+g.id)
			line += fmt.Sprintf("  %-*d", len(route), status)
			was, data := before.get(t, old, "/v3/"+route+"/"+g.id)
			if status != was || status != http.StatusOK && (route != "market-stats" || g.country != "CA" || status != http.StatusNotFound) {
				t.Errorf("%s of %s: %d, in the first release %d: %s", route, g.name, status, was, body)
				continue
			}
			if status == http.StatusOK {
				g.check(t, route, body, data)
			}
		}
		table += strings.TrimRight(line, " ")
	}
	page, err := os.ReadFile("../../docs/boundaries.md")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(page), table) {
		t.Errorf("docs/boundaries.md does not have this table:\n%s", table)
	}
}

// check compares the answer about an old geography with that of the release in which it was current.
func (g *oldGeography) check(t *testing.T, route string, now, then []byte) {
	t.Helper()
	var a, b answer
	if err := json.Unmarshal(now, &a); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(then, &b); err != nil {
		t.Fatal(err)
	}
	d := a.Meta.Deprecation
	switch {
	case b.Meta.Deprecation != nil || d == nil:
		t.Errorf("%s of %s: deprecation %v, in the first release %v", route, g.name, d, b.Meta.Deprecation)
	case g.successor == "" && d.ReplacedBy != nil || g.successor != "" && (d.ReplacedBy == nil || d.ReplacedBy.GeogID != g.successor):
		t.Errorf("%s of %s: replaced by %v, want %q", route, g.name, d.ReplacedBy, g.successor)
	}
	data := string(a.Data)
	switch route {
	case "geographies", "scores", "demographics": // the last data; the entry of a geography says that it is old, too
		if note, err := json.Marshal(schemas.DeprecationMeta{Deprecation: *d}); err != nil {
			t.Fatal(err)
		} else if route == "geographies" {
			data = strings.Replace(data, `,"meta":`+string(note), "", 1)
		}
		if diff := cmp.Diff(string(b.Data), data); diff != "" {
			t.Errorf("%s of %s (-first +next):\n%s", route, g.name, diff)
		}
	case "enhanced-pois": // those of today in the old outline
		if want := placesInOutline(t, g.id); a.Meta.Counts.Total != want || want == 0 {
			t.Errorf("%d places in %s, want %d", a.Meta.Counts.Total, g.name, want)
		}
	case "profiles": // of the facts of today about the old outline
		if !strings.Contains(data, g.name) {
			t.Errorf("the profile of %s is %s", g.name, data)
		}
	case "travel-times": // of the old outline, by the timetables of today, with the last measures
		var is, was trips.GeographyTravelTimesData
		if err := errors.Join(json.Unmarshal(a.Data, &is), json.Unmarshal(b.Data, &was)); err != nil {
			t.Fatal(err)
		}
		if len(is.Centres) == 0 || !maps.Equal(is.Measures, was.Measures) {
			t.Errorf("travel times of %s are %.300s, they were %.300s", g.name, a.Data, b.Data)
		}
	case "market-stats":
		if !strings.Contains(data, `"median_`) {
			t.Errorf("the statistics of %s are %.200s", g.name, data)
		}
	default:
		t.Errorf("%s is a route that this test does not know", route)
	}
}

// supersededTowns lists what the next release of the towns supersedes.
func supersededTowns(t *testing.T) (list []oldGeography) {
	t.Helper()
	for _, row := range rows(t, filepath.Join(townsDir(t), "next", schemas.GeographiesFile), `SELECT s.geog_id, s.name_en, s.country_code,
		coalesce(s.replaced_by, ''), coalesce(g.name_en, 'none')
		FROM geography_superseded AS s LEFT JOIN geography AS g ON g.geog_id = s.replaced_by ORDER BY s.name_en`) {
		list = append(list, oldGeography{row[0], row[1], row[2], row[3], row[4]})
	}
	if len(list) != 8 {
		t.Fatalf("the next release supersedes %d geographies, want 8", len(list))
	}
	return list
}

// geographyRoutes are the products with a route by geog_id, of the API document.
func geographyRoutes(t *testing.T) (list []string) {
	t.Helper()
	data, err := os.ReadFile("../../client/openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	var document struct{ Paths map[string]any }
	if err := json.Unmarshal(data, &document); err != nil {
		t.Fatal(err)
	}
	for path := range document.Paths {
		if product, found := strings.CutSuffix(path, "/{geog_id}"); found {
			list = append(list, strings.TrimPrefix(product, "/v3/"))
		}
	}
	slices.Sort(list)
	return list
}

// publishNext publishes the next release of the towns with its market statistics.
func publishNext(t *testing.T) string {
	t.Helper()
	dir, root := townsDir(t), t.TempDir()
	places, market := filepath.Join(root, "places"), filepath.Join(root, "market")
	if err := os.Symlink(filepath.Join(dir, "next"), places); err != nil {
		t.Fatal(err)
	}
	mustRun(t, "market", "--release", places, "--listings", filepath.Join(dir, "sources", "next", "listings.yaml"), "--work",
		filepath.Join(root, "work"), "--out", market)
	mustRun(t, "publish", "--releases", root, "--market", market, places)
	return root
}

// placesInOutline counts the places of the next release that are in the outline of an old geography.
func placesInOutline(t *testing.T, id string) (n int) {
	t.Helper()
	dir := filepath.Join(townsDir(t), "next")
	db, err := released.Open(filepath.Join(dir, schemas.GeographiesFile))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	outline, err := released.Outline(db, id)
	if err != nil {
		t.Fatal(err)
	}
	pois, err := released.Open(filepath.Join(dir, schemas.POIsFile))
	if err != nil {
		t.Fatal(err)
	}
	defer pois.Close()
	blobs, err := released.Values[[]byte](t.Context(), pois, "SELECT geometry FROM poi")
	if err != nil {
		t.Fatal(err)
	}
	for _, blob := range blobs {
		at, err := released.ReadPoint(blob)
		if err != nil {
			t.Fatal(err)
		}
		if geo.Contains(outline, at) {
			n++
		}
	}
	return n
}
