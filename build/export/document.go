package export

import (
	"fmt"
	"strings"

	"quartier/schemas/column"
)

// Document describes the tables in Markdown: docs/export.md has it.
func Document() string {
	var b strings.Builder
	for i := range Tables {
		t := &Tables[i]
		fmt.Fprintf(&b, "### %s\n\n%s%s\n\n| column | type | |\n| --- | --- | --- |\n", t.Name, t.Text, t.divided())
		for _, d := range t.Declared {
			name, of := "`"+d.Name+"`", t.find(d.Of)
			if n := len(column.Members(d.Name)); n > 0 {
				name += fmt.Sprintf(" (%d)", n)
			}
			kind := d.typeOf(of)
			text := kind.String()
			if kind.Name == "{type}" {
				text = "of the metric"
			}
			fmt.Fprintf(&b, "| %s | %s | %s |\n", name, text, strings.ReplaceAll(of.Describe(kind, "en"), "|", "\\|"))
		}
		if t.Geometry != "" {
			fmt.Fprintf(&b, "| `%s` | geometry | %s |\n", GeometryColumn, geometryColumn.Text.EN)
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
