package geoparquet

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Copy is the result of a query in temporary files of the table.
type Copy struct {
	table *Table
	files []string // quoted, in the order of their rows
	rows  int
	page  int // rows of a page
}

// Copy runs a query, whose rows Page returns by the given number.
func (t *Table) Copy(ctx context.Context, query string, page int) (*Copy, error) {
	c := &Copy{table: t, page: page}
	return c, c.append(ctx, query)
}

// SortedRows is how many rows DuckDB sorts at once: where there are more, and they are wide, it fails by lack of memory
// instead of spilling.
const SortedRows = 500_000

// Sorted is Copy in the order of columns of the query, of which the first is text that is rarely repeated. More than most
// rows are divided by ranges of that text, and each is sorted alone.
func (t *Table) Sorted(ctx context.Context, query string, order []string, most, page int) (*Copy, error) {
	var rows int
	if err := t.DB.QueryRowContext(ctx, "SELECT count(*) FROM ("+query+")").Scan(&rows); err != nil {
		return nil, err
	}
	parts, err := []string{"(" + query + ")"}, error(nil)
	if rows > most {
		if parts, err = t.divide(ctx, query, order[0], (rows+most-1)/most); err != nil {
			return nil, err
		}
	}
	c := &Copy{table: t, page: page}
	for _, part := range parts {
		if err := c.append(ctx, "SELECT * FROM "+part+" ORDER BY "+strings.Join(order, ", ")); err != nil {
			return nil, err
		}
	}
	return c, os.RemoveAll(t.parts())
}

// append writes the rows of a query to a file of their own, after those that the copy has.
func (c *Copy) append(ctx context.Context, query string) error {
	file := Quote(filepath.Join(c.table.folder, fmt.Sprintf("copy-%d.parquet", len(c.files))))
	result, err := c.table.DB.ExecContext(ctx,
		fmt.Sprintf("COPY (SELECT %d + row_number() OVER () AS n, * FROM (%s)) TO %s (FORMAT parquet, ROW_GROUP_SIZE %d)",
			c.rows, query, file, max(c.page, 2048)))
	if err != nil {
		return err
	}
	rows, err := result.RowsAffected()
	c.files, c.rows = append(c.files, file), c.rows+int(rows)
	return err
}

// parts is the folder of the parts of a table.
func (t *Table) parts() string { return filepath.Join(t.folder, "parts") }

// divide writes the rows of a query by ranges of a column into about as many parts as given, which it returns in the order
// of the ranges. The limits are those of a sample.
func (t *Table) divide(ctx context.Context, query, column string, number int) (parts []string, err error) {
	var keys []string
	if _, err := t.each(ctx, fmt.Sprintf("SELECT %s FROM (SELECT %[1]s FROM (%s)) USING SAMPLE reservoir(%d ROWS) REPEATABLE (1)", column,
		query, 200*number), func(rows *sql.Rows) error {
		var key sql.NullString
		err := rows.Scan(&key)
		keys = append(keys, key.String)
		return err
	}); err != nil {
		return nil, err
	}
	slices.Sort(keys)
	var cuts []string
	for i := 1; i < number; i++ {
		cuts = append(cuts, keys[i*len(keys)/number])
	}
	cuts = slices.Compact(cuts)
	which := "CASE"
	for i, cut := range cuts {
		which += " WHEN " + column + " < " + Quote(cut) + " THEN " + strconv.Itoa(i)
	}
	which += " ELSE " + strconv.Itoa(len(cuts)) + " END" // where there is none, too, which are last in the order
	_, err = t.DB.ExecContext(ctx,
		fmt.Sprintf("SET preserve_insertion_order=false; SET partitioned_write_flush_threshold=50000; COPY (SELECT *, %s AS part FROM (%s)) TO "+
			"%s (FORMAT parquet, PARTITION_BY (part)); SET preserve_insertion_order=true",
			which, query, Quote(t.parts())))
	for i := range len(cuts) + 1 {
		folder := filepath.Join(t.parts(), "part="+strconv.Itoa(i))
		if _, absent := os.Stat(folder); absent == nil {
			parts = append(parts, "read_parquet("+Quote(filepath.Join(literal.Replace(folder), "*.parquet"))+", hive_partitioning=false)")
		}
	}
	return parts, err
}

// Page visits the columns of the page with the given number, 0 first, and returns the number of its rows.
func (c *Copy) Page(ctx context.Context, columns string, number int, visit func(*sql.Rows) error) (n int, err error) {
	from := 1 + number*c.page
	// literals, not parameters, so that DuckDB skips the other row groups
	return c.table.each(ctx, fmt.Sprintf("SELECT %s FROM read_parquet([%s]) WHERE n >= %d AND n < %d ORDER BY n", columns,
		strings.Join(c.files, ","), from, from+c.page), visit)
}
