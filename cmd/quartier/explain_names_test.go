package main

import (
	"errors"
	"strings"
	"testing"

	"quartier/build/explain"
	"quartier/cmd/quartier/explained"
	"quartier/internal/pack/names"
)

// checkNamesExplained checks that look-ups name what found a geography: its own name, a further one with its source, a name
// with a typing error and one with a state after it.
func checkNamesExplained(t *testing.T, release string) {
	t.Helper()
	for query, want := range map[string]string{
		"Saint-Aubin-des-Érables": "Saint-Aubin-des-Érables name_en equal 0",
		"Hollisport":              "Hollisport further equal 0",
		"Hollispotr":              "Hollisport further typing errors 1",
		"Hollisport, Vermont":     "Hollisport further equal 0",
		"Hollispo":                "Hollisport further begins with the query 0",
	} {
		list, err := explain.LookUp(t.Context(), release, names.Query{Name: query, Language: "en", Limit: 10})
		if err != nil || len(list) == 0 {
			t.Errorf("%s: %v, %v", query, list, err)
			continue
		}
		m := list[0].Match
		if got := strings.TrimSpace(strings.Join([]string{m.Name, m.Which, m.How}, " ")) + " " + string(rune('0'+m.Errors)); got != want {
			t.Errorf("%s: %s, want %s", query, got, want)
		}
		var out strings.Builder
		explained.Geography(&out, &list[0])
		if m.Which == "further" && !strings.Contains(out.String(), "Hollisport (alternate; source geonames of us-port-hollis)") {
			t.Errorf("%s: no source of the name in\n%s", query, &out)
		}
		if named, err := explain.Named(t.Context(), release, list[0].SourceKey); err != nil || named.GeogID != list[0].GeogID {
			t.Errorf("by key %s: %v, %v", list[0].SourceKey, named, err)
		}
	}
	if _, err := explain.Named(t.Context(), release, "g10_nowhere"); !errors.Is(err, explain.ErrNoGeography) {
		t.Errorf("unknown id: %v", err)
	}
}
