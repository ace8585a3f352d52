package schemas

import (
	"cmp"
	"slices"
	"strings"
)

// CategorySynonym is another word for a class of places, as publishers write it.
type CategorySynonym struct{ Synonym, Class string }

// CategorySynonyms are in alphabetical order.
var CategorySynonyms = readVocabulary("category_synonyms.tsv", func(c []string) CategorySynonym { return CategorySynonym{c[0], c[1]} })

// PlaceClasses are the classes of places of scheme 'quartier': the ids of categories, and the classes of schools.
func PlaceClasses() []string { return slices.Concat(CategoryIDs(Categories), SchoolClasses) }

// PlaceClass returns the class that a word is or means; false if it is neither. Case, spaces and dashes do not matter.
func PlaceClass(word string) (class string, known bool) {
	word = strings.NewReplacer(" ", "_", "-", "_").Replace(strings.ToLower(strings.TrimSpace(word)))
	if slices.Contains(PlaceClasses(), word) {
		return word, true
	}
	for _, s := range CategorySynonyms {
		if s.Synonym == word {
			return s.Class, true
		}
	}
	return "", false
}

// NearestPlaceClasses returns the three classes that are spelled most like a word, those of similar synonyms included.
func NearestPlaceClasses(word string) []string {
	type candidate struct {
		class string
		edits int
	}
	var list []candidate
	for _, class := range PlaceClasses() {
		list = append(list, candidate{class, edits(word, class)})
	}
	for _, s := range CategorySynonyms {
		list = append(list, candidate{s.Class, edits(word, s.Synonym)})
	}
	slices.SortFunc(list, func(a, b candidate) int { return cmp.Or(cmp.Compare(a.edits, b.edits), cmp.Compare(a.class, b.class)) })
	var nearest []string
	for _, c := range list {
		if !slices.Contains(nearest, c.class) && len(nearest) < 3 {
			nearest = append(nearest, c.class)
		}
	}
	return nearest
}

// edits is the number of letters to insert, remove or replace to make b of a: parc becomes parks with 2.
func edits(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replaced := diagonal
			if a[i] != b[j] {
				replaced++
			}
			diagonal = row[j+1]
			row[j+1] = min(replaced, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}
