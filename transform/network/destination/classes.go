package destination

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"

	"quartier/schemas"
)

//go:embed classes.tsv
var classesTSV string

// classRule is a row of classes.tsv.
type classRule struct{ class, category, tag string }

var classRules = sync.OnceValue(func() []classRule {
	rows := readTable(classesTSV, 3)
	rules := make([]classRule, len(rows))
	for i, row := range rows {
		rules[i] = classRule{row[0], row[1], row[2]}
	}
	return rules
})

// classesOf are the classes of a POI with the given categories and tags, without duplicates, in the order of classes.tsv.
func classesOf(categories, tags []string) []string {
	var classes []string
	for _, r := range classRules() {
		if slices.Contains(categories, r.category) && (r.tag == "" || slices.Contains(tags, r.tag)) && !slices.Contains(classes, r.class) {
			classes = append(classes, r.class)
		}
	}
	return classes
}

// checkTables checks the embedded tables for a test.
func checkTables() error {
	for _, r := range classRules() {
		_, category := schemas.CategoryIndex(r.category)
		_, tag := schemas.TagLabel(r.tag)
		if !category || !tag && r.tag != "" || !slices.Contains(schemas.DestinationClasses, r.class) {
			return fmt.Errorf("classes.tsv: %v", r)
		}
	}
	for _, r := range schoolRules() {
		if _, known := levels[r.level]; !known || !slices.Contains([]string{"class", "words", "word"}, r.kind) {
			return fmt.Errorf("schools.tsv: %v", r)
		}
	}
	return nil
}

// readTable reads an embedded table: tab-separated, # starts a comment line, the first other line names the columns.
func readTable(text string, columns int) [][]string {
	var rows [][]string
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		row := strings.Split(line, "\t")
		if len(row) != columns {
			panic(fmt.Sprintf("%q does not have %d columns", line, columns)) // a test reads the tables
		}
		rows = append(rows, row)
	}
	return rows[1:]
}

// list splits a comma-separated list; nil if it is empty.
func list(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(s, ",")
}
