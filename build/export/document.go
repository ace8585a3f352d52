package export

import (
	"fmt"
	"strings"
)

// fewColumns is up to how many columns of a group are described one by one.
const fewColumns = 10

// Document describes the tables in Markdown: docs/export.md has it.
func Document() string {
	var b strings.Builder
	for i := range Tables {
		t := &Tables[i]
		fmt.Fprintf(&b, "### %s\n\n%s%s\n\n| column | type | |\n| --- | --- | --- |\n", t.Name, t.Text, t.divided())
		for _, c := range t.declared {
			columns, more := expand(c), ""
			if n := len(columns); n > fewColumns {
				columns, more = []Column{c}, fmt.Sprintf(" (%d)", n)
			}
			for _, c := range columns {
				kind := c.Type
				if kind == "{type}" {
					kind = "of the metric"
				}
				fmt.Fprintf(&b, "| `%s`%s | %s | %s |\n", c.Name, more, kind, strings.ReplaceAll(c.Text, "|", "\\|"))
			}
		}
		if t.Geometry != "" {
			fmt.Fprintf(&b, "| `%s` | geometry | longitude and latitude of WGS 84 |\n", GeometryColumn)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func (t *Table) divided() string {
	var by []string
	if t.Level != "" {
		by = append(by, ByLevel)
	}
	if t.State != "" {
		by = append(by, ByState)
	}
	if len(by) == 0 {
		return ""
	}
	return " It can be divided by " + strings.Join(by, " or ") + "."
}
