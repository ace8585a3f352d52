package sqlrow

import (
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
)

// Check compares a row type with the table's columns in a DDL: their names, types and which of them may be NULL.
// Order does not matter.
func Check[T any](ddl, table string) error {
	row := reflect.TypeFor[T]()
	fields := columnsOf(row)
	declared := declarations(ddl, table)
	if declared == nil {
		return fmt.Errorf("%s: the DDL has no table %s", row, table)
	}
	for _, d := range declared {
		i := slices.IndexFunc(fields, func(c column) bool { return c.name == d.name })
		if i < 0 {
			return fmt.Errorf("%s has no field for column %s of table %s", row, d.name, table)
		}
		if err := d.fits(fields[i]); err != nil {
			return fmt.Errorf("%s, column %s of table %s: %w", row, d.name, table, err)
		}
	}
	for i, c := range fields {
		if !slices.ContainsFunc(declared, func(d declaration) bool { return d.name == c.name }) {
			return fmt.Errorf("%s has a column %s, table %s has none", row, c.name, table)
		}
		if slices.ContainsFunc(fields[:i], func(other column) bool { return other.name == c.name }) {
			return fmt.Errorf("%s has two columns %s", row, c.name)
		}
	}
	return nil
}

// CheckAll compares every table of a DDL with its row type. checks has a Check[T] for each table and for no other one.
func CheckAll(ddl string, checks map[string]func(ddl, table string) error) error {
	var errs []error
	seen := map[string]bool{}
	for _, match := range createTable.FindAllStringSubmatch(ddl, -1) {
		table := match[1]
		seen[table] = true
		if check := checks[table]; check == nil {
			errs = append(errs, fmt.Errorf("table %s has no row type", table))
		} else if err := check(ddl, table); err != nil {
			errs = append(errs, err)
		}
	}
	for table := range checks {
		if !seen[table] {
			errs = append(errs, fmt.Errorf("the DDL has no table %s", table))
		}
	}
	return errors.Join(errs...)
}

var createTable = regexp.MustCompile(`(?m)^CREATE TABLE (\w+) \(`)

// declaration is a column in a DDL.
type declaration struct {
	name, kind string
	notNull    bool
}

// fits compares the column with a field.
func (d declaration) fits(c column) error {
	kind, pointer := c.kind, false
	if kind.Kind() == reflect.Pointer {
		kind, pointer = kind.Elem(), true
	}
	var want []string
	switch kind {
	case reflect.TypeFor[string]():
		want = []string{"VARCHAR", "TEXT"}
	case reflect.TypeFor[bool]():
		want = []string{"BOOLEAN", "INTEGER"} // 0 and 1 in SQLite
	case reflect.TypeFor[uint8]():
		want = []string{"UTINYINT"}
	case reflect.TypeFor[int32]():
		want = []string{"INTEGER"}
	case reflect.TypeFor[int64]():
		want = []string{"BIGINT", "INTEGER"} // SQLite has no BIGINT; DuckDB's appender refuses an int64 for an INTEGER
	case reflect.TypeFor[float64]():
		want = []string{"DOUBLE", "REAL"}
	default:
		want = []string{"BLOB", "POINT", "LINESTRING", "MULTIPOLYGON", "GEOMETRY"}
	}
	switch nullable := pointer || c.null; {
	case !slices.Contains(want, d.kind):
		return fmt.Errorf("a field of type %s for a column of type %s", c.kind, d.kind)
	case nullable && d.notNull:
		return fmt.Errorf("the field can be NULL, the column cannot")
	case !nullable && !d.notNull:
		return fmt.Errorf("the column can be NULL, the field cannot")
	}
	return nil
}

// declarations reads the columns of a table from a DDL; nil where there is no such table. The DDL is one of the
// project's: "CREATE TABLE name (" and the closing parenthesis begin a line, comments begin with "--".
func declarations(ddl, table string) []declaration {
	_, body, found := strings.Cut("\n"+ddl, "\nCREATE TABLE "+table+" (")
	if !found {
		return nil
	}
	body = comment.ReplaceAllString(body, "")
	body, _, _ = strings.Cut(body, "\n)")
	var list []declaration
	for line := range strings.SplitSeq(body, ",") {
		words := strings.Fields(line)
		if len(words) < 2 || words[0] == "PRIMARY" || words[0] == "UNIQUE" {
			continue
		}
		rest := strings.Join(words[2:], " ")
		list = append(list, declaration{
			words[0], words[1], strings.Contains(rest, "NOT NULL") || strings.Contains(rest, "PRIMARY KEY"),
		})
	}
	return list
}

var comment = regexp.MustCompile(`(?m)--.*$`)
