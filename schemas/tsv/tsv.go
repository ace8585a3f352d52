// Package tsv reads the project's tables of constants: tab-separated rows below a line of headings. Empty lines and
// lines that start with # are comments.
package tsv

import (
	"fmt"
	"slices"
	"strings"
)

// Parse returns the rows of a table, each with a cell for each heading. If headings are given, the table must have
// these. Errors have the name of the table and the line.
func Parse(name, text string, headings ...string) (rows [][]string, err error) {
	headed := false
	for i, line := range strings.Split(text, "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		cells := strings.Split(line, "\t")
		if !headed && headings == nil {
			headings = cells
		}
		if len(cells) != len(headings) {
			return nil, fmt.Errorf("table %s line %d: %d columns, want %d", name, i+1, len(cells), len(headings))
		}
		if headed {
			rows = append(rows, cells)
		} else if !slices.Equal(cells, headings) {
			return nil, fmt.Errorf("table %s line %d: columns %v, want %v", name, i+1, cells, headings)
		}
		headed = true
	}
	return rows, nil
}

// MustParse is Parse for an embedded table, which is valid.
func MustParse(name, text string, headings ...string) [][]string {
	rows, err := Parse(name, text, headings...)
	if err != nil {
		panic(err)
	}
	return rows
}
