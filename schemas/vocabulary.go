package schemas

import (
	"embed"
	"fmt"
	"strings"
)

// The vocabularies are rows, not code: a line a term, tab-separated, below a line of headings.
//
//go:embed vocabulary/*.tsv
var vocabularies embed.FS

// readVocabulary reads the rows of a vocabulary in the order of its file. It panics on a row that does not have a cell
// for each heading.
func readVocabulary[T any](file string, row func(cells []string) T) []T {
	text, err := vocabularies.ReadFile("vocabulary/" + file)
	if err != nil {
		panic(err)
	}
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	width := strings.Count(lines[0], "\t") + 1
	list := make([]T, 0, len(lines)-1)
	for i, line := range lines[1:] {
		cells := strings.Split(line, "\t")
		if len(cells) != width {
			panic(fmt.Sprintf("%s, line %d: %q", file, i+2, line))
		}
		list = append(list, row(cells))
	}
	return list
}
