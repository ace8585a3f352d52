package build

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"quartier/build/homes"
	"quartier/build/scores"
	"quartier/build/verify"
	"quartier/schemas"
	"quartier/schemas/calibration"
)

// uniform is a region of 2,000 households whose scores are all from 1.0 to 2.0.
func uniform() testRegion {
	return withHomes([]testHome{{homes.Households, 1200, -75.559, 39.1502, 0, 0}, {homes.Households, 800, -75.559, 39.1504, 0, 100}})
}

// A collapsed scale fails a build, which names it, until the region file accepts it by name.
func TestCollapsedScales(t *testing.T) {
	o := options(t, uniform())
	_, err := Release(context.Background(), o)
	if !errors.Is(err, scores.ErrCollapsed) ||
		!strings.Contains(err.Error(), "region us-delaware: groceries: the highest of its homes has 2.00, and none is above 3.5") {
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
	if _, err := Release(context.Background(), o); !errors.Is(err, scores.ErrCollapsed) || strings.Contains(err.Error(), "cafes") ||
		!strings.Contains(err.Error(), "groceries") {
		t.Fatalf("%v", err)
	}
	accepted["groceries"] = "a synthetic street"
	m, err := Release(context.Background(), o)
	must(t, err)
	for _, s := range m.Spreads {
		if s.Score == "groceries" && (s.Homes != 2000 || s.Known != 2000 || s.Collapsed == "" || s.Accepted != "a synthetic street" ||
			s.High != 2) {
			t.Errorf("%+v", s)
		}
	}
	if len(m.Spreads) != len(schemas.Scores) || len(m.Agreements) == 0 {
		t.Errorf("%d spreads and %d agreements", len(m.Spreads), len(m.Agreements))
	}
	t.Run("damaged", func(t *testing.T) { damageSurvey(t, o.Out) })
}

// damageSurvey changes what a manifest says of classes and spreads in ways that are valid in themselves.
func damageSurvey(t *testing.T, release string) {
	cafe, cafes := slices.Index(schemas.RatedClasses, "cafe"), slices.Index(schemas.ScoreIDs(), "cafes")
	for name, tt := range map[string]struct {
		damage func(m *schemas.Manifest)
		want   string
	}{
		"another number of places": {func(m *schemas.Manifest) {
			m.Classes[cafe].Places = 2
			m.Classes[cafe].Rate = m.Classes[cafe].ClassRate()
		}, "region us-delaware has 1 places of class cafe, the manifest has 2"},
		"another usual rate": {func(m *schemas.Manifest) { m.Classes[cafe].Usual *= 2 }, "the usual rate of class cafe is "},
		"another verdict":    {func(m *schemas.Manifest) { m.Classes[cafe].Verdict = schemas.ClassFew }, "errands are of the points"},
		"another verdict on all": {func(m *schemas.Manifest) {
			m.Classes[cafe].Verdict = schemas.ClassFew
			m.Errands = scores.Errands(calibration.Standard(), m.Classes)
		}, "nodes of region us-delaware have coffee_shop_access, and the manifest has class cafe as unknown"},
		"other errands": {func(m *schemas.Manifest) { m.Errands[0].Known-- }, "errands are of the points"},
		"no collapse": {func(m *schemas.Manifest) { m.Spreads[cafes].Collapsed = "" },
			"spread of cafes of region us-delaware: collapsed is \"\", and should be"},
		"a higher high":         {func(m *schemas.Manifest) { m.Spreads[cafes].High = 4.9 }, "the nodes of region us-delaware have cafes from "},
		"another percentile":    {func(m *schemas.Manifest) { m.Spreads[cafes].P90 = m.Spreads[cafes].P10 }, "90 % of the homes have up to"},
		"shares of other homes": {func(m *schemas.Manifest) { m.Spreads[cafes].Steps = [schemas.HalfPoints]float64{1} }, "spread of cafes"},
		"too few shares":        {func(m *schemas.Manifest) { m.Spreads[cafes].Steps[2] = 0 }, "2000 homes have shares of"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := copyRelease(t, release)
			changeManifest(t, dir, tt.damage)
			if _, err := verify.Release(t.Context(), dir, ""); !errors.Is(err, verify.ErrUnverified) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want %q", err, tt.want)
			}
		})
	}
}
