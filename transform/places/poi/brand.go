package poi

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"quartier/transform/places/normalize"
)

// BrandRule is a row of staged.brand_rule with the priority of its source.
type BrandRule struct {
	Source     string
	Priority   int
	ID, Name   string
	Wikidata   string // '' absent
	Key, Value string
	Names      []string
	Countries  []string // 'us', 'us-or' …; none: everywhere
	Tags       map[string]string
	kind       set // of place that Key=Value is
	fastFood   bool
}

// brands finds the brand of a record.
type brands struct {
	byWikidata map[string][]*BrandRule
	byName     map[string][]*BrandRule // by joined folded name
	known      map[string]bool         // key=value of which some brands are known
}

func newBrands(rules []BrandRule, m *Mapping) *brands {
	b := &brands{byWikidata: map[string][]*BrandRule{}, byName: map[string][]*BrandRule{}, known: map[string]bool{}}
	rules = slices.Clone(rules)
	slices.SortFunc(rules, func(a, b BrandRule) int {
		return cmp.Or(cmp.Compare(a.Priority, b.Priority), cmp.Compare(a.ID, b.ID), cmp.Compare(a.Key, b.Key), cmp.Compare(a.Value, b.Value))
	})
	for i := range rules {
		r := &rules[i]
		r.kind = kind(m.Classify("osm", map[string]string{r.Key: r.Value}, nil).categories)
		r.fastFood = r.Key == "amenity" && r.Value == "fast_food"
		b.known[r.Key+"="+r.Value] = true
		if r.Wikidata != "" {
			b.byWikidata[r.Wikidata] = append(b.byWikidata[r.Wikidata], r)
		}
		names := map[string]bool{joined(r.Name): true}
		for _, name := range r.Names {
			names[joined(name)] = true
		}
		for name := range names {
			if name != "" {
				b.byName[name] = append(b.byName[name], r)
			}
		}
	}
	return b
}

// joined is a folded name without its spaces, so that Wal-Mart and Walmart are one.
func joined(name string) string { return strings.ReplaceAll(normalize.Name(name), " ", "") }

// find is the rule of a record's brand: by its Wikidata item, else by its brand or name among the rules of its kind of
// place and its country. Nil where none fits.
func (b *brands) find(r *Record, class Class, country, state string) *BrandRule {
	for id := range strings.SplitSeq(r.BrandWikidata, ";") {
		if rule := best(b.byWikidata[strings.TrimSpace(id)], r, class); rule != nil {
			return rule
		}
	}
	for _, name := range []string{joined(r.Brand), joined(r.Name), joined(withoutNumber(r.Name))} {
		var fitting []*BrandRule
		for _, rule := range b.byName[name] {
			if rule.kind.has(class.categories) && rule.tradesIn(country, state) {
				fitting = append(fitting, rule)
			}
		}
		if rule := best(fitting, r, class); rule != nil {
			return rule
		}
	}
	return nil
}

// best prefers the rule of the very tag, then one of the same kind of place, then the first.
func best(rules []*BrandRule, r *Record, class Class) *BrandRule {
	var found *BrandRule
	rank := -1
	for _, rule := range rules {
		score := 0
		if r.Tags[rule.Key] == rule.Value {
			score = 2
		} else if rule.kind.has(class.categories) {
			score = 1
		}
		if score > rank {
			found, rank = rule, score
		}
	}
	return found
}

// withoutNumber is a name without the number of the branch at its end: 'Safeway 1763', 'CVS #12'.
func withoutNumber(name string) string {
	words := strings.Fields(name)
	for n := len(words); n > 1 && strings.Trim(words[n-1], "#()0123456789") == ""; n-- {
		words = words[:n-1]
	}
	return strings.Join(words, " ")
}

func (r *BrandRule) tradesIn(country, state string) bool {
	if len(r.Countries) == 0 {
		return true
	}
	country = strings.ToLower(country)
	return slices.Contains(r.Countries, country) || slices.Contains(r.Countries, country+"-"+strings.ToLower(state))
}

// brand gives a POI its brand and the tags that come with it.
func (b *brands) brand(p *POI, r *Record, class Class, m *Mapping) {
	p.brandsKnown = r.Scheme == "overture" // which tells the brand of every chain it knows
	for key, value := range r.Tags {
		p.brandsKnown = p.brandsKnown || b.known[key+"="+value]
	}
	rule := b.find(r, class, p.Country, p.State)
	if rule == nil {
		if id := normalize.ID(r.Brand); id != "" {
			p.brands = []Brand{{ID: id, Name: r.Brand}}
		}
		return
	}
	p.brands = []Brand{{ID: rule.ID, Name: rule.Name, ruled: true}}
	p.fastFood = p.fastFood || rule.fastFood
	if class.categories.has(restaurants) && !slices.ContainsFunc(m.attributesOf("cuisine", r.Tags["cuisine"]), func(string) bool { return true }) {
		p.Tags = append(p.Tags, m.attributesOf("cuisine", rule.Tags["cuisine"])...)
	}
}

// parseRule fills the JSON columns of a rule.
func (r *BrandRule) parse(names, countries, tags string) error {
	for _, column := range []struct {
		name, text string
		into       any
	}{{"names", names, &r.Names}, {"countries", countries, &r.Countries}, {"tags", tags, &r.Tags}} {
		if err := json.Unmarshal([]byte(column.text), column.into); err != nil {
			return fmt.Errorf("brand rule %s of %s: %s: %w", r.ID, r.Source, column.name, err)
		}
	}
	return nil
}
