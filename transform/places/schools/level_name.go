package schools

import (
	_ "embed"
	"regexp"
	"slices"
	"strings"
	"sync"

	"quartier/schemas/tsv"
	"quartier/transform/places/normalize"
)

//go:embed level_words.tsv
var levelWordsTSV string

// levelWord is a row of level_words.tsv.
type levelWord struct{ kind, text, level string }

var levelWords = sync.OnceValue(func() []levelWord {
	rows := tsv.MustParse("level_words.tsv", levelWordsTSV)
	rules := make([]levelWord, len(rows))
	for i, row := range rows {
		rules[i] = levelWord{row[0], row[1], row[2]}
	}
	return rules
})

var gradesInName = regexp.MustCompile(`(?i)\b(pk|jk|k|[1-9]|1[0-2])\s?[-–]\s?([1-9]|1[0-3])\b`)

// LevelsOfName is the levels of schemas.SchoolLevels that a name implies; false if it implies none. "Salmon Bay K-8" is elementary
// and middle, "Collège Garneau" secondary, "Capital Driving School" known to have none.
func LevelsOfName(text, country string) (levels []string, known bool) {
	if m := gradesInName.FindStringSubmatch(text); m != nil {
		if s := spanOfGrades(strings.ToUpper(m[1]) + "-" + m[2]); s.known {
			return list(s.levels(country)), true
		}
	}
	folded := " " + normalize.Name(text) + " "
	for _, kind := range []string{"words", "word"} {
		for _, rule := range levelWords() {
			if rule.kind == kind && strings.Contains(folded, " "+rule.text+" ") {
				known = true
				if rule.level != "none" {
					levels = append(levels, rule.level)
				}
			}
		}
		if known {
			return levels, true
		}
	}
	return nil, false
}

// isOffice reports whether a name is that of an office, not of a school: "Lincoln High School District Office".
func isOffice(text string) bool {
	folded := " " + normalize.Name(text) + " "
	return slices.ContainsFunc(levelWords(), func(rule levelWord) bool {
		return rule.kind == "office" && strings.Contains(folded, " "+rule.text+" ")
	})
}
