package poi

import (
	"embed"
	"fmt"
	"strings"
)

//go:embed mapping/*.tsv
var tables embed.FS

// readTable reads an embedded table: tab-separated, with comment lines that start with #; the first other line has
// the column names.
func readTable(name string, columns ...string) ([][]string, error) {
	data, err := tables.ReadFile("mapping/" + name)
	if err != nil {
		return nil, fmt.Errorf("read table %s: %w", name, err)
	}
	return parseTable(name, string(data), columns...)
}

func parseTable(name, text string, columns ...string) ([][]string, error) {
	var rows [][]string
	header := false
	for i, line := range strings.Split(text, "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		fields := strings.Split(line, "\t")
		if len(fields) != len(columns) {
			return nil, fmt.Errorf("table %s line %d: %d columns, want %d", name, i+1, len(fields), len(columns))
		}
		if !header {
			if strings.Join(fields, ",") != strings.Join(columns, ",") {
				return nil, fmt.Errorf("table %s line %d: columns %v, want %v", name, i+1, fields, columns)
			}
			header = true
			continue
		}
		rows = append(rows, fields)
	}
	return rows, nil
}

// list splits a comma-separated list; nil if it is empty.
func list(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(s, ",")
}
