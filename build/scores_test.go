package build

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"quartier/build/compare"
	"quartier/build/homes"
	"quartier/build/released"
	"quartier/build/verify"
	"quartier/schemas"
)

// homesOfDover are homes along the street of West Dover, where the first score is between 10045 and 20045, and in East
// Dover, without household counts.
var homesOfDover = []testHome{
	{homes.Households, 10, -75.559, 39.1502, 0, 0},   // 10045
	{homes.Households, 20, -75.559, 39.1503, 0, 25},  // 12545
	{homes.Households, 30, -75.559, 39.1504, 0, 100}, // 20045; historic is that of the other end
	{homes.Streets, 999, -75.559, 39.1505, 0, 50},    // ignored where household counts are available
	{homes.Streets, 50, -75.45, 39.1504, 1, 50},      // 30045, like the next two
	{homes.Streets, 50, -75.451, 39.1504, 1, 60},
	{homes.Streets, 50, -75.452, 39.1504, 1, 70},
	{homes.Households, 5, -75.9, 39.15, 0, 50}, // outside of all cities
}

// withHomes is northBank with homes and streets to the corners of the metro area.
func withHomes(homes []testHome) testRegion {
	r := northBank()
	r.streets.nodes = append(r.streets.nodes, cornerNodes(-75.8, 39, -75.3, 39.4)...)
	r.streets.homes = homes
	return r
}

// cornerNodes are nodes whose hull is a box.
func cornerNodes(west, south, east, north float64) []testNode {
	return []testNode{{lng: west, lat: south}, {lng: east, lat: south}, {lng: east, lat: north}, {lng: west, lat: north}}
}

func scoreRows(t *testing.T, o Options, score string) []string {
	t.Helper()
	db := openBoth(t, filepath.Join(o.Out, schemas.GeographiesFile), filepath.Join(o.Out, schemas.AccessFile))
	list, err := released.Values[string](context.Background(), db, fmt.Sprintf(`SELECT g.source_key || ' ' || s.value || ' ' || s.basis || ' ' || s.homes
		FROM newer.geography_score AS s JOIN (SELECT geog_id, source_key FROM older.geography UNION ALL
		SELECT geog_id, 'old ' || source_key FROM older.geography_superseded) AS g USING (geog_id) WHERE s.score = '%s' ORDER BY 1`, score))
	must(t, err)
	return list
}

func TestScoresOfGeographies(t *testing.T) {
	m, o := built(t, "", withHomes(homesOfDover))
	for _, tt := range []struct {
		score string
		want  []string
	}{
		// West Dover: 10 of 60 households at 10045, 30 at 12545 or less. The metro area has the same households; the
		// street of East Dover counts in East Dover only.
		{"pedestrian_friendly", []string{"m:dover 12545 households 3", "n:east 30045 street 3", "n:west 12545 households 3",
			"p:dover 12545 households 3"}},
		// Known at one end only: the same along the whole edge.
		{"historic", []string{"m:dover 10058 households 3", "n:east 30058 street 3", "n:west 10058 households 3", "p:dover 10058 households 3"}},
		{"transit_friendly", []string{"m:dover 12547 households 3", "n:west 12547 households 3", "p:dover 12547 households 3"}},
	} {
		if got := scoreRows(t, o, tt.score); !slices.Equal(got, tt.want) {
			t.Errorf("%s %q, want %q", tt.score, got, tt.want)
		}
	}
	if m.Counts.ScoredGeographies != 4 {
		t.Errorf("%d geographies have scores", m.Counts.ScoredGeographies)
	}
	table := openAccess(t, o)
	id := rows(t, o, schemas.GeographiesFile, "SELECT geog_id FROM geography WHERE source_key = 'n:east'")[0]
	values, ok := table.Geography(id)
	if !ok || values[0] != 30045 || values[2] != schemas.AbsentValue || values[17] != 30062 {
		t.Errorf("scores of East Dover in the pack: %v %v", values, ok)
	}
}

func TestSupersededGeographiesKeepTheirScores(t *testing.T) {
	_, o1 := built(t, "", withHomes(homesOfDover))
	second := withHomes(homesOfDover[:4])
	second.places[4].east, second.places[5].west = -75.52, -75.52 // new versions of both neighbourhoods
	for i := range second.streets.nodes[:4] {
		second.streets.nodes[i].value -= 5000
	}
	_, o2 := built(t, o1.Out, second)
	want := []string{"m:dover 7545 households 3", "n:west 7545 households 3", "old n:east 30045 street 3", "old n:west 12545 households 3",
		"p:dover 7545 households 3"}
	if got := scoreRows(t, o2, "pedestrian_friendly"); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	_, o3 := built(t, o2.Out, delaware()) // back to the first borders, and no streets at all
	want = []string{"old n:east 30045 street 3", "old n:west 12545 households 3", "old n:west 7545 households 3"}
	if got := scoreRows(t, o3, "pedestrian_friendly"); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	for _, o := range []Options{o2, o3} {
		_, err := verify.Release(context.Background(), o.Out, "")
		must(t, err)
	}
	c, err := compare.Releases(context.Background(), o1.Out, o2.Out)
	must(t, err)
	// Current in both: the metro area and the city, which both changed. The old versions of the neighbourhoods do not count.
	for _, f := range c.Figures {
		if f.Group != compare.Scores || f.Figure != "pedestrian_friendly" {
			continue
		}
		if f.Known != 1 || f.Moved != 1 || f.Quantiles != [5]float64{-0.5, -0.5, -0.5, -0.5, -0.5} {
			t.Errorf("level %d: %+v", f.Level, f)
		}
	}
	if text := c.String(); !regexp.MustCompile(`\n +30 +1 +1 +0 +0( +−0\.50){5} +pedestrian_friendly\n`).MatchString(text) {
		t.Errorf("comparison\n%s", text)
	}
	// Four of the nodes changed by half a point.
	i := slices.IndexFunc(c.Figures, func(f compare.FigureChange) bool {
		return f.Group == compare.Measures && f.Figure == schemas.Measures[0].ID
	})
	if i < 0 || c.Figures[i].Moved != 4 || c.Figures[i].Quantiles[0] != -0.5 || c.Figures[i].Known != int64(len(second.streets.nodes)) {
		t.Errorf("measure %d: %+v", i, c.Figures)
	}
}

