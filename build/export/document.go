package export

import (
	"fmt"
	"strings"
)

// Document describes the tables in Markdown: docs/export.md has it.
func Document() string {
	var b strings.Builder
	for i := range Tables {
		t := &Tables[i]
		fmt.Fprintf(&b, "### %s\n\n%s%s\n\n| column | type | |\n| --- | --- | --- |\n", t.Name, t.Text, t.divided())
		for _, c := range t.declared {
			name := "`" + c.Name + "`"
			if n := len(expand(c)); n > 1 {
				name += fmt.Sprintf(" (%d)", n)
			}
			kind := c.Type
			if kind == "{type}" {
				kind = "of the metric"
			}
			fmt.Fprintf(&b, "| %s | %s | %s |\n", name, kind, strings.ReplaceAll(c.Text, "|", "\\|"))
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
