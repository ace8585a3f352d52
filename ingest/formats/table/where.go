package table

import (
	"io"
	"maps"
	"slices"

	"quartier/ingest/source"
)

// CheckWhere reads the rest of the table and returns the values of the option where, by column, that no row has.
func (t *Table) CheckWhere(where map[string]source.List) error {
	if len(where) == 0 {
		return nil
	}
	seen := map[string]map[string]bool{}
	for column := range where {
		seen[column] = map[string]bool{}
	}
	for {
		if err := t.Next(); err == io.EOF {
			break
		} else if err != nil {
			return source.BadFile(t.path, "%v", err)
		}
		for column, values := range seen {
			values[t.Text(t.Column(column))] = true
		}
	}
	var faults source.Faults
	for _, column := range slices.Sorted(maps.Keys(where)) {
		faults.Add(source.CheckValues("where", "row", column, where[column], seen[column]))
	}
	return faults.Err()
}
