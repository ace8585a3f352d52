package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"quartier/fixtures"
	"quartier/schemas"
)

// The maps of Saint-Aubin have no airport, and of both towns fewer places of art than a quarter of the usual number: these
// are unknown there, and what is on the maps of art is found all the same.
func TestWorldLacksCategories(t *testing.T) {
	release := filepath.Join(townsDir(t), "first")
	s := startServer(t, publishedTowns(t))
	_, token := s.account(t)
	found := rows(t, filepath.Join(release, schemas.GeographiesFile),
		`SELECT geog_id FROM geography WHERE level = 30 AND name_en = 'Port Hollis'`)
	if len(found) != 1 {
		t.Fatalf("%d places are called Port Hollis", len(found))
	}
	demo := fixtures.DemoPoint()
	for _, c := range []struct{ town, path, unknown, counted string }{
		{"Port Hollis", "/v3/enhanced-pois/" + found[0][0] + "?buffer=5000", "art_culture_science", "airports"},
		{"Saint-Aubin", fmt.Sprintf("/v3/enhanced-pois?lat=%v&lng=%v", demo.Lat, demo.Lng), "airports", "hospitals"},
	} {
		status, body := s.get(t, token, c.path)
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
