package schools

import (
	"slices"
	"strings"

	"quartier/transform/places/normalize"
)

// boardWords are words of names of boards: what they count as, "" if they do not distinguish boards.
var boardWords = map[string]string{
	"csb": "catholic", "cdsb": "catholic", "rcssb": "catholic", "csdc": "catholic", "csc": "catholic", "catholique": "catholic",
	"catholiques": "catholic",
	"separate":    "catholic", "separees": "catholic", "dsb": "", "sd": "", "csd": "", "cs": "", "cep": "", "csp": "", "isd": "", "usd": "",
	"public": "", "publique": "", "publiques": "", "publics": "", "district": "", "school": "", "schools": "", "board": "", "of": "",
	"education": "",
	"the":       "", "and": "", "unified": "", "independent": "", "no": "", "number": "", "conseil": "", "scolaire": "", "scolaires": "",
	"ecole": "", "ecoles": "", "de": "",
	"du": "", "des": "", "d": "", "la": "", "le": "", "les": "", "l": "", "et": "", "ontario": "", "division": "", "commission": "",
}

// articles of three letters have no part in acronyms, as shorter ones.
var articles = []string{"the", "and", "des", "les"}

// foldBoard returns the words that distinguish a board, in alphabetical order, and the initials of all words but articles.
// "Ottawa CSB" and "Ottawa Catholic School Board" are both catholic, ottawa.
func foldBoard(text string) (words []string, initials string) {
	for w := range strings.FieldsSeq(normalize.Name(elided.ReplaceAllString(text, " "))) {
		if len(w) > 2 && !slices.Contains(articles, w) {
			initials += w[:1]
		}
		if as, known := boardWords[w]; !known || as != "" {
			if known {
				w = as
			}
			words = append(words, w)
		}
	}
	slices.Sort(words)
	return slices.Compact(words), initials
}

// sameBoard reports whether two names may be of one board; so they are if one is missing. One is an acronym of the other, or
// they have the same distinguishing words, or one lacks some of the other's and has two at least: "CSDC du Centre-Est de
// l'Ontario" is the "Conseil des écoles catholiques du Centre-Est".
func sameBoard(a, b string) bool {
	if a == "" || b == "" {
		return true
	}
	wordsA, initialsA := foldBoard(a)
	wordsB, initialsB := foldBoard(b)
	if len(wordsA) == 1 && wordsA[0] == initialsB || len(wordsB) == 1 && wordsB[0] == initialsA || slices.Equal(wordsA, wordsB) {
		return true
	}
	if len(wordsA) > len(wordsB) {
		wordsA, wordsB = wordsB, wordsA
	}
	for _, w := range wordsA {
		if !slices.Contains(wordsB, w) {
			return false
		}
	}
	return len(wordsA) >= 2
}
