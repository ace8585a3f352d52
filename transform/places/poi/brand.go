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
	Wikidata   string // "" if missing
	Key, Value string
	Names      []string
	Countries  []string // 'us', 'us-or' …; empty: everywhere
	Tags       map[string]string
	kind       set // categories of Key=Value
	fastFood   bool
}

// brands is an index of brand rules.
type brands struct {
	byWikidata map[string][]*BrandRule
	byName     map[string][]*BrandRule // by joined normalised name
	known      map[string]bool         // key=value pairs that have rules
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

// joined is a normalised name without spaces, so that Wal-Mart and Walmart are equal.
func joined(name string) string { return strings.ReplaceAll(normalize.Name(name), " ", "") }

// find returns the rule of a record's brand: by its Wikidata item, else by its brand or name among the rules of its
// categories and country; nil if there is none.
func (b *brands) find(r *Record, class Class, country, state string) *BrandRule {
	for id := range strings.SplitSeq(r.BrandWikidata, ";") {
		if rule := best(b.byWikidata[strings.TrimSpace(id)], r, class); rule != nil {
			return rule
		}
	}
	for _, name := range []string{joined(r.Brand), joined(r.Name), joined(withoutNumber(r.Name))} {
		var fitting []*BrandRule
		for _, rule := range b.byName[name] {
			if rule.kind.has(class.categories) && rule.operatesIn(country, state) {
				fitting = append(fitting, rule)
			}
		}
		if rule := best(fitting, r, class); rule != nil {
			return rule
		}
	}
	return nil
}

// best prefers rules for a tag of the record, then rules of the same kind of place, then the first one.
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

// withoutNumber is a name without a branch number at its end: 'Safeway' for 'Safeway 1763', 'CVS' for 'CVS #12'.
func withoutNumber(name string) string {
	words := strings.Fields(name)
	for n := len(words); n > 1 && strings.Trim(words[n-1], "#()0123456789") == ""; n-- {
		words = words[:n-1]
	}
	return strings.Join(words, " ")
}

func (r *BrandRule) operatesIn(country, state string) bool {
	if len(r.Countries) == 0 {
		return true
	}
	country = strings.ToLower(country)
	return slices.Contains(r.Countries, country) || slices.Contains(r.Countries, country+"-"+strings.ToLower(state))
}

// brand sets the brand of a POI and the tags that come with it.
func (b *brands) brand(p *POI, r *Record, class Class, m *Mapping) {
	p.brandsKnown = r.Scheme == "overture" // which has the brands of all chains that it knows
	for key, value := range r.Tags {
		p.brandsKnown = p.brandsKnown || b.known[key+"="+value]
	}
	rule := b.find(r, class, p.CountryCode, p.StateCode)
	if rule == nil {
		if id := normalize.ID(r.Brand); id != "" {
			p.brands = []Brand{{ID: id, Name: r.Brand}}
		}
		return
	}
	p.brands = []Brand{{ID: rule.ID, Name: rule.Name, fromRule: true}}
	p.fastFood = p.fastFood || rule.fastFood
	if class.categories.has(restaurants) && !slices.ContainsFunc(m.attributesOf("cuisine", r.Tags["cuisine"]),
		func(string) bool { return true }) {
		p.Tags = append(p.Tags, m.attributesOf("cuisine", rule.Tags["cuisine"])...)
	}
}

// parse sets the fields of the JSON columns.
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
