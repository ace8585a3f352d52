package poi

import (
	"embed"
	"fmt"
	"strings"

	"quartier/schemas/tsv"
)

//go:embed mapping/*.tsv
var tables embed.FS

// readTable reads an embedded table with the given columns.
func readTable(name string, columns ...string) ([][]string, error) {
	data, err := tables.ReadFile("mapping/" + name)
	if err != nil {
		return nil, fmt.Errorf("read table %s: %w", name, err)
	}
	return tsv.Parse(name, string(data), columns...)
}

// list splits a comma-separated list; nil if it is empty.
func list(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(s, ",")
}
