// Package brands is the kind for the name-suggestion-index, as JSON files of one OSM tag each or the entire index in one.
// It stages brand rules: the names by which a brand is recognised under a tag in some countries.
package brands

import (
	"cmp"
	"context"
	"slices"

	"quartier/ingest/source"
	"quartier/schemas/reason"
)

var own reason.List

var (
	customLocation = own.Repaired("custom_location_removed",
		"A circle or custom outline, which is not in the file, was removed from the locations of the brand.")
	customLocationOnly = own.Skipped("custom_location_only",
		"The only locations of the brand are circles or custom outlines, which are not in the file.")
	emptyLocationSet   = own.Skipped("empty_location_set", "The exclusions of the brand leave no location.")
	notABrand          = own.Skipped("not_a_brand", "The item is not in the branch of brands of the index.")
	missingDisplayName = own.Rejected("missing_display_name", "The item has no displayName.")
	missingLocationSet = own.Rejected("missing_location_set", "The item has no locationSet.")
)

// Options of a brands source.
type Options struct {
	Countries []string `yaml:"countries" doc:"two-letter codes of the countries whose brands are read; default: ca and us; '*' for all brands"`
}

// Kind is the source kind "brands".
var Kind = source.Declaration[Options]{
	Kind:  "brands",
	Title: "Brands and their names (name-suggestion-index)",
	Formats: []string{
		"name-suggestion-index JSON, one file for each tag: properties.path and items (data/brands/**.json)",
		"name-suggestion-index JSON of the entire index (dist/nsi.json)",
		"a folder of such files, subfolders included",
	},
	Yields:  []string{"brand_rule"},
	Own:     &own,
	Reasons: []reason.Reason{source.ExcludedByOption, source.MalformedRecord, source.MissingKey, source.MissingName},
	Notes: "The brand_id is the displayName in lower snake_case ASCII, without accents and apostrophes; & becomes and. " +
		"For a name in another script it is the English name, else the stem of the index id. " +
		"Of different brands (by Wikidata item) with the same id, the one with locations in Canada or the US, " +
		"else the one with the lowest Q-number, keeps the id; those of the others end in _q and their number. " +
		"The matchTags of an item become further rules. " +
		"Circles and custom outlines are not in the files: a brand without other locations is skipped and counted. " +
		"An excluded state or country becomes the list of the remaining ones in Canada and the US.",
	Complete: func(o *Options, _ source.Input) error {
		var f source.Faults
		for _, code := range o.Countries {
			f.Value(len(code) != 2 && code != "*", "countries", code, "%q is not a two-letter code", code)
		}
		if len(o.Countries) == 0 {
			o.Countries = []string{"ca", "us"}
		}
		return f.Err()
	},
	Inspect: func(ctx context.Context, in source.Input, _ *Options) error {
		_, err := readAll(ctx, in.Path, source.Discard{})
		return err
	},
	Read: read,
}

// read reads the file or folder and stages its rules, ordered by key, value and brand_id.
func read(ctx context.Context, in source.Input, o *Options, out source.Sink) error {
	items, err := readAll(ctx, in.Path, out)
	if err != nil {
		return err
	}
	identify(items)
	items = slices.DeleteFunc(items, func(it *item) bool {
		if !it.places.overlap(o.Countries) {
			out.Issue(source.ExcludedByOption.With("countries"), it.where)
			return true
		}
		if it.customLocations {
			out.Issue(customLocation, it.where)
		}
		return false
	})
	for _, rule := range rules(items) {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := out.Row(rule); err != nil {
			return err
		}
	}
	return nil
}

// rules returns a rule for each item, and one for each of its matchTags without an item of its own. Items of one brand and
// tag with different locations become one rule.
func rules(items []*item) []source.BrandRule {
	type ruleKey struct{ key, value, brand string }
	made := map[ruleKey]*source.BrandRule{}
	for _, it := range items {
		at := ruleKey{it.key, it.value, it.brandID}
		if made[at] == nil {
			made[at] = it.rule(it.key, it.value)
			continue
		}
		join(made[at], it)
	}
	for _, it := range items {
		for _, tag := range it.MatchTags {
			key, value, ok := splitTag(tag)
			if at := (ruleKey{key, value, it.brandID}); ok && made[at] == nil {
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
		Names: it.names(), Countries: it.places.codes, Tags: it.addedTags(),
	}
}

// join adds an item's names and locations to the rule of the same brand and tag.
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
