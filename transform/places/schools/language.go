package schools

import (
	_ "embed"
	"strings"
	"sync"

	"quartier/schemas/tsv"
	"quartier/transform/places/normalize"
)

//go:embed languages.tsv
var languagesTSV string

var languageRules = sync.OnceValue(func() [][]string { return tsv.MustParse("languages.tsv", languagesTSV) })

// languageOf is the language in which a school teaches by the words of its board, else of its name; "" if neither says, as
// where a name has the words of two languages: "École Glenbrook Middle School".
func languageOf(board, name string) string {
	if found := languagesIn("board", board); len(found) > 0 {
		return found[0]
	}
	found := languagesIn("name", name)
	for _, other := range found {
		if other != found[0] {
			return ""
		}
	}
	if len(found) > 0 {
		return found[0]
	}
	return ""
}

// languagesIn are the languages of the rules that fit a text, in their order.
func languagesIn(of, text string) (found []string) {
	folded := " " + normalize.Name(text) + " "
	for _, rule := range languageRules() {
		if rule[0] == of && strings.Contains(folded, " "+rule[1]+" ") {
			found = append(found, rule[2])
		}
	}
	return found
}
