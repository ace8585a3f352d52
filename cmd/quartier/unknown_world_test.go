package main

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"testing"

	"quartier/schemas"
)

// The map of each town lacks categories that that of the other has: Port Hollis has no hospital on it, Saint-Aubin no airport.
// Each is unknown in the one and counted in the other. Port Hollis has no department store either, and its map is declared to
// be complete for them: that is 0.
func TestWorldLacksCategories(t *testing.T) {
	release := filepath.Join(townsDir(t), "first")
	s := startServer(t, publishedTowns(t))
	_, token := s.account(t)
	for _, c := range []struct{ town, unknown, counted, none string }{
		{"Port Hollis", "hospitals", "airports", "department_stores"},
		{"Saint-Aubin", "airports", "hospitals", ""},
	} {
		found := rows(t, filepath.Join(release, schemas.GeographiesFile), `SELECT geog_id FROM geography WHERE level = 30 AND name_en = '`+c.town+`'`)
		if len(found) != 1 {
			t.Fatalf("%d places are called %s", len(found), c.town)
		}
		status, body := s.get(t, token, "/v3/enhanced-pois/"+found[0][0]+"?buffer=5000")
		var answer schemas.EnhancedPOIsAnswer
		if err := json.Unmarshal(body, &answer); err != nil {
			t.Fatalf("%s: %d %v", c.town, status, err)
		}
		counts := answer.Meta.Counts.TotalByCategory
		if _, counted := counts[c.unknown]; counted || !slices.Contains(answer.Meta.Unknown, c.unknown) {
			t.Errorf("%s has %d %s; unknown are %v", c.town, counts[c.unknown], c.unknown, answer.Meta.Unknown)
		}
		if _, counted := counts[c.counted]; !counted || slices.Contains(answer.Meta.Unknown, c.counted) {
			t.Errorf("%s has no count of %s; unknown are %v", c.town, c.counted, answer.Meta.Unknown)
		}
		if n, counted := counts[c.none]; c.none != "" && (!counted || n != 0) {
			t.Errorf("%s has %d %s (%v), of which its map is complete", c.town, n, c.none, counted)
		}
		if len(counts)+len(answer.Meta.Unknown) != len(schemas.Categories) {
			t.Errorf("%s: %d counts and %d unknown categories", c.town, len(counts), len(answer.Meta.Unknown))
		}
		var order []int
		for _, id := range answer.Meta.Unknown {
			i, _ := schemas.CategoryIndex(id)
			order = append(order, i)
		}
		if !slices.IsSorted(order) {
			t.Errorf("%s: unknown categories %v are not in their order", c.town, answer.Meta.Unknown)
		}
	}
}
