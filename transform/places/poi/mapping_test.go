package poi

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"quartier/schemas"
	"quartier/schemas/tsv"
)

func newMapping(t testing.TB) *Mapping {
	t.Helper()
	m, err := NewMapping()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// testCase is a row of mapping/cases.
type testCase struct {
	input string
	want  string // in the format of outcome
}

func readCases(t *testing.T, name string) []testCase {
	t.Helper()
	data, err := os.ReadFile("mapping/cases/" + name)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := tsv.Parse(name, string(data), "input", "categories", "base", "tags")
	if err != nil {
		t.Fatal(err)
	}
	var cases []testCase
	for _, row := range rows {
		cases = append(cases, testCase{row[0], strings.Join(row[1:], " | ")})
	}
	return cases
}

func outcome(m *Mapping, c Class) string {
	if c.categories == 0 {
		return "!" + c.reason.String() + " |  | "
	}
	return strings.Join([]string{c.categories.ids(), m.baseIDs(c.categories, c.tags), strings.Join(c.tags, ",")}, " | ")
}

func parseTags(s string) map[string]string {
	tags := map[string]string{}
	for _, pair := range strings.Split(s, ", ") {
		k, v, _ := strings.Cut(pair, "=")
		tags[k] = v
	}
	return tags
}

func TestEveryRowOfTheOSMTableHasACase(t *testing.T) {
	m := newMapping(t)
	tested := map[*rule]bool{}
	for _, c := range readCases(t, "osm.tsv") {
		tags := parseTags(c.input)
		if got := outcome(m, m.Classify("osm", tags, nil)); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.input, got, c.want)
		}
		for key, values := range tags {
			for _, value := range strings.Split(values, ";") {
				rules, known := m.osm[key+"="+value]
				if !known {
					rules = m.osm[key+"=*"]
				}
				for _, r := range rules {
					tested[r] = tested[r] || r.matches(tags)
				}
			}
		}
	}
	for pair, rules := range m.osm {
		for _, r := range rules {
			if !tested[r] {
				t.Errorf("no case of mapping/cases/osm.tsv tests the row of %s with %d conditions", pair, len(r.conditions))
			}
		}
	}
}

func TestEveryRowOfTheOvertureTableHasACase(t *testing.T) {
	m := newMapping(t)
	tested := map[string]bool{}
	for _, c := range readCases(t, "overture.tsv") {
		ids := strings.Split(c.input, ", ")
		if got := outcome(m, m.Classify("overture", nil, ids)); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.input, got, c.want)
		}
		tested[ids[0]] = true
	}
	for id := range m.overture {
		if !tested[id] {
			t.Errorf("no case of mapping/cases/overture.tsv tests %s", id)
		}
	}
}

// Every category of the API must be reachable from both schemes, except those that a publisher has no class for.
func TestEveryCategoryCanBeReached(t *testing.T) {
	m := newMapping(t)
	var osm, overture set
	for _, rules := range m.osm {
		for _, r := range rules {
			osm |= m.expand(r.categories)
		}
	}
	for _, r := range m.overture {
		overture |= m.expand(r.categories)
	}
	for i, c := range schemas.Categories {
		if !osm.has(1 << i) {
			t.Errorf("no OpenStreetMap tag leads to %s", c.ID)
		}
		if !overture.has(1 << i) {
			t.Errorf("no Overture category leads to %s", c.ID)
		}
	}
	for i, c := range schemas.BaseCategories {
		reached := c.ID == "healthy_restaurants"
		for _, base := range m.base {
			reached = reached || base == i
		}
		if !reached {
			t.Errorf("no category leads to the base category %s", c.ID)
		}
	}
}

func TestEveryOvertureCategoryHasARow(t *testing.T) {
	m := newMapping(t)
	list := schemas.OvertureCategories()
	for i, c := range list {
		if m.ruleOf(c.ID) == nil {
			t.Errorf("no row covers %s, of the branch %s", c.ID, m.branch(c.ID))
		}
		if i > 0 && list[i-1].ID >= c.ID {
			t.Errorf("%s is a duplicate or not in order", c.ID)
		}
		for _, id := range []string{c.Parent, c.Before} {
			if id != "" && !schemas.KnownPlaceClass("overture", id) {
				t.Errorf("%s refers to %s, which is not in the list", c.ID, id)
			}
		}
	}
	if len(list) < 2000 {
		t.Errorf("the list has %d categories", len(list))
	}
}

func TestQuartierScheme(t *testing.T) {
	m := newMapping(t)
	for _, c := range []struct{ scheme, ids, want string }{
		{"quartier", "supermarkets,organic", "common_needs,food_shops,groceries,retail,shops_and_services,supermarkets | groceries | organic"},
		{"quartier", "libraries", "libraries |  | "},
		{"quartier", "shopping", "!unknown_category: quartier |  | "},
		{"quartier", "", "!unclassified_place |  | "},
		{"yelp", "cafes", "!unknown_category: scheme yelp |  | "},
	} {
		if got := outcome(m, m.Classify(c.scheme, nil, list(c.ids))); got != c.want {
			t.Errorf("%s %s: %s", c.scheme, c.ids, got)
		}
	}
}

func TestInvalidTables(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"a\tb\nx\n", "line 2: 1 columns, want 2"},
		{"b\ta\n", "line 1: columns [b a], want [a b]"},
	} {
		if _, err := tsv.Parse("t.tsv", c.text, "a", "b"); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v", c.text, err)
		}
	}
	for _, c := range []struct{ categories, tags string }{{"", ""}, {"nothing", ""}, {"cafes", "nothing"}} {
		if _, err := newRule("x", c.categories, c.tags); err == nil {
			t.Errorf("row with categories %q and tags %q is accepted", c.categories, c.tags)
		}
	}
}

func FuzzClassify(f *testing.F) {
	m := newMapping(f)
	f.Add("osm", "shop", "bakery;;;*", "cuisine")
	f.Add("overture", "retail", "pharmacy", "")
	f.Fuzz(func(t *testing.T, scheme, a, b, c string) {
		class := m.Classify(scheme, map[string]string{a: b, b: c}, []string{a, b, c})
		if (class.categories == 0) == class.reason.OK() {
			t.Errorf("categories %s and reason %q", class.categories.ids(), class.reason)
		}
		if class.categories != m.expand(class.categories) {
			t.Errorf("implied categories of %s are missing", class.categories.ids())
		}
		again := m.Classify(scheme, map[string]string{a: b, b: c}, []string{a, b, c})
		if fmt.Sprint(class) != fmt.Sprint(again) {
			t.Errorf("%v, then %v", class, again)
		}
	})
}
