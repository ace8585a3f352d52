// Package brands reads the name-suggestion-index: in go its JSON files of brands (one OSM tag a file, or the whole
// index in one), out come brand rules: which names under which tag, in which countries, mean which brand.
package brands

import (
	"cmp"
	"context"
	"slices"

	"quartier/ingest/source"
)

// Kind is the reader of name-suggestion-index files.
type Kind struct{}

// Options of a brands source.
type Options struct {
	Countries []string `yaml:"countries" doc:"two-letter codes of the countries whose brands are wanted; ca and us if absent, '*' for every brand of the file"`
}

// Info describes the kind.
func (Kind) Info() source.Info {
	return source.Info{
		Kind:  "brands",
		Title: "Brands and the names they go by (name-suggestion-index)",
		Formats: []string{
			"name-suggestion-index JSON, one file a tag: properties.path and items (data/brands/**.json)",
			"name-suggestion-index JSON of the whole index (dist/nsi.json)",
			"a folder of such files, subfolders included",
		},
		Yields:  []string{"brand_rule"},
		Options: Options{},
		Notes: "The brand_id is the displayName in lower snake_case ASCII; accents and apostrophes go, & becomes and. " +
			"A name in another script takes its English name, else the stem of its index id. " +
			"Where different brands (by Wikidata item) come out the same, the one that trades in Canada or the US, " +
			"else the one with the lowest Q-number, keeps the plain id; the others add _q and their number. " +
			"A rule's matchTags become rules of their own. " +
			"Circles and outlines of the index's own cannot be told from the files: a brand that has no other place is left out and counted. " +
			"An exclusion of a state or a country becomes the list of what is left of Canada and the US.",
	}
}

// Stage reads the file or folder and hands its rules out, ordered by key, value and brand_id.
func (Kind) Stage(ctx context.Context, in source.Input, out source.Sink) error {
	options := Options{}
	if err := in.Decode(&options); err != nil {
		return err
	}
	wanted := options.Countries
	if len(wanted) == 0 {
		wanted = []string{"ca", "us"}
	}
	items, err := readAll(ctx, in.Path, out)
	if err != nil {
		return err
	}
	identify(items)
	items = slices.DeleteFunc(items, func(it *item) bool {
		if !it.places.overlap(wanted) {
			out.Issue(source.Uncoded(source.Skipped, "not traded in the countries asked for"), it.where)
			return true
		}
		if it.lostPlaces {
			out.Issue(source.Uncoded(source.Repaired, "circle or outline of the index's own left out"), it.where)
		}
		return false
	})
	for _, rule := range rules(items) {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := out.BrandRule(rule); err != nil {
			return err
		}
	}
	return nil
}

// rules makes one rule of each item, and one of each further tag it matches unless an item of that very tag is there.
// Items of one brand under one tag, told apart by where they trade, become one rule.
func rules(items []*item) []source.BrandRule {
	type slot struct{ key, value, brand string }
	made := map[slot]*source.BrandRule{}
	for _, it := range items {
		at := slot{it.key, it.value, it.brandID}
		if made[at] == nil {
			made[at] = it.rule(it.key, it.value)
			continue
		}
		join(made[at], it)
	}
	for _, it := range items {
		for _, tag := range it.MatchTags {
			key, value, ok := splitTag(tag)
			if at := (slot{key, value, it.brandID}); ok && made[at] == nil {
				made[at] = it.rule(key, value)
			}
		}
	}
	list := make([]source.BrandRule, 0, len(made))
	for _, rule := range made {
		list = append(list, *rule)
	}
	slices.SortFunc(list, func(a, b source.BrandRule) int {
		return cmp.Or(cmp.Compare(a.Key, b.Key), cmp.Compare(a.Value, b.Value), cmp.Compare(a.BrandID, b.BrandID))
	})
	return list
}

func (it *item) rule(key, value string) *source.BrandRule {
	return &source.BrandRule{
		BrandID: it.brandID, BrandName: it.DisplayName, Wikidata: it.wikidata(), Key: key, Value: value,
		Names: it.names(), Countries: it.places.codes, Tags: it.brings(),
	}
}

// join adds an item's names and places to the rule of the same brand and tag.
func join(rule *source.BrandRule, it *item) {
	for _, name := range it.names() {
		if !slices.Contains(rule.Names, name) {
			rule.Names = append(rule.Names, name)
		}
	}
	if len(rule.Countries) == 0 || len(it.places.codes) == 0 {
		rule.Countries = nil
		return
	}
	rule.Countries = slices.Concat(rule.Countries, it.places.codes)
	slices.Sort(rule.Countries)
	rule.Countries = slices.Compact(rule.Countries)
}
