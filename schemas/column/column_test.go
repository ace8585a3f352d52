package column

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"quartier/schemas"
	"quartier/schemas/market"
	"quartier/schemas/tsv"
)

// TestTexts checks that each column has texts in both languages with the same braces, that say when a value may be missing, and
// that each unit is used.
func TestTexts(t *testing.T) {
	unFrench := regexp.MustCompile(`'| ;;|  |[^ ][;:]( |$)`)
	vocabularies := regexp.MustCompile(`pois\.count_`) // whose labels are those of the specification
	units := map[string]bool{}
	known := map[string]bool{"": true, "{unit}": true}
	for _, row := range tsv.MustParse("units.tsv", unitsText) {
		known[row[0]] = true
	}
	for key, c := range catalogue() {
		if units[c.Unit] = true; !known[c.Unit] {
			t.Errorf("%s is in the unknown unit %s", key, c.Unit)
		}
		for _, text := range []schemas.Text{c.Text, c.Absent} {
			if (text.EN == "") != (text.FR == "") || strings.TrimSpace(text.EN) != text.EN || strings.HasSuffix(text.EN, ".") {
				t.Errorf("%s: %q and %q", key, text.EN, text.FR)
			}
			in, fr := braces.FindAllString(text.EN, -1), braces.FindAllString(text.FR, -1)
			if slices.Sort(in); !slices.Equal(in, slices.Sorted(slices.Values(fr))) {
				t.Errorf("%s: %v in English and %v in French", key, in, fr)
			}
			if bad := unFrench.FindString(text.FR); bad != "" && !vocabularies.MatchString(key) {
				t.Errorf("%s has a sign %q that is not French: %s", key, bad, text.FR)
			}
		}
		if c.Text.EN == "" || c.Type.Name == "" || c.Type.Optional && c.Absent.EN == "" {
			t.Errorf("%s has no text, no type, or does not say when there is no value", key)
		}
		if strings.Contains(c.Text.EN+c.Absent.EN, "{label}") && !strings.Contains(key, "{") && !strings.Contains(labelled, c.Name) {
			t.Errorf("%s lacks its label: %s", key, c.Text.EN)
		}
	}
	for unit := range known {
		if !units[unit] {
			t.Errorf("no column is in %s", unit)
		}
	}
}

// labelled are columns whose label is given by With.
const labelled = "smallest_id smallest_name nearest_name around_open"

func TestFind(t *testing.T) {
	for _, c := range []struct{ product, name, key, en string }{
		{"pois", "phone", "all.phone", "Telephone number; NULL: not known"},
		{"schools", "phone", "schools.phone", "Telephone number, as 206-555-0100. United States only; NULL: not known"},
		{"streets", "length_m", "streets.length_m", "Length, metres"},
		{"scores", "quiet", "scores.quiet", "Score: Quiet, 0 to 5; NULL: there are no data, or no street is near"},
		{"market_stats", "metric_ask_p10", "market_stats.metric_ask_p10",
			"Asking prices of the active listings: 10th percentile, dollars; NULL: cannot be had"},
		{"market_stats", "metric_dom_median", "market_stats.metric_dom_median",
			"Median days since the active listings were first listed; those over 365 days are left out; NULL: cannot be had"},
	} {
		if got := Find(c.product, c.name); got == nil || got.Key() != c.key || got.Describe(got.Type, "en") != c.en {
			t.Errorf("%s of %s is %+v", c.name, c.product, got)
		}
	}
	if Find("pois", "none") != nil {
		t.Error("a column that there is not was found")
	}
	parks := Of("scores.parks")
	if got := parks.Describe(parks.Type, "fr"); got != "Cote : Parcs, de 0 à 5 ; NULL : il n’y a pas de données, ou aucune rue n’est proche" {
		t.Error(got)
	}
}

// TestScale checks that the numbers in packs have the decimals of their columns.
func TestScale(t *testing.T) {
	for c := range schemas.Channel(schemas.ChannelCount) {
		product := "snapshot"
		if c >= schemas.FirstScore {
			product = "scores"
		}
		unit := 1
		for range Of(product + "." + schemas.ChannelName(c)).Type.Decimals {
			unit *= 10
		}
		if unit != schemas.UnitValue {
			t.Errorf("%s is stored in %d parts, and has %d", schemas.ChannelName(c), schemas.UnitValue, unit)
		}
	}
	for m := range market.MetricCount {
		if c := Of("market_stats.metric_" + m.String()); int(c.Type.Decimals) != m.Decimals() || len(m.Members()) == 0 {
			t.Errorf("%s has %d decimals, its column %d", m, m.Decimals(), c.Type.Decimals)
		}
	}
}
