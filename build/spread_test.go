package build

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	"quartier/build/scores"
	"quartier/schemas"
)

// uniform is a region of 2,000 households whose scores are all from 1.0 to 2.0.
func uniform() testRegion {
	return withHomes([]testHome{{scores.Households, 1200, -75.559, 39.1502, 0, 0}, {scores.Households, 800, -75.559, 39.1504, 0, 100}})
}

// A collapsed scale fails a build, which names it, until the region file accepts it by name.
func TestCollapsedScales(t *testing.T) {
	o := options(t, uniform())
	_, err := Release(context.Background(), o)
	if !errors.Is(err, scores.ErrCollapsed) || !strings.Contains(err.Error(), "region us-delaware: groceries: the highest of its homes has 2.00, and none is above 3.5") {
		t.Fatalf("%v", err)
	}
	if _, err := os.Stat(o.Out); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a release was published: %v", err)
	}
	accepted := map[string]string{}
	for _, id := range schemas.ScoreIDs() {
		accepted[id] = "a synthetic street"
	}
	delete(accepted, "groceries")
	o.Regions[0].AcceptCollapsed = accepted
	if _, err := Release(context.Background(), o); !errors.Is(err, scores.ErrCollapsed) || strings.Contains(err.Error(), "cafes") || !strings.Contains(err.Error(), "groceries") {
		t.Fatalf("%v", err)
	}
	accepted["groceries"] = "a synthetic street"
	m, err := Release(context.Background(), o)
	must(t, err)
	for _, s := range m.Spreads {
		if s.Score == "groceries" && (s.Homes != 2000 || s.Known != 2000 || s.Collapsed == "" || s.Accepted != "a synthetic street" || s.High != 2) {
			t.Errorf("%+v", s)
		}
	}
	if len(m.Spreads) != len(schemas.Scores) || len(m.Agreements) == 0 {
		t.Errorf("%d spreads and %d agreements", len(m.Spreads), len(m.Agreements))
	}
}
