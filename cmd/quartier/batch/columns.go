package batch

import (
	"fmt"
	"io"
	"text/tabwriter"

	"quartier/serve/enrich"
)

// printColumns prints what is added: name, type, what it is, and when it is NULL.
func printColumns(out io.Writer, columns []enrich.Column) error {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "column\ttype\tgroup\twhat it is; where it is NULL")
	for _, c := range columns {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s; %s\n", c.Name, typeName(&c), c.Group, c.Doc, c.Null)
	}
	return table.Flush()
}

// typeName is the type of a column in the words of SQL.
func typeName(c *enrich.Column) string {
	switch c.Kind {
	case enrich.Integer:
		return "bigint"
	case enrich.Decimal:
		return fmt.Sprintf("decimal(%d,%d)", c.Digits, c.Decimals)
	}
	return "text"
}
