package export

import (
	"fmt"
	"strings"

	"quartier/schemas/column"
)

// fewColumns is up to how many columns of a family are described one by one.
const fewColumns = 10

// Document describes the tables in Markdown: docs/export.md has it.
func Document() string {
	var b strings.Builder
	for i := range Tables {
		t := &Tables[i]
		fmt.Fprintf(&b, "### %s\n\n%s%s\n\n| column | type | |\n| --- | --- | --- |\n", t.Name, t.Text, t.divided())
		for _, d := range t.Declared {
			if columns, _ := t.columnsOf(&d); len(columns) <= fewColumns { // readTable has seen that there is no error
				for _, c := range columns {
					writeRow(&b, c.Name, "", c.Type, c.Text)
				}
				continue
			}
			of := t.find(d.Of)
			kind := d.typeOf(of)
			text := kind.String()
			if kind.Name == "{type}" {
				text = "of the metric"
			}
			writeRow(&b, d.Name, fmt.Sprintf(" (%d)", len(column.Members(d.Name))), text, of.Describe(kind, "en"))
		}
		if t.Geometry != "" {
			writeRow(&b, GeometryColumn, "", geometryColumn.Type.Name, geometryColumn.Text.EN)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func writeRow(b *strings.Builder, name, more, kind, text string) {
	fmt.Fprintf(b, "| `%s`%s | %s | %s |\n", name, more, kind, strings.ReplaceAll(text, "|", "\\|"))
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
