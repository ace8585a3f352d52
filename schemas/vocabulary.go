package schemas

import (
	"embed"

	"quartier/schemas/tsv"
)

// The vocabularies are rows, not code: a line a term.
//
//go:embed vocabulary/*.tsv
var vocabularies embed.FS

// ReadVocabulary reads the rows of a vocabulary in the order of its file.
func ReadVocabulary[T any](file string, row func(cells []string) T) []T {
	text, err := vocabularies.ReadFile("vocabulary/" + file)
	if err != nil {
		panic(err)
	}
	var list []T
	for _, cells := range tsv.MustParse(file, string(text)) {
		list = append(list, row(cells))
	}
	return list
}

// indexBy maps the keys of a list to their places in it, but not "".
func indexBy[T any](list []T, key func(T) string) map[string]int {
	index := make(map[string]int, len(list))
	for i, item := range list {
		if k := key(item); k != "" {
			index[k] = i
		}
	}
	return index
}

// find returns the item of a list by a key of its index; false if there is none.
func find[T any](list []T, index map[string]int, key string) (item T, ok bool) {
	i, ok := index[key]
	if ok {
		item = list[i]
	}
	return item, ok
}