func TestReleaseOfAnOlderSchema(t *testing.T) {
	_, o1 := built(t, "", delaware())
	makeOlder(t, o1.Out)
	const want = "rebuild the release with this program"
	o := options(t, delaware())
	o.Previous = o1.Out
	if _, err := Release(context.Background(), o); err != nil {
		t.Errorf("as the previous release: %v", err)
	}
	if _, err := verify.Release(context.Background(), o1.Out, ""); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("verified: %v", err)
	}
}

// makeOlder turns a release into one of schema 3, whose manifest has a member less and one that is unknown today.
func makeOlder(t *testing.T, dir string) {
	t.Helper()
	path := filepath.Join(dir, schemas.ManifestFile)
	data, err := os.ReadFile(path)
	must(t, err)
	text := strings.Replace(string(data), fmt.Sprintf(`"schema": %d`, schemas.ManifestSchema), `"schema": 3`, 1)
	text = regexp.MustCompile(`(?s) "spreads": .*?\],\n`).ReplaceAllString(text, " \"shapes\": [],\n")
	text = regexp.MustCompile(`"digest": "[^"]*"`).ReplaceAllString(text, `"digest": ""`) // all: it is the first that counts
	sum := sha256.Sum256([]byte(text))
	text = strings.Replace(text, `"digest": ""`, `"digest": "`+hex.EncodeToString(sum[:])+`"`, 1)
	must(t, os.WriteFile(path, []byte(text), 0o644))
}

func TestCompareReleasesOfDifferentSchemas(t *testing.T) {
	_, o1 := built(t, "", withHomes(homesOfDover))
	second := withHomes(homesOfDover)
	for i := range second.streets.nodes[:4] {
		second.streets.nodes[i].value -= 5000
	}
	_, o2 := built(t, "", second)
	makeOlder(t, o1.Out)
	alter(t, filepath.Join(o1.Out, schemas.AccessFile), "DROP VIEW street_node_values",
		"ALTER TABLE street_node DROP COLUMN "+schemas.Measures[1].ID)
	alter(t, filepath.Join(o1.Out, schemas.DemographicsFile), "DROP TABLE geography_variable")
	must(t, os.Remove(filepath.Join(o1.Out, schemas.POIsFile)))
	c, err := compare.Releases(context.Background(), o1.Out, o2.Out)
	must(t, err)
	text := c.String()
	for _, want := range []string{
		fmt.Sprintf("manifest schema 3 → %d\n", schemas.ManifestSchema),
		"note: POIs are not compared: ", "pois.sqlite", "note: demographics are not compared: no such table: older.geography_variable",
		"note: measures that only the newer release has are not compared: " + schemas.Measures[1].ID + "\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if !regexp.MustCompile(`\nlevel 30 +kept +1\n`).MatchString(text) {
		t.Errorf("geographies of level 30 are not compared in\n%s", text)
	}
	if !regexp.MustCompile(`\n +30 +1 +1 +0 +0( +−0\.50){5} +pedestrian_friendly\n`).MatchString(text) ||
		!strings.Contains(text, schemas.Measures[0].ID) {
		t.Errorf("no scores or measures in\n%s", text)
	}
	moves, err := c.MostMoved(context.Background(), o1.Out, o2.Out, 1)
	must(t, err)
	if len(moves) < 2 || moves[1].Score == moves[0].Score || moves[0].Score != "pedestrian_friendly" || moves[0].Level != 10 ||
		moves[0].Older-moves[0].Newer != 0.5 {
		t.Errorf("moves %+v", moves)
	}
	moves, err = c.MostMoved(context.Background(), o1.Out, o2.Out, 10)
	must(t, err)
	if len(moves) < 4 || moves[3].Score != moves[0].Score || moves[3].Level != 40 ||
		!regexp.MustCompile(`pedestrian_friendly +30 +1\.25 +0\.75 +−0\.50 +\S.* \(g30_\w{10}\)\n`).MatchString(moves.String()) {
		t.Errorf("moves\n%s", moves)
	}
	alter(t, filepath.Join(o2.Out, schemas.DemographicsFile), "DROP TABLE geography_variable")
	if _, err := compare.Releases(context.Background(), o2.Out, o2.Out); err == nil || !strings.Contains(err.Error(), "no such table") {
		t.Errorf("of one schema, without a table: %v", err)
	}
	manifest := filepath.Join(o1.Out, schemas.ManifestFile)
	data, err := os.ReadFile(manifest)
	must(t, err)
	must(t, os.WriteFile(manifest, []byte(strings.Replace(string(data), `"release": "test"`, `"release": "rest"`, 1)), 0o644))
	if _, err := compare.Releases(context.Background(), o1.Out, o2.Out); err == nil || !strings.Contains(err.Error(), "wrong digest") {
		t.Errorf("changed manifest: %v", err)
	}
}
