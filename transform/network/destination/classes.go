package destination

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"quartier/schemas/tsv"
)

//go:embed classes.tsv
var classesTSV string

// classRule is a row of classes.tsv.
type classRule struct{ class, category, tag string }

var classRules = sync.OnceValue(func() []classRule {
	rows := tsv.MustParse("classes.tsv", classesTSV)
	rules := make([]classRule, len(rows))
	for i, row := range rows {
		rules[i] = classRule{row[0], row[1], row[2]}
	}
	return rules
})

// ClassesOf are the classes of a POI with the given categories and tags, without duplicates, in the order of classes.tsv.
func ClassesOf(categories, tags []string) []string {
	var classes []string
	for _, r := range classRules() {
		if slices.Contains(categories, r.category) && (r.tag == "" || slices.Contains(tags, r.tag)) && !slices.Contains(classes, r.class) {
			classes = append(classes, r.class)
		}
	}
	return classes
}

// list splits a comma-separated list; nil if it is empty.
func list(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(s, ",")
}
