package main

import (
	"fmt"
	"slices"
	"strings"
)

// table is a table of a DDL.
type table struct {
	name    string
	comment []string // lines before it
	columns []column
}

// column is a column of a table.
type column struct {
	name, kind, comment string
	null                bool
}

// parse reads the tables of a DDL. It is one of the project's: a column a line, "CREATE TABLE name (" and the closing
// parenthesis begin a line, comments begin with "--".
func parse(ddl string) (tables []table) {
	var comment []string
	inside := false
	for line := range strings.Lines(ddl) {
		code, note, _ := strings.Cut(line, "--")
		code, note = strings.TrimSpace(code), strings.TrimSpace(note)
		words := strings.Fields(strings.TrimSuffix(code, ","))
		switch {
		case strings.HasPrefix(code, "CREATE TABLE "):
			tables = append(tables, table{name: words[2], comment: comment})
			inside = true
		case !inside && code == "" && note != "":
			comment = append(comment, note)
			continue
		case strings.HasPrefix(code, ")"):
			inside = false
		case inside && code == "":
			columns := tables[len(tables)-1].columns
			columns[len(columns)-1].comment += " " + note
		case inside && words[0] != "PRIMARY" && words[0] != "UNIQUE":
			null := !strings.Contains(code, " NOT NULL") && !strings.Contains(code, " PRIMARY KEY")
			tables[len(tables)-1].columns = append(tables[len(tables)-1].columns, column{words[0], words[1], note, null})
		}
		comment = nil
	}
	return tables
}

// attributes is the type of a column that stands for those of place.Attributes.
const attributes = "ATTRIBUTES"

// fits reports whether a field for another column fits this one, which has its name. A number or flag is an INTEGER in SQLite.
func (c column) fits(other column) bool {
	return c.name == other.name && c.null == other.null && (goTypes[c.kind] == goTypes[other.kind] ||
		c.kind == "INTEGER" && (other.kind == "BIGINT" || other.kind == "BOOLEAN"))
}

// index is the position of a column of the table; -1: it has none of the name.
func (t *table) index(name string) int {
	return slices.IndexFunc(t.columns, func(c column) bool { return c.name == name })
}

// ranges are the columns of a table that a text lists: "name-name_fr phone" are those from name to name_fr, and phone.
func (t *table) ranges(text string) (columns []column, err error) {
	for part := range strings.FieldsSeq(text) {
		from, to, through := strings.Cut(part, "-")
		if !through {
			to = from
		}
		first, last := t.index(from), t.index(to)
		if first < 0 || last < first {
			return nil, fmt.Errorf("table %s has no columns %s", t.name, part)
		}
		columns = append(columns, t.columns[first:last+1]...)
	}
	return columns, nil
}

// goTypes are the Go types of columns by their types in DuckDB and SQLite.
var goTypes = map[string]string{
	"VARCHAR": "string", "BOOLEAN": "bool", "UTINYINT": "uint8", "INTEGER": "int32", "BIGINT": "int64", "DOUBLE": "float64", "BLOB": "[]byte",
	"TEXT": "string", "REAL": "float64", "POINT": "[]byte", "LINESTRING": "[]byte", "MULTIPOLYGON": "[]byte", "GEOMETRY": "[]byte",
}

// goType is the Go type of a column, and whether its zero value is NULL. A number or flag that may be NULL is a pointer,
// unless zeroIsNull lists it.
func (c *column) goType(sqlite bool) (kind string, null bool, err error) {
	kind = goTypes[c.kind]
	switch {
	case kind == "":
		return "", false, fmt.Errorf("column %s: no Go type for %s", c.name, c.kind)
	case sqlite && kind == "int32" && slices.Contains(flags, c.name):
		kind = "bool"
	case sqlite && kind == "int32":
		kind = "int64"
	}
	if c.null && kind != "string" && kind != "[]byte" && !slices.Contains(zeroIsNull, c.name) {
		return "*" + kind, false, nil
	}
	return kind, c.null, nil
}
